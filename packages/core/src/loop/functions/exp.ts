import type { ScalarExpr } from '../../types/loop-language.ts';
import { add, and, bitcast, constant, div, lt, mul, select, shl, shortcut, sub } from '../scalar.ts';
import { atMost, floatFormat, polynomial, type FloatFormat, type FloatType } from './format.ts';

export interface ExpTable {
  /** Beyond these the result is 0 or ∞ anyway. */
  readonly low: number;
  readonly high: number;
  /** At magnitudes up to this the result is normal, so that its exponent can be counted up. */
  readonly ordinary: number;
  /** ln 2 = high + low; high so short that k·high is exact for every k that occurs. */
  readonly ln2High: number;
  readonly ln2Low: number;
  /** (e^r − 1 − r) / r² in r. */
  readonly remainder: readonly number[];
  /** (2r/(e^r − 1) − 2 + r) / r² in r². */
  readonly quotient: readonly number[];
}

/**
 * Minimax over |r| ≤ 0.347 (Remez, 400 bits): of the remainder, weight |r|, relative error of e^r − 1 at most 1.9e-17 and 1.4e-8, of e^r a
 * third of that; of the quotient, weight |r|³, error of e^r at most 1.8e-19 and 5.2e-10.
 */
export const expTables: { readonly [T in FloatType]: ExpTable } = {
  f64: {
    low: -746,
    high: 710,
    ordinary: 708,
    ln2High: 0.6931471805598903,
    ln2Low: 5.497923018708371e-14,
    remainder: [
      0.5000000000000006, 0.16666666666666685, 0.04166666666657513, 0.008333333333314725, 0.001388888893206739,
      0.0001984126990284447, 2.4801504682471495e-5, 2.7557228042789443e-6, 2.7626271368431824e-7, 2.5114465817643132e-8,
    ],
    quotient: [
      0.16666666666666555, -0.00277777777766885, 6.613756248087581e-5, -1.6533835043752218e-6, 4.1359712251490245e-8,
    ],
  },
  f32: {
    low: -104,
    high: 89,
    ordinary: 87,
    ln2High: 0.693145751953125,
    ln2Low: 1.428606765330187e-6,
    remainder: [0.5, 0.1666654348373413, 0.04166628420352936, 0.008366596885025501, 0.001394646242260933],
    quotient: [0.166666179895401, -0.0027659651823341846],
  },
};

/**
 * Exponential. With k and r of {@link reduceExp}, e^x = 2^k·e^r (Muller, Elementary Functions, 3rd ed., §11.1; Tang, ACM
 * TOMS 15 (1989) 144), with
 *
 *     e^r/2 = 1/2 + r/(2 − r + r²·quotient(r²))
 *
 * whose divisor is r·coth(r/2) − r, the first term even (Abramowitz & Stegun 4.5.67): fewer operations than the remainder's polynomial takes,
 * at the price of the divisor's rounding. The 2 goes into the power. Where 2^k and the result are normal, a sum of bits takes the place of
 * both limits and of the products with powers.
 */
export function exp(args: readonly ScalarExpr[], table?: ExpTable): ScalarExpr {
  const format = floatFormat(args[0]!.type, 'exp');
  const [x] = args as readonly [ScalarExpr];
  const { low, high, ordinary } = table ?? expTables[format.type];
  const usual = halfExp(format, x, 1, table);
  const scaled = add(bitcast(format.bits, usual.half), shl(usual.shifted, constant(format.bits, format.significandBits)));
  const zero = constant(format.type, 0);
  // What vanishes is not computed: processors take a hundred times as long for products that leave the range.
  const isNothing = lt(x, constant(format.type, low));
  const extreme = halfExp(format, select(isNothing, zero, atMost(x, high)), 2 * format.bias + 1, table);
  const power = timesPowerOfTwo(format, extreme.half, extreme.shifted);
  const magnitude = and(bitcast(format.bits, x), constant(format.bits, signless[format.bits]));
  const isExtreme = lt(bitcast(format.bits, constant(format.type, ordinary)), magnitude);
  return shortcut(isExtreme, select(isNothing, zero, power), bitcast(format.type, scaled));
}

const signless = { i32: 2 ** 31 - 1, i64: 2n ** 63n - 1n };

/** e^r/2, and the bits of k + offset. */
function halfExp(format: FloatFormat, x: ScalarExpr, offset: number, table: ExpTable | undefined): { readonly half: ScalarExpr; readonly shifted: ScalarExpr } {
  const number = (value: number): ScalarExpr => constant(format.type, value);
  const { shifted, r } = reduceExp(format, x, table === undefined ? { offset } : { offset, table });
  const square = mul(r, r);
  const divisor = add(sub(number(2), r), mul(square, polynomial(square, (table ?? expTables[format.type]).quotient)));
  return { half: add(number(0.5), div(r, divisor)), shifted };
}

export interface ReducedExponent {
  readonly k: ScalarExpr;
  /** An integer whose low bits are those of k + offset. */
  readonly shifted: ScalarExpr;
  /** fraction = r + tail, rounded. */
  readonly fraction: ScalarExpr;
  readonly r: ScalarExpr;
  readonly tail: ScalarExpr;
}

interface Reduction {
  /** What is added to x, small beside it. */
  readonly correction?: ScalarExpr;
  /** Default: twice the bias, as {@link timesPowerOfTwo} wants it. */
  readonly offset?: number;
  readonly table?: ExpTable;
}

/**
 * e^(x + correction) = 2^k·(1 + fraction): k = round((x + correction)/ln 2), r = (x − k·ln2High) − (k·ln2Low − correction)
 * (|r| ≤ ln 2/2), where the first difference is exact (Cody & Waite, Software Manual, 1980, ch. 6), and
 * fraction = e^r − 1 = r + tail, tail = r²·remainder(r). The sum is in the table's range.
 *
 * The sum with 1.5·2^p + offset, p the stored bits, rounds to an integer and leaves it in the low bits of the significand, so
 * that neither rounding nor conversion is an instruction (SIMD has no conversion for 64 bits).
 */
export function reduceExp(format: FloatFormat, x: ScalarExpr, { correction, offset = 2 * format.bias, table = expTables[format.type] }: Reduction = {}): ReducedExponent {
  const number = (value: number): ScalarExpr => constant(format.type, value);
  const shifter = shifterOf(format, offset);
  const sum = add(mul(correction === undefined ? x : add(x, correction), number(Math.LOG2E)), shifter);
  const k = sub(sum, shifter);
  const minor = mul(k, number(table.ln2Low));
  const r = sub(sub(x, mul(k, number(table.ln2High))), correction === undefined ? minor : sub(minor, correction));
  const tail = mul(mul(r, r), polynomial(r, table.remainder));
  return { k, shifted: bitcast(format.bits, sum), r, tail, fraction: add(r, tail) };
}

export interface ReducedNegative {
  readonly shifted: ScalarExpr;
  /** e^−s − 1 = rest − major, rounded. */
  readonly fraction: ScalarExpr;
  /** s = major + minor, major exact. */
  readonly major: ScalarExpr;
  readonly rest: ScalarExpr;
}

/**
 * {@link reduceExp} of −(x + correction), computed from s = −r, so that no sign has to be turned; k = round(−x/ln 2), so that it does
 * not wait for the correction.
 */
export function reduceExpOfNegative(format: FloatFormat, x: ScalarExpr, { correction, offset = 2 * format.bias, table = expTables[format.type] }: Reduction = {}): ReducedNegative {
  const number = (value: number): ScalarExpr => constant(format.type, value);
  const shifter = shifterOf(format, offset);
  const sum = sub(shifter, mul(x, number(Math.LOG2E)));
  const k = sub(sum, shifter);
  const major = add(x, mul(k, number(table.ln2High)));
  const low = mul(k, number(table.ln2Low));
  const minor = correction === undefined ? low : add(low, correction);
  const s = add(major, minor);
  const tail = mul(mul(s, s), polynomial(s, table.remainder.map((c, i) => (i % 2 === 0 ? c : -c))));
  return { shifted: bitcast(format.bits, sum), fraction: sub(tail, s), major, rest: sub(tail, minor) };
}

function shifterOf({ type, significandBits }: FloatFormat, offset: number): ScalarExpr {
  return constant(type, 1.5 * 2 ** significandBits + offset);
}

/** 2^n for an integer with the low bits of n + bias. */
export function powerOfBits(format: FloatFormat, shifted: ScalarExpr): ScalarExpr {
  return bitcast(format.type, shl(shifted, constant(format.bits, format.significandBits)));
}

/**
 * 2^⌊k/2⌋ and 2^⌈k/2⌉ for an integer with the low bits of k + 2·bias: 2^k itself may leave the range. The exponents are taken where
 * they will stand, because processors shift less at a time than they mask and subtract.
 */
export function halfPowers(format: FloatFormat, shifted: ScalarExpr): readonly [ScalarExpr, ScalarExpr] {
  const { bits, significandBits, type } = format;
  const exponentAndSign = bits === 'i64' ? -(1n << BigInt(significandBits)) : -(2 ** significandBits);
  const floor = and(shl(shifted, constant(bits, significandBits - 1)), constant(bits, exponentAndSign));
  const ceil = sub(shl(shifted, constant(bits, significandBits)), floor);
  return [bitcast(type, floor), bitcast(type, ceil)];
}

/** x·2^k, k as in {@link halfPowers}: for x near 1 or 1/2 the first product is exact, the second rounds once into a subnormal result or to ∞. */
export function timesPowerOfTwo(format: FloatFormat, x: ScalarExpr, shifted: ScalarExpr): ScalarExpr {
  const [first, second] = halfPowers(format, shifted);
  return mul(mul(x, first), second);
}
