import type { Rule } from '../contract.ts';
import * as scalar from '../loop/scalar.ts';
import type { Argument } from '../types/operand.ts';
import { applyPromoted } from './arguments.ts';
import { type Joined, mul } from './arithmetic.ts';
import { floats, type Primitive } from './define.ts';
import { defineElementwise } from './elementwise.ts';
import { sumTangents } from './rules.ts';

const rule: Rule = {
  kind: 'rule',
  linear: { inputs: [0], how: 'together' },
  transpose: (ctx, [ct]) => [ct === undefined ? undefined : multiplyOrZero(ct, ctx.input(1))],
  linearize: (ctx, [da, db]) => [sumTangents([
    da === undefined ? undefined : multiplyOrZero(da, ctx.input(1)),
    db === undefined ? undefined : mul(db, ctx.input(0)),
  ])],
};

export const multiplyOrZeroPrimitive: Primitive = defineElementwise({
  name: 'multiplyOrZero',
  inputs: 2,
  dtypes: floats,
  real: (a, b) => scalar.select(scalar.eq(a!, scalar.constant(a!.type, 0)), a!, scalar.mul(a!, b!)),
  rule,
});

/**
 * a · b, and 0 where a is 0 whatever b is: how a slope that may be infinite scales a tangent, so that a branch not taken
 * adds exactly 0. Linear in `a`. The twin of `divideOrZero`.
 */
export function multiplyOrZero<A extends Argument, B extends Argument>(a: A, b: B): Joined<A, B> {
  return applyPromoted(multiplyOrZeroPrimitive.operation, [a, b], {}, 'float') as Joined<A, B>;
}
