import type { ScalarExpr } from '../../types/loop-language.ts';
import { add, and, bitcast, constant, div, eq, lt, mul, select, shrU, sub } from '../scalar.ts';
import { floatFormat, polynomial, type FloatFormat, type FloatType } from './format.ts';

export interface LogTable {
  /** ln 2 = high + low; high so short that k·high is exact for every exponent k. */
  readonly ln2High: number;
  readonly ln2Low: number;
  /** (2 artanh s − 2s) / (s·z) in z = s². */
  readonly remainder: readonly number[];
}

/** Minimax in z over [0, (√2−1)²/(√2+1)²] (Remez, 400 bits); relative error of the result 1.2e-18 and 8.1e-10. */
export const logTables: { readonly [T in FloatType]: LogTable } = {
  f64: {
    ln2High: 0.6931471805598903,
    ln2Low: 5.497923018708371e-14,
    remainder: [
      0.6666666666666735, 0.3999999999941313, 0.28571428742766, 0.22222198531139864, 0.18183566668714643, 0.1531398678949195,
      0.14796624315353743,
    ],
  },
  f32: {
    ln2High: 0.693145751953125,
    ln2Low: 1.428606765330187e-6,
    remainder: [0.6666677594184875, 0.3997752070426941, 0.29872310161590576],
  },
};

/**
 * Natural logarithm. x = 2^k·m with √½ ≤ m < √2, so that log x = k·ln 2 + log(1 + f), f = m − 1 exactly, and
 * log(1 + f) = 2 artanh s with s = f/(2 + f) (Abramowitz & Stegun 4.1.28; Tang, ACM TOMS 16 (1990) 378).
 *
 * 2s is not formed: it would carry the rounding of the quotient. From s·(2 + f) = f follow s·f = f²/(2 + f) and
 * (f²/2)·(1 − s) = f²/(2 + f), so 2s = f − s·f = f − (f²/2 − s·f²/2): f is exact, and all that is rounded is small beside it:
 *
 *     log x = k·ln2High − ((f²/2 − (s·(f²/2 + R(s²)) + k·ln2Low)) − f),   R(z) = z·remainder(z)
 */
export function log(args: readonly ScalarExpr[], table?: LogTable): ScalarExpr {
  const x = args[0]!;
  const format = floatFormat(x.type, 'log');
  const { exponent, significand } = splitExponent(format, x);
  const f = sub(significand, constant(format.type, 1));
  return specialValues(x, logarithm(format, exponent, f, table));
}

/** k·ln 2 + log(1 + f) + correction, the correction being below the rounding error of f's logarithm. */
export function logarithm(
  format: FloatFormat,
  k: ScalarExpr,
  f: ScalarExpr,
  table: LogTable = logTables[format.type],
  correction?: ScalarExpr,
): ScalarExpr {
  const number = (value: number): ScalarExpr => constant(format.type, value);
  const s = div(f, add(f, number(2)));
  const z = mul(s, s);
  const halfSquare = mul(mul(f, f), number(0.5));
  const low = mul(k, number(table.ln2Low));
  const small = add(mul(s, add(halfSquare, mul(z, polynomial(z, table.remainder)))), correction === undefined ? low : add(low, correction));
  return sub(mul(k, number(table.ln2High)), sub(sub(halfSquare, small), f));
}

export interface SplitFloat {
  readonly exponent: ScalarExpr;
  readonly significand: ScalarExpr;
  /** An integer whose stored bits of the significand count the significand's steps from √½ on. */
  readonly steps: ScalarExpr;
}

/** x = 2^exponent · significand, √½ ≤ significand < √2, for positive finite x; both are floats. */
export function splitExponent(format: FloatFormat, x: ScalarExpr): SplitFloat {
  const { type, bits, significandBits, bias, smallestNormal } = format;
  const subnormal = lt(x, constant(type, smallestNormal));
  const lift = significandBits + 2;
  const normal = select(subnormal, mul(x, constant(type, 2 ** lift)), x);
  // Adding bits(1) − bits(√½) carries into the exponent exactly when the significand is at least √2's.
  const root = bitsOf(format, Math.SQRT1_2);
  const shifted = add(bitcast(bits, normal), constant(bits, bitsOf(format, 1) - root));
  const significand = add(and(shifted, constant(bits, (1n << BigInt(significandBits)) - 1n)), constant(bits, root));
  // The biased exponent in the low bits of 2^p is the float 2^p + exponent: no int-to-float conversion.
  const shifter = 2 ** significandBits;
  const biased = bitcast(type, add(shrU(shifted, constant(bits, significandBits)), constant(bits, bitsOf(format, shifter))));
  const offset = select(subnormal, constant(type, shifter + bias + lift), constant(type, shifter + bias));
  return { exponent: sub(biased, offset), significand: bitcast(type, significand), steps: shifted };
}

function bitsOf(format: FloatFormat, value: number): bigint {
  const view = new DataView(new ArrayBuffer(8));
  if (format.type === 'f64') view.setFloat64(0, value);
  else view.setFloat32(0, value);
  return format.type === 'f64' ? view.getBigInt64(0) : BigInt(view.getInt32(0));
}

/** +∞ and NaN are their own logarithms, ±0 has −∞, a negative number NaN. */
export function specialValues(x: ScalarExpr, result: ScalarExpr): ScalarExpr {
  const number = (value: number): ScalarExpr => constant(x.type, value);
  const finite = select(lt(x, number(Infinity)), result, x);
  const notNegative = select(lt(x, number(0)), number(NaN), finite);
  return select(eq(x, number(0)), number(-Infinity), notNegative);
}
