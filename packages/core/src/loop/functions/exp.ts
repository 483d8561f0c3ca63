import type { ScalarExpr } from '../../types/loop-language.ts';
import { add, constant, mul, nearest, sub } from '../scalar.ts';
import { clamp, floatFormat, polynomial, powerOfTwo, type FloatFormat, type FloatType } from './format.ts';

export interface ExpTable {
  /** Beyond these the result is 0 or ∞ anyway. */
  readonly low: number;
  readonly high: number;
  /** ln 2 = high + low; high so short that k·high is exact for every k that occurs. */
  readonly ln2High: number;
  readonly ln2Low: number;
  /** (e^r − 1 − r) / r² in r. */
  readonly remainder: readonly number[];
}

/**
 * Minimax over |r| ≤ 0.347 (Remez, 400 bits, weight |r|): relative error of e^r − 1 at most 1.9e-17 and 1.4e-8, of e^r a
 * third of that.
 */
export const expTables: { readonly [T in FloatType]: ExpTable } = {
  f64: {
    low: -746,
    high: 710,
    ln2High: 0.6931471805598903,
    ln2Low: 5.497923018708371e-14,
    remainder: [
      0.5000000000000006, 0.16666666666666685, 0.04166666666657513, 0.008333333333314725, 0.001388888893206739,
      0.0001984126990284447, 2.4801504682471495e-5, 2.7557228042789443e-6, 2.7626271368431824e-7, 2.5114465817643132e-8,
    ],
  },
  f32: {
    low: -104,
    high: 89,
    ln2High: 0.693145751953125,
    ln2Low: 1.428606765330187e-6,
    remainder: [0.5, 0.1666654348373413, 0.04166628420352936, 0.008366596885025501, 0.001394646242260933],
  },
};

/**
 * Exponential. With k and r of {@link reduceExp}, e^x = 2^k·e^r (Muller, Elementary Functions, 3rd ed., §11.1; Tang, ACM
 * TOMS 15 (1989) 144), with
 *
 *     e^r = 1 + (r + r²·remainder(r))
 *
 * so that all that is rounded before the last sum is small beside 1.
 */
export function exp(args: readonly ScalarExpr[], table?: ExpTable): ScalarExpr {
  const format = floatFormat(args[0]!.type, 'exp');
  const { low, high } = table ?? expTables[format.type];
  const { k, fraction } = reduceExp(format, clamp(args[0]!, low, high), undefined, table);
  return timesPowerOfTwo(format, add(constant(format.type, 1), fraction), k);
}

export interface ReducedExponent {
  readonly k: ScalarExpr;
  /** fraction = r + tail, rounded. */
  readonly fraction: ScalarExpr;
  readonly r: ScalarExpr;
  readonly tail: ScalarExpr;
}

/**
 * e^(x + correction) = 2^k·(1 + fraction): k = round((x + correction)/ln 2), r = (x − k·ln2High) − (k·ln2Low − correction)
 * (|r| ≤ ln 2/2), where the first difference is exact (Cody & Waite, Software Manual, 1980, ch. 6), and
 * fraction = e^r − 1 = r + tail, tail = r²·remainder(r). The sum is in the table's range.
 */
export function reduceExp(
  format: FloatFormat,
  x: ScalarExpr,
  correction?: ScalarExpr,
  table: ExpTable = expTables[format.type],
): ReducedExponent {
  const number = (value: number): ScalarExpr => constant(format.type, value);
  const k = nearest(mul(correction === undefined ? x : add(x, correction), number(Math.LOG2E)));
  const minor = mul(k, number(table.ln2Low));
  const r = sub(sub(x, mul(k, number(table.ln2High))), correction === undefined ? minor : sub(minor, correction));
  const tail = mul(mul(r, r), polynomial(r, table.remainder));
  return { k, r, tail, fraction: add(r, tail) };
}

/**
 * x·2^k for integral |k| < 2·bias, as x·2^h·2^(k−h), h ≈ k/2, since 2^k itself may leave the range: for x near 1 the first
 * product is exact, the second rounds once into a subnormal result or to ∞.
 */
export function timesPowerOfTwo(format: FloatFormat, x: ScalarExpr, k: ScalarExpr): ScalarExpr {
  const half = nearest(mul(k, constant(format.type, 0.5)));
  return mul(mul(x, powerOfTwo(format, half)), powerOfTwo(format, sub(k, half)));
}
