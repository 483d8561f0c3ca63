import type { ScalarExpr } from '../../types/loop-language.ts';
import { abs, add, constant, copysign, div, lt, mul, neg, select } from '../scalar.ts';
import { type CoefficientTable, floatFormat, polynomial, type FloatType } from './format.ts';

/** (atan x / x − 1)/x² in x² over 0 ≤ x ≤ 1: minimax (Remez, 400 bits), relative error of the result 4.61e-18 and 2.57e-9. */
export const atanTable: CoefficientTable = {
  f64: [
    -0.3333333333333307, 0.19999999999951454, -0.1428571428257475, 0.11111111007016788, -0.09090907002841046,
    0.076922798376744, -0.06666404045243662, 0.0588052774565259, -0.052535182627569094, 0.04722321282114458,
    -0.04219176622648735, 0.03664186551977402, -0.029903789580863323, 0.021984772132817663, -0.013900486617626497,
    0.007196453178320647, -0.002884893690490742, 0.0008313134277961565, -0.00015215910828849074,
    1.3224905893688933e-5,
  ],
  f32: [
    -0.33333298563957214, 0.19998548924922943, -0.14264242351055145, 0.10952185094356537, -0.08403448760509491,
    0.057957567274570465, -0.031177818775177002, 0.010914591141045094, -0.0017936184303835034,
  ],
};

/** π/2 = high + low, and π is twice that. */
export const quarterTurn: { readonly [T in FloatType]: { readonly high: number; readonly low: number } } = {
  f64: { high: 1.5707963267948966, low: 6.123233995736766e-17 },
  f32: { high: 1.5707963705062866, low: -4.371138828673793e-8 },
};

/** Arcus tangent: x + x³·P(x²) up to 1, beyond π/2 − atan(1/x). One quotient, and no other rounding that is not small beside the sum. */
export function atan(args: readonly ScalarExpr[], table: CoefficientTable = atanTable): ScalarExpr {
  const format = floatFormat(args[0]!.type, 'atan');
  const number = (value: number): ScalarExpr => constant(format.type, value);
  const x = abs(args[0]!);
  const isFar = lt(number(1), x);
  const t = select(isFar, div(number(1), x), x);
  const angle = smallAngle(t, table[format.type]);
  const { high, low } = quarterTurn[format.type];
  const far = add(number(high), add(neg(angle), number(low)));
  return copysign(select(isFar, far, angle), args[0]!);
}

/** The odd function x + x³·P(x²). */
export function smallAngle(x: ScalarExpr, coefficients: readonly number[]): ScalarExpr {
  const z = mul(x, x);
  return add(x, mul(mul(x, z), polynomial(z, coefficients)));
}
