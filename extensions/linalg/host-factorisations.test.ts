/** Backward errors of the factorisations in JavaScript over the hard families, in units of n·eps. */
import { describe, expect, it } from 'vitest';
import { hardFamilies, randomMatrix } from './hard-matrices.testing.ts';
import { adjoint, difference, epsilonOf, isRealDType, type KernelDType, kernelDTypes, norm, orthogonality, packed, relativeError, rounded, unpacked } from './kernels.testing.ts';
import { roomFor, runKernel } from './src/host/kernels.testing.ts';
import { copied, identityMatrix, type Matrix, multiplied, zeroMatrix } from './src/host/matrix.ts';

/** LAPACK's own threshold for its tests. */
const bar = 30;

const shapes = [[1, 1], [2, 2], [5, 5], [12, 12], [13, 5], [4, 11], [1, 6], [7, 1]] as const;
const squares = [1, 2, 3, 5, 12, 20] as const;

function tried(dtype: KernelDType, sizes: readonly (readonly [number, number])[], see: (a: Matrix, name: string) => void): void {
  for (const [family, make] of Object.entries(hardFamilies)) {
    for (const [rows, columns] of sizes) for (const seed of [1, 2]) see(rounded(dtype, make({ rows, columns, isReal: isRealDType(dtype), seed })), `${family}, ${rows}×${columns}, seed ${seed}`);
  }
}

/** Fails where a measure is above the bar, and says where. */
function small(value: number, where: string): void {
  if (!(value < bar)) expect.fail(`${where}: ${value} n·eps`);
}

function entries(rows: number, columns: number, of: (i: number, j: number) => readonly [Matrix, number] | number): Matrix {
  const result = zeroMatrix(rows, columns);
  for (let at = 0; at < rows * columns; at++) {
    const given = of(Math.floor(at / columns), at % columns);
    [result.re[at], result.im[at]] = typeof given === 'number' ? [given, 0] : [given[0].re[given[1]]!, given[0].im[given[1]]!];
  }
  return result;
}

/** The factors' product, from packed ones. */
function product(lu: Matrix): Matrix {
  const { rows: m, columns: n } = lu;
  const k = Math.min(m, n);
  return multiplied(entries(m, k, (i, j) => (i === j ? 1 : i > j ? [lu, i * n + j] : 0)), entries(k, n, (i, j) => (i <= j ? [lu, i * n + j] : 0)));
}

const arranged = (a: Matrix, rows: ArrayLike<number | bigint>, columns: ArrayLike<number | bigint>): Matrix => entries(a.rows, a.columns, (i, j) => [a, Number(rows[i]) * a.columns + Number(columns[j])]);
const inOrder = (n: number): readonly number[] => Array.from({ length: n }, (_, at) => at);

function luOf(dtype: KernelDType, a: Matrix): readonly [lu: Matrix, order: Int32Array] {
  const { rows: m, columns: n } = a;
  const [room, order] = [roomFor(dtype, m * n), new Int32Array(m)];
  runKernel('lu', dtype, [packed(dtype, a)], [room, order, new Int32Array(1)], [1, m, n]);
  return [unpacked(dtype, room, m, n), order];
}

describe.each(kernelDTypes)('factorisations in JavaScript of %s', (dtype) => {
  it('by pivots, of rows alone and of rows and columns', () => {
    tried(dtype, shapes, (a, name) => {
      const { rows: m, columns: n } = a;
      const [lu, order] = luOf(dtype, a);
      small(relativeError(dtype, arranged(a, order, inOrder(n)), product(lu)), `${name}: LU`);
      const [room, rows, columns] = [roomFor(dtype, m * n), new Int32Array(m), new Int32Array(n)];
      runKernel('luFullPivot', dtype, [packed(dtype, a)], [room, rows, columns, new Int32Array(1)], [1, m, n]);
      small(relativeError(dtype, arranged(a, rows, columns), product(unpacked(dtype, room, m, n))), `${name}: LU with complete pivoting`);
    });
  });

  it('by reflections, with columns in their order and in another', () => {
    tried(dtype, shapes, (a, name) => {
      const { rows: m, columns: n } = a;
      const k = Math.min(m, n);
      const order = new BigInt64Array(n);
      const [q, r, pq, pr] = [m * k, k * n, m * k, k * n].map((count) => roomFor(dtype, count));
      runKernel('qr', dtype, [packed(dtype, a)], [q!, r!], [1, m, n]);
      runKernel('qrPivoted', dtype, [packed(dtype, a)], [pq!, pr!, order], [1, m, n]);
      for (const [isometry, triangle, columns, what] of [[q!, r!, inOrder(n), 'QR'], [pq!, pr!, order, 'pivoted QR']] as const) {
        const unitary = unpacked(dtype, isometry, m, k);
        small(relativeError(dtype, arranged(a, inOrder(m), columns), multiplied(unitary, unpacked(dtype, triangle, k, n))), `${name}: ${what}`);
        small(orthogonality(dtype, unitary), `${name}: Q of ${what}`);
      }
    });
  });

  it('of definite matrices, and systems with them and with others', () => {
    tried(dtype, squares.map((n) => [n, n] as const), (a, name) => {
      const n = a.rows;
      const scale = norm(a) || 1;
      const unit = { ...copied(a), re: a.re.map((value) => value / scale), im: a.im.map((value) => value / scale) };
      const gram = multiplied(unit, adjoint(unit));
      const definite = rounded(dtype, { ...gram, re: gram.re.map((value, at) => value + identityMatrix(n).re[at]!) });
      const factor = roomFor(dtype, n * n);
      expect(runKernel('cholesky', dtype, [packed(dtype, definite)], [factor], [1, n, 0]), name).toBeUndefined();
      const l = unpacked(dtype, factor, n, n);
      small(relativeError(dtype, definite, multiplied(l, adjoint(l))), `${name}: Cholesky`);
      const b = rounded(dtype, randomMatrix({ rows: n, columns: 2, isReal: isRealDType(dtype), seed: 5 }));
      for (const [matrix, what] of [[a, 'the matrix'], [definite, 'a definite one']] as const) {
        const [lu, order] = luOf(dtype, matrix);
        const room = roomFor(dtype, 2 * n);
        // A pivot that is exactly 0 has no solution, and one near it none that this precision can hold.
        const failed = runKernel('luSolve', dtype, [packed(dtype, matrix), packed(dtype, lu), order, packed(dtype, b)], [room], [1, n, 2, 0]);
        const x = unpacked(dtype, room, n, 2);
        if (failed !== undefined || !Number.isFinite(norm(x))) continue;
        small(norm(difference(b, multiplied(matrix, x))) / (norm(matrix) * norm(x)) / (n * epsilonOf(dtype)), `${name}: a system with ${what}`);
      }
    });
  });
});
