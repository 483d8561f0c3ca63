import { describe, expect, it } from 'vitest';
import { hardFamilies, hermitianOf, type MatrixRequest, randomMatrix } from './hard-matrices.testing.ts';
import { adjoint, call, complexOf, epsilonOf, isRealDType, type KernelDType, kernelDTypes, orthogonality, realOf, relativeError, rounded, timesDiagonal, type Wanted } from './kernels.testing.ts';
import { type Matrix, multiplied, zeroMatrix } from './src/host/matrix.ts';
import { spectralKernels } from './src/host/spectral.ts';

/** LAPACK's own threshold for its tests. */
const bar = 30;

const shapes = [[1, 1], [2, 2], [5, 5], [12, 12], [13, 5], [4, 11], [1, 6], [7, 1]] as const;
const squares = [1, 2, 3, 5, 12, 20] as const;

const families = Object.entries(hardFamilies);

function requests(dtype: KernelDType, sizes: readonly (readonly [number, number])[]): readonly (readonly [string, Matrix])[] {
  return families.flatMap(([name, family]) => sizes.flatMap(([rows, columns]) => [1, 2].map((seed) => {
    const request: MatrixRequest = { rows, columns, isReal: isRealDType(dtype), seed };
    return [`${name}, ${rows}×${columns}, seed ${seed}`, rounded(dtype, family(request))] as const;
  })));
}

/** The largest of all measures, with the name of where it was. */
class Worst {
  value = 0;
  where = '';

  see(value: number, where: string): void {
    if (!(value <= this.value)) [this.value, this.where] = [value, where];
  }
}

const square = (n: number): readonly [number, number] => [n, n];

function svdOf(dtype: KernelDType, a: Matrix, full = false): readonly [u: Matrix, s: Matrix, vh: Matrix] {
  const k = Math.min(a.rows, a.columns);
  const wanted: readonly Wanted[] = [{ rows: a.rows, columns: full ? a.rows : k }, { rows: k, columns: 1, dtype: realOf(dtype) }, { rows: full ? a.columns : k, columns: a.columns }];
  return call(spectralKernels, full ? 'svdFull' : 'svd', dtype, [a], [a.rows, a.columns], wanted).outputs as readonly [Matrix, Matrix, Matrix];
}

function columns(a: Matrix, count: number): Matrix {
  const result = zeroMatrix(a.rows, count);
  for (let i = 0; i < a.rows * count; i++) {
    const at = Math.floor(i / count) * a.columns + (i % count);
    [result.re[i], result.im[i]] = [a.re[at]!, a.im[at]!];
  }
  return result;
}

const reconstructed = (u: Matrix, s: Matrix, vh: Matrix): Matrix => multiplied(timesDiagonal(columns(u, s.rows), s), adjoint(columns(adjoint(vh), s.rows)));

describe.each(kernelDTypes)('kernels in JavaScript of %s', (dtype) => {
  it.each([false, true])('decompose by singular values, all vectors: %s', (full) => {
    const worst = new Worst();
    for (const [name, a] of requests(dtype, shapes)) {
      const [u, s, vh] = svdOf(dtype, a, full);
      worst.see(relativeError(dtype, a, reconstructed(u, s, vh)), `${name}: residual`);
      worst.see(orthogonality(dtype, u), `${name}: U`);
      worst.see(orthogonality(dtype, adjoint(vh)), `${name}: V`);
      expect(s.re.every((value, i) => value >= (s.re[i + 1] ?? 0)), name).toBe(true);
    }
    expect(worst.value, worst.where).toBeLessThan(bar);
  });

  it('have the same singular values and vectors where some are not wanted', () => {
    for (const [rows, width] of shapes) {
      const a = rounded(dtype, randomMatrix({ rows, columns: width, isReal: isRealDType(dtype), seed: 3 }));
      const [u, s, vh] = svdOf(dtype, a);
      const [k, real] = [Math.min(rows, width), realOf(dtype)];
      const values: Wanted = { rows: k, columns: 1, dtype: real };
      expect(call(spectralKernels, 'svdvals', dtype, [a], [rows, width], [values]).outputs).toEqual([s]);
      expect(call(spectralKernels, 'svdLeft', dtype, [a], [rows, width], [{ rows, columns: k }, values]).outputs).toEqual([u, s]);
      expect(call(spectralKernels, 'svdRight', dtype, [a], [rows, width], [values, { rows: k, columns: width }]).outputs).toEqual([s, vh]);
    }
  });

  it('decompose Hermitian matrices by the named triangle', () => {
    const worst = new Worst();
    for (const [name, given] of requests(dtype, squares.map(square))) {
      const n = given.rows;
      const a = rounded(dtype, hermitianOf(given));
      for (const upper of [0, 1]) {
        const [w, v] = call(spectralKernels, 'eigh', dtype, [withoutTriangle(a, upper === 1)], [n, upper], [{ rows: n, columns: 1, dtype: realOf(dtype) }, { rows: n, columns: n }]).outputs as readonly [Matrix, Matrix];
        worst.see(relativeError(dtype, a, multiplied(timesDiagonal(v, w), adjoint(v))), `${name}: residual`);
        worst.see(orthogonality(dtype, v), `${name}: V`);
        expect(w.re.every((value, i) => i === 0 || value >= w.re[i - 1]!), name).toBe(true);
        expect(call(spectralKernels, 'eigvalsh', dtype, [a], [n, upper], [{ rows: n, columns: 1, dtype: realOf(dtype) }]).outputs).toEqual([w]);
      }
    }
    expect(worst.value, worst.where).toBeLessThan(bar);
  });

  it('find Schur forms', () => {
    const worst = new Worst();
    for (const [name, a] of requests(dtype, squares.map(square))) {
      const n = a.rows;
      const [t, z] = call(spectralKernels, 'schur', dtype, [a], [n], [{ rows: n, columns: n }, { rows: n, columns: n }]).outputs as readonly [Matrix, Matrix];
      worst.see(relativeError(dtype, a, multiplied(multiplied(z, t), adjoint(z))), `${name}: residual`);
      worst.see(orthogonality(dtype, z), `${name}: Z`);
      expect(isSchurForm(t, isRealDType(dtype)), name).toBe(true);
    }
    expect(worst.value, worst.where).toBeLessThan(bar);
  });

  it('find eigenvalues and vectors of norm 1', () => {
    const worst = new Worst();
    const complex = complexOf(dtype);
    for (const [name, a] of requests(dtype, squares.map(square))) {
      const n = a.rows;
      const [w, v] = call(spectralKernels, 'eig', dtype, [a], [n], [{ rows: n, columns: 1, dtype: complex }, { rows: n, columns: n, dtype: complex }]).outputs as readonly [Matrix, Matrix];
      // Relative to the matrix: the vectors, of norm 1 each, make up for no more than their number.
      const right = timesDiagonal(v, w);
      const size = Math.hypot(...a.re, ...a.im);
      const error = Math.hypot(...multiplied(a, v).re.map((value, i) => value - right.re[i]!), ...multiplied(a, v).im.map((value, i) => value - right.im[i]!));
      worst.see(error === 0 ? 0 : error / size / (n * epsilonOf(dtype)), `${name}: residual`);
      for (let k = 0; k < n; k++) worst.see(Math.abs(Math.hypot(...columnAt(v, k)) - 1) / (n * epsilonOf(dtype)), `${name}: norm`);
      if (isRealDType(dtype)) expectConjugatePairs(w, v);
      expect(call(spectralKernels, 'eigvals', dtype, [a], [n], [{ rows: n, columns: 1, dtype: complex }]).outputs).toEqual([w]);
    }
    expect(worst.value, worst.where).toBeLessThan(bar);
  });
});

function columnAt({ rows, columns: n, re, im }: Matrix, k: number): readonly number[] {
  return Array.from({ length: rows }, (_, i) => [re[i * n + k]!, im[i * n + k]!]).flat();
}

/** What is not read is not a number. */
function withoutTriangle(a: Matrix, upper: boolean): Matrix {
  const isRead = (i: number, j: number): boolean => (upper ? j >= i : j <= i);
  const over = (part: Float64Array): Float64Array => part.map((value, at) => (isRead(Math.floor(at / a.columns), at % a.columns) ? value : NaN));
  return { ...a, re: over(a.re), im: over(a.im) };
}

function isSchurForm({ rows: n, re, im }: Matrix, isReal: boolean): boolean {
  const at = (i: number, j: number): number => re[i * n + j]!;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) {
      if (at(i, j) === 0 && im[i * n + j] === 0) continue;
      if (!isReal || j !== i - 1) return false;
      if (at(i, i) !== at(j, j) || Math.sign(at(i, j)) !== -Math.sign(at(j, i))) return false;
      if (i + 1 < n && at(i + 1, i) !== 0) return false;
    }
  }
  return true;
}

function expectConjugatePairs(w: Matrix, v: Matrix): void {
  for (let k = 0; k < w.rows; k++) {
    if (w.im[k] === 0) expect(columnAt(v, k).every((value, i) => i % 2 === 0 || value === 0)).toBe(true);
    else {
      expect(w.im[k]).toBeGreaterThan(0);
      expect([w.re[k + 1], w.im[k + 1]]).toEqual([w.re[k], -w.im[k]!]);
      expect(columnAt(v, k + 1).every((value, i) => value === (i % 2 === 0 ? 1 : -1) * columnAt(v, k)[i]!)).toBe(true);
      k++;
    }
  }
}
