import { describe, expect, it } from 'vitest';
import { choleskyFactor, qrFactors } from './factors.ts';
import { product } from './product.ts';

const n = 4;
const a = Float64Array.of(4, 1, 0, 2, 1, 5, -1, 0, 0, -1, 6, 1, 2, 0, 1, 7);
const transposed = (x: Float64Array): Float64Array => x.map((_, at) => x[(at % n) * n + Math.floor(at / n)]!);
const times = (x: Float64Array, y: Float64Array): Float64Array => product(x, y, n, n, n);
const expectEqual = (x: Float64Array, y: Float64Array): void => x.forEach((value, at) => expect(value).toBeCloseTo(y[at]!, 12));

describe('factors', () => {
  it('of Cholesky are lower, and give the matrix', () => {
    const l = choleskyFactor(a, n);
    expect(l[1]).toBe(0);
    expectEqual(times(l, transposed(l)), a);
  });

  it('by reflections are orthogonal and upper, with the signs that LAPACK gives them', () => {
    const { q, r } = qrFactors(a, n);
    expect([r[n], r[2 * n + 1]]).toEqual([0, 0]);
    expect(r[0]).toBeLessThan(0);
    expectEqual(times(q, r), a);
    expectEqual(times(transposed(q), q), Float64Array.from({ length: n * n }, (_, at) => (at % (n + 1) === 0 ? 1 : 0)));
  });
});
