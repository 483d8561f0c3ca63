/** The values that functions are measured against, by name, to at least 100 bits. Arguments are in the function's domain. */
import { big, type Big, BITS, fromFixed, isBelow, magnitudeOf, minus, negative, ONE, one, over, plus, scaled, times, timesCut, toEstimate, toFixed } from './big.ts';
import { acos, acosh, asin, asinh, atan, atan2, atanh, cbrt, cosh, exp2, fmod, hypot, log10, log2, logAddExp, remainder, sinh } from './inverse.ts';
import { cos, exp, expm1, log, log1p, rootOfPi, sin, sqrt, tan } from './elementary.ts';

const bits = BigInt(BITS);
const two = big(2n);
const root = fromFixed(rootOfPi);

/** From here on the continued fraction of erfc takes less time than the series of erf. */
const SERIES_END = 2.5;

/** 2/√π·x·e^(−x²)·Σ (2x²)ⁿ/(1·3·5…(2n + 1)), all of one sign (Abramowitz & Stegun 7.1.6); |x| < 2.5. */
function erfSeries(x: Big): Big {
  const square = times(x, x);
  const double = 2n * toFixed(square);
  let [sum, term] = [ONE, ONE];
  for (let n = 3n; term > 0n; n += 2n) {
    term = ((term * double) >> bits) / n;
    sum += term;
  }
  return over(timesCut(timesCut(scaled(x, 1), exp(negative(square))), fromFixed(sum)), root);
}

/** e^(−x²)/√π·1/(x + ½/(x + 1/(x + 3/2/(x + …)))) (Abramowitz & Stegun 7.1.14), x ≥ 2.5. */
function erfcFraction(x: Big): Big {
  const estimate = toEstimate(x);
  if (estimate > 40) return big(1n, -3000);
  const steps = Math.ceil((80 / (2 * estimate)) ** 2 / 2) + 12;
  const fixed = toFixed(x);
  let value = fixed;
  for (let k = BigInt(steps); k > 0n; k--) value = fixed + (k << (2n * bits - 1n)) / value;
  return over(exp(negative(times(x, x))), times(fromFixed(value), root));
}

const absolute = (x: Big): Big => big(magnitudeOf(x.significand), x.exponent);

function erf(x: Big): Big {
  if (isBelow(x, 2) && Math.abs(toEstimate(x)) < SERIES_END) return erfSeries(x);
  const value = minus(one, erfcFraction(absolute(x)));
  return x.significand < 0n ? negative(value) : value;
}

function erfc(x: Big): Big {
  if (isBelow(x, 2) && Math.abs(toEstimate(x)) < SERIES_END) return minus(one, erfSeries(x));
  const value = erfcFraction(absolute(x));
  return x.significand < 0n ? minus(two, value) : value;
}

function tanh(x: Big): Big {
  if (!isBelow(x, 9)) return x.significand < 0n ? negative(one) : one;
  const power = expm1(scaled(x, 1));
  return over(power, plus(power, two));
}

const sigmoid = (x: Big): Big => over(one, plus(one, exp(negative(x))));

/** Of |x|; an odd integral y gives the result the sign of x. */
function pow(x: Big, y: Big): Big {
  const power = exp(timesCut(y, log(absolute(x))));
  return x.significand < 0n && isOdd(y) ? negative(power) : power;
}

/** Of an integer. */
function isOdd({ significand, exponent }: Big): boolean {
  return exponent <= 0 && ((magnitudeOf(significand) >> BigInt(-exponent)) & 1n) === 1n;
}

export const exact: { readonly [name: string]: (x: Big, y: Big) => Big } = {
  acos, acosh, asin, asinh, atan, atan2, atanh, cbrt, cos, cosh, erf, erfc, exp, exp2, expm1, fmod, hypot, log, log10, log1p, log2, logAddExp, pow, remainder, sigmoid, sin, sinh, sqrt, tan, tanh,
  rsqrt: (x) => over(one, sqrt(x)),
};

/**
 * Of what magnitude an error is counted in units of, at least: where operands cancel, the operands', near zeros that no format
 * holds, 1.
 */
export const leastMagnitude: { readonly [name: string]: (x: Big, y: Big) => Big } = {
  logAddExp: (x, y) => (minus(absolute(x), absolute(y)).significand > 0n ? x : y),
};
