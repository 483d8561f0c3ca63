import type { ScalarExpr } from '../../types/loop-language.ts';
import { abs, add, constant, eq, lt, mul, or, select, sqrt } from '../scalar.ts';
import { floatFormat, type FloatType } from './format.ts';

interface HypotTable {
  /** Where squares would leave the range, operands are first scaled by 2^∓scale. */
  readonly large: number;
  readonly small: number;
  readonly scale: number;
}

const tables: { readonly [T in FloatType]: HypotTable } = {
  f64: { large: 2 ** 500, small: 2 ** -450, scale: 600 },
  f32: { large: 2 ** 62, small: 2 ** -50, scale: 90 },
};

/** √(x² + y²) without overflow or underflow of the squares. An infinite operand wins, also over NaN (C17, F.10.4.3). */
export function hypot(args: readonly ScalarExpr[]): ScalarExpr {
  const format = floatFormat(args[0]!.type, 'hypot');
  const number = (value: number): ScalarExpr => constant(format.type, value);
  const [x, y] = [abs(args[0]!), abs(args[1]!)];
  const { large, small, scale } = tables[format.type];
  const larger = select(lt(x, y), y, x);
  const [isLarge, isSmall] = [lt(number(large), larger), lt(larger, number(small))];
  const powerOf = (forLarge: number, forSmall: number): ScalarExpr => select(isLarge, number(2 ** forLarge), select(isSmall, number(2 ** forSmall), number(1)));
  const down = powerOf(-scale, scale);
  const [a, b] = [mul(x, down), mul(y, down)];
  const norm = mul(sqrt(add(mul(a, a), mul(b, b))), powerOf(scale, -scale));
  const isInfinite = or(eq(x, number(Infinity)), eq(y, number(Infinity)));
  return select(isInfinite, number(Infinity), norm);
}
