/** Powers that are one product or quotient. */
import { mul } from '../primitives/arithmetic.ts';
import { div } from '../primitives/division.ts';
import { inNameOf } from '../program/in-name-of.ts';
import type { DType, FloatResult } from '../types/dtype.ts';
import type { Kind, Of, Operand } from '../types/operand.ts';
import { requireOperand } from '../program/dispatch.ts';

/**
 * x², elementwise, in x's dtype.
 *
 * @throws DTypeError for bool.
 * @example
 * import { Builder, square, tensorType } from '@tf/core';
 * const x = new Builder().input(tensorType('int32', [3]), 'x');
 * if (square(x).type.key !== 'i32[3]') throw new Error('unexpected');
 */
export function square<K extends Kind, D extends DType>(x: Operand<K, D>): Of<K, D> {
  requireOperand('square', 'x', x);
  const value: Operand = x;
  return inNameOf('square', () => mul(value, value) as Of<K, D>);
}

/** 1/x, elementwise: ±Inf at ±0; integers are computed in float64. */
export function reciprocal<K extends Kind, D extends DType>(x: Operand<K, D>): Of<K, FloatResult<D>> {
  requireOperand('reciprocal', 'x', x);
  const value: Operand = x;
  return div(1, value) as Of<K, FloatResult<D>>;
}
