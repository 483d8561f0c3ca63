/** Complex functions of binary numbers, by the real ones: no sum in them cancels but where that is exact. */
import { big, type Big, isBelow, magnitudeOf, minus, negative, one, over, plus, scaled, times, timesCut } from './big.ts';
import { cos, exp, expm1, ln2Big, log, log1p, piBig, sin, sqrt } from './elementary.ts';
import { asinh, atan2 as atan2OfBoth, cosh, sinh } from './inverse.ts';

export interface BigComplex {
  readonly re: Big;
  readonly im: Big;
}

const of = (re: Big, im: Big): BigComplex => ({ re, im });
const absolute = (x: Big): Big => big(magnitudeOf(x.significand), x.exponent);
const squareOf = (x: Big): Big => times(x, x);
const sumOfSquares = ({ re, im }: BigComplex): Big => plus(squareOf(re), squareOf(im));
/** i·z and −i·z. */
const turned = ({ re, im }: BigComplex): BigComplex => of(negative(im), re);
const turnedBack = ({ re, im }: BigComplex): BigComplex => of(im, negative(re));
const opposite = ({ re, im }: BigComplex): BigComplex => of(negative(re), negative(im));

/** Where x may be 0. */
function atan2(y: Big, x: Big): Big {
  if (x.significand !== 0n) return atan2OfBoth(y, x);
  return y.significand < 0n ? negative(scaled(piBig, -1)) : scaled(piBig, -1);
}

export const modulus = (z: BigComplex): Big => sqrt(sumOfSquares(z));

const expOf = ({ re, im }: BigComplex): BigComplex => of(timesCut(exp(re), cos(im)), timesCut(exp(re), sin(im)));

/** (eˣ − 1)·cos y + (cos y − 1), where cos y − 1 = −2·sin²(y/2). */
function expm1Of({ re, im }: BigComplex): BigComplex {
  const half = sin(scaled(im, -1));
  return of(minus(timesCut(expm1(re), cos(im)), scaled(timesCut(half, half), 1)), timesCut(exp(re), sin(im)));
}

/** ½·log(x² + y²), near 1 by what the sum, which is exact, exceeds 1. */
function logModulus(z: BigComplex): Big {
  const square = sumOfSquares(z);
  const beyond = minus(square, one);
  return scaled(isBelow(beyond, -1) ? (beyond.significand === 0n ? beyond : log1p(beyond)) : log(square), -1);
}

const logOf = (z: BigComplex): BigComplex => of(logModulus(z), atan2(z.im, z.re));

/** ½·log1p(2x + x² + y²): the sum is exact. */
function log1pOf({ re, im }: BigComplex): BigComplex {
  const beyond = plus(scaled(re, 1), sumOfSquares({ re, im }));
  const real = isBelow(beyond, -1) ? (beyond.significand === 0n ? beyond : log1p(beyond)) : log(plus(one, beyond));
  return of(scaled(real, -1), atan2(im, plus(one, re)));
}

function dividedBy({ re, im }: BigComplex, divisor: Big): BigComplex {
  return of(over(re, divisor), over(im, divisor));
}

function sqrtOf(z: BigComplex): BigComplex {
  const larger = sqrt(scaled(plus(modulus(z), absolute(z.re)), -1));
  const smaller = over(absolute(z.im), scaled(larger, 1));
  const [re, im] = z.re.significand < 0n ? [smaller, larger] : [larger, smaller];
  return of(re, z.im.significand < 0n ? negative(im) : im);
}

/** conj(√z)/|z| */
function rsqrtOf(z: BigComplex): BigComplex {
  const root = sqrtOf(z);
  return dividedBy(of(root.re, negative(root.im)), modulus(z));
}

const sinhOf = ({ re, im }: BigComplex): BigComplex => of(timesCut(sinh(re), cos(im)), timesCut(cosh(re), sin(im)));
const coshOf = ({ re, im }: BigComplex): BigComplex => of(timesCut(cosh(re), cos(im)), timesCut(sinh(re), sin(im)));

/** (sinh x·cosh x + i·sin y·cos y)/(sinh² x + cos² y) */
function tanhOf({ re, im }: BigComplex): BigComplex {
  const [s, c] = [sinh(re), cos(im)];
  return dividedBy(of(timesCut(s, cosh(re)), timesCut(sin(im), c)), plus(timesCut(s, s), timesCut(c, c)));
}

/** 1/(1 + e^−z) = (1 + e^−conj z)/|1 + e^−z|²; 1 + e^−z is 2 + expm1(−z). */
function sigmoidOf(z: BigComplex): BigComplex {
  const { re, im } = expm1Of(opposite(z));
  const below = of(plus(big(2n), re), im);
  return dividedBy(of(below.re, negative(below.im)), sumOfSquares(below));
}

/** Kahan 1987, “Branch cuts for complex elementary functions”: √(1 − z) and √(1 + z). */
function roots({ re, im }: BigComplex): readonly [BigComplex, BigComplex] {
  return [sqrtOf(of(minus(one, re), negative(im))), sqrtOf(of(plus(one, re), im))];
}

function asinOf(z: BigComplex): BigComplex {
  const [below, above] = roots(z);
  const real = minus(times(below.re, above.re), times(below.im, above.im));
  return of(atan2(z.re, real), asinh(minus(times(below.re, above.im), times(below.im, above.re))));
}

function acosOf(z: BigComplex): BigComplex {
  const [below, above] = roots(z);
  return of(scaled(atan2(below.re, above.re), 1), asinh(minus(times(above.re, below.im), times(above.im, below.re))));
}

/** acosh z = ±i·acos z, so that the real part is positive. */
function acoshOf(z: BigComplex): BigComplex {
  return z.im.significand < 0n ? turnedBack(acosOf(z)) : turned(acosOf(z));
}

/** ¼·log1p(4x/((1 − x)² + y²)) + ½i·atan2(2y, (1 − x)(1 + x) − y²), for x > 0. */
function atanhOf(z: BigComplex): BigComplex {
  if (z.re.significand < 0n) return opposite(atanhOf(opposite(z)));
  const near = minus(one, z.re);
  const real = log1p(over(scaled(z.re, 2), plus(squareOf(near), squareOf(z.im))));
  const across = minus(times(near, plus(one, z.re)), squareOf(z.im));
  return of(scaled(real, -2), scaled(atan2(scaled(z.im, 1), across), -1));
}

const byFactor = (factor: Big) => (z: BigComplex): BigComplex => of(timesCut(z.re, factor), timesCut(z.im, factor));
const ln10 = log(big(10n));

/** By the names of the real functions; no part of an argument is 0. */
export const complexExact: { readonly [name: string]: (z: BigComplex) => BigComplex } = {
  acos: acosOf, acosh: acoshOf, asin: asinOf, atanh: atanhOf,
  asinh: (z) => turnedBack(asinOf(turned(z))),
  atan: (z) => turnedBack(atanhOf(turned(z))),
  cos: (z) => coshOf(turned(z)),
  cosh: coshOf, exp: expOf,
  exp2: (z) => expOf(byFactor(ln2Big)(z)),
  expm1: expm1Of, log: logOf,
  log10: (z) => dividedBy(logOf(z), ln10),
  log1p: log1pOf,
  log2: (z) => dividedBy(logOf(z), ln2Big),
  rsqrt: rsqrtOf, sigmoid: sigmoidOf,
  sin: (z) => turnedBack(sinhOf(turned(z))),
  sinh: sinhOf, sqrt: sqrtOf,
  tan: (z) => turnedBack(tanhOf(turned(z))),
  tanh: tanhOf,
};
