import type { ScalarExpr } from '../../types/loop-language.ts';
import { add, bitcast, constant, div, mul, neg, sub } from '../scalar.ts';
import { type ExpTable, expTables, halfPowers, reduceExp } from './exp.ts';
import { clamp, fastTwoSum, floatFormat } from './format.ts';

/**
 * Logistic function 1/(1 + e^−x), also where e^−x leaves the range. With e^−x = 2^k·(1 + t) as in {@link reduceExp} and
 * k = h + i, h = ⌊k/2⌋,
 *
 *     1/(1 + e^−x) = 2^−h/((2^−h + 2^i) + 2^i·t)
 *
 * where nothing leaves the range, 2^i·t is exact, and the quotient rounds once into a subnormal result. What the inner sum loses is
 * added to 2^i·t: it counts where e^−x is about the reciprocal of an ulp.
 */
export function sigmoid(args: readonly ScalarExpr[], table: ExpTable = expTables[floatFormat(args[0]!.type, 'sigmoid').type]): ScalarExpr {
  const format = floatFormat(args[0]!.type, 'sigmoid');
  const { shifted, fraction } = reduceExp(format, clamp(neg(args[0]!), table.low, -table.low), { table });
  const [first, second] = halfPowers(format, shifted);
  // The exponent's field of 2^−h and that of 2^h add up to twice the bias.
  const twice = constant(format.bits, BigInt(2 * format.bias) << BigInt(format.significandBits));
  const inverse = bitcast(format.type, sub(twice, bitcast(format.bits, first)));
  const { sum, error } = fastTwoSum(second, inverse);
  return div(inverse, add(sum, add(mul(second, fraction), error)));
}
