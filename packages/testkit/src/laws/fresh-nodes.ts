import { add, mul, type Operand } from '@tf/core';
import { type Law, LawError } from './law.ts';

/** A front end's `grad` on scalar functions, as the law sees it. */
export interface TransformSubject {
  readonly name: string;
  /** The value of `f` at a number: runs whatever the front end runs. */
  readonly evaluate: (f: ScalarFunction, x: number) => number | Promise<number>;
  readonly grad: (f: ScalarFunction) => ScalarFunction;
}

export type ScalarFunction = (x: Operand) => Operand;

const times = (a: Operand, b: Operand | number): Operand => mul(a, b) as Operand;
const plus = (a: Operand, b: Operand | number): Operand => add(a, b) as Operand;

/** Each: what it is, the function of the outer variable built with `grad`, where, and the value. */
function cases(grad: TransformSubject['grad']): readonly (readonly [string, ScalarFunction, number, number])[] {
  const nest = (depth: number): ScalarFunction => Array.from({ length: depth }).reduce<ScalarFunction>((f) => grad(f), (x) => times(times(times(x, x), times(x, x)), times(x, times(x, x))));
  return [
    ['grad(x => x·grad(y => x·y)(x))(3)', grad((x) => times(x, grad((y) => times(x, y))(x))), 3, 6],
    ['grad(x => x·grad(y => x + y)(x))(1)', grad((x) => times(x, grad((y) => plus(x, y))(x))), 1, 1],
    ['grad(y => x·y)(x) with x captured, at 5', (x) => grad((y) => times(x, y))(x), 5, 5],
    ['grad(x => grad(y => y·y·x)(x))(3)', grad((x) => grad((y) => times(times(y, y), x))(x)), 3, 12],
    ['the sixth derivative of x⁷ at 1', nest(6), 1, 5040],
  ];
}

export const freshNodesLaw: Law<TransformSubject> = {
  name: 'fresh-nodes',
  equation: 'grad(x => x·grad(y => x·y)(x))(3) = 6: a transform differentiates by its own variable only',
  check: async ({ name, evaluate, grad }) => {
    for (const [text, f, at, expected] of cases(grad)) {
      const value = await evaluate(f, at);
      if (value !== expected) throw new LawError('fresh-nodes', name, `${text} is ${value}, expected ${expected}.`);
    }
    return undefined;
  },
};
