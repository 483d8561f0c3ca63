/**
 * pnpm test:linalg-hard: LAPACK's own measures of every decomposition, in units of n·eps, over families of matrices on which something is
 * known to go wrong. 40 matrices of each family and dtype, square, tall and wide, up to 64; 5 of 200 and of 300: by the kernels in WebAssembly
 * and by those in the machine's own code. Prints how many there were; with TF_HARD_TABLE=docs/hard-matrices.md it writes the table.
 */
import type { HostModule } from '@tf/core';
import { createRandom, reportPresence } from '@tf/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { hardFamilies, hermitianOf, randomMatrix } from './hard-matrices.testing.ts';
import { HardReport } from './hard-report.testing.ts';
import { adjoint, call, complexOf, difference, epsilonOf, isRealDType, type KernelDType, kernelDTypes, packed, realOf, rounded, timesDiagonal, unpacked, type Wanted } from './kernels.testing.ts';
import { lapackKernels, lapackPresence } from './lapack.testing.ts';
import { nativeKernels, nativePresence } from './native.testing.ts';
import { type Matrix, multiplied, transposed, zeroMatrix } from './src/host/matrix.ts';

/** Kernels by symbol, of whoever is there. */
interface Kernels {
  readonly by: string;
  readonly kernels: HostModule['kernels'];
}

const present: readonly Kernels[] = [
  ...(reportPresence({ it }, lapackPresence) ? [{ by: 'LAPACK in WebAssembly', kernels: lapackKernels() }] : []),
  ...(reportPresence({ it }, nativePresence) ? [{ by: "the machine's own code", kernels: nativeKernels() }] : []),
];
const largest = 64;
const report = new HardReport('Decompositions');

/** The Frobenius norm of any number of elements, which neither overflows nor vanishes. */
function norm({ re, im }: Matrix): number {
  const parts = [re, im];
  const size = Math.max(...parts.map((part) => part.reduce((most, value) => (Number.isNaN(value) ? NaN : Math.max(most, Math.abs(value))), 0)));
  if (size === 0 || !Number.isFinite(size)) return size;
  return size * Math.sqrt(parts.reduce((sum, part) => sum + part.reduce((own, value) => own + (value / size) ** 2, 0), 0));
}

const square = (n: number): Wanted => ({ rows: n, columns: n });
const first = (a: Matrix, rows: number): Matrix => ({ rows, columns: a.columns, re: a.re.slice(0, rows * a.columns), im: a.im.slice(0, rows * a.columns) });
const firstColumns = (a: Matrix, columns: number): Matrix => transposed(first(transposed(a), columns));

/** ‖E‖F from E·X for columns of random signs where a whole product takes too long: E‖E·x‖² = ‖E‖F². */
class Probe {
  readonly #signs: Matrix | undefined;

  constructor(columns: number, seed: number) {
    if (columns <= largest) return;
    const random = createRandom(seed);
    this.#signs = zeroMatrix(columns, 4);
    for (let at = 0; at < 4 * columns; at++) this.#signs.re[at] = random() < 0.5 ? -0.5 : 0.5;
  }

  /** A chain of factors, from the right. */
  product(factors: readonly Matrix[]): Matrix {
    const from = this.#signs === undefined ? factors : [...factors, this.#signs];
    return from.reduceRight((right, left) => multiplied(left, right));
  }
}

/** One matrix in one dtype. */
class Trial {
  readonly #by: string;
  readonly #kernels: HostModule['kernels'];
  readonly #dtype: KernelDType;
  readonly #where: string;

  constructor({ by, kernels }: Kernels, dtype: KernelDType, where: string) {
    [this.#by, this.#kernels, this.#dtype, this.#where] = [by, kernels, dtype, where];
    report.countMatrices(by);
  }

  run(name: string, inputs: readonly Matrix[], integers: readonly number[], wanted: readonly Wanted[]): { readonly outputs: readonly Matrix[]; readonly failed: number | void } {
    return call(this.#kernels, name, this.#dtype, inputs, integers, wanted);
  }

  see(measure: string, error: number, size: number, n: number): void {
    report.see(this.#by, measure, this.#dtype, error === 0 ? 0 : error / size / (Math.max(n, 1) * epsilonOf(this.#dtype)), this.#where);
  }

  seeProduct(measure: string, a: Matrix, factors: readonly Matrix[], size = norm(a)): void {
    const probe = new Probe(a.columns, 1);
    this.see(measure, norm(difference(probe.product([a]), probe.product(factors))), size, Math.max(a.rows, a.columns));
  }

  seeColumns(measure: string, q: Matrix): void {
    const one = zeroMatrix(q.columns, q.columns);
    for (let i = 0; i < q.columns; i++) one.re[i * (q.columns + 1)] = 1;
    const probe = new Probe(q.columns, 2);
    this.see(measure, norm(difference(probe.product([adjoint(q), q]), probe.product([one]))), 1, q.rows);
  }

  arrays(name: string, a: Matrix, integers: readonly number[]): readonly [Matrix, Int32Array] {
    const [room, order] = [packed(this.#dtype, a), new Int32Array(a.rows)];
    this.#kernels[`tf.linalg.v1.${name}.${this.#dtype}`]!.run({ inputs: [packed(this.#dtype, a)], outputs: [room, order, new Int32Array(1)], integers, tables: undefined, workspace: undefined });
    return [unpacked(this.#dtype, room, a.rows, a.columns), order];
  }

  /** A·X = B; nothing is asked of a matrix that is exactly singular. */
  seeSolution(a: Matrix, factors: Matrix, order: Int32Array): void {
    const n = a.rows;
    const b = rounded(this.#dtype, randomMatrix({ rows: n, columns: 2, isReal: isRealDType(this.#dtype), seed: 9 }));
    const room = packed(this.#dtype, b);
    const kernel = this.#kernels[`tf.linalg.v1.luSolve.${this.#dtype}`]!;
    if (kernel.run({ inputs: [packed(this.#dtype, a), packed(this.#dtype, factors), order, packed(this.#dtype, b)], outputs: [room], integers: [1, n, 2, 0], tables: undefined, workspace: undefined }) !== undefined) return;
    const x = unpacked(this.#dtype, room, n, 2);
    if (Number.isFinite(norm(x))) this.see('solve', norm(difference(multiplied(a, x), b)), norm(a) * norm(x), n);
  }
}

const permuted = (a: Matrix, order: ArrayLike<number>): Matrix => {
  const result = zeroMatrix(a.rows, a.columns);
  for (let i = 0; i < a.rows; i++) for (let j = 0; j < a.columns; j++) [result.re[i * a.columns + j], result.im[i * a.columns + j]] = [a.re[order[i]! * a.columns + j]!, a.im[order[i]! * a.columns + j]!];
  return result;
};

function triangles(factors: Matrix): readonly [Matrix, Matrix] {
  const k = Math.min(factors.rows, factors.columns);
  const [lower, upper] = [firstColumns(factors, k), first(factors, k)];
  for (let i = 0; i < lower.rows; i++) for (let j = i; j < k; j++) [lower.re[i * k + j], lower.im[i * k + j]] = [i === j ? 1 : 0, 0];
  for (let i = 0; i < k; i++) upper.re.fill(0, i * upper.columns, i * upper.columns + Math.min(i, upper.columns)) && upper.im.fill(0, i * upper.columns, i * upper.columns + Math.min(i, upper.columns));
  return [lower, upper];
}

function tryRectangular(trial: Trial, dtype: KernelDType, a: Matrix): void {
  const [m, n, k] = [a.rows, a.columns, Math.min(a.rows, a.columns)];
  const values: Wanted = { rows: k, columns: 1, dtype: realOf(dtype) };
  const [u, s, vh] = trial.run('svd', [a], [m, n], [{ rows: m, columns: k }, values, { rows: k, columns: n }]).outputs as [Matrix, Matrix, Matrix];
  trial.seeProduct('svd', a, [timesDiagonal(u, s), vh]);
  trial.seeColumns('svd: U', u);
  trial.seeColumns('svd: V', adjoint(vh));
  const [only] = trial.run('svdvals', [a], [m, n], [values]).outputs as [Matrix];
  trial.see('svdvals', norm(difference(only, s)), norm(s), Math.max(m, n));
  const [q, r] = trial.run('qr', [a], [m, n], [{ rows: m, columns: k }, { rows: k, columns: n }]).outputs as [Matrix, Matrix];
  trial.seeProduct('qr', a, [q, r]);
  trial.seeColumns('qr: Q', q);
  const [factors, order] = trial.arrays('lu', a, [1, m, n]);
  trial.seeProduct('lu', permuted(a, order), triangles(factors));
  if (m === n) trial.seeSolution(a, factors, order);
}

function trySquare(trial: Trial, dtype: KernelDType, a: Matrix): void {
  const n = a.rows;
  const hermitian = rounded(dtype, hermitianOf(a));
  const [w, v] = trial.run('eigh', [hermitian], [n, 0], [{ rows: n, columns: 1, dtype: realOf(dtype) }, square(n)]).outputs as [Matrix, Matrix];
  trial.seeProduct('eigh', hermitian, [timesDiagonal(v, w), adjoint(v)]);
  trial.seeColumns('eigh: V', v);
  const [t, z] = trial.run('schur', [a], [n], [square(n), square(n)]).outputs as [Matrix, Matrix];
  trial.seeProduct('schur', a, [z, t, adjoint(z)]);
  trial.seeColumns('schur: Z', z);
  const complex = complexOf(dtype);
  const [x, vectors] = trial.run('eig', [a], [n], [{ rows: n, columns: 1, dtype: complex }, { ...square(n), dtype: complex }]).outputs as [Matrix, Matrix];
  const probe = new Probe(n, 3);
  trial.see('eig', norm(difference(probe.product([a, vectors]), probe.product([timesDiagonal(vectors, x)]))), norm(a), n);
  const definite = multiplied(vh(a), a);
  for (let i = 0; i < n; i++) definite.re[i * (n + 1)]! += norm(definite) * n * 10 * epsilonOf(dtype);
  const given = rounded(dtype, definite);
  if (!Number.isFinite(norm(given)) || norm(given) < 1e-30) return;
  const { outputs: [factor], failed } = trial.run('cholesky', [given], [n, 0], [square(n)]);
  expect(failed).toBeUndefined();
  trial.seeProduct('cholesky', given, [factor as Matrix, adjoint(factor as Matrix)]);
}

const vh = adjoint;

/** Up to 64 rows and columns: a third square, a third tall, a third wide. */
function sizeOf(seed: number): readonly [number, number] {
  const random = createRandom(seed + 77);
  const [p, q] = [1 + Math.floor(largest * random()), 1 + Math.floor(largest * random())];
  return seed % 3 === 0 ? [p, p] : seed % 3 === 1 ? [Math.max(p, q), Math.min(p, q)] : [Math.min(p, q), Math.max(p, q)];
}

const everyone = present.flatMap((kernels) => kernelDTypes.map((dtype) => ({ by: kernels.by, dtype, kernels })));

describe.each(everyone)('hard matrices, $by, $dtype', ({ kernels, dtype }) => {
  const isReal = isRealDType(dtype);
  const attempt = (name: string, rows: number, columns: number, seed: number): void => {
    const a = rounded(dtype, hardFamilies[name]!({ rows, columns, isReal, seed }));
    if (!Number.isFinite(norm(a))) return;
    const trial = new Trial(kernels, dtype, `${name}, ${rows}×${columns}, seed ${seed}`);
    tryRectangular(trial, dtype, a);
    if (rows === columns) trySquare(trial, dtype, a);
  };

  it.each(Object.keys(hardFamilies))('%s, up to 64', (name) => {
    for (let seed = 1; seed <= 40; seed++) attempt(name, ...sizeOf(seed), seed);
  }, 600_000);

  it.each(Object.keys(hardFamilies))('%s, of 200 and 300', (name) => {
    for (let seed = 1; seed <= 5; seed++) for (const n of [200, 300]) attempt(name, n, n, seed);
  }, 1_200_000);
});

afterAll(() => report.finish('size·eps'));
