/** The gamma functions and the inverse error function of binary numbers. */
import { big, type Big, fromFloat, isBelow, magnitudeOf, minus, negative, one, over, plus, scaled, shifted, times, timesCut, toEstimate } from './big.ts';
import { cos, exp, log, piBig, sin, sqrt } from './elementary.ts';
import { erf, erfc } from './error-function.ts';

const absolute = (x: Big): Big => big(magnitudeOf(x.significand), x.exponent);
const half = big(1n, -1);
const integer = (n: number): Big => big(BigInt(n));

/** B₂, B₄, … from Σ_{k ≤ m} C(m + 1, k)·B_k = 0. */
const bernoulli: readonly Big[] = (() => {
  const [numbers, wanted]: [Big[], Big[]] = [[one], []];
  for (let m = 1; m <= 44; m++) {
    let [sum, binomial] = [big(0n), 1n];
    for (let k = 0; k < m; k++) {
      sum = plus(sum, timesCut(big(binomial), numbers[k]!));
      binomial = (binomial * BigInt(m + 1 - k)) / BigInt(k + 1);
    }
    // Odd ones beyond the first are 0; their rounding errors would grow.
    numbers.push(m % 2 === 1 && m > 1 ? big(0n) : over(negative(sum), integer(m + 1)));
    if (m % 2 === 0) wanted.push(numbers[m]!);
  }
  return wanted;
})();

/** From here on the asymptotic series give more than 120 bits. */
const SHIFT = 40;

/** Σ B_2j·factor(j)·x^(−2j). */
function asymptotic(x: Big, factor: (j: number) => Big): Big {
  const square = timesCut(over(one, x), over(one, x));
  let [sum, power] = [big(0n), square];
  bernoulli.forEach((b, i) => {
    sum = plus(sum, timesCut(timesCut(b, factor(i + 1)), power));
    power = timesCut(power, square);
  });
  return sum;
}

const halfLog2Pi = scaled(log(scaled(piBig, 1)), -1);
const stepsFrom = (x: Big): number => (isBelow(x, 6) ? SHIFT : 0);

function lgammaOfPositive(x: Big): Big {
  const count = stepsFrom(x);
  let product = one;
  for (let k = 0; k < count; k++) product = timesCut(product, plus(x, integer(k)));
  const y = plus(x, integer(count));
  const series = timesCut(y, asymptotic(y, (j) => over(one, integer(2 * j * (2 * j - 1)))));
  return minus(plus(plus(minus(timesCut(minus(y, half), log(y)), y), halfLog2Pi), series), log(product));
}

/** x less the nearest integer. */
function fractionOf(x: Big): Big {
  if (x.exponent >= 0) return big(0n);
  const nearest = shifted(x.significand + (1n << BigInt(-x.exponent - 1)), x.exponent);
  return minus(x, big(nearest));
}

export function lgamma(x: Big): Big {
  if (x.significand > 0n) return lgammaOfPositive(x);
  const a = absolute(x);
  const sine = absolute(sin(timesCut(piBig, fractionOf(a))));
  return negative(plus(log(over(timesCut(sine, a), piBig)), lgammaOfPositive(a)));
}

function digammaOfPositive(x: Big): Big {
  const count = stepsFrom(x);
  let sum = big(0n);
  for (let k = 0; k < count; k++) sum = plus(sum, over(one, plus(x, integer(k))));
  const y = plus(x, integer(count));
  return minus(minus(minus(log(y), over(half, y)), asymptotic(y, (j) => over(one, integer(2 * j)))), sum);
}

export function digamma(x: Big): Big {
  if (x.significand > 0n) return digammaOfPositive(x);
  const a = absolute(x);
  const angle = timesCut(piBig, fractionOf(a));
  return plus(plus(digammaOfPositive(a), over(one, a)), over(timesCut(piBig, cos(angle)), sin(angle)));
}

/** To two or three digits, by Winitzki's formula, from y and log(1 − y²). */
function erfinvEstimate(y: number, logarithm: number): number {
  const a = 0.147;
  const b = 2 / (Math.PI * a) + logarithm / 2;
  return y < 1e-3 ? (y * Math.sqrt(Math.PI)) / 2 : Math.sqrt(Math.sqrt(b * b - logarithm / a) - b);
}

/** Halley's iteration on erf x = y, far out on erfc x = 1 − y: the steps are u/(1 + x·u), u Newton's. */
function erfinvOfPositive(y: Big): Big {
  const slope = scaled(sqrt(piBig), -1);
  if (isBelow(y, -70)) return timesCut(y, slope);
  const rest = minus(one, y);
  let x = fromFloat(erfinvEstimate(toEstimate(y), toEstimate(log(times(rest, plus(one, y))))));
  const isFar = isBelow(rest, -2);
  for (let i = 0; i < 4; i++) {
    const gap = isFar ? minus(rest, erfc(x)) : minus(erf(x), y);
    const u = timesCut(timesCut(gap, slope), exp(timesCut(x, x)));
    x = minus(x, over(u, plus(one, timesCut(x, u))));
    x = timesCut(x, one);
  }
  return x;
}

export const erfinv = (y: Big): Big => (y.significand < 0n ? negative(erfinvOfPositive(negative(y))) : erfinvOfPositive(y));
