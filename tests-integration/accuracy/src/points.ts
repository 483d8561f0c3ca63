/** The arguments at which functions are measured. */
import { loop } from '@tf/core';
import { bitsOf, type Format, fromBits, roundTo } from './format.ts';
import { type Random, randomFrom } from './random.ts';

/** x, and y where the function takes two. */
export type Point = readonly [number, number];

type Interval = readonly [low: number, high: number];

const both = (low: number, high: number): readonly Interval[] => [[low, high], [-low, -high]];

/** Where a function is neither a constant nor its first term; half of the points lie there. */
function busy(name: string, { type, largestExponent, stored }: Format): readonly Interval[] {
  const [overflow, underflow] = [(largestExponent + 1) * Math.LN2, (largestExponent + stored) * Math.LN2];
  const last = 1 - 2 ** (-stored - 1);
  switch (name) {
    case 'exp': case 'sigmoid':
      return [[2 ** -20, overflow], [-(2 ** -20), -underflow], [-(overflow - 12), -(underflow + 1)]];
    case 'expm1':
      return [[2 ** -20, overflow], [-(2 ** -20), -40]];
    case 'log':
      return [[0.25, 4], [0.9, 1.1]];
    case 'log1p':
      return [[2 ** -20, 2 ** 20], [-(2 ** -20), -1 + 2 ** -24]];
    case 'sin': case 'cos': case 'tan':
      return [...both(2 ** -12, 4), ...both(4, 2 ** 20)];
    case 'tanh':
      return both(2 ** -12, 22);
    case 'erf':
      return both(2 ** -12, 6);
    case 'erfc':
      return [[-(2 ** -12), -6], [2 ** -12, 1], [1, type === 'f64' ? 27.3 : 10.1]];
    case 'ndtr':
      return [[2 ** -12, 6], [-(2 ** -12), -1], [-1, type === 'f64' ? -38.6 : -14.3]];
    case 'exp2':
      return [[2 ** -20, largestExponent + 1], [-(2 ** -20), -(largestExponent + stored)], [-(largestExponent - 1), -(largestExponent + stored + 1)]];
    case 'log2': case 'log10':
      return [[0.25, 4], [0.9, 1.1]];
    case 'asin': case 'acos': case 'atanh':
      return [...both(2 ** -12, last), ...both(0.4, 0.6), ...both(0.9, last)];
    case 'atan':
      return [...both(2 ** -12, 4), ...both(0.9, 1.1)];
    case 'sinh': case 'cosh':
      return [...both(2 ** -12, 4), ...both(4, overflow + 1)];
    case 'asinh':
      return [...both(2 ** -12, 4), ...both(4, 2 ** 30)];
    case 'acosh':
      return [[1, 1 + 2 ** -12], [1, 2], [1.4, 1.6], [2, 2 ** 30]];
    case 'lgamma': case 'digamma':
      return [[2 ** -8, 10], [-(2 ** -8), -20], [0.9, 2.1], [5, 9], [8, 2 ** 12], [-2, -4], [-12, -26], [-20, -(2 ** (stored - 1))]];
    case 'erfinv':
      return [...both(2 ** -12, last), ...both(0.9, last), ...both(0.9999, last)];
    case 'cbrt':
      return [[0.125, 8]];
    default:
      return [];
  }
}

/** Evenly among the values between two of one sign. */
function between(format: Format, random: Random, [low, high]: Interval): number {
  const [from, to] = [bitsOf(format, low), bitsOf(format, high)];
  return fromBits(format, from + random.below(to - from + 1n), high < 0);
}

/** Every finite value but 0 is equally likely. */
function anywhere(format: Format, random: Random): number {
  return fromBits(format, 1n + random.below(format.infinity - 1n), (random.word() & 0x10000) !== 0);
}

/** A base, and an exponent that takes the result anywhere from below the range to above it; every fourth pair is drawn freely. */
function pair(format: Format, random: Random, index: number): Point {
  const x = index % 2 === 0 ? anywhere(format, random) : between(format, random, [0.25, 4]);
  if (index % 4 === 0) return [x, anywhere(format, random)];
  if (index % 4 === 3 && index % 16 === 3) return [-Math.abs(x), Math.round(random.uniform(-60, 60))];
  const y = random.uniform(-format.largestExponent - format.stored - 2, format.largestExponent + 1) / Math.log2(Math.abs(x));
  return [Math.abs(x), roundTo(format, Number.isFinite(y) ? y : 1)];
}

/** The values with up to `count` steps from x. */
function around(format: Format, x: number, count: number): readonly number[] {
  const bits = bitsOf(format, x);
  return Array.from({ length: 2 * count + 1 }, (_, i) => fromBits(format, bits + BigInt(i - count), x < 0));
}

/** Ends of the range, whole numbers, powers of two and what lies beside them. */
function landmarks(format: Format): readonly number[] {
  const list: number[] = [];
  const { infinity, stored, largestExponent } = format;
  for (const bits of [1n, 2n, 3n, (1n << BigInt(stored)) - 1n, 1n << BigInt(stored), infinity - 1n, infinity - 2n]) list.push(fromBits(format, bits));
  for (let n = 1; n <= 130; n++) list.push(n, n / 8);
  for (let k = 1 - largestExponent; k <= largestExponent; k += k > -70 && k < 70 ? 1 : 13) list.push(...around(format, 2 ** k, 1));
  return list.flatMap((x) => [x, -x]);
}

/**
 * Nearly: −a with π·cot πa = −ψ(1 + a), where errors of both terms would be large beside 1. Below 0, −1, … and
 * out to where a float is a whole number.
 */
function zerosOfDigamma(stored: number): readonly number[] {
  return Array.from({ length: 60 }, (_, i) => {
    const n = i < 20 ? i : Math.floor(2 ** (4 + ((i - 20) * (stored - 7)) / 39));
    let a = n + 0.5;
    for (let k = 0; k < 9; k++) a = n + Math.atan2(Math.PI, -Math.log(a + 0.5) - 1 / (24 * (a + 0.5) ** 2)) / Math.PI;
    return -a;
  });
}

/** Arguments near which an error would be large beside the result. */
function delicate(name: string, format: Format): readonly number[] {
  const near = (...xs: readonly number[]): readonly number[] => xs.flatMap((x) => around(format, x, 3));
  switch (name) {
    case 'sin': case 'cos': case 'tan': {
      const multiples = Array.from({ length: 300 }, (_, k) => ((k < 200 ? k + 1 : Math.round(1.13 ** (k - 100))) * Math.PI) / 2);
      // The values of each format that come nearest to a multiple of π/2 (packages/core, reference/fit.py).
      return [...near(...multiples), 16367173 * 2 ** 72, ...(format.type === 'f64' ? [6381956970095103 * 2 ** 797] : [])];
    }
    case 'log':
      return [...around(format, 1, 60), ...near(Math.SQRT1_2, Math.SQRT2)];
    case 'digamma':
      return [...delicate('lgamma', format), ...zerosOfDigamma(format.stored).flatMap((x) => [...around(format, x, 2), ...[3, 6, 9, 12].flatMap((k) => [x - 2 ** -k, x + 2 ** -k])])];
    case 'lgamma':
      return near(1, 2, 8, 1.4616321449683622, ...Array.from({ length: 20 }, (_, n) => -n - 1), ...Array.from({ length: 20 }, (_, n) => -n - 0.5));
    case 'erfinv':
      return near(0.9375, 0.5, 1 - 2 ** -10, 1 - 2 ** -20);
    case 'log1p':
      return near(Math.SQRT1_2 - 1, Math.SQRT2 - 1, -0.5, -1 + 2 ** -20, 1);
    default: {
      const ends = [1, -1].map((sign) => sign * (format.largestExponent + 1) * Math.LN2);
      return near(...ends, Math.LN2 / 2, -Math.LN2 / 2, Math.LN2, -(format.largestExponent + format.stored + 1) * Math.LN2, 0.5, 0.55, 0.95, 1);
    }
  }
}

/** Two operands: anywhere, near each other, with a ratio that the function is busy at, and of moderate size. */
function operands(name: string, format: Format, random: Random, index: number): Point {
  const signed = (x: number): number => (random.word() & 0x10000 ? -x : x);
  if (index % 4 === 0) return [anywhere(format, random), anywhere(format, random)];
  if (name === 'logAddExp') return index % 4 === 1 ? [roundTo(format, random.uniform(-900, 900)), roundTo(format, random.uniform(-900, 900))] : [roundTo(format, random.uniform(-4, 4)), roundTo(format, random.uniform(-40, 4))];
  if (index % 4 === 1) return [signed(between(format, random, [2 ** -10, 2 ** 10])), signed(between(format, random, [2 ** -10, 2 ** 10]))];
  const x = index % 8 === 2 ? anywhere(format, random) : signed(between(format, random, [2 ** -10, 2 ** 10]));
  const [low, high] = name === 'fmod' || name === 'remainder' ? [-70, 2] : [-9, 9];
  const y = roundTo(format, x * 2 ** random.uniform(low!, high!));
  return [x, y !== 0 && Number.isFinite(y) ? signed(y) : 1];
}

function delicatePairs(format: Format): readonly Point[] {
  const pairs: Point[] = [];
  for (let x = -12; x <= 12; x++) for (let y = -7; y <= 7; y++) if (x !== 0 && y !== 0) pairs.push([x, y]);
  for (let k = -40; k <= 40; k++) for (const y of [0.5, -0.5, 1.5, 2, 3, -3]) pairs.push([2 ** k, y]);
  for (const x of around(format, 1, 20)) for (const y of [1, -3, 1e5, 2 ** format.stored, -(2 ** (format.stored + 3))]) pairs.push([x, roundTo(format, y)]);
  for (const x of landmarks(format)) pairs.push([x, 1], [x, 2], [x, -1], [Math.abs(x), 0.5]);
  return pairs;
}

/** Where the function is infinite, or has no value, between values that it has. */
function isPole(name: string, x: number): boolean {
  return (name === 'lgamma' || name === 'digamma') && x < 0 && Number.isInteger(x);
}

/** `count` points; the same for the same count. */
export function pointsOf(name: string, format: Format, count: number): readonly Point[] {
  const random = randomFrom(`${name} ${format.dtype}`);
  if (name !== 'pow' && (loop.functions[name]?.arity ?? 1) === 2) {
    const values = landmarks(format);
    const fixed = Array.from({ length: Math.floor(count / 8) }, (_, i): Point => [values[i % values.length]!, values[Number(random.below(BigInt(values.length)))]!]);
    return [...fixed, ...Array.from({ length: count - fixed.length }, (_, i) => operands(name, format, random, i))];
  }
  if (name === 'pow') {
    const fixed = delicatePairs(format).filter((_, i, all) => all.length <= count / 4 || i % Math.ceil((4 * all.length) / count) === 0);
    return [...fixed, ...Array.from({ length: count - fixed.length }, (_, i) => pair(format, random, i))];
  }
  const all = [...delicate(name, format), ...landmarks(format)].map((x) => roundTo(format, x)).filter((x) => x !== 0 && Number.isFinite(x) && !(name === 'log1p' && x === -1) && !((name === 'atanh' || name === 'erfinv') && Math.abs(x) === 1));
  const fixed = all.length <= count / 4 ? all : all.filter((_, i) => i % Math.ceil((4 * all.length) / count) === 0);
  const intervals = busy(name, format);
  const drawn = Array.from({ length: count - fixed.length }, (_, i) => (i % 2 === 0 || intervals.length === 0 ? anywhere(format, random) : between(format, random, intervals[((i - 1) / 2) % intervals.length]!)));
  return [...fixed, ...drawn].map((x) => [isPole(name, x) ? -x : x, 0]);
}

/** Whether the function has a real value there; where not, the answer is NaN. */
export function isInDomain(name: string, [x, y]: Point): boolean {
  if (name === 'log' || name === 'rsqrt' || name === 'sqrt') return x > 0;
  if (name === 'log2' || name === 'log10') return x > 0;
  if (name === 'asin' || name === 'acos') return Math.abs(x) <= 1;
  if (name === 'atanh' || name === 'erfinv') return Math.abs(x) < 1;
  if (name === 'acosh') return x >= 1;
  if (name === 'log1p') return x > -1;
  return name !== 'pow' || x > 0 || Number.isInteger(y);
}
