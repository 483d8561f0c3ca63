/**
 * Scalar functions by means that are accurate in float64 and share nothing with the algorithms of core: the JavaScript
 * engine's own where it has them, series and continued fractions where it has not.
 */
export type ReferenceFunction = (...args: readonly number[]) => number;

/** e^(−x²) with x² split into exact parts: the square's rounding error would be magnified by x². */
function expMinusSquare(x: number): number {
  const high = Math.fround(x);
  return Math.exp(-high * high) * Math.exp(-(x - high) * (x + high));
}

/** erf x = 2/√π·e^(−x²)·Σ 2ⁿx^(2n+1)/(2n+1)!! (Abramowitz and Stegun 7.1.6): all terms of one sign. */
function erfSeries(x: number): number {
  let term = x;
  let sum = x;
  for (let n = 1; Math.abs(term) > Math.abs(sum) * 2 ** -60; n++) {
    term *= (2 * x * x) / (2 * n + 1);
    sum += term;
  }
  return (2 / Math.sqrt(Math.PI)) * expMinusSquare(x) * sum;
}

/** erfc x = e^(−x²)/√π · 1/(x + ½/(x + 1/(x + 3/2/(x + …)))), x > 0 (Abramowitz and Stegun 7.1.14), from its far end. */
function erfcFraction(x: number): number {
  let tail = x;
  for (let n = Math.ceil(40 + 400 / (x * x)); n >= 1; n--) tail = x + n / 2 / tail;
  return expMinusSquare(x) / Math.sqrt(Math.PI) / tail;
}

export function erf(x: number): number {
  // Constant to the last bit from |x| = 6 on; the fraction would meet 0·∞ far out. NaN is its own sign.
  if (!(Math.abs(x) <= 28)) return Math.sign(x);
  return Math.abs(x) < 1.5 ? erfSeries(x) + 0 * x : Math.sign(x) * (1 - erfcFraction(Math.abs(x)));
}

export function erfc(x: number): number {
  if (!(Math.abs(x) <= 28)) return 1 - Math.sign(x);
  return x < 0.75 ? 1 - erf(x) : erfcFraction(x);
}

/** √½ = `Math.SQRT1_2` + this. */
const restOfRootHalf = -4.833646656726458e-17;

/** The product, rounded, and what was rounded off, exactly (Dekker 1971). */
function twoProduct(x: number, y: number): readonly [number, number] {
  const split = (value: number): readonly [number, number] => {
    const high = value * 134217729 - (value * 134217729 - value);
    return [high, value - high];
  };
  const product = x * y;
  const [[xHigh, xLow], [yHigh, yLow]] = [split(x), split(y)];
  return [product, xLow * yLow - (product - xHigh * yHigh - xLow * yHigh - xHigh * yLow)];
}

/** ½·erfc(−x/√2), with what the quotient is rounded by: erfc counts it 2·(x/√2)² times in the tail. */
function ndtr(x: number): number {
  if (!(Math.abs(x) <= 39)) return erfc(-x) / 2;
  const [y, rest] = twoProduct(-x, Math.SQRT1_2);
  return (erfc(y) - 2 / Math.sqrt(Math.PI) * expMinusSquare(y) * (rest - x * restOfRootHalf)) / 2;
}

/** Coefficients of 1/x, 1/x³, … in Stirling's series. */
const stirling: readonly number[] = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156, -3617 / 122400];

/**
 * Stirling's series at x + n ≥ 8 (Abramowitz and Stegun 6.1.41), brought back by Γ(x + 1) = x·Γ(x); reflection below ½. Where
 * terms may overflow that the result does not, only those that count are taken: x·(log x − 1) at the far end, −log|x| beside 0.
 */
export function logGamma(x: number): number {
  if (x === Infinity || x === -Infinity || (x <= 0 && Number.isInteger(x))) return Infinity;
  if (x > 1e300) return x * (Math.log(x) - 1);
  if (Math.abs(x) < 2 ** -60) return -Math.log(Math.abs(x));
  if (x < 0.5) return Math.log(Math.PI / Math.abs(Math.sin(Math.PI * (x - Math.round(x))))) - logGamma(1 - x);
  let product = 1;
  let y = x;
  for (; y < 8; y++) product *= y;
  const series = stirling.reduceRight((sum, c) => sum / (y * y) + c, 0) / y;
  return (y - 0.5) * Math.log(y) - y + 0.5 * Math.log(2 * Math.PI) + series - Math.log(product);
}

/** ψ at x + 20 (Abramowitz and Stegun 6.3.18), brought back by ψ(x + 1) = ψ(x) + 1/x; reflection below 0, none at poles. */
export function digamma(x: number): number {
  if (x === 0) return Object.is(x, 0) ? -Infinity : Infinity;
  if (x === Infinity) return Infinity;
  if (x < 0) return Number.isInteger(x) ? NaN : digamma(1 - x) - Math.PI / Math.tan(Math.PI * (x - Math.round(x)));
  let sum = 0;
  let y = x;
  for (; y < 20; y++) sum += 1 / y;
  const inverse = 1 / (y * y);
  return Math.log(y) - 0.5 / y - inverse * (1 / 12 - inverse * (1 / 120 - inverse * (1 / 252 - inverse * (1 / 240 - inverse / 132)))) - sum;
}

/** Newton's iteration on erf x = y, for y near 1 on erfc x = 1 − y, from Winitzki's estimate. */
export function erfinv(y: number): number {
  if (!(Math.abs(y) < 1)) return Math.abs(y) === 1 ? y * Infinity : NaN;
  if (y === 0) return y;
  const magnitude = Math.abs(y);
  const logarithm = Math.log1p(-magnitude * magnitude);
  const b = 2 / (Math.PI * 0.147) + logarithm / 2;
  let x = magnitude < 1e-3 ? (magnitude * Math.sqrt(Math.PI)) / 2 : Math.sqrt(Math.sqrt(b * b - logarithm / 0.147) - b);
  for (let step = 0; step < 6; step++) {
    const gap = magnitude < 0.5 ? erf(x) - magnitude : 1 - magnitude - erfc(x);
    x -= (gap * Math.sqrt(Math.PI)) / 2 / expMinusSquare(x);
  }
  return Math.sign(y) * x;
}

function sigmoid(x: number): number {
  return x >= 0 ? 1 / (1 + Math.exp(-x)) : Math.exp(x) / (1 + Math.exp(x));
}

/** As IEEE 754: pow(1, y) = 1 also for NaN, and pow(−1, ±Inf) = 1; `Math.pow` gives NaN there. */
function pow(x: number, y: number): number {
  return x === 1 || (x === -1 && Math.abs(y) === Infinity) ? 1 : Math.pow(x, y);
}

/** max + log(1 + e^−|x − y|), where equal infinities differ by nothing. */
function logAddExp(x: number, y: number): number {
  return Math.max(x, y) + Math.log1p(Math.exp(-Math.abs(x === y ? 0 : x - y)));
}

/** ECMAScript's % is exact and has the sign of x; the other is y away. */
function remainder(x: number, y: number): number {
  const rest = x % y;
  if (rest === 0) return y < 0 || Object.is(y, -0) ? -0 : 0;
  return rest < 0 !== y < 0 ? rest + y : rest;
}

/** By the name that a `call` of the loop language uses. */
export const referenceFunctions: { readonly [name: string]: ReferenceFunction } = {
  exp: Math.exp, expm1: Math.expm1, log: Math.log, log1p: Math.log1p, log2: Math.log2, log10: Math.log10, exp2: (x) => 2 ** (x as number),
  sin: Math.sin, cos: Math.cos, tan: Math.tan, asin: Math.asin, acos: Math.acos, atan: Math.atan, atan2: Math.atan2,
  sinh: Math.sinh, cosh: Math.cosh, tanh: Math.tanh, asinh: Math.asinh, acosh: Math.acosh, atanh: Math.atanh,
  sqrt: Math.sqrt, cbrt: Math.cbrt, hypot: Math.hypot, pow, erf, erfc, ndtr, lgamma: logGamma, logGamma, digamma, erfinv,
  logAddExp, remainder, fmod: (x, y) => (x as number) % (y as number),
  sigmoid, rsqrt: (x) => 1 / Math.sqrt(x as number),
} as { readonly [name: string]: ReferenceFunction };
