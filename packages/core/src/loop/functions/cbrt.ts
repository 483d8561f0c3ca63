import type { ScalarExpr } from '../../types/loop-language.ts';
import { abs, add, and, bitcast, constant, copysign, div, lt, mul, select, sub } from '../scalar.ts';
import { powerOfBits } from './exp.ts';
import { type CoefficientTable, floatFormat, polynomial, roughReciprocal, type FloatType } from './format.ts';
import { splitExponent } from './log.ts';

/** ∛m over √½ ≤ m ≤ √2: minimax (Remez, 400 bits), relative error 3.59e-9 and 7.3e-5. */
export const cbrtTable: CoefficientTable = {
  f64: [
    0.3637042384843791, 1.456959080653165, -2.02733440135439, 2.4997993239587957, -2.224955612886957,
    1.3591068345263349, -0.5398685959620914, 0.12556818624658916, -0.012979050406877838,
  ],
  f32: [0.49251359701156616, 0.7397047877311707, -0.2903653085231781, 0.05821617692708969],
};

/** Low bits that are cut off a significand, so that what is left has an exact square. */
const width: { readonly [T in FloatType]: number } = { f64: 27, f32: 12 };

/**
 * Cube root. x = 2^(3q + r)·m, r = −1, 0, 1, and ∛x = 2^q·∛y, y = 2^r·m. From the polynomial, cut to half a significand, comes t with
 * an exact square, so that only one quotient is rounded in d = (y/t² − t)/3, Newton's correction, which takes the relative error e
 * of t to e². d²/t is about that, and taken off with 1/t to a tenth.
 */
export function cbrt(args: readonly ScalarExpr[], table: CoefficientTable = cbrtTable): ScalarExpr {
  const format = floatFormat(args[0]!.type, 'cbrt');
  const number = (value: number): ScalarExpr => constant(format.type, value);
  const x = abs(args[0]!);
  const { exponent, significand: m } = splitExponent(format, x);
  const shifter = number(1.5 * 2 ** format.significandBits + format.bias);
  const sum = add(mul(exponent, number(1 / 3)), shifter);
  const r = sub(exponent, mul(sub(sum, shifter), number(3)));
  const byRest = (below: number, above: number): ScalarExpr => select(lt(r, number(0)), number(below), select(lt(number(0), r), number(above), number(1)));
  const y = mul(m, byRest(0.5, 2));
  const seed = mul(polynomial(m, table[format.type]), byRest(Math.cbrt(0.5), Math.cbrt(2)));
  const t = bitcast(format.type, and(bitcast(format.bits, seed), constant(format.bits, -1n << BigInt(width[format.type]))));
  const d = mul(sub(div(y, mul(t, t)), t), number(1 / 3));
  const root = add(t, sub(d, mul(mul(d, d), roughReciprocal(format, t))));
  const isRegular = and(lt(number(0), x), lt(x, number(Infinity)));
  return select(isRegular, copysign(mul(root, powerOfBits(format, bitcast(format.bits, sum))), args[0]!), args[0]!);
}
