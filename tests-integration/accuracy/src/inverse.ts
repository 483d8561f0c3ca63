/** Inverse functions, roots and remainders of binary numbers, by those of `elementary.ts` and by exact integers. */
import { big, type Big, BITS, bitLength, fromFloat, isBelow, magnitudeOf, minus, negative, one, over, plus, scaled, shifted, times, timesCut, toEstimate } from './big.ts';
import { cos, exp, expm1, ln2Big, log, log1p, piBig, sin, sqrt } from './elementary.ts';

const two = big(2n);
const third = over(one, big(3n));
const fifth = over(one, big(5n));
const absolute = (x: Big): Big => big(magnitudeOf(x.significand), x.exponent);
const isNegative = (x: Big): boolean => x.significand < 0n;
const isAbove = (x: Big, y: Big): boolean => minus(x, y).significand > 0n;

/** An odd function from its values at positive arguments. */
const odd = (f: (x: Big) => Big) => (x: Big): Big => (isNegative(x) ? negative(f(negative(x))) : f(x));

/** x − x³/3 + x⁵/5, x < 2^−40. */
function atanSeries(x: Big): Big {
  const square = timesCut(x, x);
  return minus(x, timesCut(timesCut(x, square), minus(third, timesCut(square, fifth))));
}

/** atan x = a + atan((x − tan a)/(1 + x·tan a)) for a near it. */
function atanOfPositive(x: Big): Big {
  if (!isBelow(x, 0)) return minus(scaled(piBig, -1), x.significand === 0n ? x : atanOfPositive(over(one, x)));
  if (isBelow(x, -40)) return atanSeries(x);
  const near = fromFloat(Math.atan(toEstimate(x)));
  const [sine, cosine] = [sin(near), cos(near)];
  return plus(near, odd(atanSeries)(over(minus(timesCut(x, cosine), sine), plus(cosine, timesCut(x, sine)))));
}

export const atan: (x: Big) => Big = odd((x) => (x.significand === 0n ? x : x.significand === 1n << BigInt(Math.max(-x.exponent, 0)) && x.exponent <= 0 ? scaled(piBig, -2) : atanOfPositive(x)));

export function atan2(y: Big, x: Big): Big {
  const angle = atan(over(absolute(y), absolute(x)));
  const turned = isNegative(x) ? minus(piBig, angle) : angle;
  return isNegative(y) ? negative(turned) : turned;
}

const isOne = (x: Big): boolean => minus(absolute(x), one).significand === 0n;

export const asin: (x: Big) => Big = odd((x) => (isOne(x) ? scaled(piBig, -1) : atan(over(x, sqrt(minus(one, times(x, x)))))));

/** 2·atan √((1 − x)/(1 + x)) */
export function acos(x: Big): Big {
  if (isOne(x)) return isNegative(x) ? piBig : big(0n);
  return scaled(atan(sqrt(over(minus(one, x), plus(one, x)))), 1);
}

/** (u + u/(u + 1))/2, u = e^x − 1 */
export const sinh: (x: Big) => Big = odd((x) => {
  const u = expm1(x);
  return scaled(plus(u, over(u, plus(u, one))), -1);
});

export function cosh(x: Big): Big {
  const power = exp(absolute(x));
  return scaled(plus(power, over(one, power)), -1);
}

/** log(1 + (x + x²/(1 + √(1 + x²)))) */
export const asinh: (x: Big) => Big = odd((x) => {
  const square = timesCut(x, x);
  return log1p(plus(x, over(square, plus(one, sqrt(plus(one, square))))));
});

export function acosh(x: Big): Big {
  const t = minus(x, one);
  return t.significand === 0n ? t : log1p(plus(t, sqrt(times(t, plus(t, two)))));
}

export const atanh: (x: Big) => Big = odd((x) => scaled(log1p(over(scaled(x, 1), minus(one, x))), -1));

export function exp2(x: Big): Big {
  if (!isBelow(x, 11)) return exp(x);
  const k = Math.round(toEstimate(x));
  return scaled(exp(timesCut(minus(x, fromFloat(k)), ln2Big)), k);
}

const ln10 = log(big(10n));
export const log2 = (x: Big): Big => over(log(x), ln2Big);
export const log10 = (x: Big): Big => over(log(x), ln10);

/** floor(∛n), by Newton's iteration from above. */
function integerCubeRoot(n: bigint): bigint {
  for (let root = 1n << BigInt(Math.ceil(bitLength(n) / 3)); ; ) {
    const next = (2n * root + n / (root * root)) / 3n;
    if (next >= root) return root;
    root = next;
  }
}

export const cbrt: (x: Big) => Big = odd((x) => {
  const lift = 3 * BITS + ((((x.exponent - 3 * BITS) % 3) + 3) % 3);
  return big(integerCubeRoot(shifted(x.significand, lift)), (x.exponent - lift) / 3);
});

export const hypot = (x: Big, y: Big): Big => sqrt(plus(times(x, x), times(y, y)));

/** The remainder of truncated division, exactly. */
export function fmod(x: Big, y: Big): Big {
  const exponent = Math.min(x.exponent, y.exponent);
  return big(shifted(x.significand, x.exponent - exponent) % shifted(y.significand, y.exponent - exponent), exponent);
}

export function remainder(x: Big, y: Big): Big {
  const rest = fmod(x, y);
  return rest.significand !== 0n && isNegative(rest) !== isNegative(y) ? plus(rest, y) : rest;
}

export function logAddExp(x: Big, y: Big): Big {
  const [larger, smaller] = isAbove(x, y) ? [x, y] : [y, x];
  return plus(larger, log1p(exp(minus(smaller, larger))));
}

