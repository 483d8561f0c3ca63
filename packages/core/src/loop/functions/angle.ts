/** Sine and cosine of an angle, and what the trigonometric functions have in common. */
import type { ScalarExpr } from '../../types/loop-language.ts';
import { abs, add, and, bitcast, constant, eq, lt, mul, select, shl, sub } from '../scalar.ts';
import { fastTwoSum, polynomial, type FloatFormat, type FloatType, type RoundedSum } from './format.ts';
import { reduceHugeAngle } from './huge-angle.ts';

export interface AngleTable {
  /** π/2 in three parts, the first two so short that their products with every k of the direct reduction are exact. */
  readonly parts: readonly [number, number, number];
  /** π/2 in two parts, the first so short that its product with half a significand is exact. */
  readonly halves: readonly [number, number];
  /** Low bits of a significand that are cut off to halve it. */
  readonly width: number;
  /** Angles below are reduced directly. */
  readonly limit: number;
  /** (sin r − r)/r³ in r². */
  readonly sine: readonly number[];
  /** (cos r − 1 + r²/2)/r⁴ in r². */
  readonly cosine: readonly number[];
}

/** Minimax over r ≤ π/4 (Remez, 400 bits); relative errors of the results 3.8e-18 and 6.6e-20, 4.0e-9 and 1.4e-10. */
export const angleTables: { readonly [T in FloatType]: AngleTable } = {
  f64: {
    parts: [1.5707963267923333, 2.5633441515905732e-12, 3.9455541665632055e-24],
    halves: [1.5707963109016418, 1.5893254773528196e-8],
    width: 26,
    limit: 25000,
    sine: [
      -0.16666666666666632, 0.008333333333322413, -0.0001984126982980783, 2.755731369192517e-6, -2.5050758116275832e-8,
      1.5896795705745956e-10,
    ],
    cosine: [
      0.0416666666666666, -0.0013888888888874125, 2.480158728948216e-5, -2.7557314352325216e-7, 2.0875723272162534e-9,
      -1.1359647746612815e-11,
    ],
  },
  f32: {
    parts: [1.5707855224609375, 1.0804273188114166e-5, 6.07710062827671e-11],
    halves: [1.5703125, 0.0004838267923332751],
    width: 12,
    limit: 200,
    sine: [-0.16666655242443085, 0.008332177996635437, -0.00019517235341481864],
    cosine: [0.04166664555668831, -0.0013887366512790322, 2.4438379114144482e-5],
  },
};

export interface ReducedAngle<Value> {
  /** The nearest multiple of π/2, in the low two bits of an integer of the format's width. */
  readonly quadrant: ScalarExpr;
  readonly sine: Value;
  readonly cosine: Value;
}

/** |x| = quadrant·π/2 + r (modulo 2π) with |r| ≤ π/4, and sine and cosine of r. */
export function reduceAngle(format: FloatFormat, x: ScalarExpr, table: AngleTable = angleTables[format.type]): ReducedAngle<ScalarExpr> {
  const { quadrant, r } = reduce(format, x, table);
  const square = mul(r, r);
  const c = sub(constant(r.type, 1), mul(square, constant(r.type, 0.5)));
  return {
    quadrant,
    sine: add(r, mul(mul(r, square), polynomial(square, table.sine))),
    cosine: add(c, mul(mul(square, square), polynomial(square, table.cosine))),
  };
}

/** {@link reduceAngle} with what each last sum lost: `sum` is the value, `error` the rest. */
export function reduceAngleExactly(format: FloatFormat, x: ScalarExpr, table: AngleTable = angleTables[format.type]): ReducedAngle<RoundedSum> {
  const { quadrant, r, low } = reduce(format, x, table);
  return { quadrant, ...sineAndCosine(r, low, table) };
}

interface ReducedToQuadrant {
  readonly quadrant: ScalarExpr;
  readonly r: ScalarExpr;
  readonly low: ScalarExpr;
}

function reduce(format: FloatFormat, x: ScalarExpr, table: AngleTable): ReducedToQuadrant {
  const magnitude = abs(x);
  const direct = reduceDirectly(format, magnitude, table);
  const huge = fromQuarterTurns(format, reduceHugeAngle(format, magnitude), table);
  const near = lt(magnitude, constant(format.type, table.limit));
  const choose = (part: keyof Reduction): ScalarExpr => select(near, direct[part], huge[part]);
  return { quadrant: bitcast(format.bits, choose('shifted')), r: choose('r'), low: choose('low') };
}

interface Reduction {
  /** 1.5·2^p + q, p the stored bits: the low bits of its significand are q's. */
  readonly shifted: ScalarExpr;
  /** The remainder is r + low, low below half an ulp of r. */
  readonly r: ScalarExpr;
  readonly low: ScalarExpr;
}

/**
 * q = round(x·2/π) and x − q·π/2 with π/2 in three parts: the first difference is exact (Cody & Waite, Software Manual, 1980,
 * ch. 8), the errors of the other two are kept. No x below `limit` is nearer to a multiple than 2^−60.5 (f64), 2^−26.3 (f32).
 */
function reduceDirectly(format: FloatFormat, x: ScalarExpr, table: AngleTable): Reduction {
  const number = (value: number): ScalarExpr => constant(format.type, value);
  const shifter = number(1.5 * 2 ** format.significandBits);
  const shifted = add(mul(x, number(2 / Math.PI)), shifter);
  const q = sub(shifted, shifter);
  const [first, second, third] = table.parts;
  const a = sub(x, mul(q, number(first)));
  const b = fastTwoSum(a, mul(q, number(-second)));
  const c = fastTwoSum(b.sum, mul(q, number(-third)));
  return { shifted, r: c.sum, low: add(b.error, c.error) };
}

/** (high + low)·π/2. high = h + l, h so short that h·halves[0] is exact. */
function fromQuarterTurns(format: FloatFormat, { q, high, low }: { readonly [K in 'q' | 'high' | 'low']: ScalarExpr }, table: AngleTable): Reduction {
  const [major, minor] = table.halves.map((value) => constant(format.type, value)) as [ScalarExpr, ScalarExpr];
  const h = bitcast(format.type, and(bitcast(format.bits, high), constant(format.bits, -1n << BigInt(table.width))));
  const rest = add(add(mul(sub(high, h), major), mul(high, minor)), mul(low, constant(format.type, Math.PI / 2)));
  const { sum, error } = fastTwoSum(mul(h, major), rest);
  return { shifted: add(q, constant(format.type, 1.5 * 2 ** format.significandBits)), r: sum, low: error };
}

/**
 * sin(r + low) = r + (low + r³·sine(r²)), and with c = 1 − r²/2, rounded with error e = (1 − c) − r²/2,
 * cos(r + low) = c + (e + (r⁴·cosine(r²) − r·low)): what is rounded before the last sums is small beside them.
 */
function sineAndCosine(r: ScalarExpr, low: ScalarExpr, table: AngleTable): Pick<ReducedAngle<RoundedSum>, 'sine' | 'cosine'> {
  const one = constant(r.type, 1);
  const square = mul(r, r);
  const half = mul(square, constant(r.type, 0.5));
  const c = sub(one, half);
  const tail = sub(mul(mul(square, square), polynomial(square, table.cosine)), mul(r, low));
  return {
    sine: fastTwoSum(r, add(low, mul(mul(r, square), polynomial(square, table.sine)))),
    cosine: fastTwoSum(c, add(sub(sub(one, c), half), tail)),
  };
}

/** Whether the quadrant is odd. */
export function isOdd(format: FloatFormat, quadrant: ScalarExpr): ScalarExpr {
  return eq(and(quadrant, constant(format.bits, 1)), constant(format.bits, 1));
}

/** The sign bit that the quadrants 2 and 3 have; the other bits are 0. */
export function halfTurnSign(format: FloatFormat, quadrant: ScalarExpr): ScalarExpr {
  const { bits, significandBits } = format;
  const top = significandBits === 52 ? 63 : 31;
  return shl(and(quadrant, constant(bits, 2)), constant(bits, top - 1));
}
