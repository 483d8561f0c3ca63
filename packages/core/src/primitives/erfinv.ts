import type { DType, FloatResult } from '../types/dtype.ts';
import type { Kind, Of, Operand } from '../types/operand.ts';
import { mul } from './arithmetic.ts';
import type { Primitive } from './define.ts';
import { applyFunction, defineFunction, exp } from './functions.ts';
import { multiplyOrZero } from './multiply-or-zero.ts';

/** √π/2, the slope at 0. */
const slope = 0.886226925452758;

/** (erf⁻¹)′(x) = √π/2·exp(erf⁻¹(x)²) */
export const erfinvPrimitive: Primitive = defineFunction('erfinv', (ctx, dx) => multiplyOrZero(dx, mul(exp(mul(ctx.output(0), ctx.output(0))), slope)));

/**
 * The inverse of `erf`, elementwise: ±Inf at ±1, NaN beyond. Its derivative at ±1 is infinite, but a zero cotangent stays zero.
 *
 * @example
 * import { Builder, erfinv, tensorType } from '@tf/core';
 * const x = new Builder().input(tensorType('float32', [3]), 'x');
 * if (erfinv(x).type.dtype !== 'float32') throw new Error('unexpected');
 */
export function erfinv<K extends Kind, D extends DType>(x: Operand<K, D>): Of<K, FloatResult<D>> {
  return applyFunction(erfinvPrimitive.operation, x);
}
