import type { ScalarExpr } from '../../types/loop-language.ts';
import { add, and, bitcast, constant, div, mul, shrU, sub, xor } from '../scalar.ts';
import { powerOfBits, reduceExpOfNegative } from './exp.ts';
import { atMost, floatFormat, polynomial, type FloatFormat, type FloatType } from './format.ts';

/** Of a tail 2^−scale·e^(−x²·2^−scale)·(1 + x·numerator(x)/denominator(x))/(1 + slope·x), x ≥ 0. */
export interface TailTable {
  readonly numerator: readonly number[];
  readonly denominator: readonly number[];
  /** b: it keeps the quotient near 1, and is so short that 1 + b·h is exact. */
  readonly slope: number;
  readonly scale: 0 | 1;
  /** Beyond, the tail rounds to 0. */
  readonly high: number;
  /** x is rounded to a multiple of this where its square is to be exact. */
  readonly step: number;
}

/** Rational minimax over 0 ≤ x ≤ high (Remez, 400 bits); relative error of the result 2.4e-17 and 2.4e-9. */
export const erfcTables: { readonly [T in FloatType]: TailTable } = {
  f64: {
    numerator: [
      0.5591208329044819, 0.9646729607520363, 0.8177473033273541, 0.43131246347913826, 0.15157772227353147,
      0.035305967069505347, 0.004927732836094721, 0.00023223238445963424, -4.0809008404079734e-5,
      -6.036293052155817e-6,
    ],
    denominator: [
      1, 3.3424131158149617, 5.194778633110609, 4.9570014700624885, 3.2262981752592554, 1.5023375500464908,
      0.5093093402753087, 0.12488972047350633, 0.021376218178262563, 0.0023338747463812408, 0.00012593956308110197,
    ],
    slope: 27 / 16,
    scale: 0,
    high: 27.3,
    step: 2 ** -21,
  },
  f32: {
    numerator: [
      0.5591210722923279, 0.44070175290107727, 0.15178149938583374, 0.016813280060887337, -0.0032417760230600834,
    ],
    denominator: [
      1, 2.405289888381958, 2.4881882667541504, 1.406882882118225, 0.4451040029525757, 0.06764484196901321,
    ],
    slope: 27 / 16,
    scale: 0,
    high: 10.1,
    step: 2 ** -8,
  },
};

/** Complementary error function: {@link positiveTail} of |x|, and for negative x what it lacks of 2, whose bits are those of −0 shifted. */
export function erfc(args: readonly ScalarExpr[], table?: TailTable): ScalarExpr {
  const format = floatFormat(args[0]!.type, 'erfc');
  const bits = bitcast(format.bits, args[0]!);
  const sign = and(bits, bitcast(format.bits, constant(format.type, -0)));
  const magnitude = bitcast(format.type, xor(bits, sign));
  const tail = positiveTail(format, magnitude, table ?? erfcTables[format.type]);
  const zeroOrTwo = bitcast(format.type, shrU(sign, constant(format.bits, 1)));
  return add(zeroOrTwo, bitcast(format.type, xor(bitcast(format.bits, tail), sign)));
}

/**
 * One rational function for all x ≥ 0 since vectors compute every branch (after Cody, Math. Comp. 23 (1969) 631). With
 * d = x·N(x)/D(x) and x = h + l, h so short that h² and 1 + b·h are exact, for scale 0
 *
 *     erfc x = e^−x²·(1 + d)/(1 + b·x) = e^−(h² + l·(x + h) + λ)·(1 + d)/(1 + b·h),   λ = log((1 + b·x)/(1 + b·h))
 *
 * so that rounding errors of x² (far out one of the result) and of the divisor do not count. λ = l·2/(x + h + 2/b) but for a third power of l
 * (Abramowitz & Stegun 4.1.27). With f of {@link reduceExpOfNegative} the dividend is (1 − major) + ((rest + d) + d·f), where the first
 * difference is exact and what is added to it small. The power of two is applied 2^L too large, L taken back in the divisor: the
 * quotient rounds once into a subnormal result. With scale 1 it is ½·erfc(x/√2).
 */
export function positiveTail(format: FloatFormat, magnitude: ScalarExpr, { numerator, denominator, slope, scale, high, step }: TailTable): ScalarExpr {
  const number = (value: number): ScalarExpr => constant(format.type, value);
  const x = atMost(magnitude, high);
  const rounder = number(1.5 * 2 ** format.significandBits * step);
  const h = sub(add(x, rounder), rounder);
  const [l, twice] = [sub(x, h), add(x, h)];
  const scaled = (value: ScalarExpr): ScalarExpr => (scale === 0 ? value : mul(value, number(0.5)));
  const correction = mul(l, add(scaled(twice), div(number(2), add(twice, number(2 / slope)))));
  const lift = format.significandBits + 2;
  const { shifted, fraction, major, rest } = reduceExpOfNegative(format, scaled(mul(h, h)), { correction, offset: format.bias + lift });
  const d = div(mul(x, polynomial(x, numerator)), polynomial(x, denominator));
  const dividend = add(sub(number(1), major), add(add(rest, d), mul(d, fraction)));
  const factor = 2 ** (lift + scale);
  const divisor = add(mul(h, number(slope * factor)), number(factor));
  return div(mul(dividend, powerOfBits(format, shifted)), divisor);
}
