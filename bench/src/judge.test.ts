import { describe, expect, it } from 'vitest';
import { relativeError } from './judge.ts';

describe('the judge of results', () => {
  it('measures the largest deviation by the largest entry', () => {
    expect(relativeError([1, 10.5], Float64Array.of(1, 10))).toBeCloseTo(0.05, 12);
    expect(relativeError([0, 0], Float64Array.of(0, 0))).toBe(0);
  });

  it('measures a change from where it started: parameters that did not move are wrong', () => {
    const [start, end] = [Float64Array.of(100, 100), Float64Array.of(100.01, 99.99)];
    expect(relativeError(start, end)).toBeLessThan(1e-3);
    expect(relativeError(start, end, start)).toBeCloseTo(1, 9);
  });

  it('finds a wrong number of values, NaN and infinity infinitely wrong', () => {
    expect(relativeError([1], Float64Array.of(1, 2))).toBe(Infinity);
    expect(relativeError([Number.NaN], Float64Array.of(1))).toBe(Infinity);
    expect(relativeError([Infinity], Float64Array.of(1))).toBe(Infinity);
  });
});
