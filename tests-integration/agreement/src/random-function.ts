import { abs, add, type Argument, broadcastTo, div, exp, greater, type Kind, log, matmul, maximum, mean, minimum, mul, neg, type Operand, pow, reduceMax, reduceMin, reshape, select, sigmoid, sin, sqrt, sub, sum, tanh, transpose } from '@tf/core';
import * as fc from 'fast-check';

/** One step of a random function: which operation, on which of the values so far, and a number for those that take one. */
export type Step = readonly [operation: number, left: number, right: number, scalar: number];

/** The shapes of its arguments: a matrix, a row, a column, a scalar. */
export const shapes: readonly (readonly number[])[] = [[3, 3], [3], [3, 1], []];

/** Positive whatever `x` is. */
function positive(x: Operand): Operand {
  return add(mul(x, x), 0.5) as Operand;
}

const unary: readonly ((x: Operand) => Operand)[] = [
  (x) => exp(mul(x, 0.1)) as Operand,
  (x) => tanh(x) as Operand,
  (x) => neg(x) as Operand,
  (x) => log(positive(x)) as Operand,
  (x) => sqrt(positive(x)) as Operand,
  (x) => sigmoid(x) as Operand,
  (x) => sin(x) as Operand,
  (x) => abs(x) as Operand,
  (x) => pow(x, 2) as Operand,
  (x) => pow(positive(x), 1.5) as Operand,
  (x) => transpose(x) as Operand,
  (x) => reshape(reshape(x, [-1]), x.type.shape) as Operand,
  (x) => sum(x) as Operand,
  (x) => sum(x, { axes: lastAxis(x), keepdims: true }) as Operand,
  (x) => mean(x, { axes: lastAxis(x), keepdims: true }) as Operand,
  (x) => reduceMax(x, { axes: lastAxis(x), keepdims: true }) as Operand,
  (x) => reduceMin(x) as Operand,
];

function lastAxis(x: Operand): readonly number[] {
  return x.type.shape.length === 0 ? [] : [-1];
}

const binary: readonly ((x: Operand, y: Argument) => Operand)[] = [
  (x, y) => add(x, y) as Operand,
  (x, y) => sub(x, y) as Operand,
  (x, y) => mul(x, y) as Operand,
  (x, y) => maximum(x, y) as Operand,
  (x, y) => minimum(y, x) as Operand,
  (x, y) => select(greater(x, y) as Operand<Kind, 'bool'>, x, y) as Operand,
  (x, y) => div(x, typeof y === 'object' ? positive(y as Operand) : y) as Operand,
  (x, y) => div(y, positive(x)) as Operand,
];

const operations: number = unary.length + 2 * binary.length + 1;

/** Any sequence of steps. */
export function anySteps(maxLength: number): fc.Arbitrary<readonly Step[]> {
  return fc.array(fc.tuple(fc.nat(operations - 1), fc.nat(99), fc.nat(99), fc.constantFrom(-1, 0, 0.5, 1, 2, 0.3, 1.7)), { minLength: 1, maxLength });
}

/** The real scalar that the steps describe, by public functions only: any front end's operands will do. */
export function randomFunction(steps: readonly Step[]): (...inputs: readonly Operand[]) => Operand {
  return (...inputs) => {
    const values = [...inputs];
    for (const [kind, left, right, scalar] of steps) {
      const x = values[left % values.length] as Operand;
      const y = values[right % values.length] as Operand;
      values.push(apply(kind % operations, x, y, scalar));
    }
    return values.map((value) => sum(tanh(value)) as Operand).reduce((left, right) => add(left, right) as Operand);
  };
}

function apply(kind: number, x: Operand, y: Operand, scalar: number): Operand {
  if (kind < unary.length) return (unary[kind] as (typeof unary)[number])(x);
  const rest = kind - unary.length;
  if (rest < 2 * binary.length) return (binary[rest % binary.length] as (typeof binary)[number])(x, rest < binary.length ? y : scalar);
  return matmul(broadcastTo(x, [3, 3]) as Operand, broadcastTo(y, [3, 3]) as Operand) as Operand;
}
