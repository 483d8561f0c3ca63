import { describe, expect, it } from 'vitest';
import { leastNoise, median, relativeDeviation, statedNoise } from './statistics.ts';

describe('statistics of samples', () => {
  it('find the middle of odd, even and unsorted samples, and nothing in nothing', () => {
    expect([median([3, 1, 2]), median([4, 1, 3, 2]), median([5])]).toEqual([2, 2.5, 5]);
    expect(median([])).toBeNaN();
  });

  it('measure the deviation so that one outlier counts little', () => {
    expect(relativeDeviation([10, 10, 11, 9, 1000])).toBe(0.1);
    expect(relativeDeviation([4, 4, 4])).toBe(0);
  });

  it('state at least the least noise, and three deviations of noisy samples', () => {
    expect(statedNoise([1, 1, 1])).toBe(leastNoise);
    expect(statedNoise([8, 10, 12, 9, 11])).toBeCloseTo(3 * 1.4826 * 0.1, 10);
  });
});
