import type { Rule } from '../contract.ts';
import * as scalar from '../loop/scalar.ts';
import type { FloatResult } from '../types/dtype.ts';
import type { Argument, JoinDType, JoinKind, Of } from '../types/operand.ts';
import { applyPromoted } from './arguments.ts';
import { type Joined, mul, neg } from './arithmetic.ts';
import { floats, type Primitive } from './define.ts';
import { defineElementwise } from './elementwise.ts';
import { partials, sumTangents } from './rules.ts';

const divideOrZeroRule: Rule = {
  kind: 'rule',
  linear: { inputs: [0], how: 'together' },
  transpose: (ctx, [ct]) => [ct === undefined ? undefined : divideOrZero(ct, ctx.input(1))],
  linearize: (ctx, [dx, dy]) => [sumTangents([
    dx === undefined ? undefined : divideOrZero(dx, ctx.input(1)),
    dy === undefined ? undefined : neg(divideOrZero(mul(ctx.output(0), dy), ctx.input(1))),
  ])],
};

export const divPrimitive: Primitive = defineElementwise({
  name: 'div',
  inputs: 2,
  dtypes: floats,
  real: (a, b) => scalar.div(a!, b!),
  // d(x/y) = dx/y − x·(dy/y)/y, where a zero tangent stays zero even for y = 0.
  rule: {
    ...partials(
      (ctx, dx) => divideOrZero(dx, ctx.input(1)),
      (ctx, dy) => neg(divideOrZero(mul(ctx.input(0), divideOrZero(dy, ctx.input(1))), ctx.input(1))),
    ),
    linear: { inputs: [0], how: 'together' },
    transpose: (ctx, [ct]) => [ct === undefined ? undefined : divideOrZero(ct, ctx.input(1))],
  },
});

export const divideOrZeroPrimitive: Primitive = defineElementwise({
  name: 'divideOrZero',
  inputs: 2,
  dtypes: floats,
  real: (a, b) => scalar.select(scalar.eq(a!, scalar.constant(a!.type, 0)), a!, scalar.div(a!, b!)),
  rule: divideOrZeroRule,
});

/**
 * a / b, and 0 where a is 0 whatever b is: how a derivative that is infinite at one point scales a tangent, so that a
 * branch not taken adds exactly 0. Linear in `a`.
 */
export function divideOrZero<A extends Argument, B extends Argument>(a: A, b: B): Joined<A, B> {
  return applyPromoted(divideOrZeroPrimitive.operation, [a, b], {}, 'float') as Joined<A, B>;
}

/**
 * a / b, elementwise, with broadcasting; integers and booleans are divided in float64.
 *
 * @throws ShapeError when shapes do not broadcast.
 * @example
 * import { Builder, div, tensorType } from '@tf/core';
 * const n = new Builder().input(tensorType('int32', [3]), 'n');
 * if (div(n, 2).type.dtype !== 'float64') throw new Error('unexpected');
 */
export function div<A extends Argument, B extends Argument>(a: A, b: B): Of<JoinKind<A, B>, FloatResult<JoinDType<A, B>>> {
  return applyPromoted(divPrimitive.operation, [a, b], {}, 'float') as Of<JoinKind<A, B>, FloatResult<JoinDType<A, B>>>;
}

export const divisionPrimitives: readonly Primitive[] = [divPrimitive, divideOrZeroPrimitive];
