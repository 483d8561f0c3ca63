import type { ScalarExpr } from '../../types/loop-language.ts';
import { abs, add, constant, copysign, div, lt, mul, select, sub } from '../scalar.ts';
import { exp } from './exp.ts';
import { floatFormat, polynomial, type FloatType } from './format.ts';

interface TanhTable {
  /** (tanh x − x)/x³ = −numerator(z)/denominator(z), z = x². */
  readonly numerator: readonly number[];
  readonly denominator: readonly number[];
}

/** Rational minimax in z over [0, 0.55²] (Remez, 400 bits); relative error of the result 9.8e-20 and 1.9e-9. */
export const tanhTables: { readonly [T in FloatType]: TanhTable } = {
  f64: {
    numerator: [0.3333333333333333, 0.020500424046433215, 0.00019925005202065131],
    denominator: [1, 0.4615012721392955, 0.023293497107110348, 0.0002066108659076932],
  },
  f32: {
    numerator: [0.33333319425582886],
    denominator: [1, 0.3999917209148407, -0.001857185154221952],
  },
};

/** Below, where the series is used, tanh x < ½: above it, the subtrahend of 1 − 2/(e^2x + 1) is at most ½. */
const THRESHOLD = 0.55;

/**
 * Hyperbolic tangent. With x ≥ 0 (the sign is put back at the end), two forms share one division:
 *
 *     x < 0.55:   x − x³·N(x²)/D(x²)      the quotient is at most x/10
 *     otherwise:  1 − 2/(e^2x + 1)        the quotient is at most ½, so its error is halved (A&S 4.5.26)
 *
 * e^2x = ∞ gives 1.
 */
export function tanh(args: readonly ScalarExpr[], table?: TanhTable): ScalarExpr {
  const format = floatFormat(args[0]!.type, 'tanh');
  const { numerator, denominator } = table ?? tanhTables[format.type];
  const number = (value: number): ScalarExpr => constant(format.type, value);
  const x = abs(args[0]!);
  const z = mul(x, x);
  const small = lt(x, number(THRESHOLD));
  const dividend = select(small, mul(mul(x, z), polynomial(z, numerator)), number(2));
  const divisor = select(small, polynomial(z, denominator), add(exp([add(x, x)]), number(1)));
  return copysign(sub(select(small, x, number(1)), div(dividend, divisor)), args[0]!);
}
