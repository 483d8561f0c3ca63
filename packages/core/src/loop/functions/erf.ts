import type { ScalarExpr } from '../../types/loop-language.ts';
import { abs, add, constant, copysign, lt, mul, neg, select, sub } from '../scalar.ts';
import { reduceExp } from './exp.ts';
import { floatFormat, polynomial, powerOfTwo, type FloatType } from './format.ts';

interface ErfTable {
  /** erf x / x − 1 in x². */
  readonly series: readonly number[];
  /** log erfc x + x in x. */
  readonly logarithm: readonly number[];
  /** Above, erf x is 1. */
  readonly high: number;
}

/**
 * Minimax (Remez, 400 bits): the series over x ≤ 0.95, relative error of the result 2.2e-18 and 6.1e-10; the logarithm
 * over [0.95, high], weight erfc x/erf x, relative error of the result 1.1e-17 and 1.4e-9.
 */
export const erfTables: { readonly [T in FloatType]: ErfTable } = {
  f64: {
    series: [
      0.12837916709551256, -0.37612638903183676, 0.11283791670951067, -0.026866170644300257, 0.005223977616627488,
      -0.0008548326470252899, 0.00012055310906500838, -1.4925068317959797e-5, 1.6451823943509993e-6, -1.6244674516844597e-7,
      1.3888035594435013e-8, -8.132076925559623e-10,
    ],
    logarithm: [
      -3.5456452418021004e-7, -0.12837548871707588, -0.6366374981879214, -0.10271999415679364, 0.019021040376863946,
      0.0003684902940498527, -0.0018723164785977586, 0.0007356637923411823, -0.0001130646057430471,
      -3.1160246135979436e-5, 2.70771718415562e-5, -9.969511297194659e-6, 2.4442713172263328e-6, -4.2871860347376263e-7,
      5.370597430948432e-8, -4.59440532600013e-9, 2.4134374158859254e-10, -5.8823130130558415e-12,
    ],
    high: 5.95,
  },
  f32: {
    series: [
      0.12837916612625122, -0.37612631916999817, 0.11283663660287857, -0.026857705786824226, 0.005196952261030674,
      -0.0008097703685052693, 8.185094338841736e-5,
    ],
    logarithm: [
      -0.00024472473887726665, -0.12747493386268616, -0.6375170946121216, -0.10364024341106415, 0.02208760194480419,
      -0.0030085265170782804, 0.0001924249081639573,
    ],
    high: 3.95,
  },
};

/** Below, the series is used; above, erfc x is small enough for its error not to count. */
const THRESHOLD = 0.95;

/**
 * Error function. With x ≥ 0 (the sign is put back at the end):
 *
 *     x < 0.95:   x + x·series(x²)                          (Abramowitz & Stegun 7.1.5)
 *     otherwise:  1 − e^(−x + logarithm(x)) = (1 − 2^k) − 2^k·f
 *
 * with k and f of {@link reduceExp}; the first difference is exact, and −x is not rounded either.
 */
export function erf(args: readonly ScalarExpr[], table?: ErfTable): ScalarExpr {
  const format = floatFormat(args[0]!.type, 'erf');
  const { series, logarithm, high } = table ?? erfTables[format.type];
  const number = (value: number): ScalarExpr => constant(format.type, value);
  const x = abs(args[0]!);
  const near = add(x, mul(x, polynomial(mul(x, x), series)));
  const limited = select(lt(number(high), x), number(high), x);
  const { k, fraction } = reduceExp(format, neg(limited), polynomial(limited, logarithm));
  const power = powerOfTwo(format, k);
  const far = sub(sub(number(1), power), mul(power, fraction));
  return copysign(select(lt(x, number(THRESHOLD)), near, far), args[0]!);
}
