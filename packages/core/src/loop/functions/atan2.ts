import type { ScalarExpr } from '../../types/loop-language.ts';
import { abs, add, constant, copysign, div, eq, lt, neg, not, select, xor } from '../scalar.ts';
import { atanTable, quarterTurn, smallAngle } from './atan.ts';
import { type CoefficientTable, floatFormat } from './format.ts';

/**
 * The angle of the point (x, y). With a = atan(min/max) of the magnitudes, which are in the first octant, it is ±a + base:
 *
 *     |y| ≤ |x|:  a,  or π − a left of the axis        |y| > |x|:  π/2 − a,  or π/2 + a left of the axis
 *
 * with the sign of y. Equal magnitudes have the quotient 1, also infinite ones, and 0 at the origin, where the signs of the zeros
 * choose among ±0 and ±π (C17, F.10.1.4).
 */
export function atan2(args: readonly ScalarExpr[], table: CoefficientTable = atanTable): ScalarExpr {
  const [y, x] = args as readonly [ScalarExpr, ScalarExpr];
  const format = floatFormat(y.type, 'atan2');
  const number = (value: number): ScalarExpr => constant(format.type, value);
  const [height, width] = [abs(y), abs(x)];
  const isSteep = lt(width, height);
  const quotient = div(select(isSteep, width, height), select(isSteep, height, width));
  const diagonal = select(eq(height, number(0)), number(0), number(1));
  const angle = smallAngle(select(eq(height, width), diagonal, quotient), table[format.type]);
  const isLeft = lt(copysign(number(1), x), number(0));
  const { high, low } = quarterTurn[format.type];
  const base = (part: number): ScalarExpr => select(isSteep, number(part), select(isLeft, number(2 * part), number(0)));
  const isNan = not(eq(x, x));
  const signed = select(xor(isSteep, isLeft), neg(angle), angle);
  return select(isNan, x, copysign(add(base(high), add(signed, base(low))), y));
}
