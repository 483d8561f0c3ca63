import type { ScalarExpr } from '../../../types/loop-language.ts';
import { add, and, copysign, div, eq, mul, not, select, sub } from '../../scalar.ts';
import { type Complex, eitherInfinite, isInfinite, isNaN, isZero, largestPart, number, scaled, scaleOf, selectComplex, squaredNorm } from './complex.ts';

/**
 * a/b = a·conj(b)/|b|², both brought to where their squares are inside the range, which leaves one power of two to multiply with.
 * What comes out as NaN in both parts is looked at again: a finite number over 0, over ∞, and ∞ over a finite number (C99, annex G.5.1).
 */
export function quotient(a: Complex, b: Complex): Complex {
  const [above, below] = [scaleOf(largestPart(a)), scaleOf(largestPart(b))];
  const [x, y] = scaled(a, above.factor);
  const divisor = scaled(b, below.factor);
  const [u, v] = divisor;
  const norm = squaredNorm(divisor);
  const same = eq(above.factor, below.factor);
  const one = number(x, 1);
  const [first, second] = [select(same, one, below.factor), select(same, one, above.inverse)];
  // By a real number, part by part: rounded once.
  const isReal = eq(v, number(v, 0));
  const denominator = select(isReal, u, norm);
  const unscaled = (part: ScalarExpr, crossed: ScalarExpr): ScalarExpr => mul(mul(div(select(isReal, part, crossed), denominator), first), second);
  const plain: Complex = [unscaled(x, add(mul(x, u), mul(y, v))), unscaled(y, sub(mul(y, u), mul(x, v)))];
  return selectComplex(and(isNaN(plain[0]), isNaN(plain[1])), exceptional(a, b, plain), plain);
}

function exceptional(a: Complex, b: Complex, otherwise: Complex): Complex {
  const infinity = number(a[0], Infinity);
  const boxed = ([x, y]: Complex): Complex => [boxedPart(x), boxedPart(y)];
  const product = ([x, y]: Complex, [u, v]: Complex, factor: ScalarExpr): Complex => [mul(factor, add(mul(x, u), mul(y, v))), mul(factor, sub(mul(y, u), mul(x, v)))];
  const isFinite = (z: Complex): ScalarExpr => and(eq(sub(z[0], z[0]), number(z[0], 0)), eq(sub(z[1], z[1]), number(z[1], 0)));
  const overZero: Complex = [mul(copysign(infinity, b[0]), a[0]), mul(copysign(infinity, b[0]), a[1])];
  const isOverZero = and(isZero(b), not(and(isNaN(a[0]), isNaN(a[1]))));
  const isLarge = and(eitherInfinite(a), isFinite(b));
  const isSmall = and(isFinite(a), eitherInfinite(b));
  return selectComplex(isOverZero, overZero, selectComplex(isLarge, product(boxed(a), b, infinity), selectComplex(isSmall, product(a, boxed(b), number(a[0], 0)), otherwise)));
}

/** 1 for an infinite part, 0 for a finite one, with its sign; 0 for NaN, whose sign no engine promises. */
function boxedPart(x: ScalarExpr): ScalarExpr {
  return select(isNaN(x), number(x, 0), copysign(select(isInfinite(x), number(x, 1), number(x, 0)), x));
}
