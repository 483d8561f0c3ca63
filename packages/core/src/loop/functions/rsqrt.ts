import type { ScalarExpr } from '../../types/loop-language.ts';
import { constant, div, sqrt } from '../scalar.ts';
import { floatFormat } from './format.ts';

/**
 * 1/√x. Both operations are correctly rounded, so the error is below 1.5 ulp for every x, subnormal ones included, whose
 * root is normal. ±0 gives ±∞ (√−0 = −0 in IEEE 754), a negative number NaN.
 */
export function rsqrt(args: readonly ScalarExpr[]): ScalarExpr {
  const format = floatFormat(args[0]!.type, 'rsqrt');
  return div(constant(format.type, 1), sqrt(args[0]!));
}
