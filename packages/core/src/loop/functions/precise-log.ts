import type { ScalarExpr } from '../../types/loop-language.ts';
import { add, and, bitcast, constant, convert, lookup, mul, shrU, sub } from '../scalar.ts';
import { expTables } from './exp.ts';
import { fastTwoSum, polynomial, type FloatFormat } from './format.ts';
import { splitExponent } from './log.ts';
import type { PowTable } from './pow-tables.ts';

/**
 * log x as high + low, with about 12 bits beyond the type. x = 2^k·z, √½ ≤ z < √2; c near z from a table of 32 (Tang, ACM TOMS 16 (1990) 378), r = z/c − 1 with 1/c
 * so short that the only rounding error, that of the sum of both halves' products, is known:
 *
 *     log x = (k·ln2High + logHigh) + r − r²/2 + (k·ln2Low + logLow) + r³·remainder(r)
 *
 * The first sum is exact, then come two FastTwoSums (z near 1 has c = 1, k = 0 and the first sum 0); r²/2 = h²/2 + (r − h)(r + h)/2
 * with h half as long as r; (r + e)² for r's error e needs e in the first of these factors only. All else is added to the low
 * part.
 */
export function preciseLog(format: FloatFormat, x: ScalarExpr, table: PowTable): { readonly high: ScalarExpr; readonly low: ScalarExpr } {
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
export function upperHalf(format: FloatFormat, x: ScalarExpr, table: PowTable): ScalarExpr {
  return bitcast(format.type, and(bitcast(format.bits, x), constant(format.bits, -1n << BigInt(table.width))));
}
