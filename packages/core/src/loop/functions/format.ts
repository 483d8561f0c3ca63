/** What the functions need to know of an IEEE 754 binary format, so that one algorithm serves both. */
import { invariant } from '../../errors.ts';
import type { ScalarExpr, ScalarType } from '../../types/loop-language.ts';
import { add, bitcast, constant, lt, mul, select, sub } from '../scalar.ts';

export type FloatType = 'f32' | 'f64';

/** Coefficients of one polynomial for each format. */
export type CoefficientTable = { readonly [T in FloatType]: readonly number[] };

/** A quotient of two polynomials for each format. */
export type RationalTable = { readonly [T in FloatType]: { readonly numerator: readonly number[]; readonly denominator: readonly number[] } };

export interface FloatFormat {
  readonly type: FloatType;
  /** The integer of the same width. */
  readonly bits: 'i32' | 'i64';
  /** Stored bits of the significand. */
  readonly significandBits: 23 | 52;
  readonly bias: 127 | 1023;
  readonly smallestNormal: number;
}

const formats: { readonly [T in FloatType]: FloatFormat } = {
  f32: { type: 'f32', bits: 'i32', significandBits: 23, bias: 127, smallestNormal: 2 ** -126 },
  f64: { type: 'f64', bits: 'i64', significandBits: 52, bias: 1023, smallestNormal: 2 ** -1022 },
};

export function floatFormat(type: ScalarType, name: string): FloatFormat {
  invariant(type === 'f32' || type === 'f64', `${name}: no ${type} operand`, { op: name });
  return formats[type];
}

/** x limited to [low, high]; NaN stays. Comparisons rather than min and max: the signed-zero rules are not needed. */
export function clamp(x: ScalarExpr, low: number, high: number): ScalarExpr {
  const lowest = constant(x.type, low);
  return atMost(select(lt(x, lowest), lowest, x), high);
}

/** x limited to high; NaN stays. */
export function atMost(x: ScalarExpr, high: number): ScalarExpr {
  const highest = constant(x.type, high);
  return select(lt(highest, x), highest, x);
}

/**
 * Σ coefficients[i]·xⁱ in Estrin's scheme (Knuth, TAOCP vol. 2, §4.6.4): pairs a + b·x become coefficients of x², and so
 * on, until three are left. A product or two more than Horner, but a dependency chain of logarithmic length.
 */
export function polynomial(x: ScalarExpr, coefficients: readonly number[]): ScalarExpr {
  const terms = coefficients.map((c) => constant(x.type, c));
  for (let level = terms, power = x; ; power = mul(power, power)) {
    const [first, second, third] = level;
    invariant(first !== undefined, 'polynomial: no coefficients');
    if (second === undefined) return first;
    if (level.length === 3) return add(first, mul(add(second, mul(third!, power)), power));
    level = pairUp(level, power);
  }
}

function pairUp(level: readonly ScalarExpr[], power: ScalarExpr): ScalarExpr[] {
  const pairs: ScalarExpr[] = [];
  for (let i = 0; i < level.length; i += 2) {
    const [low, high] = [level[i]!, level[i + 1]];
    pairs.push(high === undefined ? low : add(low, mul(high, power)));
  }
  return pairs;
}

/** 1/x to 10 %, also for negative x: the bits of a float are a rough logarithm of it. */
export function roughReciprocal({ type, bits, significandBits, bias }: FloatFormat, x: ScalarExpr): ScalarExpr {
  const stored = BigInt(significandBits);
  const zero = (BigInt(2 * bias) << stored) - (1n << (stored - 3n));
  return bitcast(type, sub(constant(bits, zero), bitcast(bits, x)));
}

/** A rounded sum and the error of the rounding: sum + error is exact. */
export interface RoundedSum {
  readonly sum: ScalarExpr;
  readonly error: ScalarExpr;
}

/** a + b where |a| ≥ |b| or a is a multiple of the ulp of b (Dekker, Numer. Math. 18 (1971) 224). */
export function fastTwoSum(a: ScalarExpr, b: ScalarExpr): RoundedSum {
  const sum = add(a, b);
  return { sum, error: sub(b, sub(sum, a)) };
}

/** a·b and the error of its rounding, where no part overflows (Veltkamp's splitting, Dekker, Numer. Math. 18 (1971) 224). */
export function product(a: ScalarExpr, b: ScalarExpr): RoundedSum {
  const { significandBits } = floatFormat(a.type, 'product');
  const splitter = constant(a.type, 2 ** Math.ceil((significandBits + 1) / 2) + 1);
  const halves = (x: ScalarExpr): readonly [ScalarExpr, ScalarExpr] => {
    const split = mul(x, splitter);
    const high = sub(split, sub(split, x));
    return [high, sub(x, high)];
  };
  const [p, q] = halves(a);
  const [r, s] = a === b ? [p, q] : halves(b);
  const sum = mul(a, b);
  return { sum, error: add(add(sub(mul(p, r), sum), add(mul(p, s), mul(q, r))), mul(q, s)) };
}
