import * as scalar from '../loop/scalar.ts';
import type { DType, FloatResult } from '../types/dtype.ts';
import type { Kind, Of, Operand } from '../types/operand.ts';
import { mul, neg } from './arithmetic.ts';
import type { Primitive } from './define.ts';
import { divideOrZero } from './division.ts';
import { applyFunction, defineFunction, exp } from './functions.ts';
import { multiplyOrZero } from './multiply-or-zero.ts';

/** 2/√π, the slope of erf at 0. */
const erfSlope = 1.1283791670955126;

/** 1/√(2π), the slope of ndtr at 0. */
const ndtrSlope = 0.3989422804014327;

export const sinPrimitive: Primitive = defineFunction('sin', (ctx, dx) => multiplyOrZero(dx, cos(ctx.input(0))));
export const cosPrimitive: Primitive = defineFunction('cos', (ctx, dx) => neg(multiplyOrZero(dx, sin(ctx.input(0)))));
/** erf′(x) = 2/√π·exp(−x²) (Abramowitz and Stegun 7.1.1) */
export const erfPrimitive: Primitive = defineFunction('erf', (ctx, dx) => multiplyOrZero(dx, mul(exp(neg(mul(ctx.input(0), ctx.input(0)))), erfSlope)));
export const erfcPrimitive: Primitive = defineFunction('erfc', (ctx, dx) => multiplyOrZero(dx, mul(exp(neg(mul(ctx.input(0), ctx.input(0)))), -erfSlope)));
/** Φ′(x) = exp(−x²/2)/√(2π) (Abramowitz and Stegun 26.2.1) */
export const ndtrPrimitive: Primitive = defineFunction('ndtr', (ctx, dx) => multiplyOrZero(dx, mul(exp(mul(mul(ctx.input(0), ctx.input(0)), -0.5)), ndtrSlope)));
/** σ′(x) = σ(x)·σ(−x): exact in both tails, where 1 − σ would cancel. */
export const sigmoidPrimitive: Primitive = defineFunction('sigmoid', (ctx, dx) => multiplyOrZero(dx, mul(ctx.output(0), sigmoid(neg(ctx.input(0))))));
/** log(1 + eˣ) = max(x, 0) + log1p(exp(−|x|)), and its derivative σ(x): smooth where that formula has a kink. */
export const softplusPrimitive: Primitive = defineFunction('softplus', (ctx, dx) => multiplyOrZero(dx, sigmoid(ctx.input(0))), (x) => {
  const tail = scalar.call('exp', x.type, scalar.neg(scalar.abs(x)));
  return scalar.add(scalar.max(x, scalar.constant(x.type, 0)), scalar.call('log1p', x.type, tail));
});
/** (x^−½)′ = −½·x^−½/x */
export const rsqrtPrimitive: Primitive = defineFunction('rsqrt', (ctx, dx) => divideOrZero(multiplyOrZero(mul(dx, -0.5), ctx.output(0)), ctx.input(0)));

/** The sine of radians, elementwise, right for arguments of any size. */
export function sin<K extends Kind, D extends DType>(x: Operand<K, D>): Of<K, FloatResult<D>> {
  return applyFunction(sinPrimitive.operation, x);
}

/** The cosine of radians, elementwise, right for arguments of any size. */
export function cos<K extends Kind, D extends DType>(x: Operand<K, D>): Of<K, FloatResult<D>> {
  return applyFunction(cosPrimitive.operation, x);
}

/** The Gauss error function, elementwise. */
export function erf<K extends Kind, D extends DType>(x: Operand<K, D>): Of<K, FloatResult<D>> {
  return applyFunction(erfPrimitive.operation, x);
}

/** 1 − erf(x), elementwise, accurate in the far tail. */
export function erfc<K extends Kind, D extends DType>(x: Operand<K, D>): Of<K, FloatResult<D>> {
  return applyFunction(erfcPrimitive.operation, x);
}

/**
 * The distribution function Φ of the normal distribution, elementwise, accurate in the far tail: the chance that a standard normal
 * number is below x.
 *
 * @example
 * import { Builder, ndtr, tensorType } from '@tf/core';
 * const x = new Builder().input(tensorType('float32', [3]), 'x');
 * if (ndtr(x).type.dtype !== 'float32') throw new Error('unexpected');
 */
export function ndtr<K extends Kind, D extends DType>(x: Operand<K, D>): Of<K, FloatResult<D>> {
  return applyFunction(ndtrPrimitive.operation, x);
}

/**
 * The logistic function 1/(1 + e⁻ˣ), elementwise.
 *
 * @example
 * import { Builder, sigmoid, tensorType } from '@tf/core';
 * const x = new Builder().input(tensorType('float32', [3]), 'x');
 * if (sigmoid(x).type.dtype !== 'float32') throw new Error('unexpected');
 */
export function sigmoid<K extends Kind, D extends DType>(x: Operand<K, D>): Of<K, FloatResult<D>> {
  return applyFunction(sigmoidPrimitive.operation, x);
}

/** log(1 + eˣ), elementwise, without overflow and smooth everywhere. */
export function softplus<K extends Kind, D extends DType>(x: Operand<K, D>): Of<K, FloatResult<D>> {
  return applyFunction(softplusPrimitive.operation, x);
}

/** 1/√x, elementwise: Inf at 0, NaN below. */
export function rsqrt<K extends Kind, D extends DType>(x: Operand<K, D>): Of<K, FloatResult<D>> {
  return applyFunction(rsqrtPrimitive.operation, x);
}

export const specialPrimitives: readonly Primitive[] = [sinPrimitive, cosPrimitive, erfPrimitive, erfcPrimitive, ndtrPrimitive, sigmoidPrimitive, softplusPrimitive, rsqrtPrimitive];
