import { type DType, type FloatResult, isComplex } from '../types/dtype.ts';
import type { Kind, Of, Operand } from '../types/operand.ts';
import { add, mul, neg, sub } from './arithmetic.ts';
import { complex, imag, plusReal, real } from './complex-parts.ts';
import type { Primitive } from './define.ts';
import { divideOrZero } from './division.ts';
import { applyFunction, defineFunction } from './functions.ts';
import { multiplyOrZero } from './multiply-or-zero.ts';
import { hypot } from './roots.ts';
import { rsqrt } from './special.ts';

export const sinhPrimitive: Primitive = defineFunction('sinh', (ctx, dx) => multiplyOrZero(dx, cosh(ctx.input(0))));
export const coshPrimitive: Primitive = defineFunction('cosh', (ctx, dx) => multiplyOrZero(dx, sinh(ctx.input(0))));
/** i·x */
function turned(x: Operand): Operand {
  return complex(neg(imag(x)), real(x));
}

/** asinh′ = 1/√(x² + 1), whose square must not overflow; of complex numbers 1/(√(1 + ix)·√(1 − ix)). */
export const asinhPrimitive: Primitive = defineFunction('asinh', (ctx, dx) => (isComplex(dx.type.dtype) ? multiplyOrZero(multiplyOrZero(dx, rsqrt(plusReal(turned(ctx.input(0)), 1))), rsqrt(plusReal(neg(turned(ctx.input(0))), 1))) : divideOrZero(dx, hypot(ctx.input(0), 1))));
/** acosh′ = 1/(√(x − 1)·√(x + 1)) */
export const acoshPrimitive: Primitive = defineFunction('acosh', (ctx, dx) => multiplyOrZero(multiplyOrZero(dx, rsqrt(plusReal(ctx.input(0), -1))), rsqrt(plusReal(ctx.input(0), 1))));
export const atanhPrimitive: Primitive = defineFunction('atanh', (ctx, dx) => divideOrZero(dx, mul(sub(1, ctx.input(0)), add(1, ctx.input(0)))));

/**
 * The hyperbolic sine, elementwise.
 *
 * @example
 * import { Builder, sinh, tensorType } from '@tf/core';
 * const x = new Builder().input(tensorType('float32', [3]), 'x');
 * if (sinh(x).type.dtype !== 'float32') throw new Error('unexpected');
 */
export function sinh<K extends Kind, D extends DType>(x: Operand<K, D>): Of<K, FloatResult<D>> {
  return applyFunction(sinhPrimitive.operation, x);
}

/** The hyperbolic cosine, elementwise. */
export function cosh<K extends Kind, D extends DType>(x: Operand<K, D>): Of<K, FloatResult<D>> {
  return applyFunction(coshPrimitive.operation, x);
}

/** The inverse of {@link sinh}, elementwise. */
export function asinh<K extends Kind, D extends DType>(x: Operand<K, D>): Of<K, FloatResult<D>> {
  return applyFunction(asinhPrimitive.operation, x);
}

/** The number ≥ 0 whose {@link cosh} is x, elementwise; NaN below 1. Its derivative at 1 is infinite, but a zero cotangent stays zero. */
export function acosh<K extends Kind, D extends DType>(x: Operand<K, D>): Of<K, FloatResult<D>> {
  return applyFunction(acoshPrimitive.operation, x);
}

/** The inverse of `tanh`, elementwise: ±Inf at ±1, NaN beyond. */
export function atanh<K extends Kind, D extends DType>(x: Operand<K, D>): Of<K, FloatResult<D>> {
  return applyFunction(atanhPrimitive.operation, x);
}

export const hyperbolicPrimitives: readonly Primitive[] = [sinhPrimitive, coshPrimitive, asinhPrimitive, acoshPrimitive, atanhPrimitive];
