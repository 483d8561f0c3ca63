import { abs, add, and, copysign, div, lt, mul, select, sqrt } from '../../scalar.ts';
import { type Complex, isInfinite, isNaN, isZero, largestPart, number, scaled, selectComplex, squaredNorm } from './complex.ts';
import { quotient } from './quotient.ts';
import { floatFormat } from '../format.ts';

/** Where z is scaled by 2^∓2·exponent, its root is by 2^∓exponent. */
const scales = { f32: { low: 2 ** -40, high: 2 ** 50, exponent: 50 }, f64: { low: 2 ** -400, high: 2 ** 500, exponent: 300 } } as const;

/**
 * The root with real part ≥ 0, its imaginary part with the sign of y (Kahan, Branch cuts for complex elementary functions, 1987):
 * t = √((|x| + |z|)/2) is the larger part, y/2t the other one. An infinite part stays beside NaN (C99, annex G.6.4.2).
 */
export function complexSqrt(z: Complex): Complex {
  const { low, high, exponent } = scales[floatFormat(z[0].type, 'sqrt').type];
  const largest = largestPart(z);
  const one = number(z[0], 1);
  const [isLarge, isSmall] = [lt(number(one, high), largest), lt(largest, number(one, low))];
  const pick = (power: number): typeof one => select(isLarge, number(one, 2 ** -power), select(isSmall, number(one, 2 ** power), one));
  const [x, y] = scaled(z, pick(2 * exponent));
  const t = sqrt(mul(number(x, 0.5), add(abs(x), sqrt(squaredNorm([x, y])))));
  const other = div(abs(y), add(t, t));
  const isLeft = lt(z[0], number(x, 0));
  const root: Complex = [select(isLeft, other, t), copysign(select(isLeft, t, other), y)];
  const finite = scaled(root, pick(-exponent));
  const infinity = number(x, Infinity);
  const beside = selectComplex(isLeft, [z[1], infinity], [infinity, z[1]]);
  const known = selectComplex(isInfinite(z[1]), [infinity, z[1]], selectComplex(and(isInfinite(z[0]), isNaN(z[1])), beside, finite));
  return selectComplex(isZero(z), [number(x, 0), z[1]], known);
}

/** 1/√z */
export function complexRsqrt(z: Complex): Complex {
  return quotient([number(z[0], 1), number(z[0], 0)], complexSqrt(z));
}
