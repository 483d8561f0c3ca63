import type { Var } from '../contract.ts';
import { call } from '../loop/scalar.ts';
import type { DType, FloatResult } from '../types/dtype.ts';
import type { Argument, JoinDType, JoinKind, Kind, Of, Operand } from '../types/operand.ts';
import { applyPromoted } from './arguments.ts';
import { mul } from './arithmetic.ts';
import { isInf, isNan } from './classification.ts';
import { equal } from './compare.ts';
import { floats, type Primitive } from './define.ts';
import { div, divideOrZero } from './division.ts';
import { defineElementwise } from './elementwise.ts';
import { applyFunction, defineFunction } from './functions.ts';
import { sign } from './magnitude.ts';
import { multiplyOrZero } from './multiply-or-zero.ts';
import { partials, withHalfSquare } from './rules.ts';
import { select } from './select.ts';

/** (∛x)′ = ⅓/∛x²: infinite at 0, where a zero tangent stays zero. One root after the other, so that the further derivatives are infinite too. */
export const cbrtPrimitive: Primitive = defineFunction('cbrt', (ctx, dx) => divideOrZero(divideOrZero(mul(dx, 1 / 3), ctx.output(0)), ctx.output(0)));

/**
 * side/norm, and 0 at the origin: the subgradient of a norm that is smallest. Where the norm is infinite the infinite sides share it:
 * the limit along the diagonal.
 */
function direction(side: Var, other: Var, norm: Var): Var {
  const isOrigin = equal(norm, 0);
  const isEndless = equal(norm, Infinity);
  const ratio = div(side, select(isOrigin, 1, select(isEndless, 1, norm)));
  const share = select(isInf(other), mul(sign(side), Math.SQRT1_2), sign(side));
  const limit = select(isInf(side), share, select(isNan(side), side, 0));
  return select(isOrigin, 0, select(isEndless, limit, ratio)) as Var;
}

export const hypotPrimitive: Primitive = defineElementwise({
  name: 'hypot', inputs: 2, dtypes: floats,
  real: (x, y) => call('hypot', x!.type, x!, y!),
  rule: withHalfSquare(partials(
    (ctx, dx) => multiplyOrZero(dx, direction(ctx.input(0), ctx.input(1), ctx.output(0))),
    (ctx, dy) => multiplyOrZero(dy, direction(ctx.input(1), ctx.input(0), ctx.output(0))),
  ), (ctx, ct) => [ctx.active[0] === true ? multiplyOrZero(ct, ctx.input(0)) : undefined, ctx.active[1] === true ? multiplyOrZero(ct, ctx.input(1)) : undefined]),
});

/** The real cube root, elementwise, also of negative numbers. Its derivative at 0 is infinite, but a zero cotangent stays zero. */
export function cbrt<K extends Kind, D extends DType>(x: Operand<K, D>): Of<K, FloatResult<D>> {
  return applyFunction(cbrtPrimitive.operation, x);
}

/**
 * √(a² + b²), elementwise with broadcasting, without overflow of the squares; integers are computed in float64. An infinite operand
 * gives +Inf even beside NaN. The gradient at the origin is 0.
 *
 * @throws DTypeError for complex, ShapeError when shapes do not broadcast.
 * @example
 * import { Builder, hypot, tensorType } from '@tf/core';
 * const x = new Builder().input(tensorType('float64', [3]), 'x');
 * if (hypot(x, 1).type.key !== 'f64[3]') throw new Error('unexpected');
 */
export function hypot<A extends Argument, B extends Argument>(a: A, b: B): Of<JoinKind<A, B>, FloatResult<JoinDType<A, B>>> {
  return applyPromoted(hypotPrimitive.operation, [a, b], {}, 'float') as Of<JoinKind<A, B>, FloatResult<JoinDType<A, B>>>;
}

export const rootPrimitives: readonly Primitive[] = [cbrtPrimitive, hypotPrimitive];
