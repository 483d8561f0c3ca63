import type { ScalarExpr } from '../../types/loop-language.ts';
import { abs, add, constant, copysign, div, lt, mul, select, sqrt, sub } from '../scalar.ts';
import { smallAngle } from './atan.ts';
import { type CoefficientTable, floatFormat, type FloatFormat, type FloatType } from './format.ts';
import { logarithm, splitExponent } from './log.ts';

/** (asinh x / x − 1)/x² in x² up to the threshold: minimax (Remez, 400 bits), relative error of the result 6.51e-19 and 3.44e-9. */
export const asinhTable: CoefficientTable = {
  f64: [
    -0.1666666666666661, 0.07499999999984357, -0.04464285712777888, 0.030381943714123758, -0.02237213830178318,
    0.017352386076741874, -0.013960223341181206, 0.011512924054596167, -0.009533876605070534, 0.007464854714906573,
    -0.004746316352259997, 0.0017172459788068228,
  ],
  f32: [
    -0.16666628420352936, 0.07498697936534882, -0.044486429542303085, 0.02945053018629551, -0.019169563427567482,
    0.01041570957750082, -0.003828865010291338, 0.0006715184426866472,
  ],
};

/** From here on the logarithm is large enough for the errors of its argument. */
const threshold: { readonly [T in FloatType]: number } = { f64: 0.5, f32: 1 };
/** From here on √(x² ± 1) is x to less than half an ulp of the result, and 2x has the logarithm wanted. */
const HUGE: { readonly [T in FloatType]: number } = { f64: 2 ** 28, f32: 2 ** 13 };

/** Area sine: x + x³·P(x²), and log(x + √(x² + 1)) from the threshold on (Abramowitz & Stegun 4.6.20). */
export function asinh(args: readonly ScalarExpr[], table: CoefficientTable = asinhTable): ScalarExpr {
  const format = floatFormat(args[0]!.type, 'asinh');
  const x = abs(args[0]!);
  const far = logOfSum(format, x, sqrt(add(mul(x, x), constant(format.type, 1))), x);
  const near = smallAngle(x, table[format.type]);
  return copysign(select(lt(x, constant(format.type, threshold[format.type])), near, far), args[0]!);
}

/** log(larger + smaller), which are x and √(x² ± 1); the rounding error of the sum is corrected. +∞ and NaN stay. */
export function logOfSum(format: FloatFormat, x: ScalarExpr, larger: ScalarExpr, smaller: ScalarExpr): ScalarExpr {
  const number = (value: number): ScalarExpr => constant(format.type, value);
  const sum = add(larger, smaller);
  const error = sub(smaller, sub(sum, larger));
  const isHuge = lt(number(HUGE[format.type]), x);
  const { exponent, significand } = splitExponent(format, select(isHuge, x, sum));
  const correction = select(isHuge, number(0), div(error, sum));
  const k = add(exponent, select(isHuge, number(1), number(0)));
  return select(lt(x, number(Infinity)), logarithm(format, k, sub(significand, number(1)), undefined, correction), x);
}
