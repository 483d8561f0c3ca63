import { type DType, dtypes, isInexact, type TensorType } from '@tf/core';
import { countOf, type HostValue, hostValue, knownShape } from './values.ts';

/** A generator of numbers in [0, 1), the same for the same seed (mulberry32, T. Ettinger 2017). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** A tangent or cotangent: entries in ±[¼, 1), real and imaginary parts independent, so that no entry drops out. */
export function randomDirection(type: TensorType, random: () => number): HostValue {
  return randomValues(type.dtype, knownShape(type.shape), random, () => (random() < 0.5 ? -1 : 1) * (0.25 + 0.75 * random()));
}

/** Values of a dtype; `draw` gives the parts of floating ones, integers are small, booleans fair. */
export function randomValues<D extends DType>(dtype: D, shape: readonly number[], random: () => number, draw: () => number = () => 4 * random() - 2): HostValue<D> {
  const lanes = countOf(shape) * dtypes[dtype].lanes;
  const next = (): number => (isInexact(dtype) ? draw() : dtype === 'bool' ? Number(random() < 0.5) : Math.floor(41 * random()) - 20);
  return hostValue(dtype, shape, Array.from({ length: lanes }, next));
}
