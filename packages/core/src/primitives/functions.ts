import type { DerivativeRule, Operation } from '../contract.ts';
import { complexFunctions } from '../loop/functions/complex/catalog.ts';
import type { Complex } from '../loop/functions/complex/complex.ts';
import { call, sqrt as sqrtScalar } from '../loop/scalar.ts';
import { chooseListener, requireOperand } from '../program/dispatch.ts';
import { type DType, floatResult, type FloatResult } from '../types/dtype.ts';
import type { ScalarExpr } from '../types/loop-language.ts';
import type { Kind, Lifted, Of, Operand } from '../types/operand.ts';
import { argumentAs } from './arguments.ts';
import { add, mul, sub } from './arithmetic.ts';
import { floats, inexact, type Primitive } from './define.ts';
import { divideOrZero } from './division.ts';
import { defineElementwise } from './elementwise.ts';
import { multiplyOrZero } from './multiply-or-zero.ts';
import { type Partial, partials, withHalfSquare } from './rules.ts';

/** A function of real operands, and of complex ones where `loop/functions/complex` has it; one rule serves both: f'(x)·dx. */
export function defineFunction(name: string, partial: Partial, element: (x: ScalarExpr) => ScalarExpr = (x) => call(name, x.type, x), halfSquare?: DerivativeRule['halfSquare']): Primitive {
  const rule = halfSquare === undefined ? partials(partial) : withHalfSquare(partials(partial), halfSquare);
  const real = (x?: ScalarExpr): ScalarExpr => element(x!);
  const complex = Object.hasOwn(complexFunctions, name) ? complexFunctions[name] : undefined;
  if (complex === undefined) return defineElementwise({ name, inputs: 1, dtypes: floats, real, rule });
  return defineElementwise({ name, inputs: 1, dtypes: inexact, real, complex: (z) => complex(z as Complex), rule });
}

export const expPrimitive: Primitive = defineFunction('exp', (ctx, dx) => multiplyOrZero(dx, ctx.output(0)));
// Not expm1(x) + 1, which says nothing of eˣ where that is small beside 1.
export const expm1Primitive: Primitive = defineFunction('expm1', (ctx, dx) => multiplyOrZero(dx, exp(ctx.input(0))));
export const logPrimitive: Primitive = defineFunction('log', (ctx, dx) => divideOrZero(dx, ctx.input(0)));
export const log1pPrimitive: Primitive = defineFunction('log1p', (ctx, dx) => divideOrZero(dx, add(ctx.input(0), 1)));
/** tanh' = 1 − tanh² */
export const tanhPrimitive: Primitive = defineFunction('tanh', (ctx, dx) => multiplyOrZero(dx, sub(1, mul(ctx.output(0), ctx.output(0)))));
/** √' = ½/√x: +∞ at ±0, where a zero tangent stays zero; the root of −0 is −0, and 0 is added for the sign. */
export const sqrtPrimitive: Primitive = defineFunction('sqrt', (ctx, dx) => divideOrZero(mul(dx, 0.5), add(ctx.output(0), 0)), sqrtScalar, (_ctx, ct) => [mul(ct, 0.5)]);

export function applyFunction<K extends Kind, D extends DType>(operation: Operation, x: Operand<K, D>): Of<K, FloatResult<D>> {
  requireOperand(operation.name, 'x', x);
  const listener = chooseListener(operation.id, [x]);
  const input: Lifted = argumentAs(listener, x, floatResult(x.type.dtype));
  return listener.apply(operation, [input], {})[0] as Of<K, FloatResult<D>>;
}

/**
 * eˣ, elementwise; integers are computed in float64, complex numbers as complex.
 *
 * @example
 * import { Builder, exp, tensorType } from '@tf/core';
 * const x = new Builder().input(tensorType('float32', [3]), 'x');
 * if (exp(x).type.dtype !== 'float32') throw new Error('unexpected');
 */
export function exp<K extends Kind, D extends DType>(x: Operand<K, D>): Of<K, FloatResult<D>> {
  return applyFunction(expPrimitive.operation, x);
}

/** eˣ − 1, elementwise, without cancellation near 0. */
export function expm1<K extends Kind, D extends DType>(x: Operand<K, D>): Of<K, FloatResult<D>> {
  return applyFunction(expm1Primitive.operation, x);
}

/** The natural logarithm, elementwise: −Inf at ±0, NaN below. Of complex numbers the principal branch. */
export function log<K extends Kind, D extends DType>(x: Operand<K, D>): Of<K, FloatResult<D>> {
  return applyFunction(logPrimitive.operation, x);
}

/** log(1 + x), elementwise, without cancellation near 0. */
export function log1p<K extends Kind, D extends DType>(x: Operand<K, D>): Of<K, FloatResult<D>> {
  return applyFunction(log1pPrimitive.operation, x);
}

/** The hyperbolic tangent, elementwise. */
export function tanh<K extends Kind, D extends DType>(x: Operand<K, D>): Of<K, FloatResult<D>> {
  return applyFunction(tanhPrimitive.operation, x);
}

/** The square root, elementwise; NaN below 0, of complex numbers the one with real part ≥ 0. Its derivative at 0 is infinite, but a zero cotangent stays zero. */
export function sqrt<K extends Kind, D extends DType>(x: Operand<K, D>): Of<K, FloatResult<D>> {
  return applyFunction(sqrtPrimitive.operation, x);
}

export const functionPrimitives: readonly Primitive[] = [expPrimitive, expm1Primitive, logPrimitive, log1pPrimitive, tanhPrimitive, sqrtPrimitive];
