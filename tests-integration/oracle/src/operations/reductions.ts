import { logSoftmax, logSumExp, mean, type Operand, prod, reduceMax, reduceMin, type ReduceOptions, softmax, std, sum, variance, type VarianceOptions } from '@tf/core';
import { type ArgumentReader, type OracleOperation, withArguments } from './operation.ts';

function reduceOptions(args: ArgumentReader): ReduceOptions {
  return { ...args.axes('axes'), keepdims: args.flag('keepdims') };
}

function reduction(f: (x: Operand, options: ReduceOptions) => unknown): OracleOperation {
  return withArguments((x, args) => f(x, reduceOptions(args)));
}

function spread(f: (x: Operand, options: VarianceOptions) => unknown): OracleOperation {
  return withArguments((x, args) => f(x, { ...reduceOptions(args), ddof: args.number('ddof', 0) }));
}

function alongAxis(f: (x: Operand, axis: number) => unknown): OracleOperation {
  return withArguments((x, args) => f(x, args.number('axis')));
}

export const reductionOperations: readonly (readonly [string, OracleOperation])[] = [
  ['sum', reduction(sum)], ['mean', reduction(mean)], ['prod', reduction(prod)], ['max', reduction(reduceMax)], ['min', reduction(reduceMin)],
  ['logsumexp', reduction(logSumExp)],
  // Of booleans the larger is "or", the smaller "and".
  ['any', reduction(reduceMax)], ['all', reduction(reduceMin)],
  ['var', spread(variance)], ['std', spread(std)],
  ['softmax', alongAxis(softmax)], ['log_softmax', alongAxis(logSoftmax)],
];
