/** Reduction of large angles modulo 2π with the bits of 2/π that count for their exponent. */
import type { ScalarExpr } from '../../types/loop-language.ts';
import { add, and, bitcast, constant, convert, lookup, mul, nearest, shrU, sub } from '../scalar.ts';
import { fastTwoSum, type FloatFormat, type FloatType } from './format.ts';

/** 2/π·2^1216, truncated: more than the largest exponent of f64 (1023), the digits of one group of it, and guard bits. */
const twoOverPi = BigInt(
  [
    '0xa2f9836e4e441529fc2757d1f534ddc0db6295993c439041fe5163abdebbc561b7246e3a424d',
    'd2e006492eea09d1921cfe1deb1cb129a73ee88235f52ebb4484e99c7026b45f7e413991d639',
    '835339f49c845f8bbdf9283b1ff897ffde05980fef2f118b5a0a6d1f6d367ecf27cb09b74f46',
    '3f669e5fea2d7527bac7ebe5f17b3d0739f78a5292ea6bfb5fb11f8d5d0856033046fc7b6bab',
  ].join(''),
);
const FRACTION_BITS = 1216;

interface DigitTable {
  /** Bits of a digit, and number of exponents in a group. */
  readonly width: number;
  /** floor(biased exponent/width) = (biased exponent·factor) >> shift. */
  readonly factor: number;
  readonly shift: number;
  /** The first group that is reduced here. */
  readonly firstGroup: number;
  readonly groups: number;
  /** The argument is scaled by 2^−scale and the digits by 2^scale, so that none is subnormal. */
  readonly scale: number;
  /** Signed digits of 2/π, the first group's first. */
  readonly digits: readonly number[];
}

/** Digits that enter one product. */
const DIGITS = 8;

/** A digit d_J is a multiple of 2^(lowest − width·J), where the sum of the digits up to J is 2/π rounded. */
function digitTable(lowest: number, table: Omit<DigitTable, 'digits'>): DigitTable {
  const { width, firstGroup, groups, scale } = table;
  const roundedAt = (exponent: number): bigint => {
    const dropped = BigInt(FRACTION_BITS + exponent);
    return (twoOverPi + (1n << (dropped - 1n))) >> dropped;
  };
  const digits = Array.from({ length: groups + DIGITS - 1 }, (_, i) => {
    const exponent = lowest - width * (firstGroup + i);
    return Number(roundedAt(exponent) - (roundedAt(exponent + width) << BigInt(width))) * 2 ** (exponent + scale);
  });
  return { ...table, digits };
}

const digitTables: { readonly [T in FloatType]: DigitTable } = {
  f64: digitTable(1051, { width: 26, factor: 2521, shift: 16, firstGroup: 39, groups: 40, scale: 400 }),
  f32: digitTable(140, { width: 12, factor: 171, shift: 11, firstGroup: 11, groups: 11, scale: 80 }),
};

/**
 * x·2/π = q + high + low modulo 4 with integral q, |high| ≤ ½; x ≥ 2^15 (f64) or 2^6 (f32), below the values mean nothing; ∞
 * and NaN give NaN. After Payne and Hanek (SIGNUM Newsletter 18 (1983) 19).
 *
 * Let the significand have p bits, and w = width. x = a + b, a with p − w bits and |b| ≤ ½ ulp of a. 2/π is cut into digits of
 * w bits with sign, d_0 … d_7 chosen by the exponent of x: products with digits before them are multiples of 4, those with
 * digits behind them below 2^−118 (f64) and 2^−60 (f32), while x·2/π comes no nearer to an integer than 2^−61.6 and 2^−29.9
 * (x = 6381956970095103·2^797 and 16367173·2^72; continued fractions: Muller, Elementary Functions, 3rd ed., §11.3.2). Also d_0·a is a multiple of 4. Then
 *
 *     x·2/π ≡ Σ L_k,  L_k = d_k·b + d_{k+1}·a
 *
 * and both products and their sum are exact: L_k has at most p bits, w places below those of L_{k−1}. L_0 and L_1, reduced
 * modulo 4, add exactly; so does the rounding error of the next sum to L_3. The other sums are FastTwoSums, whose
 * first summand is a multiple of the second's ulp.
 */
export function reduceHugeAngle(format: FloatFormat, x: ScalarExpr): { readonly q: ScalarExpr; readonly high: ScalarExpr; readonly low: ScalarExpr } {
  const levels = productLevels(format, x);
  const first = add(moduloFour(levels[0]!), moduloFour(levels[1]!));
  const second = fastTwoSum(first, levels[2]!);
  const q = nearest(second.sum);
  const third = fastTwoSum(sub(second.sum, q), add(second.error, levels[3]!));
  const fourth = fastTwoSum(third.sum, add(third.error, levels[4]!));
  return { q, high: fourth.sum, low: add(fourth.error, add(levels[5]!, levels[6]!)) };
}

function productLevels(format: FloatFormat, x: ScalarExpr): readonly ScalarExpr[] {
  const { type, bits, significandBits } = format;
  const { width, factor, shift, firstGroup, groups, scale, digits } = digitTables[type];
  const integer = (value: number | bigint): ScalarExpr => constant(bits, value);
  const exponent = shrU(bitcast(bits, x), integer(significandBits));
  const group = shrU(mul(exponent, integer(factor)), integer(shift));
  const index = convert('i32', sub(group, integer(firstGroup)));
  const digit = Array.from({ length: DIGITS }, (_, k) => lookup(type, digits.slice(k, k + groups), index));
  const scaled = mul(x, constant(type, 2 ** -scale));
  const a = upperPart(format, scaled, width);
  const b = sub(scaled, a);
  return digit.slice(1).map((next, k) => add(mul(digit[k]!, b), mul(next, a)));
}

/** x rounded to its significand without the lowest `width` bits. */
function upperPart(format: FloatFormat, x: ScalarExpr, width: number): ScalarExpr {
  const rounded = add(bitcast(format.bits, x), constant(format.bits, 1n << BigInt(width - 1)));
  return bitcast(format.type, and(rounded, constant(format.bits, -1n << BigInt(width))));
}

function moduloFour(x: ScalarExpr): ScalarExpr {
  const number = (value: number): ScalarExpr => constant(x.type, value);
  return sub(x, mul(number(4), nearest(mul(x, number(0.25)))));
}
