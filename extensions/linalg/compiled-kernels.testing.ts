/** Every compiled kernel, in every dtype: LAPACK's own measures and threshold, on shapes that cross the borders of blocks and of paths. */
import type { HostKernel, HostModule, TypedArray } from '@tf/core';
import { describe, expect, it } from 'vitest';
import { hermitianOf, randomMatrix } from './hard-matrices.testing.ts';
import { adjoint, call, complexOf, difference, epsilonOf, isRealDType, type KernelDType, kernelDTypes, norm, orthogonality, packed, realOf, relativeError, rounded, timesDiagonal, unpacked, type Wanted } from './kernels.testing.ts';
import { identityMatrix, type Matrix, multiplied, transposed, zeroMatrix } from './src/host/matrix.ts';

const bar = 30;

/** Square, tall and wide; so long that a QR or LQ comes first; beyond blocks of 32, leaves of 25, triangles of 24. */
const shapes = [[1, 1], [2, 2], [3, 5], [5, 3], [9, 1], [1, 9], [24, 24], [25, 30], [33, 32], [64, 20], [20, 64], [49, 49], [90, 70], [70, 90], [101, 101]] as const;
const sizes = [1, 2, 3, 8, 24, 25, 33, 49, 77, 101] as const;

const random = (dtype: KernelDType, rows: number, columns: number, seed = 1): Matrix => rounded(dtype, randomMatrix({ rows, columns, isReal: isRealDType(dtype), seed }));
const square = (n: number): Wanted => ({ rows: n, columns: n });

const reconstructed = (u: Matrix, s: Matrix, vh: Matrix): Matrix => multiplied(timesDiagonal(firstColumns(u, s.rows), s), firstRows(vh, s.rows));
const firstRows = (a: Matrix, rows: number): Matrix => ({ rows, columns: a.columns, re: a.re.slice(0, rows * a.columns), im: a.im.slice(0, rows * a.columns) });
const firstColumns = (a: Matrix, columns: number): Matrix => transposed(firstRows(transposed(a), columns));

/** Elements for which this holds, another value elsewhere. */
function masked(a: Matrix, holds: (i: number, j: number) => boolean, otherwise = 0): Matrix {
  const over = (part: Float64Array): Float64Array => part.map((value, at) => (holds(Math.floor(at / a.columns), at % a.columns) ? value : otherwise));
  return { ...a, re: over(a.re), im: over(a.im) };
}

const inTriangle = (upper: number) => (i: number, j: number): boolean => (upper === 1 ? j >= i : j <= i);
const withUnitDiagonal = (a: Matrix): Matrix => ({ ...a, re: a.re.map((value, at) => (at % (a.columns + 1) === 0 ? 1 : value)), im: a.im.map((value, at) => (at % (a.columns + 1) === 0 ? 0 : value)) });
const operated = (a: Matrix, mode: number): Matrix => (mode === 0 ? a : mode === 1 ? transposed(a) : adjoint(a));

/** ‖A·X − B‖ / (‖A‖·‖X‖) in units of n·eps. */
function backwardError(dtype: KernelDType, a: Matrix, x: Matrix, b: Matrix): number {
  return norm(difference(multiplied(a, x), b)) / (norm(a) * norm(x) * a.rows * epsilonOf(dtype));
}

interface Factors {
  readonly packed: TypedArray;
  readonly order: Int32Array;
  readonly parity: number;
  readonly lower: Matrix;
  readonly upper: Matrix;
}

function halves(factors: Matrix, k: number): { readonly lower: Matrix; readonly upper: Matrix } {
  const lower = masked(firstColumns(factors, k), (i, j) => i > j);
  for (let i = 0; i < k; i++) lower.re[i * (k + 1)] = 1;
  return { lower, upper: masked(firstRows(factors, k), (i, j) => j >= i) };
}

function rowsOf(a: Matrix, order: ArrayLike<number | bigint>): Matrix {
  const result = zeroMatrix(a.rows, a.columns);
  for (let i = 0; i < a.rows; i++) for (let j = 0; j < a.columns; j++) [result.re[i * a.columns + j], result.im[i * a.columns + j]] = [a.re[Number(order[i]) * a.columns + j]!, a.im[Number(order[i]) * a.columns + j]!];
  return result;
}
const columnsOf = (a: Matrix, order: ArrayLike<number | bigint>): Matrix => transposed(rowsOf(transposed(a), order));

/** By counting inversions. */
function parityOf(order: ArrayLike<number>): number {
  let parity = 1;
  for (let i = 0; i < order.length; i++) for (let j = 0; j < i; j++) if (order[j]! > order[i]!) parity = -parity;
  return parity;
}

/** What the kernels of an engine owe. `where`: whose they are, for the names of the tests. */
export function compiledKernelSuite(where: string, kernels: HostModule['kernels']): void {
  function run(name: string, dtype: KernelDType, inputs: readonly Matrix[], integers: readonly number[], wanted: readonly Wanted[]): readonly Matrix[] {
    const { outputs, failed } = call(kernels, name, dtype, inputs, integers, wanted);
    expect(failed, name).toBeUndefined();
    return outputs;
  }

  /** Kernels whose operands are not all of one dtype. */
  function runArrays(name: string, dtype: KernelDType, inputs: readonly TypedArray[], outputs: readonly TypedArray[], integers: readonly number[]): number | void {
    return (kernels[`tf.linalg.v1.${name}.${dtype}`] as HostKernel).run({ inputs, outputs, integers, tables: undefined, workspace: undefined });
  }

  function luOf(dtype: KernelDType, a: Matrix): Factors {
    const [m, n, k] = [a.rows, a.columns, Math.min(a.rows, a.columns)];
    const [room, order, parity] = [packed(dtype, zeroMatrix(m, n)), new Int32Array(m), new Int32Array(1)];
    expect(runArrays('lu', dtype, [packed(dtype, a)], [room, order, parity], [1, m, n])).toBeUndefined();
    return { packed: room, order, parity: parity[0]!, ...halves(unpacked(dtype, room, m, n), k) };
  }

  describe.each(kernelDTypes)(`kernels of LAPACK in ${where}, %s`, (dtype) => {
    const values = (k: number): Wanted => ({ rows: k, columns: 1, dtype: realOf(dtype) });

    it('svd by the driver gesvd: as good, by another algorithm', () => {
      const [m, n] = [48, 40];
      const a = random(dtype, m, n, 3);
      const [fast, sure] = [0, 1].map((driver) => run('svd', dtype, [a], [m, n, driver], [{ rows: m, columns: n }, values(n), square(n)])) as [readonly Matrix[], readonly Matrix[]];
      const [u, s, vh] = sure as [Matrix, Matrix, Matrix];
      expect(relativeError(dtype, a, multiplied(timesDiagonal(u, s), vh))).toBeLessThan(30);
      expect(relativeError(dtype, s, fast[1]!)).toBeLessThan(30);
      expect(u.re).not.toEqual(fast[0]!.re);
      expect(run('svdFull', dtype, [a], [m, n, 1], [square(m), values(n), square(n)])[1]).toEqual(s);
      expect(relativeError(dtype, s, run('svdLeft', dtype, [a], [m, n, 1], [{ rows: m, columns: n }, values(n)])[1]!)).toBeLessThan(30);
      expect(relativeError(dtype, s, run('svdRight', dtype, [a], [m, n, 1], [values(n), square(n)])[0]!)).toBeLessThan(30);
      expect(relativeError(dtype, s, run('svdvals', dtype, [a], [m, n, 1], [values(n)])[0]!)).toBeLessThan(30);
    });

    it.each(['svd', 'svdFull', 'svdLeft', 'svdRight', 'svdvals'])('%s by the driver gesvd where that by gesdd is found to be wrong', (name) => {
      const [m, n] = [30, 26];
      const [left, right] = name === 'svdFull' ? [square(m), square(n)] : [{ rows: m, columns: n }, square(n)];
      const wanted = [...(/svd$|Full|Left/.test(name) ? [left] : []), values(n), ...(/svd$|Full|Right/.test(name) ? [right] : [])];
      const [fast, sure, repeated] = [0, 1, 2].map((driver) => run(name, dtype, [random(dtype, m, n, 4)], [m, n, driver], wanted));
      expect(repeated).toEqual(sure);
      expect(repeated).not.toEqual(fast);
    });

    it.each(shapes)('svd, svdFull, svdLeft, svdRight, svdvals of %i×%i', (m, n) => {
      const [a, k] = [random(dtype, m, n), Math.min(m, n)];
      const [u, s, vh] = run('svd', dtype, [a], [m, n], [{ rows: m, columns: k }, values(k), { rows: k, columns: n }]) as [Matrix, Matrix, Matrix];
      const [fullU, fullS, fullVh] = run('svdFull', dtype, [a], [m, n], [square(m), values(k), square(n)]) as [Matrix, Matrix, Matrix];
      const [left, leftS] = run('svdLeft', dtype, [a], [m, n], [{ rows: m, columns: k }, values(k)]) as [Matrix, Matrix];
      const [rightS, right] = run('svdRight', dtype, [a], [m, n], [values(k), { rows: k, columns: n }]) as [Matrix, Matrix];
      const [only] = run('svdvals', dtype, [a], [m, n], [values(k)]) as [Matrix];
      for (const [which, got] of Object.entries({ thin: reconstructed(u, s, vh), full: reconstructed(fullU, fullS, fullVh), left: reconstructed(left, leftS, vh), right: reconstructed(u, rightS, right) })) expect(relativeError(dtype, a, got), which).toBeLessThan(bar);
      for (const isometry of [u, adjoint(vh), fullU, fullVh, left, adjoint(right)]) expect(orthogonality(dtype, isometry)).toBeLessThan(bar);
      expect(relativeError(dtype, s, only)).toBeLessThan(bar);
      expect(s.re.every((value, i) => value >= (s.re[i + 1] ?? 0))).toBe(true);
    });

    it.each(shapes)('qr, qrComplete, qrUpper, qrPivoted, householder and householderApply of %i×%i', (m, n) => {
      const [a, k] = [random(dtype, m, n), Math.min(m, n)];
      const [q, r] = run('qr', dtype, [a], [m, n], [{ rows: m, columns: k }, { rows: k, columns: n }]) as [Matrix, Matrix];
      const [whole, tall] = run('qrComplete', dtype, [a], [m, n], [square(m), { rows: m, columns: n }]) as [Matrix, Matrix];
      expect(run('qrUpper', dtype, [a], [m, n], [{ rows: k, columns: n }])).toEqual([r]);
      for (const [left, right] of [[q, r], [whole, tall]] as const) {
        expect(relativeError(dtype, a, multiplied(left, right))).toBeLessThan(bar);
        expect(orthogonality(dtype, left)).toBeLessThan(bar);
        expect(right).toEqual(masked(right, (i, j) => j >= i));
      }
      const [h, tau] = run('householder', dtype, [a], [m, n], [{ rows: m, columns: n }, { rows: k, columns: 1 }]) as [Matrix, Matrix];
      expect(masked(firstRows(h, k), (i, j) => j >= i)).toEqual(r);
      const c = random(dtype, m, 3, 2);
      for (const isAdjoint of [0, 1]) {
        const [product] = run('householderApply', dtype, [h, tau, c], [m, n, 3, isAdjoint], [{ rows: m, columns: 3 }]) as [Matrix];
        expect(relativeError(dtype, multiplied(isAdjoint === 1 ? adjoint(whole) : whole, c), product)).toBeLessThan(bar);
      }
      const [room, upper, order] = [packed(dtype, zeroMatrix(m, k)), packed(dtype, zeroMatrix(k, n)), new BigInt64Array(n)];
      expect(runArrays('qrPivoted', dtype, [packed(dtype, a)], [room, upper, order], [1, m, n])).toBeUndefined();
      const [isometry, triangle] = [unpacked(dtype, room, m, k), unpacked(dtype, upper, k, n)];
      expect(relativeError(dtype, columnsOf(a, order), multiplied(isometry, triangle))).toBeLessThan(bar);
      expect(orthogonality(dtype, isometry)).toBeLessThan(bar);
      const diagonal = Array.from({ length: k }, (_, i) => Math.hypot(triangle.re[i * (n + 1)]!, triangle.im[i * (n + 1)]!));
      expect(diagonal.every((value, i) => i === 0 || value <= diagonal[i - 1]! * (1 + 1e-5))).toBe(true);
    });

    it.each(shapes)('lu and luFullPivot of %i×%i', (m, n) => {
      const [a, k] = [random(dtype, m, n), Math.min(m, n)];
      const { order, parity, lower, upper } = luOf(dtype, a);
      expect(relativeError(dtype, rowsOf(a, order), multiplied(lower, upper))).toBeLessThan(bar);
      expect(parity).toBe(parityOf(order));
      const [room, rows, columns, sign] = [packed(dtype, a), new Int32Array(m), new Int32Array(n), new Int32Array(1)];
      expect(runArrays('luFullPivot', dtype, [packed(dtype, a)], [room, rows, columns, sign], [1, m, n])).toBeUndefined();
      const full = halves(unpacked(dtype, room, m, n), k);
      expect(relativeError(dtype, columnsOf(rowsOf(a, rows), columns), multiplied(full.lower, full.upper))).toBeLessThan(bar);
      expect(sign[0]).toBe(parityOf(rows) * parityOf(columns));
    });

    it('lu of rows that fall below the normal numbers, whose reciprocals overflow', () => {
      for (const n of [3, 12, 60]) {
        const [a, least] = [random(dtype, n, n), (epsilonOf(dtype) === 2 ** -23 ? 2 ** -146 : 2 ** -1070)];
        // The last three rows are a few units of the smallest number.
        const small = (part: Float64Array): Float64Array => part.map((value, at) => (at < (n - 3) * n ? value : Math.round(16 * value) * least));
        const graded = { ...a, re: small(a.re), im: small(a.im) };
        const { order, lower, upper } = luOf(dtype, graded);
        expect([...lower.re, ...lower.im].every((value) => Math.abs(value) <= 2)).toBe(true);
        expect([...upper.re, ...upper.im].every(Number.isFinite)).toBe(true);
        if (n > 3) expect(relativeError(dtype, rowsOf(graded, order), multiplied(lower, upper))).toBeLessThan(bar);
      }
    });

    it.each(sizes)('luSolve and triangularSolve of %i, in every mode, of few and of many columns', (n) => {
      const a = random(dtype, n, n);
      const factors = luOf(dtype, a);
      for (const p of [1, 2, 7, n]) {
        const b = random(dtype, n, p, 3);
        for (const mode of [0, 1, 2]) {
          const solution = packed(dtype, zeroMatrix(n, p));
          expect(runArrays('luSolve', dtype, [packed(dtype, a), factors.packed, factors.order, packed(dtype, b)], [solution], [1, n, p, mode])).toBeUndefined();
          expect(backwardError(dtype, operated(a, mode), unpacked(dtype, solution, n, p), b)).toBeLessThan(bar);
          for (const [upper, unit] of [[0, 0], [0, 1], [1, 0], [1, 1]] as const) {
            const triangle = masked(n === 1 ? a : { ...a, re: a.re.map((value, at) => (at % (n + 1) === 0 ? value + 2 : value / n)), im: a.im.map((value) => value / n) }, inTriangle(upper));
            const given = rounded(dtype, unit === 1 ? withUnitDiagonal(triangle) : triangle);
            const spoilt = masked(given, (i, j) => inTriangle(upper)(i, j) && !(unit === 1 && i === j), NaN);
            const [y] = run('triangularSolve', dtype, [spoilt, b], [n, p, upper, mode, unit], [{ rows: n, columns: p }]) as [Matrix];
            expect(backwardError(dtype, operated(given, mode), y, b), `${upper} ${mode} ${unit}`).toBeLessThan(bar);
          }
        }
      }
    });

    it.each(sizes)('eigh, eigvalsh and cholesky of %i, of either triangle', (n) => {
      const a = rounded(dtype, hermitianOf(random(dtype, n, n)));
      const definite = rounded(dtype, hermitianOf(multiplied(random(dtype, n, n, 2), adjoint(random(dtype, n, n, 2)))));
      for (let i = 0; i < n; i++) definite.re[i * (n + 1)]! += 1;
      const exact = rounded(dtype, definite);
      for (const upper of [0, 1]) {
        const [w, v] = run('eigh', dtype, [masked(a, inTriangle(upper), NaN)], [n, upper], [values(n), square(n)]) as [Matrix, Matrix];
        expect(relativeError(dtype, a, multiplied(timesDiagonal(v, w), adjoint(v)))).toBeLessThan(bar);
        expect(orthogonality(dtype, v)).toBeLessThan(bar);
        expect(w.re.every((value, i) => i === 0 || value >= w.re[i - 1]!)).toBe(true);
        const [only] = run('eigvalsh', dtype, [masked(a, inTriangle(upper), NaN)], [n, upper], [values(n)]) as [Matrix];
        expect(norm(difference(w, only)) / norm(a)).toBeLessThan(bar * n * epsilonOf(dtype));
        const [factor] = run('cholesky', dtype, [masked(exact, inTriangle(upper), NaN)], [n, upper], [square(n)]) as [Matrix];
        expect(factor).toEqual(masked(factor, inTriangle(upper)));
        expect(relativeError(dtype, exact, upper === 1 ? multiplied(adjoint(factor), factor) : multiplied(factor, adjoint(factor)))).toBeLessThan(bar);
      }
    });

    it.each(sizes)('eig, eigvals, schur and triangularSylvester of %i', (n) => {
      const [a, complex] = [random(dtype, n, n), complexOf(dtype)];
      const [w, v] = run('eig', dtype, [a], [n], [{ rows: n, columns: 1, dtype: complex }, { ...square(n), dtype: complex }]) as [Matrix, Matrix];
      expect(norm(difference(multiplied(a, v), timesDiagonal(v, w))) / norm(a)).toBeLessThan(bar * n * epsilonOf(dtype));
      for (let k = 0; k < n; k++) expect(Math.abs(norm(firstColumns(columnsOf(v, Array.from({ length: n }, (_, i) => (i + k) % n)), 1)) - 1)).toBeLessThan(bar * epsilonOf(dtype));
      const [only] = run('eigvals', dtype, [a], [n], [{ rows: n, columns: 1, dtype: complex }]) as [Matrix];
      // Values of a random matrix of this size are determined to some thousand n·eps.
      for (let i = 0; i < n; i++) expect(Math.min(...Array.from(w.re, (re, k) => Math.hypot(re - only.re[i]!, w.im[k]! - only.im[i]!))) / norm(a)).toBeLessThan(1e4 * n * epsilonOf(dtype));
      const [t, z] = run('schur', dtype, [a], [n], [square(n), square(n)]) as [Matrix, Matrix];
      expect(relativeError(dtype, a, multiplied(multiplied(z, t), adjoint(z)))).toBeLessThan(bar);
      expect(orthogonality(dtype, z)).toBeLessThan(bar);
      expect(norm(difference(t, masked(t, (i, j) => j >= i - (isRealDType(dtype) ? 1 : 0))))).toBe(0);
      const [u] = run('schur', dtype, [random(dtype, 5, 5, 4)], [5], [square(5), square(5)]) as [Matrix];
      const c = random(dtype, n, 5, 5);
      for (const isAdjoint of [0, 1]) {
        const [x] = run('triangularSylvester', dtype, [t, u, c], [n, 5, isAdjoint], [{ rows: n, columns: 5 }]) as [Matrix];
        const [left, right] = isAdjoint === 1 ? [adjoint(t), adjoint(u)] : [t, u];
        const [one, other] = [multiplied(left, x), multiplied(x, right)];
        const sum = { ...one, re: one.re.map((value, at) => value + other.re[at]!), im: one.im.map((value, at) => value + other.im[at]!) };
        expect(norm(difference(sum, c)) / ((norm(t) + norm(u)) * norm(x) + norm(c))).toBeLessThan(bar * Math.max(n, 5) * epsilonOf(dtype));
      }
    });

    it.each([1, 2, 3, 6, 30])('cofactor of %i, of full rank and of all lower ones', (n) => {
      for (const rank of new Set([n, n - 1, n - 2, 0].filter((r) => r >= 0))) {
        const a = rounded(dtype, rank === n ? random(dtype, n, n) : multiplied(random(dtype, n, rank, 2), random(dtype, rank, n, 3)));
        const { packed: factors, order, parity } = luOf(dtype, a);
        const room = packed(dtype, a);
        expect(runArrays('cofactor', dtype, [packed(dtype, a), factors, order, Int32Array.of(parity)], [room], [1, n])).toBeUndefined();
        const [cofactors, product] = [unpacked(dtype, room, n, n), zeroMatrix(n, n)];
        // A·Cᵀ = det(A)·1; of rank n − 1 the cofactors are of rank 1 and of the size of the product of the other singular values.
        const det = multiplied(a, transposed(cofactors));
        for (let i = 0; i < n; i++) [product.re[i * (n + 1)], product.im[i * (n + 1)]] = [det.re[0]!, det.im[0]!];
        const bound = 300 * n * epsilonOf(dtype) * Math.max(norm(a), 1e-3) * Math.max(norm(cofactors), norm(a) ** (n - 1) / Math.max(1, n - 1) ** ((n - 1) / 2));
        expect(norm(difference(det, product)), `rank ${rank}`).toBeLessThanOrEqual(bound);
        if (rank === n - 1 && n > 1) expect(norm(cofactors)).toBeGreaterThan(0);
      }
    });

    it('says nothing about a matrix that is not finite, and the same as ever about those beside it', () => {
      const n = 9;
      const complex = complexOf(dtype);
      const cases: readonly (readonly [string, readonly number[], readonly Wanted[]])[] = [
        ['svd', [n, n, 0], [square(n), values(n), square(n)]], ['svdFull', [n, n, 0], [square(n), values(n), square(n)]], ['svdLeft', [n, n, 0], [square(n), values(n)]], ['svdRight', [n, n, 0], [values(n), square(n)]], ['svdvals', [n, n, 0], [values(n)]],
        ['qr', [n, n], [square(n), square(n)]], ['qrComplete', [n, n], [square(n), square(n)]], ['qrUpper', [n, n], [square(n)]], ['householder', [n, n], [square(n), { rows: n, columns: 1 }]],
        ['eigh', [n, 0], [values(n), square(n)]], ['eigvalsh', [n, 1], [values(n)]], ['cholesky', [n, 0], [square(n)]],
        ['eig', [n], [{ rows: n, columns: 1, dtype: complex }, { ...square(n), dtype: complex }]], ['eigvals', [n], [{ rows: n, columns: 1, dtype: complex }]], ['schur', [n], [square(n), square(n)]],
      ];
      const a = withUnitDiagonal(rounded(dtype, hermitianOf({ ...random(dtype, n, n), re: random(dtype, n, n).re.map((value) => value / n), im: random(dtype, n, n).im.map((value) => value / n) })));
      for (const [name, integers, wanted] of cases) {
        const alone = run(name, dtype, [a], integers, wanted);
        for (const bad of [NaN, Infinity, -Infinity]) {
          const broken = { ...a, re: a.re.map((value, at) => (at === 4 * n + 4 ? bad : value)) };
          const arrays = wanted.map(({ rows, columns, dtype: of = dtype }) => packed(of, zeroMatrix(3 * rows, columns)).fill(7));
          const three = [a, broken, a];
          const input = packed(dtype, { rows: 3 * n, columns: n, re: Float64Array.from(three.flatMap(({ re }) => [...re])), im: Float64Array.from(three.flatMap(({ im }) => [...im])) });
          expect(runArrays(name, dtype, [input], arrays, [3, ...integers]), name).toBeUndefined();
          arrays.forEach((array, k) => {
            const [length, { rows, columns, dtype: of = dtype }] = [array.length / 3, wanted[k]!];
            expect(array.subarray(length, 2 * length).every(Number.isNaN), name).toBe(true);
            for (const at of [0, 2]) expect(unpacked(of, array.subarray(at * length, (at + 1) * length), rows, columns), name).toEqual(alone[k]);
          });
        }
      }
    });

    it('name the first element without a result, and give the others theirs', () => {
      const one = packed(dtype, identityMatrix(2));
      const singular = packed(dtype, zeroMatrix(2, 2));
      const batch = packed(dtype, zeroMatrix(6, 2));
      [one, singular, one].forEach((part, at) => batch.set(part, at * one.length));
      const [twice, room] = [batch.slice(), batch.slice()];
      expect(runArrays('cholesky', dtype, [batch], [room], [3, 2, 0])).toBe(1);
      expect([...room.subarray(2 * one.length)]).toEqual([...one]);
      expect([...room.subarray(one.length, 2 * one.length)].every(Number.isNaN)).toBe(true);
      expect(runArrays('luSolve', dtype, [batch, batch, Int32Array.of(0, 1, 0, 1, 0, 1), twice], [room], [3, 2, 2, 0])).toBe(1);
      expect(runArrays('triangularSolve', dtype, [batch, twice], [room], [3, 2, 2, 1, 0, 0])).toBe(1);
      expect(runArrays('triangularSolve', dtype, [batch, twice], [room], [3, 2, 2, 1, 0, 1])).toBeUndefined();
      const opposite = batch.map((value) => -value);
      expect(runArrays('triangularSylvester', dtype, [batch, opposite, twice], [room], [3, 2, 2, 0])).toBe(0);
      expect(kernels[`tf.linalg.v1.cholesky.${dtype}`]?.failure).toContain('not positive definite');
    });

    it('take what is empty', () => {
      expect(run('svdFull', dtype, [zeroMatrix(0, 3)], [0, 3], [square(0), values(0), square(3)])[2]).toEqual(identityMatrix(3));
      expect(run('svdFull', dtype, [zeroMatrix(2, 0)], [2, 0], [square(2), values(0), square(0)])[0]).toEqual(identityMatrix(2));
      expect(run('qrComplete', dtype, [zeroMatrix(3, 0)], [3, 0], [square(3), { rows: 3, columns: 0 }])[0]).toEqual(identityMatrix(3));
      for (const name of ['eig', 'schur', 'eigh', 'cholesky', 'eigvals']) run(name, dtype, [zeroMatrix(0, 0)], [0, 0], [values(0), values(0)]);
      for (const name of ['lu', 'luSolve', 'triangularSolve', 'triangularSylvester', 'cofactor', 'householderApply']) {
        const none = packed(dtype, zeroMatrix(0, 0));
        const count = { lu: [1, 3], luSolve: [4, 1], triangularSolve: [2, 1], triangularSylvester: [3, 1], cofactor: [4, 1], householderApply: [3, 1] }[name] as [number, number];
        expect(runArrays(name, dtype, new Array<TypedArray>(count[0]).fill(none), Array.from({ length: count[1] }, () => new Int32Array(1)), [name === 'lu' ? 1 : 0, 0, 0, 0, 0, 0])).toBeUndefined();
      }
    });
  });

  describe.each(['float32', 'float64'] as const)(`distinct in ${where}, %s`, (dtype) => {
    it('refuses neighbours that are numerically equal', () => {
      const s = Float64Array.of(2, 1, 1, 2, 1, 0.5, 3, 2, 0);
      const given = dtype === 'float32' ? Float32Array.from(s) : s;
      const room = given.slice();
      expect(runArrays('distinct', dtype, [given], [room], [3, 3, 8 * 3, 1, -1])).toBe(0);
      expect(runArrays('distinct', dtype, [given.subarray(3).slice()], [room.subarray(3).slice()], [2, 3, 8 * 3, 1, -1])).toBeUndefined();
      expect(runArrays('distinct', dtype, [given.subarray(3).slice()], [room.subarray(3).slice()], [2, 3, 8 * 3, 1, 3])).toBe(1);
      expect(room).toEqual(given);
    });
  });

  describe.each(['complex64', 'complex128'] as const)(`triangularSqrt in ${where}, %s`, (dtype) => {
    it.each([1, 2, 9, 40])('of %i squares to the matrix', (n) => {
      const [t] = run('schur', dtype, [random(dtype, n, n)], [n], [square(n), square(n)]) as [Matrix];
      const [x] = run('triangularSqrt', dtype, [t], [n], [square(n)]) as [Matrix];
      expect(norm(difference(multiplied(x, x), t)) / norm(x) ** 2).toBeLessThan(bar * n * epsilonOf(dtype));
      for (let i = 0; i < n; i++) expect(x.re[i * (n + 1)]).toBeGreaterThanOrEqual(0);
    });
  });
}
