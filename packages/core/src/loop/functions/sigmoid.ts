import type { ScalarExpr } from '../../types/loop-language.ts';
import { add, constant, div, mul } from '../scalar.ts';
import { type ExpTable, expTables, powerOfBits, reduceExpOfNegative } from './exp.ts';
import { clamp, fastTwoSum, floatFormat } from './format.ts';

/**
 * Logistic function 1/(1 + e^−x), also where e^−x leaves the range. With e^−x = 2^k·(1 + t) as in {@link reduceExpOfNegative}, and
 * L two more than the significand's stored bits,
 *
 *     1/(1 + e^−x) = 2^−L/((2^−L + 2^(k−L)) + 2^(k−L)·t)
 *
 * where nothing leaves the range, 2^(k−L)·t is exact, and the quotient rounds once into a subnormal result. What the inner sum loses is
 * added to 2^(k−L)·t: it counts where e^−x is about the reciprocal of an ulp. Beyond the upper limit the result is 1.
 */
export function sigmoid(args: readonly ScalarExpr[], table: ExpTable = expTables[floatFormat(args[0]!.type, 'sigmoid').type]): ScalarExpr {
  const format = floatFormat(args[0]!.type, 'sigmoid');
  const lift = format.significandBits + 2;
  const x = clamp(args[0]!, table.low, format.type === 'f64' ? 40 : 20);
  const { shifted, fraction } = reduceExpOfNegative(format, x, { offset: format.bias - lift, table });
  const unit = constant(format.type, 2 ** -lift);
  const power = powerOfBits(format, shifted);
  const { sum, error } = fastTwoSum(power, unit);
  return div(unit, add(sum, add(mul(power, fraction), error)));
}
