import { broadcastTo, concat, dotGeneral, elu, gelu, geluTanh, hardSwish, layerNorm, leakyRelu, logSigmoid, logSoftmax, logSumExp, matmul, mean, type Operand, prod, reciprocal, reduceMax, reduceMin, relu, silu, softmax, softplus, square, std, sum, type TensorType, variance } from '@tf/core';
import { any, axesBy, float, loose, numeric, ranked, rankOf, shapeOf, type Steer, step, type StepKind, type Take, unary } from './step.ts';

interface Over {
  readonly axes?: readonly number[];
  readonly keepdims?: boolean;
}

/** All axes, some, none; negative ones too. */
function over(x: Operand, { n, m }: Steer): Over {
  const keepdims = m % 3 === 0 ? { keepdims: true } : {};
  if (n % 5 === 0) return keepdims;
  const axes = axesBy(rankOf(x), n >> 2);
  return { axes: m % 2 === 0 ? axes : axes.map((axis) => axis - rankOf(x)), ...keepdims };
}

function folding(take: Take, f: unknown, weight = 5): StepKind {
  return step([take], ([x], steer) => loose(f)(x, over(x as Operand, steer)), weight);
}

/** Along one axis. */
function along(f: unknown, weight = 2): StepKind {
  return step([ranked(float)], ([x], { n }) => loose(f)(x, n % 3 === 0 ? undefined : n % rankOf(x as Operand)), weight);
}

const last = ({ shape }: TensorType, from: number): number => shape[Math.max(0, shape.length - from)] as number;
const multiplies: Take = (type, [first]) => ranked(numeric)(type, []) && (first === undefined || (last(first, 1) === last(type, 2)));

/** Pairs of equal axes, contracted or run along as `n` says. */
function contracted([x, y]: readonly Operand[], { n, m }: Steer): Operand {
  const pairs: [number, number][] = [];
  shapeOf(x as Operand).forEach((extent, axis) => {
    const found = shapeOf(y as Operand).findIndex((other, at) => other === extent && !pairs.some(([, used]) => used === at));
    if (found >= 0) pairs.push([axis, found]);
  });
  const chosen = n % 2 === 0 ? pairs : [...pairs].reverse();
  const contract = chosen.slice(0, 1 + (m % 2));
  const batch = chosen.slice(contract.length, contract.length + ((m >> 1) % 3));
  return dotGeneral(x as Operand, y as Operand, { lhsContract: contract.map(([l]) => l), rhsContract: contract.map(([, r]) => r), lhsBatch: batch.map(([l]) => l), rhsBatch: batch.map(([, r]) => r) }) as Operand;
}

/** Every entry there twice, so that extrema tie and stay tied whichever way the point moves. */
function tied(x: Operand, { n, m }: Steer): Operand {
  const twice = n % 2 === 0 ? concat([x, x]) : broadcastTo(x, [2, ...shapeOf(x)]);
  return loose(m % 2 === 0 ? reduceMax : reduceMin)(twice, { axes: n % 4 < 2 ? 0 : shapeOf(x).map((_, axis) => axis) });
}

const normalised = step([ranked(float)], ([x], { n, m }) => loose(layerNorm)(x, { axes: n % rankOf(x as Operand), epsilon: 0.1, ...(m % 2 === 0 ? {} : { scale: x, shift: x }) }), 2);

export const foldingSteps: { readonly [name: string]: StepKind } = {
  sum: folding(numeric, sum, 6),
  prod: folding(numeric, prod, 7),
  reduceMax: folding(any, reduceMax, 7),
  reduceMin: folding(any, reduceMin, 7),
  'extremum with ties': step([ranked(float)], ([x], steer) => tied(x as Operand, steer), 3),
  dot: step([ranked(numeric), ranked(numeric)], contracted, 5),
  matmul: step([ranked(numeric), multiplies], ([x, y]) => loose(matmul)(x, y), 5),
  relu: unary(numeric, relu, 3), softplus: unary(float, softplus, 2), silu: unary(float, silu, 2), gelu: unary(float, gelu, 2), geluTanh: unary(float, geluTanh, 2),
  logSigmoid: unary(float, logSigmoid, 2), hardSwish: unary(float, hardSwish, 2), square: unary(numeric, square, 2), reciprocal: unary(float, reciprocal, 2),
  leakyRelu: step([float], ([x], { n }) => loose(leakyRelu)(x, n / 10), 2), elu: step([float], ([x], { n }) => loose(elu)(x, n / 10), 2),
  logSumExp: folding(float, logSumExp, 2), softmax: along(softmax), logSoftmax: along(logSoftmax), layerNorm: normalised,
  mean: folding(numeric, mean, 2), variance: folding(float, variance, 2), std: folding(float, std, 2),
};
