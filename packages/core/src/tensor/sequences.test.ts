import { describe, expect, it } from 'vitest';
import { isTfError } from '../errors.ts';
import { arange } from './sequences.ts';

function said(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (isTfError(error)) return `${error.name} ${error.message}`;
    throw error;
  }
  return 'nothing';
}

describe('arange', () => {
  it('refuses more elements than can be counted', () => {
    for (const [start, stop, step] of [[0, 1e308, 1e-300], [0, 1, 5e-324], [0, 2 ** 53, 0.5], [1, -1, -5e-324]] as const) {
      expect(said(() => arange(start, stop, step))).toMatch(/^ArgumentError arange: from \S+ to \S+ in steps of \S+ there are more elements than can be counted/);
    }
  });

  it('counts where the distance is beyond the largest number', () => {
    expect(arange(-1e308, 1e308, 5e307).toArray()).toEqual([-1e308, -5e307, 0, 5e307]);
    expect(arange(1e308, -1e308, -1e308).toArray()).toEqual([1e308, 0]);
  });

  it('refuses elements that an integer dtype cannot hold, as full does', () => {
    expect(said(() => arange(2 ** 31 - 2, 2 ** 31 + 2, 1, { dtype: 'int32' }))).toBe('ArgumentError arange: 2147483649 is no int32. Use int64 or float64.');
    expect(said(() => arange(-(2 ** 31), -(2 ** 31) - 3, -2, { dtype: 'int32' }))).toContain('arange: -2147483650 is no int32');
    expect(said(() => arange(2 ** 31, 2 ** 31 + 1, 1, { dtype: 'int32' }))).toContain('arange: 2147483648 is no int32');
    expect(said(() => arange(-(2 ** 31), 1, 2 ** 31, { dtype: 'int32' }))).toContain('arange: 2147483648 is no int32');
    expect(said(() => arange(2 ** 63 - 1024, 2 ** 63 + 4096, 2048, { dtype: 'int64' }))).toMatch(/arange: \d+ is no int64\. Use float64/);
  });

  it('gives all that an integer dtype holds', () => {
    expect(arange(2 ** 31 - 2, 2 ** 31, 1, { dtype: 'int32' }).toArray()).toEqual([2 ** 31 - 2, 2 ** 31 - 1]);
    expect(arange(-(2 ** 31), 2 ** 31 - 1, 2 ** 30, { dtype: 'int32' }).toArray()).toEqual([-(2 ** 31), -(2 ** 30), 0, 2 ** 30]);
    expect(arange(5, 2 ** 40, 2 ** 40, { dtype: 'int32' }).toArray()).toEqual([5]);
    expect(arange(2 ** 40, 2, 1, { dtype: 'int32' }).toArray()).toEqual([]);
    expect(arange(2 ** 31, 2 ** 31 + 2, 1, { dtype: 'int64' }).toArray()).toEqual([2 ** 31, 2 ** 31 + 1]);
  });
});
