import type { ScalarExpr } from '../../types/loop-language.ts';
import { abs, add, constant, div, lt, mul, neg, select, sub } from '../scalar.ts';
import { type ExpTable, expTables, reduceExp, timesPowerOfTwo } from './exp.ts';
import { clamp, floatFormat, powerOfTwo } from './format.ts';

/**
 * Logistic function 1/(1 + e^−x), also where e^−x leaves the range. With e^−x = 2^k·(1 + t) as in {@link reduceExp} and
 * p = 2^−|k|,
 *
 *     k > 0:  p·(1/(1 + p + t))            k ≤ 0:  1/(1 + p + p·t)
 *
 * The rounding error e of the divisor d is known (TwoSum: Knuth, TAOCP vol. 2, §4.2.2) and 1/(d + e) = q − q²·e with q = 1/d.
 * The factor p is applied last, where a subnormal result is rounded once. Above `−lowest` the result is 1.
 */
export function sigmoid(args: readonly ScalarExpr[], table: ExpTable = expTables[floatFormat(args[0]!.type, 'sigmoid').type]): ScalarExpr {
  const format = floatFormat(args[0]!.type, 'sigmoid');
  const number = (value: number): ScalarExpr => constant(format.type, value);
  const lowest = format.type === 'f64' ? -40 : -20;
  const { k, fraction } = reduceExp(format, clamp(neg(args[0]!), lowest, -table.low), undefined, table);
  const large = lt(number(0), k);
  // Below 2^−60 p does not count beside 1, and its own exponent is out of powerOfTwo's range.
  const power = powerOfTwo(format, neg(select(lt(number(60), k), number(60), abs(k))));
  const term = select(large, fraction, mul(power, fraction));
  const sum = add(number(1), power);
  const divisor = add(sum, term);
  const error = add(add(sub(sum, divisor), term), sub(power, sub(sum, number(1))));
  const quotient = div(number(1), divisor);
  const corrected = sub(quotient, mul(mul(quotient, quotient), error));
  return timesPowerOfTwo(format, corrected, select(large, neg(k), number(0)));
}
