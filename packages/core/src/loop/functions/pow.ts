import type { ScalarExpr } from '../../types/loop-language.ts';
import { abs, add, and, bitcast, constant, convert, copysign, eq, lookup, lt, mul, nearest, not, or, select, shrU, sub } from '../scalar.ts';
import { expTables, reduceExp, timesPowerOfTwo } from './exp.ts';
import { clamp, fastTwoSum, floatFormat, polynomial, type FloatFormat } from './format.ts';
import { splitExponent } from './log.ts';
import { powTables, type PowTable } from './pow-tables.ts';

/**
 * x^y = e^(y·log x) for |x|, the logarithm and the product with about 12 bits beyond the type, since an absolute error of the
 * exponent is a relative one of the result. The sign and the special values are those of IEEE 754-2019, §9.2.1 (C17, F.10.4.4).
 */
export function pow(args: readonly ScalarExpr[], table?: PowTable): ScalarExpr {
  const [x, y] = args as readonly [ScalarExpr, ScalarExpr];
  const format = floatFormat(x.type, 'pow');
  const number = (value: number): ScalarExpr => constant(format.type, value);
  const magnitude = powerOf(format, abs(x), y, table ?? powTables[format.type]);
  const half = mul(y, number(0.5));
  const integral = eq(nearest(y), y);
  const odd = and(integral, not(eq(nearest(half), half)));
  const invalid = and(and(lt(x, number(0)), lt(number(-Infinity), x)), not(integral));
  const result = select(invalid, number(NaN), select(odd, copysign(magnitude, x), magnitude));
  return select(or(eq(y, number(0)), eq(x, number(1))), number(1), result);
}

/**
 * x^y for x ≥ 0, y ≠ 0. log 0 = −∞ and log ∞ = ∞ make the exponent infinite, where it is replaced by ±bound. y is limited so
 * that 1^±∞ = e^0.
 */
function powerOf(format: FloatFormat, x: ScalarExpr, y: ScalarExpr, table: PowTable): ScalarExpr {
  const number = (value: number): ScalarExpr => constant(format.type, value);
  const { high, low } = preciseLog(format, x, table);
  const factor = clamp(y, -table.largest, table.largest);
  const logarithm = select(eq(x, number(0)), number(-Infinity), select(lt(x, number(Infinity)), high, x));
  const estimate = mul(factor, logarithm);
  const inRange = lt(abs(estimate), number(table.bound));
  const [a, b] = [upperHalf(format, factor, table), upperHalf(format, high, table)];
  const correction = add(add(mul(a, sub(high, b)), mul(sub(factor, a), high)), mul(factor, low));
  const exponent = select(inRange, mul(a, b), clamp(estimate, -table.bound, table.bound));
  const { shifted, fraction } = reduceExp(format, exponent, { correction: select(inRange, correction, number(0)) });
  return timesPowerOfTwo(format, add(number(1), fraction), shifted);
}

/**
 * log x as high + low. x = 2^k·z, √½ ≤ z < √2; c near z from a table of 32 (Tang, ACM TOMS 16 (1990) 378), r = z/c − 1 with 1/c
 * so short that the only rounding error, that of the sum of both halves' products, is known:
 *
 *     log x = (k·ln2High + logHigh) + r − r²/2 + (k·ln2Low + logLow) + r³·remainder(r)
 *
 * The first sum is exact, then come two FastTwoSums (z near 1 has c = 1, k = 0 and the first sum 0); r²/2 = h²/2 + (r − h)(r + h)/2
 * with h half as long as r; (r + e)² for r's error e needs e in the first of these factors only. All else is added to the low
 * part.
 */
function preciseLog(format: FloatFormat, x: ScalarExpr, table: PowTable): { readonly high: ScalarExpr; readonly low: ScalarExpr } {
  const number = (value: number): ScalarExpr => constant(format.type, value);
  const { ln2High, ln2Low } = expTables[format.type];
  const { exponent: k, significand: z, steps } = splitExponent(format, x);
  const interval = and(shrU(steps, constant(format.bits, format.significandBits - 5)), constant(format.bits, 31));
  const entry = (values: readonly number[]): ScalarExpr => lookup(format.type, values, convert('i32', interval));
  const inverse = entry(table.inverse);
  const upper = upperHalf(format, z, table);
  const r = fastTwoSum(sub(mul(upper, inverse), number(1)), mul(sub(z, upper), inverse));
  const first = fastTwoSum(add(mul(k, number(ln2High)), entry(table.logHigh)), r.sum);
  const h = upperHalf(format, r.sum, table);
  const second = fastTwoSum(first.sum, mul(mul(h, h), number(-0.5)));
  const square = mul(mul(add(sub(r.sum, h), r.error), add(r.sum, h)), number(0.5));
  const cube = mul(mul(mul(r.sum, r.sum), r.sum), polynomial(r.sum, table.remainder));
  const constants = add(mul(k, number(ln2Low)), entry(table.logLow));
  const { sum, error } = fastTwoSum(second.sum, add(add(sub(cube, square), add(first.error, second.error)), add(constants, r.error)));
  return { high: sum, low: error };
}

/** x without the lowest bits of its significand. */
function upperHalf(format: FloatFormat, x: ScalarExpr, table: PowTable): ScalarExpr {
  return bitcast(format.type, and(bitcast(format.bits, x), constant(format.bits, -1n << BigInt(table.width))));
}
