import type { ScalarExpr } from '../../types/loop-language.ts';
import { abs, add, and, bitcast, constant, div, lt, mul, neg, select, sub } from '../scalar.ts';
import { erfTables } from './erf.ts';
import { reduceExp, timesPowerOfTwo } from './exp.ts';
import { fastTwoSum, floatFormat, polynomial, roughReciprocal, type FloatFormat, type FloatType } from './format.ts';

interface ErfcTable {
  /** e^(x²)·erfc x·(x + ⅜) − ½ in t = (x − center)/(x + center). */
  readonly deviation: readonly number[];
  readonly center: number;
  /** Beyond, erfc x rounds to 0. */
  readonly high: number;
  /** Low bits that are cut off a significand, so that what is left has an exact square. */
  readonly width: number;
}

/** Minimax over 0.79 ≤ x ≤ high (Remez, 400 bits); relative error of the result 4.0e-18 and 6.3e-10. */
export const erfcTables: { readonly [T in FloatType]: ErfcTable } = {
  f64: {
    deviation: [
      0.10055760025953397, -0.03594255785584522, -0.02645830062184485, 0.06158485618556963, -0.06722750407495226,
      0.053002451416822374, -0.03236460228966828, 0.015208716357723718, -0.005098660108336542, 0.0008810048073198288,
      0.0001659149133505462, -0.00015106420913222414, 2.5375213345107175e-5, 1.1964561848010915e-5, -5.810870783866903e-6,
      -5.687019437451237e-7, 8.883904457325167e-7, -1.8891137553658087e-8, -1.198600893864383e-7, 8.290634791446503e-9,
      1.0664441785964957e-8,
    ],
    center: 3.75,
    high: 27.3,
    width: 27,
  },
  f32: {
    deviation: [
      0.10606829822063446, -0.014711296185851097, -0.08097639679908752, 0.09444442391395569, -0.056474506855010986,
      0.016874773427844048, 0.0008027093717828393, -0.0022720794659107924, 0.0001907536934595555, 0.0002629254595376551,
    ],
    center: 2.5,
    high: 10.1,
    width: 12,
  },
};

/** Below, erf's series is used. */
const THRESHOLD = 0.8;

/**
 * Complementary error function.
 *
 *     |x| < 0.8:  ½ + ((½ − x) − x·series(x²))      series of {@link erfTables}; the first difference exact from ¼ on
 *     x ≥ 0.8:    {@link positiveTail}(x)
 *     x ≤ −0.8:   2 − positiveTail(−x)
 */
export function erfc(args: readonly ScalarExpr[], table?: ErfcTable): ScalarExpr {
  const x = args[0]!;
  const format = floatFormat(x.type, 'erfc');
  const number = (value: number): ScalarExpr => constant(format.type, value);
  const series = mul(x, polynomial(mul(x, x), erfTables[format.type].series));
  const near = add(number(0.5), sub(sub(number(0.5), x), series));
  const result = positiveTail(format, abs(x), table ?? erfcTables[format.type]);
  const far = select(lt(x, number(0)), sub(number(2), result), result);
  return select(lt(abs(x), number(THRESHOLD)), near, far);
}

/**
 * e^(x²)·erfc x·(x + ⅜) lies between 0.56 and 0.61 for x ≥ 0.8 (Abramowitz & Stegun 7.1.13), so with d = deviation(t)
 *
 *     erfc x = e^−x²·(½ + d)/(x + ⅜) = 2^k·((½ + (f/2 + (d + d·f)))/(x + ⅜)),   f = r + tail
 *
 * with k and f of {@link reduceExp} for −x² = −h² − (x − h)(x + h), h being x cut so that h² is exact: far out the rounding error
 * of x² would be one of the result. The rounding errors e and g of dividend and divisor s are known: the quotient q becomes
 * q + (e − q·g)/s, with 1/s to a tenth. 2^k is applied last, where a subnormal result is rounded once.
 */
function positiveTail(format: FloatFormat, magnitude: ScalarExpr, { deviation, center, high, width }: ErfcTable): ScalarExpr {
  const number = (value: number): ScalarExpr => constant(format.type, value);
  const x = select(lt(number(high), magnitude), number(high), magnitude);
  const divisor = fastTwoSum(x, number(0.375));
  const h = bitcast(format.type, and(bitcast(format.bits, x), constant(format.bits, -1n << BigInt(width))));
  const { k, fraction, r, tail } = reduceExp(format, neg(mul(h, h)), mul(sub(h, x), add(h, x)));
  const d = polynomial(div(sub(x, number(center)), add(x, number(center))), deviation);
  const inner = add(mul(tail, number(0.5)), add(d, mul(d, fraction)));
  const dividend = fastTwoSum(number(0.5), add(mul(r, number(0.5)), inner));
  const quotient = div(dividend.sum, divisor.sum);
  const correction = mul(sub(dividend.error, mul(quotient, divisor.error)), roughReciprocal(format, divisor.sum));
  return timesPowerOfTwo(format, add(quotient, correction), k);
}
