import type { ScalarExpr } from '../../types/loop-language.ts';
import { abs, add, constant, copysign, div, lt, mul, select, sub } from '../scalar.ts';
import { smallAngle } from './atan.ts';
import { type CoefficientTable, floatFormat } from './format.ts';
import { logarithm, specialValues, splitExponent } from './log.ts';

/** (atanh x / x − 1)/x² in x² over 0 ≤ x ≤ ½: minimax (Remez, 400 bits), relative error of the result 6.7e-18 and 1.37e-9. */
export const atanhTable: CoefficientTable = {
  f64: [
    0.3333333333333399, 0.19999999999793944, 0.14285714308152786, 0.11111109882658711, 0.09090948661066257,
    0.0769149146927587, 0.06677985221694606, 0.057740499508722794, 0.05984409234562245, 0.014486725136573241,
    0.14512325484684913, -0.15317851553650183, 0.22495837472459182,
  ],
  f32: [
    0.33333298563957214, 0.20002524554729462, 0.14222638309001923, 0.1182483434677124, 0.05131402239203453,
    0.17675654590129852,
  ],
};

/** Area tangent: x + x³·P(x²) below ½, and ½·log((1 + x)/(1 − x)) above (Abramowitz & Stegun 4.6.22). ±∞ at ±1, NaN beyond. */
export function atanh(args: readonly ScalarExpr[], table: CoefficientTable = atanhTable): ScalarExpr {
  const format = floatFormat(args[0]!.type, 'atanh');
  const number = (value: number): ScalarExpr => constant(format.type, value);
  const x = abs(args[0]!);
  const ratio = div(add(number(1), x), sub(number(1), x));
  const { exponent, significand } = splitExponent(format, ratio);
  const far = specialValues(ratio, logarithm(format, exponent, sub(significand, number(1))));
  const near = smallAngle(x, table[format.type]);
  return copysign(select(lt(x, number(0.5)), near, mul(far, number(0.5))), args[0]!);
}
