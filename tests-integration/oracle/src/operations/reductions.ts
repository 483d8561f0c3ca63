import { all, any, argmax, argmin, argsort, cumLogSumExp, cummax, cumprod, cumsum, logSoftmax, logSumExp, mean, type Operand, prod, reduceMax, reduceMin, type ReduceOptions, softmax, sort, type SortOptions, std, sum, topk, variance, type VarianceOptions, vectorNorm } from '@tf/core';
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

/** The axis; `null` and absence mean all elements in row-major order. */
function axisOption(args: ArgumentReader): { readonly axis?: number } {
  return (args.raw('axis') ?? null) === null ? {} : { axis: args.number('axis') };
}

/** A number, or the infinities as texts. */
function order(args: ArgumentReader): number {
  const ord = args.raw('ord') ?? 2;
  return ord === 'inf' ? Infinity : ord === '-inf' ? -Infinity : args.number('ord', 2);
}

function ordering(f: (x: Operand, axis: number, options: SortOptions) => unknown): OracleOperation {
  return withArguments((x, args) => f(x, args.number('axis', -1), { descending: args.flag('descending') }));
}

const largest: OracleOperation = ([x], args) => {
  const { values, indices } = topk(x as Operand, args.number('k'), args.number('axis', -1));
  return [values as unknown as Operand, indices as unknown as Operand];
};

function alongAxis(f: (x: Operand, axis: number) => unknown): OracleOperation {
  return withArguments((x, args) => f(x, args.number('axis')));
}

export const reductionOperations: readonly (readonly [string, OracleOperation])[] = [
  ['sum', reduction(sum)], ['mean', reduction(mean)], ['prod', reduction(prod)], ['max', reduction(reduceMax)], ['min', reduction(reduceMin)],
  ['logsumexp', reduction(logSumExp)],
  ['any', reduction(any)], ['all', reduction(all)],
  ['argmax', withArguments((x, args) => argmax(x, axisOption(args)))], ['argmin', withArguments((x, args) => argmin(x, axisOption(args)))],
  ['vector_norm', withArguments((x, args) => vectorNorm(x, { ...reduceOptions(args), ord: order(args) }))],
  ['var', spread(variance)], ['std', spread(std)],
  ['sort', ordering(sort)], ['argsort', ordering(argsort)], ['topk', largest],
  ['cumsum', alongAxis(cumsum)], ['cumprod', alongAxis(cumprod)], ['cummax', alongAxis(cummax)], ['logcumsumexp', alongAxis(cumLogSumExp)],
  ['softmax', alongAxis(softmax)], ['log_softmax', alongAxis(logSoftmax)],
];
