import { describe, expect, it } from 'vitest';
import { hardFamilies, randomMatrix } from './hard-matrices.testing.ts';
import { adjoint, call, complexOf, difference, epsilonOf, isRealDType, type KernelDType, kernelDTypes, norm, packed, realOf, relativeError, rounded, unpacked } from './kernels.testing.ts';
import { identityMatrix, type Matrix, multiplied, timesReal, zeroMatrix } from './src/host/matrix.ts';
import { spectralKernels } from './src/host/spectral.ts';

const square = (n: number): { readonly rows: number; readonly columns: number } => ({ rows: n, columns: n });

function random(dtype: KernelDType, rows: number, columns: number, seed: number): Matrix {
  return rounded(dtype, randomMatrix({ rows, columns, isReal: isRealDType(dtype), seed }));
}

function schur(dtype: KernelDType, a: Matrix): readonly [t: Matrix, z: Matrix] {
  return call(spectralKernels, 'schur', dtype, [a], [a.rows], [square(a.rows), square(a.rows)]).outputs as readonly [Matrix, Matrix];
}

const plus = (a: Matrix, b: Matrix): Matrix => difference(a, timesReal(b, -1));

describe.each(kernelDTypes)('kernels in JavaScript of %s', (dtype) => {
  it.each([[1, 1], [2, 2], [3, 5], [8, 4], [9, 9]])('solve Sylvester equations of %i×%i, and their adjoints', (m, n) => {
    for (const seed of [1, 2, 3]) {
      const [[t], [u]] = [schur(dtype, random(dtype, m, m, seed)), schur(dtype, random(dtype, n, n, seed + 10))];
      const c = random(dtype, m, n, seed + 20);
      for (const isAdjoint of [0, 1]) {
        const [a, b] = isAdjoint === 1 ? [adjoint(t), adjoint(u)] : [t, u];
        const { outputs: [x], failed } = call(spectralKernels, 'triangularSylvester', dtype, [t, u, c], [m, n, isAdjoint], [{ rows: m, columns: n }]);
        expect(failed).toBeUndefined();
        const error = norm(difference(plus(multiplied(a, x as Matrix), multiplied(x as Matrix, b)), c));
        expect(error / ((norm(a) + norm(b)) * norm(x as Matrix) + norm(c))).toBeLessThan(30 * Math.max(m, n) * epsilonOf(dtype));
      }
    }
  });

  it('find no solution where eigenvalues add up to zero', () => {
    const t = random(dtype, 1, 1, 1);
    const [plain, opposite] = [packed(dtype, t), packed(dtype, timesReal(t, -1))];
    const lanes = plain.length;
    const batch = (...parts: readonly (Float32Array | Float64Array)[]): Float64Array => Float64Array.from(parts.flatMap((part) => [...part]));
    const out = new Float64Array(3 * lanes);
    const kernel = spectralKernels[`tf.linalg.v1.triangularSylvester.${dtype}`];
    const one = packed(dtype, identityMatrix(1));
    const failed = kernel?.run({ inputs: [batch(plain, plain, plain), batch(plain, opposite, opposite), batch(one, one, one)], outputs: [out], integers: [3, 1, 1, 0], tables: undefined, workspace: undefined });
    expect(failed).toBe(1);
    expect([...out].map(Number.isNaN)).toEqual([...one.map(() => 0), ...one.map(() => 1), ...one.map(() => 1)].map(Boolean));
    expect(kernel?.failure).toContain('add up to zero');
  });

  it('give no numbers for what is not finite, and right ones beside it', () => {
    const values = (k: number): { readonly rows: number; readonly columns: number; readonly dtype: KernelDType } => ({ rows: k, columns: 1, dtype: realOf(dtype) });
    const complex = complexOf(dtype);
    const kernels = [
      ['svd', [3, 3], [square(3), values(3), square(3)]],
      ['svdFull', [3, 3], [square(3), values(3), square(3)]],
      ['svdLeft', [3, 3], [square(3), values(3)]],
      ['svdRight', [3, 3], [values(3), square(3)]],
      ['svdvals', [3, 3], [values(3)]],
      ['eigh', [3, 0], [values(3), square(3)]],
      ['eigvalsh', [3, 1], [values(3)]],
      ['eig', [3], [{ rows: 3, columns: 1, dtype: complex }, { ...square(3), dtype: complex }]],
      ['eigvals', [3], [{ rows: 3, columns: 1, dtype: complex }]],
      ['schur', [3], [square(3), square(3)]],
    ] as const;
    for (const [name, integers, wanted] of kernels) {
      const a = random(dtype, 3, 3, 4);
      const right = call(spectralKernels, name, dtype, [a], integers, wanted).outputs;
      expect(right.every(({ re, im }) => [...re, ...im].every(Number.isFinite)), name).toBe(true);
      for (const bad of [NaN, Infinity, -Infinity]) {
        const broken = { ...a, re: a.re.map((value, at) => (at === 4 ? bad : value)) };
        const both = { rows: 6, columns: 3, re: Float64Array.of(...broken.re, ...a.re), im: Float64Array.of(...broken.im, ...a.im) };
        const { outputs, failed } = callTwo(name, dtype, both, integers, wanted);
        expect(failed, name).toBeUndefined();
        outputs.forEach(([first, second], k) => {
          expect([...first.re].every(Number.isNaN), name).toBe(true);
          expect(second).toEqual(right[k]);
        });
      }
    }
  });

  it('decompose what is empty', () => {
    const k0 = { rows: 0, columns: 1, dtype: realOf(dtype) };
    const full = call(spectralKernels, 'svdFull', dtype, [zeroMatrix(0, 3)], [0, 3], [square(0), k0, square(3)]).outputs;
    expect(full[2]).toEqual(identityMatrix(3));
    expect(call(spectralKernels, 'svdFull', dtype, [zeroMatrix(2, 0)], [2, 0], [square(2), k0, square(0)]).outputs[0]).toEqual(identityMatrix(2));
    for (const name of ['eig', 'schur', 'eigh']) expect(call(spectralKernels, name, dtype, [zeroMatrix(0, 0)], [0, 0], [k0, square(0)]).failed).toBeUndefined();
  });
});

describe.each(['complex64', 'complex128'] as const)('roots of triangular matrices of %s', (dtype) => {
  it.each([1, 2, 5, 12])('of %i rows square to the matrix', (n) => {
    for (const seed of [1, 2]) {
      const [t] = schur(dtype, random(dtype, n, n, seed));
      const [x] = call(spectralKernels, 'triangularSqrt', dtype, [t], [n], [square(n)]).outputs as readonly [Matrix];
      for (let i = 0; i < n; i++) expect(x.re[i * (n + 1)]).toBeGreaterThanOrEqual(0);
      expect(norm(difference(multiplied(x, x), t)) / norm(x) ** 2).toBeLessThan(30 * n * epsilonOf(dtype));
    }
  });

  it('are principal', () => {
    const t = zeroMatrix(3, 3);
    [t.re[0], t.re[4], t.re[8]] = [-4, 0, 0];
    const [x] = call(spectralKernels, 'triangularSqrt', dtype, [t], [3], [square(3)]).outputs as readonly [Matrix];
    expect([...x.re]).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0]);
    expect([...x.im]).toEqual([2, 0, 0, 0, 0, 0, 0, 0, 0]);
  });
});

describe('values in closed form', () => {
  const family = (name: string, n: number): Matrix => hardFamilies[name]?.({ rows: n, columns: n, isReal: true, seed: 1 }) as Matrix;
  const values = (name: string, a: Matrix, integers: readonly number[], dtype: KernelDType = 'float64'): Matrix => call(spectralKernels, name, 'float64', [a], integers, [{ rows: a.rows, columns: 1, dtype }]).outputs[0] as Matrix;
  const expectColumn = (got: Matrix, want: readonly number[], bar: number): void => {
    expect(relativeError('float64', { rows: want.length, columns: 1, re: Float64Array.from(want), im: new Float64Array(want.length) }, got)).toBeLessThan(bar);
  };

  it('are those of the second difference, 2 − 2 cos(kπ/(n + 1))', () => {
    const want = Array.from({ length: 16 }, (_, k) => 2 - 2 * Math.cos(((k + 1) * Math.PI) / 17));
    expectColumn(values('eigvalsh', family('second difference', 16), [16, 0]), want, 2);
    expectColumn(values('svdvals', family('second difference', 16), [16, 16]), [...want].reverse(), 2);
  });

  it('are those of the Hilbert matrix of 5 rows, to the last digits of the smallest', () => {
    const want = [1.567050691098231, 0.20853421861101333, 0.011407491623419806, 0.0003058980401511918, 0.000003287928772171863];
    const got = values('svdvals', family('Hilbert', 5), [5, 5]);
    want.forEach((value, k) => expect(Math.abs(got.re[k]! / value - 1)).toBeLessThan(1e-11));
  });

  it('are the roots of unity of the cyclic permutation', () => {
    for (const n of [3, 4, 7, 16]) {
      const w = values('eigvals', family('cyclic permutation', n), [n], 'complex128');
      const angles = Array.from(w.re, (re, k) => Math.atan2(w.im[k]!, re)).sort((p, q) => p - q);
      w.re.forEach((re, k) => expect(Math.hypot(re, w.im[k]!)).toBeCloseTo(1, 13));
      angles.slice(1).forEach((angle, k) => expect(angle - angles[k]!).toBeCloseTo((2 * Math.PI) / n, 12));
    }
  });

  it('are the roots of the polynomial of a companion matrix', () => {
    // (x − 1)(x − 2)(x − 3)(x² + 1)
    const a = zeroMatrix(5, 5);
    a.re.set([6, -12, 12, -11, 6]);
    for (let i = 1; i < 5; i++) a.re[i * 5 + i - 1] = 1;
    const w = values('eigvals', a, [5], 'complex128');
    const roots = [...w.re.keys()].sort((p, q) => w.re[p]! - w.re[q]! || w.im[p]! - w.im[q]!).map((k) => [w.re[k]!, w.im[k]!]);
    for (const [re, im] of [[0, -1], [0, 1], [1, 0], [2, 0], [3, 0]] as const) expect(Math.min(...roots.map(([x, y]) => Math.hypot(x! - re, y! - im)))).toBeLessThan(1e-12);
  });

  it('keep the digits of small singular values that columns determine', () => {
    // Columns of size 10^-k of an orthogonal matrix: their lengths are the singular values.
    const q = family('identity', 4);
    const [c, s] = [0.6, 0.8];
    for (const [p, r] of [[0, 1], [1, 2], [2, 3], [0, 3]] as const) for (let i = 0; i < 4; i++) [q.re[i * 4 + p], q.re[i * 4 + r]] = [c * q.re[i * 4 + p]! - s * q.re[i * 4 + r]!, s * q.re[i * 4 + p]! + c * q.re[i * 4 + r]!];
    const a = { ...q, re: q.re.map((value, at) => value * 10 ** (-40 * (at % 4))) };
    const got = values('svdvals', a, [4, 4]);
    got.re.forEach((value, k) => expect(Math.abs(value * 10 ** (40 * k) - 1)).toBeLessThan(1e-14));
  });
});

/** A batch of two, apart. */
function callTwo(name: string, dtype: KernelDType, both: Matrix, integers: readonly number[], wanted: readonly { readonly rows: number; readonly columns: number; readonly dtype?: KernelDType }[]): { readonly outputs: readonly (readonly [Matrix, Matrix])[]; readonly failed: number | void } {
  const arrays = wanted.map(({ rows, columns, dtype: of = dtype }) => packed(of, zeroMatrix(2 * rows, columns)).fill(7));
  const failed = spectralKernels[`tf.linalg.v1.${name}.${dtype}`]?.run({ inputs: [packed(dtype, both)], outputs: arrays, integers: [2, ...integers], tables: undefined, workspace: undefined });
  const outputs = wanted.map(({ rows, columns, dtype: of = dtype }, k) => {
    const array = arrays[k] as Float64Array;
    return [unpacked(of, array, rows, columns), unpacked(of, array.subarray(array.length / 2), rows, columns)] as const;
  });
  return { outputs, failed };
}
