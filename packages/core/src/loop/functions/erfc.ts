import type { ScalarExpr } from '../../types/loop-language.ts';
import { abs, add, and, bitcast, constant, div, lt, mul, neg, select, sub } from '../scalar.ts';
import { powerOfBits, reduceExp } from './exp.ts';
import { atMost, fastTwoSum, floatFormat, polynomial, roughReciprocal, type FloatFormat, type FloatType } from './format.ts';

export interface ErfcTable {
  /** e^(x²)·erfc x·(x + ½) − 9/16 = numerator(x)/denominator(x). */
  readonly numerator: readonly number[];
  readonly denominator: readonly number[];
  /** Beyond, erfc x rounds to 0. */
  readonly high: number;
  /** Low bits that are cut off a significand, so that what is left has an exact square. */
  readonly width: number;
}

/** Rational minimax over 0 ≤ x ≤ high (Remez, 400 bits); relative error of the result 2.6e-17 and 2.6e-9. */
export const erfcTables: { readonly [T in FloatType]: ErfcTable } = {
  f64: {
    numerator: [
      -0.0625, 0.2270461545780996, 0.5030973958479916, 0.47664095227677905, 0.27642886821047413, 0.10847413347680929,
      0.02960516144136659, 0.005522247145132871, 0.0006525834718508315, 3.898233676801059e-5, 2.1009820410298947e-7,
    ],
    denominator: [
      1, 3.3402281899862585, 5.187674809282135, 4.946329116899702, 3.216536842426891, 1.4963188594194081,
      0.5066991390246708, 0.12408706795206029, 0.02120551014298536, 0.0023106886280316995, 0.00012434910633265167,
    ],
    high: 27.3,
    width: 27,
  },
  f32: {
    numerator: [
      -0.0625, 0.2857430875301361, 0.26308882236480713, 0.1081550195813179, 0.019503092393279076,
      0.00011268801608821377,
    ],
    denominator: [
      1, 2.4010794162750244, 2.4791038036346436, 1.3980926275253296, 0.44092580676078796, 0.06653351336717606,
    ],
    high: 10.1,
    width: 12,
  },
};

/** Complementary error function: {@link positiveTail} of |x|, and for negative x what it lacks of 2. */
export function erfc(args: readonly ScalarExpr[], table?: ErfcTable): ScalarExpr {
  const x = args[0]!;
  const format = floatFormat(x.type, 'erfc');
  const result = positiveTail(format, abs(x), table ?? erfcTables[format.type]);
  return select(lt(x, constant(format.type, 0)), sub(constant(format.type, 2), result), result);
}

/**
 * e^(x²)·erfc x·(x + ½) lies between 0.5 and 0.65 for x ≥ 0 (Abramowitz & Stegun 7.1.13), so with d = N(x)/D(x), one rational
 * function for all x since vectors compute every branch (rational after Cody, Math. Comp. 23 (1969) 631),
 *
 *     erfc x = e^−x²·(c + d)/(x + ½) = 2^k·((c + (f/2 + (d + (d + 1/16)·f)))/(x + ½)),   c = 9/16
 *
 * with k and f of {@link reduceExp} for −x² = −h² − (x − h)(x + h), h being x cut so that h² is exact: far out the rounding error
 * of x² would be one of the result. 2^k is applied in two parts, so that a subnormal result is rounded once.
 */
function positiveTail(format: FloatFormat, magnitude: ScalarExpr, { numerator, denominator, high, width }: ErfcTable): ScalarExpr {
  const number = (value: number): ScalarExpr => constant(format.type, value);
  const x = atMost(magnitude, high);
  const h = bitcast(format.type, and(bitcast(format.bits, x), constant(format.bits, -1n << BigInt(width))));
  const lift = format.significandBits + 2;
  const { shifted, fraction } = reduceExp(format, neg(mul(h, h)), { correction: mul(sub(h, x), add(h, x)), offset: format.bias + lift });
  const d = div(polynomial(x, numerator), polynomial(x, denominator));
  const inner = add(mul(fraction, number(0.5)), add(d, mul(add(d, number(1 / 16)), fraction)));
  return mul(mul(quotientOf(format, inner, x), powerOfBits(format, shifted)), number(2 ** -lift));
}

/**
 * (9/16 + inner)/(x + ½). In f32, where the bar is lower, the rounding errors e and g of dividend and divisor s are known: the quotient
 * q becomes q + (e − q·g)/s, with 1/s to a tenth.
 */
function quotientOf(format: FloatFormat, inner: ScalarExpr, x: ScalarExpr): ScalarExpr {
  const half = constant(format.type, 0.5);
  const dividend = fastTwoSum(constant(format.type, 9 / 16), inner);
  const divisor = add(x, half);
  const quotient = div(dividend.sum, divisor);
  if (format.type === 'f64') return quotient;
  const lost = sub(dividend.error, mul(quotient, sub(x, sub(divisor, half))));
  return add(quotient, mul(lost, roughReciprocal(format, divisor)));
}
