import type { Var } from '../contract.ts';
import { call } from '../loop/scalar.ts';
import { type DType, type FloatResult, isComplex } from '../types/dtype.ts';
import type { Argument, JoinDType, JoinKind, Kind, Of, Operand } from '../types/operand.ts';
import { applyPromoted } from './arguments.ts';
import { add, mul, neg, sub } from './arithmetic.ts';
import { equal } from './compare.ts';
import { plusReal } from './complex-parts.ts';
import { floats, type Primitive } from './define.ts';
import { div, divideOrZero } from './division.ts';
import { defineElementwise } from './elementwise.ts';
import { applyFunction, defineFunction } from './functions.ts';
import { logicalOr } from './logic.ts';
import { multiplyOrZero } from './multiply-or-zero.ts';
import { hypot } from './roots.ts';
import { partials } from './rules.ts';
import { select } from './select.ts';
import { rsqrt } from './special.ts';

/** dx/√(1 − x²), without cancellation near ±1. Complex numbers may be large, where the product of both factors overflows. */
function overCircle(dx: Var, x: Var): Var {
  if (isComplex(x.type.dtype)) return multiplyOrZero(multiplyOrZero(dx, rsqrt(plusReal(neg(x), 1))), rsqrt(plusReal(x, 1))) as Var;
  return multiplyOrZero(dx, rsqrt(mul(sub(1, x), add(1, x)))) as Var;
}

/** tan′ = 1 + tan² */
export const tanPrimitive: Primitive = defineFunction('tan', (ctx, dx) => multiplyOrZero(dx, add(mul(ctx.output(0), ctx.output(0)), 1)));
export const asinPrimitive: Primitive = defineFunction('asin', (ctx, dx) => overCircle(dx as Var, ctx.input(0)));
export const acosPrimitive: Primitive = defineFunction('acos', (ctx, dx) => neg(overCircle(dx as Var, ctx.input(0))));
export const atanPrimitive: Primitive = defineFunction('atan', (ctx, dx) => divideOrZero(dx, add(mul(ctx.input(0), ctx.input(0)), 1)));

/** part/(x² + y²) by two quotients, which do not overflow; 0 at the origin, where there is no angle, and at infinity. */
function overSquaredRadius(part: Var, y: Var, x: Var): Var {
  const radius = hypot(y, x);
  const isFlat = logicalOr(equal(radius, 0), equal(radius, Infinity));
  const divisor = select(isFlat, 1, radius);
  return select(isFlat, 0, div(div(part, divisor), divisor)) as Var;
}

/** d atan2(y, x) = (x·dy − y·dx)/(x² + y²) */
export const atan2Primitive: Primitive = defineElementwise({
  name: 'atan2', inputs: 2, dtypes: floats,
  real: (y, x) => call('atan2', y!.type, y!, x!),
  rule: partials(
    (ctx, dy) => multiplyOrZero(dy, overSquaredRadius(ctx.input(1), ctx.input(0), ctx.input(1))),
    (ctx, dx) => neg(multiplyOrZero(dx, overSquaredRadius(ctx.input(0), ctx.input(0), ctx.input(1)))),
  ),
});

/** The tangent of radians, elementwise, right for arguments of any size. */
export function tan<K extends Kind, D extends DType>(x: Operand<K, D>): Of<K, FloatResult<D>> {
  return applyFunction(tanPrimitive.operation, x);
}

/** The angle in [−π/2, π/2] whose sine is x, elementwise; NaN beyond ±1. Its derivative at ±1 is infinite, but a zero cotangent stays zero. */
export function asin<K extends Kind, D extends DType>(x: Operand<K, D>): Of<K, FloatResult<D>> {
  return applyFunction(asinPrimitive.operation, x);
}

/** The angle in [0, π] whose cosine is x, elementwise; as {@link asin}. */
export function acos<K extends Kind, D extends DType>(x: Operand<K, D>): Of<K, FloatResult<D>> {
  return applyFunction(acosPrimitive.operation, x);
}

/** The angle in [−π/2, π/2] whose tangent is x, elementwise. */
export function atan<K extends Kind, D extends DType>(x: Operand<K, D>): Of<K, FloatResult<D>> {
  return applyFunction(atanPrimitive.operation, x);
}

/**
 * The angle in [−π, π] of the point (x, y), elementwise with broadcasting; integers are computed in float64. Signed zeros and
 * infinities as in C's Annex F. The gradient at the origin is 0.
 *
 * @throws DTypeError for complex, ShapeError when shapes do not broadcast.
 * @example
 * import { atan2, Builder, tensorType } from '@tf/core';
 * const y = new Builder().input(tensorType('float64', [3]), 'y');
 * if (atan2(y, -1).type.key !== 'f64[3]') throw new Error('unexpected');
 */
export function atan2<Y extends Argument, X extends Argument>(y: Y, x: X): Of<JoinKind<Y, X>, FloatResult<JoinDType<Y, X>>> {
  return applyPromoted(atan2Primitive.operation, [y, x], {}, 'float') as Of<JoinKind<Y, X>, FloatResult<JoinDType<Y, X>>>;
}

export const trigonometricPrimitives: readonly Primitive[] = [tanPrimitive, asinPrimitive, acosPrimitive, atanPrimitive, atan2Primitive];
