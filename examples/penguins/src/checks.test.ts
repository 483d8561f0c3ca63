import { describe, expect, it } from 'vitest';
import { type Arrays, bitwiseEqual, centralDifferences, worstRelativeError } from './checks.ts';
import { loadPenguins } from './data.ts';
import { initialise } from './model.ts';
import { plainLossAndGradient, type PlainParameters } from './reference.ts';
import { splitPenguins } from './split.ts';

const arrays = (...values: readonly number[]): Arrays => ({ x: Float64Array.from(values) });

describe('bitwise equality', () => {
  it('sees the last bit, the sign of zero, and knows a NaN again', () => {
    expect(bitwiseEqual(arrays(1, Number.NaN), arrays(1, Number.NaN))).toBe(true);
    expect(bitwiseEqual(arrays(0.1 + 0.2), arrays(0.3))).toBe(false);
    expect(bitwiseEqual(arrays(0), arrays(-0))).toBe(false);
    expect(bitwiseEqual(arrays(1), arrays(1, 1))).toBe(false);
    expect(bitwiseEqual(arrays(1), {})).toBe(false);
  });
});

describe('central differences', () => {
  it('know the derivatives of functions with a known one', () => {
    const f = ({ x, y }: Arrays): number => Math.sin(x![0]!) * y![0]! + Math.exp(y![1]!);
    const found = centralDifferences(f, { x: Float64Array.of(0.7), y: Float64Array.of(3, -1) });
    expect(worstRelativeError(found, { x: Float64Array.of(3 * Math.cos(0.7)), y: Float64Array.of(Math.sin(0.7), Math.exp(-1)) })).toBeLessThan(1e-9);
  });

  it('agree with the gradient by hand on the penguins, for two seeds, and refuse a wrong sign', async () => {
    const { penguins } = await loadPenguins();
    for (const seed of [1, 2]) {
      const { train } = splitPenguins(penguins, seed);
      const start = { ...initialise(seed) };
      const differences = centralDifferences((at) => plainLossAndGradient(at as unknown as PlainParameters, train).loss, start);
      const { gradient } = plainLossAndGradient(start, train);
      expect(worstRelativeError({ ...gradient }, differences)).toBeLessThan(1e-6);
      expect(worstRelativeError({ ...gradient, hiddenBias: gradient.hiddenBias.map((value) => -value) }, differences)).toBeGreaterThan(1);
    }
  });

  it('call a NaN the worst of errors', () => {
    expect(worstRelativeError(arrays(Number.NaN), arrays(1))).toBe(Infinity);
    expect(worstRelativeError({}, arrays(1))).toBe(Infinity);
  });
});
