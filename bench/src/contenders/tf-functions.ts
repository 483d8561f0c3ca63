import { add, gelu, layerNorm, logSumExp, matmul, mean, mul, type Operand, relu, sigmoid, softmax, sub, sum } from '@tf/core';
import { einsum, type ListedLabel } from '@tf/einsum';
import { fft, rfft } from '@tf/fft';
import { equations, memberNames, stateLength } from '../networks.ts';
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
  ...Object.fromEntries(Object.entries(equations).map(([task, { equation, shapes }]) => [task, (inputs: Tensors) => einsum(equation, Object.keys(shapes).map((name) => inputs[name] as Operand)) as Operand])),
  ring: ringTrace,
  state: stateNorm,
};

/** An einsum of tensors with their labels, of which nothing is left. */
function contracted(listed: readonly (readonly [Operand, readonly number[]])[]): Operand {
  const none: readonly ListedLabel[] = [];
  return einsum(...(listed.flat() as readonly (Operand | readonly number[])[]), none) as Operand;
}

/** The trace of the product of all matrices. */
export function ringTrace(matrices: Tensors): Operand {
  const names = memberNames(Object.keys(matrices).length);
  return contracted(names.map((name, at) => [matrices[name] as Operand, [at, (at + 1) % names.length]]));
}

/** ⟨ψ|ψ⟩ of a matrix product state: each site twice, its own axis shared, its bonds not. */
export function stateNorm(sites: Tensors): Operand {
  return contracted(memberNames(stateLength).flatMap((name, at) => [[sites[name] as Operand, [3 * at, 3 * at + 1, 3 * at + 3]], [sites[name] as Operand, [3 * at + 2, 3 * at + 1, 3 * at + 5]]] as const));
}
