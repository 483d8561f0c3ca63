import { abs, AdContext, add, createCatalog, matmul, mul, type Operand, real, square, sum, swapaxes, tensor } from '@tf/core';
import { einsum, einsumExtension } from '@tf/einsum';
import { einsumStableHlo } from '@tf/einsum/stablehlo';
import { createEngine } from '@tf/engine-cpu-wasm';
import { exportStableHlo, stableHloSupport } from '@tf/export-stablehlo';
import { hasJax, XlaSession } from '@tf/export-stablehlo/node';
import { fft, fftExtension, ifft, irfft, rfft } from '@tf/fft';
import { fftHost } from '@tf/fft/host';
import { fftStableHlo } from '@tf/fft/stablehlo';
import { det, eig, fullPivLu, householderQr, inv, linalgExtension, lu, matrixLog, matrixSqrt, norm, qr, rankRevealingQr, schur, solve, svd, sylvester } from '@tf/linalg';
import { linalgHost } from '@tf/linalg/host';
import { linalgStableHlo } from '@tf/linalg/stablehlo';
import { createRandom, randomValues, reportPresence } from '@tf/testkit';
import { grad, jit, trace, type TracedTensor } from '@tf/traced';
import { describe, expect, it } from 'vitest';

const isHere = reportPresence({ it }, { name: 'xla', isPresent: hasJax(), remedy: 'pnpm test:xla installs JAX for Python, which is slow on the first run' });
const families = [einsumStableHlo, fftStableHlo, linalgStableHlo];
const context = new AdContext({ catalog: createCatalog([einsumExtension, fftExtension, linalgExtension]) });

type X = TracedTensor<'float64'>;
type F = (x: X) => Operand;
const gradient = (f: F): F => grad(f as (x: X) => X, { context }) as F;
const product = (...factors: readonly unknown[]): X => (factors as readonly X[]).reduce((left, right) => matmul(left, right));
const total = (...terms: readonly unknown[]): X => (terms as readonly X[]).reduce((left, right) => add(left, sum(right)));
const transposed = (x: unknown): X => swapaxes(x as X, -1, -2);
const shifted = (x: X): X => add(x, tensor([[4, 1, 0], [0, 5, 1], [1, 0, 6]]));

/** What no sign or order of a decomposition changes. */
const subjects: readonly (readonly [name: string, shape: readonly number[], f: F])[] = [
  ['complete pivoting puts a batch of matrices together', [2, 4, 3], (x) => { const { p, l, u, q } = fullPivLu(x); return total(product(p, l, u, q), abs(u)); }],
  ['complete pivoting takes the largest elements first', [3, 3], (x) => fullPivLu(x).u],
  ['the order of rows in a batch', [2, 4, 4], (x) => { const { p, parity } = lu(x); return add(p, mul(sum(parity), 3)); }],
  ['gradients of determinants', [2, 6, 6], gradient((x) => sum(det(x)))],
  ['the gradient of the determinant of a singular matrix', [3, 2], gradient((x) => sum(square(det(product(x, transposed(x)) as X).add(1))))],
  ['the Schur form puts a matrix together', [4, 4], (x) => { const { t, z } = schur(x); return product(z, t, transposed(z)); }],
  ['Sylvester equations, with their gradient', [3, 3], gradient((x) => sum(square(sylvester(shifted(square(x)), x, x))))],
  ['square roots of matrices', [3, 3], (x) => real(matrixSqrt(shifted(x)))],
  ['logarithms of matrices', [3, 3], (x) => real(matrixLog(shifted(x)))],
  ['Householder reflections', [5, 3], (x) => { const state = householderQr(x); return total(abs(state.r() as Operand), abs(state.qColumns([0, 2]) as Operand)); }],
  ['QR with pivots', [2, 3, 4], (x) => { const { q, r, permutation, rank } = rankRevealingQr(x); return total(product(q, r), permutation, rank); }],
  ['complete QR', [4, 2], (x) => total(abs(qr(x, { mode: 'complete' }).q), abs(qr(transposed(x)).r))],
  ['singular values by the sure driver', [2, 3, 4], (x) => svd(x, { driver: 'gesvd' }).s],
  ['eigenvalues of matrices that are not symmetric', [4, 4], (x) => { const { values, vectors } = eig(x); return real(matmul(mul(vectors, values), inv(vectors))); }],
  ['transforms of odd and even lengths, along any axis, there and back', [7, 6], (x) => add(irfft(rfft(x, { axis: 0 }), { axis: 0, n: 7 }), abs(ifft(fft(x)))) ],
  ['the gradient of half spectra', [6], gradient((x) => sum(square(abs(rfft(x)))))],
  ['diagonals of two pairs of axes', [3, 3, 2, 2], (x) => einsum('iijj->ji', x)],
  ['contractions, and products where nothing is summed', [3, 4], (x) => einsum('ij,kl,jm,il->mkil', x, x, transposed(x), x)],
];

describe.runIf(isHere)('through XLA, families', () => {
  it('give what the engine gives', async () => {
    const engine = await createEngine({ modules: [fftHost(), linalgHost()] });
    const session = new XlaSession();
    try {
      const faults = await Promise.all(subjects.map(async ([name, shape, f], at): Promise<string | undefined> => {
        const { data } = randomValues('float64', shape, createRandom(at + 3));
        const x = tensor(data, { shape, dtype: 'float64' });
        const wanted: readonly number[] = Array.from(await (jit(f as (x: X) => X, { engine })(x) as unknown as { data(): Promise<ArrayLike<number>> }).data());
        const [got] = await session.run(exportStableHlo(trace(f as (x: X) => X, x).program, { families }), [data]);
        const most = Math.max(1, ...wanted.map(Math.abs));
        const differs = wanted.length !== got?.data.length || wanted.some((value, place) => !(Math.abs(value - Number(got.data[place])) <= 1e-9 * most));
        return differs ? `${name}: ${String(wanted)} and ${String(got?.data)}` : undefined;
      }));
      expect(faults.filter((fault) => fault !== undefined)).toEqual([]);
    } finally {
      await session.close();
      engine.dispose();
    }
  }, 600_000);
});

describe('what families become', () => {
  it('is said of every operation, and none of these is refused', () => {
    for (const extension of [einsumExtension, fftExtension, linalgExtension]) {
      const said = stableHloSupport(extension, families);
      expect(said.map(({ operation }) => operation)).toEqual(extension.operations.map(({ id }) => id));
      expect(said.filter(({ route }) => route === 'none')).toEqual([]);
    }
    expect(stableHloSupport(linalgExtension, families).find(({ operation }) => operation.endsWith('.eigh'))).toMatchObject({ route: 'role', becomes: expect.stringContaining('lapack_*syevd_ffi') as string, platforms: ['cpu'] });
    expect(stableHloSupport(linalgExtension).find(({ operation }) => operation.endsWith('.eigh'))).toMatchObject({ route: 'none', platforms: [], reason: expect.stringContaining('neither traits') as string });
  });

  it('is what their roles write', () => {
    const text = (f: F, shape: readonly number[]): string => exportStableHlo(trace(f as (x: X) => X, tensor(new Float64Array(shape.reduce((a, b) => a * b, 1)), { shape, dtype: 'float64' })).program, { families }).text;
    expect(text((x) => fft(x), [3, 5])).toContain('stablehlo.fft');
    expect(text((x) => solve(x, x), [3, 3])).toMatch(/lapack_dgetrf_ffi[\s\S]*stablehlo\.triangular_solve/);
    expect(text((x) => norm(x, { ord: 'nuc' }), [3, 3])).toMatch(/lapack_dgesdd_ffi.*mode = 78 : ui8.*dense<\[0, 1\]>/);
  });
});
