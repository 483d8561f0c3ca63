import type { ScalarExpr } from '../../types/loop-language.ts';
import { abs, add, bitcast, constant, copysign, div, lt, mul, select, sub } from '../scalar.ts';
import { expTables, powerOfBits } from './exp.ts';
import { atMost, floatFormat, polynomial, type FloatType } from './format.ts';

interface TanhTable {
  /** (e^r − 1 − r) / r² in r. */
  readonly remainder: readonly number[];
  /** What is taken from 2x/ln 2 before it is rounded to k. */
  readonly shift: number;
  /** (tanh x − x)/x³ in x² below 0.4, where the rounding of n + 2 would take too much of f32's bar; else none. */
  readonly series: readonly number[];
  /** Above, tanh x is 1. */
  readonly high: number;
}

/** Minimax over −0.175 ≤ r ≤ 0.521 (Remez, 400 bits, weight |r|): relative error of e^r − 1 at most 2.4e-17 and 1.6e-8; of the series 1.7e-9. */
export const tanhTables: { readonly [T in FloatType]: TanhTable } = {
  f64: {
    remainder: [
      0.5000000000000006, 0.16666666666666058, 0.04166666666654946, 0.008333333334381944, 0.0013888888936266573,
      0.00019841264241592942, 2.4801634482942357e-5, 2.7565373778232175e-6, 2.724897208651738e-7,
      2.9398792965586025e-8,
    ],
    shift: 0.25,
    series: [],
    high: 20,
  },
  f32: {
    remainder: [
      0.5, 0.16666854918003082, 0.04166242480278015, 0.00827719271183014, 0.0016089066630229354,
    ],
    shift: 0.25,
    series: [
      -0.33333298563957214, 0.13331234455108643, -0.05356414243578911, 0.0187512319535017,
    ],
    high: 10,
  },
};

/** Below, the series is used. */
const THRESHOLD = 0.4;

/**
 * Hyperbolic tangent n/(n + 2), n = e^2x − 1 for x ≥ 0 (the sign is put back at the end). 2x = k·ln 2 + r as in the exponential, but
 * −0.17 ≤ r ≤ 0.52, and with f = e^r − 1
 *
 *     n = (2^k − 1) + 2^k·f
 *
 * is f for k = 0, where r is 2x exactly; from k = 1 on, the sum loses little, since f is not below −0.16.
 */
export function tanh(args: readonly ScalarExpr[], table?: TanhTable): ScalarExpr {
  const format = floatFormat(args[0]!.type, 'tanh');
  const { remainder, shift, series, high } = table ?? tanhTables[format.type];
  const { ln2High, ln2Low } = expTables[format.type];
  const number = (value: number): ScalarExpr => constant(format.type, value);
  const x = atMost(abs(args[0]!), high);
  const double = add(x, x);
  const shifter = number(1.5 * 2 ** format.significandBits + format.bias);
  const sum = add(sub(mul(x, number(2 * Math.LOG2E)), number(shift)), shifter);
  const k = sub(sum, shifter);
  const r = sub(sub(double, mul(k, number(ln2High))), mul(k, number(ln2Low)));
  const f = add(r, mul(mul(r, r), polynomial(r, remainder)));
  const power = powerOfBits(format, bitcast(format.bits, sum));
  const n = add(sub(power, number(1)), mul(power, f));
  const far = div(n, add(n, number(2)));
  if (series.length === 0) return copysign(far, args[0]!);
  const square = mul(x, x);
  const near = add(x, mul(mul(x, square), polynomial(square, series)));
  return copysign(select(lt(x, number(THRESHOLD)), near, far), args[0]!);
}
