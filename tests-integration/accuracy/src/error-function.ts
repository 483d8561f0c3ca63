/** The error function and its complement of binary numbers. */
import { big, type Big, BITS, fromFixed, isBelow, magnitudeOf, minus, negative, ONE, one, over, scaled, times, timesCut, toEstimate, toFixed } from './big.ts';
import { exp, rootOfPi } from './elementary.ts';

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

export function erf(x: Big): Big {
  if (isBelow(x, 2) && Math.abs(toEstimate(x)) < SERIES_END) return erfSeries(x);
  const value = minus(one, erfcFraction(absolute(x)));
  return x.significand < 0n ? negative(value) : value;
}

export function erfc(x: Big): Big {
  if (isBelow(x, 2) && Math.abs(toEstimate(x)) < SERIES_END) return minus(one, erfSeries(x));
  const value = erfcFraction(absolute(x));
  return x.significand < 0n ? minus(two, value) : value;
}
