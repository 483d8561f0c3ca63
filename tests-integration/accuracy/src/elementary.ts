/** Exponential, logarithm, roots and the trigonometric functions of binary numbers, from their series. */
import { big, binade, type Big, BITS, bitLength, fromFixed, fromFloat, integerRoot, isBelow, magnitudeOf, minus, negative, ONE, one, over, plus, shifted, times, timesCut, toEstimate, toFixed } from './big.ts';

const bits = BigInt(BITS);
const product = (a: bigint, b: bigint): bigint => (a * b) >> bits;

/** Σ 1/((2n + 1)·k^(2n+1)), alternating for the arcus tangent: of 1/k. */
function inverseSeries(k: bigint, sign: 1n | -1n, precision: number): bigint {
  let [sum, term, n] = [0n, (1n << BigInt(precision)) / k, 1n];
  for (let s = 1n; term !== 0n; term /= k * k, n += 2n, s *= sign) sum += (s * term) / n;
  return sum;
}

const CONSTANT_BITS = 1700;
const cut = (constant: bigint, to: number): bigint => shifted(constant, to - CONSTANT_BITS);
/** 2 artanh ⅓, and Machin's formula. */
const ln2 = 2n * inverseSeries(3n, 1n, CONSTANT_BITS);
export const pi: bigint = 16n * inverseSeries(5n, -1n, CONSTANT_BITS) - 4n * inverseSeries(239n, -1n, CONSTANT_BITS);
const twoOverPi = (1n << BigInt(2 * CONSTANT_BITS + 1)) / pi;
export const rootOfPi: bigint = integerRoot(cut(pi, 2 * BITS));
const ln2Fixed = cut(ln2, BITS + 64);
export const ln2Big: Big = big(ln2Fixed, -BITS - 64);
export const piBig: Big = big(cut(pi, BITS + 64), -BITS - 64);

/** 1/n! for n = 0 …, until nothing is left. */
const inverseFactorials: readonly bigint[] = (() => {
  const list = [ONE];
  for (let n = 1n; list.at(-1)! > 0n; n++) list.push(list.at(-1)! / n);
  return list;
})();

/** Σ coefficients[i]·xⁱ up to the last that counts, for |x| < 2^−width. */
function series(x: bigint, coefficients: readonly bigint[], width: number): bigint {
  let count = coefficients.length;
  while (count > 1 && bitLength(coefficients[count - 1]!) - width * (count - 1) < 0) count--;
  let sum = 0n;
  for (let i = count - 1; i >= 0; i--) sum = product(sum, x) + coefficients[i]!;
  return sum;
}

const HALVINGS = 8;

/** e^r in fixed point, |r| < ½. */
function expFixed(r: bigint): bigint {
  let y = series(r >> BigInt(HALVINGS), inverseFactorials, HALVINGS + 1);
  for (let i = 0; i < HALVINGS; i++) y = product(y, y);
  return y;
}

/** Beyond, results leave every range; e^x is then kept at these ends. */
const LIMIT = 2000;

export function exp(x: Big): Big {
  if (!isBelow(x, 11)) return big(1n, x.significand < 0n ? -LIMIT : LIMIT);
  const k = Math.round(toEstimate(x) * Math.LOG2E);
  const r = shifted(shifted(x.significand, x.exponent + BITS + 64) - BigInt(k) * ln2Fixed, -64);
  return big(expFixed(r), k - BITS);
}

const afterFirst = inverseFactorials.slice(1);

export function expm1(x: Big): Big {
  return isBelow(x, -6) ? times(x, fromFixed(series(toFixed(x), afterFirst, 6))) : minus(exp(x), one);
}

/** y + 2(z − e^y)/(z + e^y) is log z up to a twelfth of the third power of the error of y (Halley). */
export function log(x: Big): Big {
  const k = binade(x) + 1;
  let [z, exponent] = [shifted(x.significand, x.exponent + BITS - k), k];
  if (Number(z >> (bits - 53n)) < Math.SQRT1_2 * 2 ** 53) [z, exponent] = [2n * z, k - 1];
  const estimate = toFixed(fromFloat(Math.log(Number(z >> (bits - 60n)) / 2 ** 60)));
  const power = expFixed(estimate);
  const y = estimate + ((2n * (z - power)) << bits) / (z + power);
  return fromFixed(y + shifted(BigInt(exponent) * ln2Fixed, -64));
}

export function log1p(x: Big): Big {
  if (!isBelow(x, -45)) return log(plus(one, x));
  // x − x²/2 + x³/3
  const r = toFixed(x);
  return times(x, fromFixed(ONE - r / 2n + product(r, r) / 3n));
}

export function sqrt(x: Big): Big {
  const lift = 2 * BITS - bitLength(x.significand) + ((bitLength(x.significand) + x.exponent) & 1);
  return big(integerRoot(shifted(x.significand, lift)), (x.exponent - lift) / 2);
}

// ---------------------------------------------------------------- angles

const alternating = (first: 0 | 1): readonly bigint[] => inverseFactorials.filter((_, n) => n % 2 === first).map((c, i) => (i % 2 === 0 ? c : -c));
const sineSeries = alternating(1);
const cosineSeries = alternating(0);

/** |x| = quadrant·π/2 + r modulo 2π, |r| ≤ π/4. */
function reduce(x: Big): { readonly quadrant: number; readonly r: Big } {
  if (isBelow(x, -1)) return { quadrant: 0, r: x };
  const after = 330;
  const turns = x.significand * shifted(twoOverPi, x.exponent + after - CONSTANT_BITS);
  const quadrant = (turns + (1n << BigInt(after - 1))) >> BigInt(after);
  const rest = turns - (quadrant << BigInt(after));
  return { quadrant: Number(quadrant & 3n), r: timesCut(big(rest, -after), big(cut(pi, BITS + 64), -BITS - 65)) };
}

function sineAndCosine(x: Big): { readonly sine: Big; readonly cosine: Big } {
  const { quadrant, r } = reduce(big(magnitudeOf(x.significand), x.exponent));
  const fixed = toFixed(r);
  const square = product(fixed, fixed);
  const sine = times(r, fromFixed(series(square, sineSeries, 0)));
  const cosine = fromFixed(series(square, cosineSeries, 0));
  const [s, c] = quadrant % 2 === 0 ? [sine, cosine] : [cosine, negative(sine)];
  const [turnedSine, turnedCosine] = quadrant < 2 ? [s, c] : [negative(s), negative(c)];
  return { sine: x.significand < 0n ? negative(turnedSine) : turnedSine, cosine: turnedCosine };
}

export const sin = (x: Big): Big => sineAndCosine(x).sine;
export const cos = (x: Big): Big => sineAndCosine(x).cosine;
export function tan(x: Big): Big {
  const { sine, cosine } = sineAndCosine(x);
  return over(sine, cosine);
}
