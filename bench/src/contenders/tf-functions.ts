import { add, gelu, layerNorm, logSumExp, matmul, mean, mul, type Operand, relu, sigmoid, softmax, sub, sum } from '@tf/core';
import { fft, rfft } from '@tf/fft';
import { chainLength, layerNormEpsilon, type Task } from '../workloads.ts';

/** Tensors of one of our front ends, by name. */
export type Tensors = Readonly<Record<string, Operand>>;

/** y = y·x + x, time and again. */
export function operations({ x }: { readonly x: Operand }): Operand {
  let y = x;
  for (let times = 0; times < chainLength; times++) y = add(mul(y, x), x);
  return y;
}

/** Three operations: Σ (x·c)². */
export function stepLoss(x: Operand, c: Operand): Operand {
  const h = mul(x, c);
  return sum(mul(h, h));
}

/** The mean cross-entropy of a network of three layers. */
export function networkLoss(parameters: Tensors, x: Operand, labels: Operand): Operand {
  const layer = (input: Operand, number: number): Operand => add(matmul(input, parameters[`w${number}`] as Operand), parameters[`b${number}`] as Operand);
  const scores = layer(relu(layer(relu(layer(x, 1)), 2)), 3);
  return mean(sub(logSumExp(scores, { axes: -1 }), sum(mul(labels, scores), { axes: -1 })));
}

/** Tasks that are one function of their inputs: the same in both front ends. */
export const plainFunctions: Readonly<Partial<Record<Task, (inputs: Tensors) => Operand>>> = {
  matmul: ({ a, b }) => matmul(a as Operand, b as Operand),
  'gelu chain': ({ x, y, z }) => add(mul(gelu(x as Operand), sigmoid(y as Operand)), z as Operand),
  sum: ({ x }) => sum(x as Operand),
  mean: ({ x }) => mean(x as Operand),
  'sum axis 1': ({ x }) => sum(x as Operand, { axes: 1 }),
  'sum axis 0': ({ x }) => sum(x as Operand, { axes: 0 }),
  softmax: ({ x }) => softmax(x as Operand, -1),
  'layer norm': ({ x }) => layerNorm(x as Operand, { axes: -1, epsilon: layerNormEpsilon }),
  fft: ({ x }) => fft(x as Operand),
  rfft: ({ x }) => rfft(x as Operand),
};
