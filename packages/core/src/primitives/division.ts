import type { Rule } from '../contract.ts';
import type { Complex } from '../loop/functions/complex/complex.ts';
import { quotient } from '../loop/functions/complex/quotient.ts';
import * as scalar from '../loop/scalar.ts';
import type { FloatResult } from '../types/dtype.ts';
import type { ScalarExpr } from '../types/loop-language.ts';
import type { Argument, JoinDType, JoinKind, Joined, Of } from '../types/operand.ts';
import { applyPromoted } from './arguments.ts';
import { neg } from './arithmetic.ts';
import { conj } from './conjugate.ts';
import { inexact, type Primitive } from './define.ts';
import { defineElementwise } from './elementwise.ts';
import { multiplyOrZero } from './multiply-or-zero.ts';
import { partials, sumTangents } from './rules.ts';

const divideOrZeroRule: Rule = {
  kind: 'rule',
  linear: { inputs: [0], how: 'together' },
  transpose: (ctx, [ct]) => [ct === undefined ? undefined : divideOrZero(ct, conj(ctx.input(1)))],
  linearize: (ctx, [dx, dy]) => [sumTangents([
    dx === undefined ? undefined : divideOrZero(dx, ctx.input(1)),
    dy === undefined ? undefined : neg(divideOrZero(multiplyOrZero(dy, ctx.output(0)), ctx.input(1))),
  ])],
};

export const divPrimitive: Primitive = defineElementwise({
  name: 'div',
  inputs: 2,
  dtypes: inexact,
  real: (a, b) => scalar.div(a!, b!),
  complex: (a, b) => quotient(a as Complex, b as Complex),
  // d(x/y) = dx/y − (dy·q)/y with q = x/y, where a zero tangent stays zero even for y = 0. dy/y would overflow where y is subnormal, and
  // be NaN times an x of 0.
  rule: {
    ...partials(
      (ctx, dx) => divideOrZero(dx, ctx.input(1)),
      (ctx, dy) => neg(divideOrZero(multiplyOrZero(dy, ctx.output(0)), ctx.input(1))),
    ),
    linear: { inputs: [0], how: 'together' },
    transpose: (ctx, [ct]) => [ct === undefined ? undefined : divideOrZero(ct, conj(ctx.input(1)))],
  },
});

/** The quotient, but 0 where it is NaN and a is 0: elsewhere bit for bit the quotient. */
function quotientOrZero(a: readonly ScalarExpr[], lanes: readonly ScalarExpr[]): readonly ScalarExpr[] {
  const isZero = a.map((lane) => scalar.eq(lane, scalar.constant(lane.type, 0))).reduce(scalar.and);
  const isNaN = lanes.map((lane) => scalar.ne(lane, lane)).reduce(scalar.or);
  return lanes.map((lane) => scalar.select(scalar.and(isZero, isNaN), scalar.constant(lane.type, 0), lane));
}

export const divideOrZeroPrimitive: Primitive = defineElementwise({
  name: 'divideOrZero',
  inputs: 2,
  dtypes: inexact,
  real: (a, b) => quotientOrZero([a!], [scalar.div(a!, b!)])[0]!,
  complex: (a, b) => quotientOrZero(a!, quotient(a as Complex, b as Complex)),
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
