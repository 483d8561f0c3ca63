/**
 * Inverse functions in terms of roots, as Kahan gives them (Branch cuts for complex elementary functions, or Much ado about
 * nothing's sign bit, 1987): signs of zero choose the side of a cut. At infinity each has the angle of z, or what the angle lacks to
 * ½π, beside an infinite part; a zero part that does not depend on the other one stays beside NaN (C99, annex G.6.1 and G.6.2).
 */
import type { ScalarExpr } from '../../../types/loop-language.ts';
import { abs, add, and, copysign, div, eq, lt, mul, neg, select, sqrt, sub } from '../../scalar.ts';
import { floatFormat } from '../format.ts';
import { type Complex, eitherInfinite, isNaN, largestPart, number, real, selectComplex, signed, turned, turnedBack } from './complex.ts';
import { quotient } from './quotient.ts';
import { complexSqrt } from './square-root.ts';

/** Above it, 1 + t² is t² and may leave the range. */
const large = { f32: 2 ** 50, f64: 2 ** 500 } as const;

/** sign t·log1p(|t| + t²/(1 + √(1 + t²))) */
function arsinh(t: ScalarExpr): ScalarExpr {
  const x = abs(t);
  const isLarge = lt(number(x, large[floatFormat(x.type, 'asinh').type]), x);
  const one = number(x, 1);
  const more = mul(x, div(x, add(one, sqrt(add(one, mul(x, x))))));
  const size = add(real('log1p', select(isLarge, x, add(x, more))), select(isLarge, number(x, Math.LN2), number(x, 0)));
  return copysign(size, t);
}

const oneMinus = ([x, y]: Complex): Complex => [sub(number(x, 1), x), neg(y)];
const onePlus = ([x, y]: Complex): Complex => [add(number(x, 1), x), y];

/** Real and imaginary part of conj(a)·b. */
const realOf = ([p, q]: Complex, [r, s]: Complex): ScalarExpr => add(mul(p, r), mul(q, s));
const imaginaryOf = ([p, q]: Complex, [r, s]: Complex): ScalarExpr => sub(mul(p, s), mul(q, r));

/** A first part of its own where x is 0 and y NaN. */
function besideNaN([x, y]: Complex, first: ScalarExpr, otherwise: Complex): Complex {
  return [select(and(eq(x, number(x, 0)), isNaN(y)), first, otherwise[0]), otherwise[1]];
}

export function complexAsin(z: Complex): Complex {
  const [a, b] = [complexSqrt(oneMinus(z)), complexSqrt(onePlus(z))];
  const finite: Complex = [real('atan2', z[0], sub(mul(a[0], b[0]), mul(a[1], b[1]))), arsinh(imaginaryOf(a, b))];
  const infinite: Complex = [real('atan2', z[0], abs(z[1])), signed(Infinity, z[1])];
  return besideNaN(z, z[0], selectComplex(eitherInfinite(z), infinite, finite));
}

export function complexAcos(z: Complex): Complex {
  const [a, b] = [complexSqrt(oneMinus(z)), complexSqrt(onePlus(z))];
  const finite: Complex = [mul(number(z[0], 2), real('atan2', a[0], b[0])), arsinh(imaginaryOf(b, a))];
  const infinite: Complex = [real('atan2', abs(z[1]), z[0]), neg(signed(Infinity, z[1]))];
  return besideNaN(z, number(z[0], Math.PI / 2), selectComplex(eitherInfinite(z), infinite, finite));
}

export function complexAcosh(z: Complex): Complex {
  const [c, b] = [complexSqrt([sub(z[0], number(z[0], 1)), z[1]]), complexSqrt(onePlus(z))];
  const finite: Complex = [arsinh(realOf(c, b)), mul(number(z[0], 2), real('atan2', c[1], b[0]))];
  const infinite: Complex = [number(z[0], Infinity), real('atan2', z[1], z[0])];
  const [imaginary, nothing] = besideNaN(z, number(z[0], Math.PI / 2), [finite[1], finite[0]]);
  return selectComplex(eitherInfinite(z), infinite, [nothing, imaginary]);
}

/** asinh z = −i·asin iz */
export function complexAsinh(z: Complex): Complex {
  return turnedBack(complexAsin(turned(z)));
}

/** ¼·log1p(4x/((1 − x)² + y²)) + ½i·atan2(2y, (1 − x)(1 + x) − y²) for x ≥ 0; 1/z ± ½iπ for huge z. */
export function complexAtanh(z: Complex): Complex {
  const [x, y] = [abs(z[0]), z[1]];
  const one = number(x, 1);
  const rest = sub(one, x);
  const size = mul(number(x, 0.25), real('log1p', div(mul(number(x, 4), x), add(mul(rest, rest), mul(y, y)))));
  const angle = mul(number(x, 0.5), real('atan2', add(y, y), sub(mul(rest, add(one, x)), mul(y, y))));
  const isLarge = lt(number(x, large[floatFormat(x.type, 'atanh').type]), largestPart(z));
  const [inverse] = quotient([one, number(x, 0)], z);
  const right = copysign(number(x, Math.PI / 2), y);
  const finite: Complex = [copysign(select(isLarge, inverse, size), z[0]), select(isLarge, right, angle)];
  return besideNaN(z, z[0], selectComplex(eitherInfinite(z), [signed(0, z[0]), select(isNaN(y), y, right)], finite));
}

/** atan z = −i·atanh iz */
export function complexAtan(z: Complex): Complex {
  return turnedBack(complexAtanh(turned(z)));
}
