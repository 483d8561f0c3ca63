/** Complex values as pairs of scalar expressions, and what their functions share. */
import type { ScalarExpr, ScalarType } from '../../../types/loop-language.ts';
import { abs, add, and, call, constant, copysign, div, eq, lt, max, mul, neg, not, or, select, sub } from '../../scalar.ts';
import { floatFormat } from '../format.ts';

/** Real and imaginary part, of one type. */
export type Complex = readonly [ScalarExpr, ScalarExpr];

export function number(like: ScalarExpr, value: number): ScalarExpr {
  return constant(like.type, value);
}

/** A real function of the catalog. */
export function real(name: string, ...args: readonly ScalarExpr[]): ScalarExpr {
  return call(name, args[0]!.type, ...args);
}

export function times([a, b]: Complex, [c, d]: Complex): Complex {
  return [sub(mul(a, c), mul(b, d)), add(mul(a, d), mul(b, c))];
}

/** i·z */
export function turned([x, y]: Complex): Complex {
  return [neg(y), x];
}

/** −i·z */
export function turnedBack([x, y]: Complex): Complex {
  return [y, neg(x)];
}

export function selectComplex(condition: ScalarExpr, yes: Complex, no: Complex): Complex {
  return [select(condition, yes[0], no[0]), select(condition, yes[1], no[1])];
}

export const isNaN = (x: ScalarExpr): ScalarExpr => not(eq(x, x));
export const isInfinite = (x: ScalarExpr): ScalarExpr => eq(abs(x), number(x, Infinity));
export const isFinite = (x: ScalarExpr): ScalarExpr => eq(sub(x, x), number(x, 0));
export const isZero = ([x, y]: Complex): ScalarExpr => and(eq(x, number(x, 0)), eq(y, number(y, 0)));
export const eitherInfinite = ([x, y]: Complex): ScalarExpr => or(isInfinite(x), isInfinite(y));

/** `size` with the sign of x, as it is where x is NaN, whose sign no engine promises. */
export function signed(size: number, x: ScalarExpr): ScalarExpr {
  return select(isNaN(x), number(x, size), copysign(number(x, size), x));
}

/** The larger magnitude of the two parts. */
export function largestPart([x, y]: Complex): ScalarExpr {
  return max(abs(x), abs(y));
}

/** A power of two and its inverse. */
export interface Scale {
  readonly factor: ScalarExpr;
  readonly inverse: ScalarExpr;
  /** The logarithm of the inverse, to the base of which that of 2 is given. */
  readonly logarithm: (ofTwo: number) => ScalarExpr;
}

interface Limits {
  readonly low: number;
  readonly high: number;
  readonly exponent: number;
}

/** Numbers between the limits, and all others once they are scaled, have squares far inside the range; subnormal ones too. */
const limits: { readonly [T in 'f32' | 'f64']: Limits } = {
  f32: { low: 2 ** -40, high: 2 ** 50, exponent: 100 },
  f64: { low: 2 ** -400, high: 2 ** 500, exponent: 600 },
};

/** What brings a magnitude to where it can be squared: 1 for all but very large and very small ones. */
export function scaleOf(magnitude: ScalarExpr): Scale {
  const { low, high, exponent } = limits[floatFormat(magnitude.type, 'complex').type];
  const isLarge = lt(number(magnitude, high), magnitude);
  const isSmall = lt(magnitude, number(magnitude, low));
  const pick = (large: number, small: number, otherwise: number): ScalarExpr => select(isLarge, number(magnitude, large), select(isSmall, number(magnitude, small), number(magnitude, otherwise)));
  return {
    factor: pick(2 ** -exponent, 2 ** exponent, 1),
    inverse: pick(2 ** exponent, 2 ** -exponent, 1),
    logarithm: (ofTwo) => pick(exponent * ofTwo, -exponent * ofTwo, 0),
  };
}

export function scaled([x, y]: Complex, factor: ScalarExpr): Complex {
  return [mul(x, factor), mul(y, factor)];
}

export function squaredNorm([x, y]: Complex): ScalarExpr {
  return add(mul(x, x), mul(y, y));
}

/** By type: beyond `large`, e^x may leave the range, and e^(x − shift) is used with the constant e^shift. */
const exponentLimits: { readonly [T in 'f32' | 'f64']: { readonly large: number; readonly shift: number } } = {
  f32: { large: 80, shift: 60 },
  f64: { large: 700, shift: 600 },
};

/** x brought to where its exponential is finite, and what that leaves to multiply with, so that e^x·cos y is finite where it can be. */
export function splitExponent(x: ScalarExpr, name: string): { readonly reduced: ScalarExpr; readonly factor: ScalarExpr } {
  const { large, shift } = exponentLimits[floatFormat(x.type, name).type];
  const isLarge = lt(number(x, large), x);
  return { reduced: select(isLarge, sub(x, number(x, shift)), x), factor: select(isLarge, number(x, Math.exp(shift)), number(x, 1)) };
}

/** sinh x and cosh x, both without the factor: from u = e^|x| − 1 as (u + u/(u + 1))/2 and (1 + u + 1/(u + 1))/2. */
export function hyperbolic(x: ScalarExpr, name: string): { readonly sinh: ScalarExpr; readonly cosh: ScalarExpr; readonly factor: ScalarExpr } {
  const { reduced, factor } = splitExponent(abs(x), name);
  const u = real('expm1', reduced);
  const next = add(u, number(x, 1));
  const half = number(x, 0.5);
  const isInf = eq(u, number(x, Infinity));
  const sinh = mul(half, select(isInf, u, add(u, div(u, next))));
  return { sinh: select(lt(x, number(x, 0)), neg(sinh), select(eq(x, number(x, 0)), x, sinh)), cosh: mul(half, add(next, div(number(x, 1), next))), factor };
}

/** The type of a complex function's parts. */
export function partType([x]: Complex): ScalarType {
  return x.type;
}
