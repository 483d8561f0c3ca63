import { describe, expect, it } from 'vitest';
import { formatTensor } from './format.ts';
import { tensor, type TensorValue } from './create.ts';

const text = (value: TensorValue): string => String(tensor(value));

describe('formatTensor', () => {
  it.each([
    [2.5, '2.5 float64[]'],
    [[1, 2.5, -3], '[  1, 2.5,  -3] float64[3]'],
    [[[1, 20], [300, 4]], '[[  1,  20],\n [300,   4]] float64[2, 2]'],
    [[[[1], [2]], [[3], [4]]], '[[[1],\n  [2]],\n\n [[3],\n  [4]]] float64[2, 2, 1]'],
    [[true, false], '[ true, false] bool[2]'],
    [[0, -0, NaN, Infinity, -Infinity], '[        0,        -0,       NaN,  Infinity, -Infinity] float64[5]'],
    [[1 / 3, 1e-30], '[0.33333333,      1e-30] float64[2]'],
    [[123456789.125, 1e10, -(2 ** 53)], '[  1.2345679e+8,    10000000000, -9.0071993e+15] float64[3]'],
    [[2n ** 62n], '[4611686018427387904] int64[1]'],
    [[], '[] float64[0]'],
    [[[], []], '[[],\n []] float64[2, 0]'],
  ])('prints %o', (value, expected) => {
    expect(text(value)).toBe(expected);
  });

  it('prints complex values with both signs', () => {
    expect(formatTensor('complex128', [2], Float64Array.of(1, -2, -0.5, 0))).toBe('[   1-2i, -0.5+0i] complex128[2]');
  });

  it('keeps 8 significant digits of float32', () => {
    expect(text(Float32Array.of(0.1))).toBe('[0.1] float32[1]');
  });

  it('shows the ends of long axes when there are more than 1000 elements', () => {
    expect(text(Float64Array.from({ length: 1001 }, (_, i) => i))).toBe('[   0,    1,    2, ...,  998,  999, 1000] float64[1001]');
    const lines = formatTensor('float64', [50, 40], new Float64Array(2000)).split('\n');
    expect(lines).toHaveLength(7);
    expect(lines[3]).toBe(' ...,');
    expect(lines[0]).toBe('[[0, 0, 0, ..., 0, 0, 0],');
    expect(formatTensor('float64', [4, 500], new Float64Array(2000)).split('\n')).toHaveLength(4);
  });

  it('shows all of 1000 elements, in lines of at most 80 characters', () => {
    const lines = text(Float64Array.from({ length: 1000 }, (_, i) => i)).split('\n');
    expect(lines.join('').match(/\d+/g)).toHaveLength(1000 + 2);
    for (const line of lines.slice(0, -1)) expect(line.length).toBeLessThanOrEqual(80);
  });

  it('takes time by what it shows, not by what there is', () => {
    const start = performance.now();
    formatTensor('float32', [4096, 4096], new Float32Array(4096 * 4096));
    expect(performance.now() - start).toBeLessThan(200);
  });

  it('shortens 7 axes of 9: 280 000 entries are left', () => {
    expect(formatTensor('float64', new Array<number>(7).fill(9), new Float64Array(9 ** 7)).endsWith(' float64[9, 9, 9, 9, 9, 9, 9]')).toBe(true);
  });
});
