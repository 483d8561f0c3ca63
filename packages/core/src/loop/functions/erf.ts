import type { ScalarExpr } from '../../types/loop-language.ts';
import { abs, add, constant, copysign, div, lt, mul, neg, select, sub } from '../scalar.ts';
import { powerOfBits, reduceExp } from './exp.ts';
import { atMost, floatFormat, polynomial, type FloatType } from './format.ts';

interface ErfTable {
  /** erf x / x − 1 in x². */
  readonly series: readonly number[];
  /** e^(x²)·erfc x = numerator(x)/denominator(x). */
  readonly numerator: readonly number[];
  readonly denominator: readonly number[];
  /** Below, the series is used; above, erfc x is small enough for its error not to count. */
  readonly threshold: number;
  /** Above, erf x is 1. */
  readonly high: number;
}

/**
 * Minimax (Remez, 400 bits): the series up to the threshold, relative error of the result 5.6e-18 and 7.0e-9; the rational function
 * from there on, weight e^(−x²)/erf x, relative error of the result 5.1e-19 and 5.4e-10.
 */
export const erfTables: { readonly [T in FloatType]: ErfTable } = {
  f64: {
    series: [
      0.12837916709551256, -0.3761263890318336, 0.11283791670915264, -0.026866170629440175, 0.005223977315548964,
      -0.0008548292580644466, 0.0001205307844029736, -1.4839245337560107e-5, 1.4657098671188122e-6,
    ],
    numerator: [
      1.000000000046176, 1.4932766312146288, 1.113206382042392, 0.4976938405539662, 0.1389408617186692,
      0.022896637839498003, 0.0017561562352470374,
    ],
    denominator: [
      1, 2.621655799108384, 3.0714281625921913, 2.09402640403718, 0.9025162109373557, 0.24781461278518702,
      0.04058372028274143, 0.003112691518441526,
    ],
    threshold: 0.5,
    high: 5.95,
  },
  f32: {
    series: [
      0.12837916612625122, -0.37612563371658325, 0.11282618343830109, -0.02679828181862831, 0.005043684970587492,
      -0.0006270513986237347,
    ],
    numerator: [
      1.0005834102630615, 0.7395776510238647, 0.23100396990776062,
    ],
    denominator: [
      1, 1.8720624446868896, 1.3300837278366089, 0.40786483883857727,
    ],
    threshold: 0.85,
    high: 3.95,
  },
};

/**
 * Error function. With x ≥ 0 (the sign is put back at the end):
 *
 *     x < threshold:   x + x·series(x²)                           (Abramowitz & Stegun 7.1.5)
 *     otherwise:       1 − 2^k·(1 + f)·numerator(x)/denominator(x)
 *
 * with k and f of {@link reduceExp} for −x² (rational after Cody, Math. Comp. 23 (1969) 631).
 */
export function erf(args: readonly ScalarExpr[], table?: ErfTable): ScalarExpr {
  const format = floatFormat(args[0]!.type, 'erf');
  const { series, numerator, denominator, threshold, high } = table ?? erfTables[format.type];
  const number = (value: number): ScalarExpr => constant(format.type, value);
  const x = atMost(abs(args[0]!), high);
  const square = mul(x, x);
  const near = add(x, mul(x, polynomial(square, series)));
  const { shifted, fraction } = reduceExp(format, neg(square), { offset: format.bias });
  const p = polynomial(x, numerator);
  const tail = div(add(p, mul(p, fraction)), polynomial(x, denominator));
  const far = sub(number(1), mul(tail, powerOfBits(format, shifted)));
  return copysign(select(lt(x, number(threshold)), near, far), args[0]!);
}
