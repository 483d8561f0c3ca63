import type { DType, TypedArray } from '@tf/core';

/** The first position where two arrays differ, or −1: NaN equals NaN, −0 differs from 0. Payloads of NaN are not compared. */
export function firstDifference(a: ArrayLike<unknown>, b: ArrayLike<unknown>): number {
  if (a.length !== b.length) return Math.min(a.length, b.length);
  for (let i = 0; i < a.length; i++) if (!Object.is(a[i], b[i])) return i;
  return -1;
}

/**
 * A reproducible sequence in (−1, 1) (xorshift32, Marsaglia 2003). Two draws fill the significand of a float64: with one,
 * sums of a few thousand values would be exact and no order of additions wrong.
 */
export function randomSequence(seed: number): () => number {
  let state = seed | 1;
  const draw = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state / 2 ** 31;
  };
  return () => draw() * (1 - 2 ** -20) + draw() * 2 ** -22;
}

/** Values of `count` elements of a dtype: floats and parts of complex numbers in (−1, 1), integers in (−1000, 1000), booleans. */
export function randomValues(dtype: DType, count: number, seed = 1): TypedArray {
  const next = randomSequence(seed);
  switch (dtype) {
    case 'float32':
      return Float32Array.from({ length: count }, next);
    case 'int32':
      return Int32Array.from({ length: count }, () => 1000 * next());
    case 'int64':
      return BigInt64Array.from({ length: count }, () => BigInt(Math.trunc(1000 * next())));
    case 'complex64':
      return Float32Array.from({ length: 2 * count }, next);
    case 'complex128':
      return Float64Array.from({ length: 2 * count }, next);
    case 'bool':
      return Uint8Array.from({ length: count }, () => (next() < 0 ? 0 : 1));
    default:
      return Float64Array.from({ length: count }, next);
  }
}

/** Where conversions, roundings and comparisons go wrong first. */
export const special: readonly number[] = [0, -0, 1, -1, 0.5, 1.5, -2.5, NaN, Infinity, -Infinity, 5e-324, 1e300, -1e300, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 3.999999];
