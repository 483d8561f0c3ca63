import type { ScalarExpr } from '../../types/loop-language.ts';
import { abs, add, constant, copysign, div, lt, mul, select, sub } from '../scalar.ts';
import { smallAngle } from './atan.ts';
import { powerOfBits, reduceExp } from './exp.ts';
import { atMost, type CoefficientTable, floatFormat, type FloatFormat, type FloatType } from './format.ts';

/** (sinh x / x − 1)/x² in x² over 0 ≤ x ≤ 1: minimax (Remez, 400 bits), relative error of the result 8.72e-20 and 5.22e-11. */
export const sinhTable: CoefficientTable = {
  f64: [
    0.16666666666666669, 0.008333333333333146, 0.0001984126984143268, 2.7557319156805202e-6, 2.505212318085645e-8,
    1.6057256205719826e-10, 7.758860486757054e-13,
  ],
  f32: [0.1666666716337204, 0.008333350531756878, 0.0001983614929486066, 2.817012500599958e-6],
};

/** Beyond, sinh and cosh are infinite, and e^x/4 is not yet. */
const high: { readonly [T in FloatType]: number } = { f64: 710.6, f32: 89.5 };

export interface QuarterPowers {
  /** e^x/4 = scale + rest, scale a power of two. */
  readonly scale: ScalarExpr;
  readonly rest: ScalarExpr;
  /** e^−x/4. */
  readonly inverse: ScalarExpr;
}

/** A quarter of e^±x for x ≥ 0: (e^x ± e^−x)/2 is twice a sum of these, where e^x itself may leave the range. */
export function quarterPowers(format: FloatFormat, x: ScalarExpr): QuarterPowers {
  const { shifted, fraction } = reduceExp(format, atMost(x, high[format.type]), { offset: format.bias - 2 });
  const scale = powerOfBits(format, shifted);
  const rest = mul(scale, fraction);
  return { scale, rest, inverse: div(constant(format.type, 0.0625), add(scale, rest)) };
}

/** Hyperbolic sine: x + x³·P(x²) below 1, and (e^x − e^−x)/2 above. */
export function sinh(args: readonly ScalarExpr[], table: CoefficientTable = sinhTable): ScalarExpr {
  const format = floatFormat(args[0]!.type, 'sinh');
  const x = abs(args[0]!);
  const { scale, rest, inverse } = quarterPowers(format, x);
  const half = add(scale, sub(rest, inverse));
  const near = smallAngle(x, table[format.type]);
  return copysign(select(lt(x, constant(format.type, 1)), near, add(half, half)), args[0]!);
}
