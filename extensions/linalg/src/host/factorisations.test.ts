import { describe, expect, it, test } from 'vitest';
import { at, conjugateTranspose, dataOf, distance, dtypesOf, epsilonOf, identity, isSingle, largest, type Matrix, matrix, part, plainTranspose, product, randomMatrix, readMatrix, roomFor, runKernel } from './kernels.testing.ts';

const shapes = [[1, 1], [2, 2], [3, 3], [5, 2], [2, 5], [7, 7], [9, 4], [4, 9], [12, 12], [1, 4], [4, 1], [0, 3], [3, 0]] as const;

/** Unit lower and upper factor of packed ones. */
function unpacked(packed: Matrix): readonly [Matrix, Matrix] {
  const { m, n } = packed;
  const k = Math.min(m, n);
  return [matrix(m, k, (i, j) => (i === j ? 1 : i > j ? at(packed, i, j) : 0)), matrix(k, n, (i, j) => (i <= j ? at(packed, i, j) : 0))];
}

const allRows = (a: Matrix, order: ArrayLike<number | bigint>): Matrix => matrix(a.m, a.n, (i, j) => at(a, Number(order[i]), j));
const allColumns = (a: Matrix, order: ArrayLike<number | bigint>): Matrix => matrix(a.m, a.n, (i, j) => at(a, i, Number(order[j])));
const upperOf = (a: Matrix): Matrix => matrix(a.m, a.n, (i, j) => (i <= j ? at(a, i, j) : 0));

/** The parity of a permutation, by counting inversions. */
function parityOf(order: ArrayLike<number>): number {
  let parity = 1;
  for (let i = 0; i < order.length; i++) for (let j = 0; j < i; j++) if (order[j]! > order[i]!) parity = -parity;
  return parity;
}

function definite(dtype: (typeof dtypesOf)[number], n: number, seed: number): Matrix {
  const a = randomMatrix(dtype, n, n, seed);
  const squares = product(a, conjugateTranspose(a));
  const round = isSingle(dtype) ? Math.fround : (x: number): number => x;
  return matrix(n, n, (i, j) => [round(at(squares, i, j)[0] + (i === j ? 1 : 0)), i === j ? 0 : round(at(squares, i, j)[1])]);
}

describe.each(dtypesOf)('%s', (dtype) => {
  const eps = epsilonOf(dtype);

  it.each(shapes)('factors %i×%i by rows, and by rows and columns', (m, n) => {
    const matrices = [randomMatrix(dtype, m, n, 1), randomMatrix(dtype, m, n, 2)];
    const [packed, order, parity] = [roomFor(dtype, 2 * m * n), new Int32Array(2 * m), new Int32Array(2)];
    expect(runKernel('lu', dtype, [dataOf(dtype, matrices)], [packed, order, parity], [2, m, n])).toBeUndefined();
    const [full, rows, columns, sign] = [roomFor(dtype, 2 * m * n), new Int32Array(2 * m), new Int32Array(2 * n), new Int32Array(2)];
    runKernel('luFullPivot', dtype, [dataOf(dtype, matrices)], [full, rows, columns, sign], [2, m, n]);
    matrices.forEach((a, which) => {
      const own = order.subarray(which * m, (which + 1) * m);
      const [l, u] = unpacked(readMatrix(dtype, packed, m, n, which));
      expect(distance(product(l, u), allRows(a, own))).toBeLessThanOrEqual(4 * Math.max(m, n) * eps);
      expect(largest(l)).toBeLessThanOrEqual(dtype.startsWith('complex') ? Math.SQRT2 : 1);
      expect(parity[which]).toBe(parityOf(own));
      const [r, c] = [rows.subarray(which * m, (which + 1) * m), columns.subarray(which * n, (which + 1) * n)];
      const [fullL, fullU] = unpacked(readMatrix(dtype, full, m, n, which));
      expect(distance(product(fullL, fullU), allColumns(allRows(a, r), c))).toBeLessThanOrEqual(4 * Math.max(m, n) * eps);
      expect(sign[which]).toBe(parityOf(r) * parityOf(c));
    });
  });

  it.each([0, 1, 2, 3, 8, 20])('solves systems of %i with a matrix, its transpose and its adjoint', (n) => {
    const [a, b] = [randomMatrix(dtype, n, n, n + 3), randomMatrix(dtype, n, 3, n + 4)];
    const [packed, order, parity] = [roomFor(dtype, n * n), new Int32Array(n), new Int32Array(1)];
    runKernel('lu', dtype, [dataOf(dtype, [a])], [packed, order, parity], [1, n, n]);
    [a, plainTranspose(a), conjugateTranspose(a)].forEach((of, mode) => {
      const x = roomFor(dtype, 3 * n);
      expect(runKernel('luSolve', dtype, [dataOf(dtype, [a]), packed, order, dataOf(dtype, [b])], [x], [1, n, 3, mode])).toBeUndefined();
      const solution = readMatrix(dtype, x, n, 3);
      expect(distance(product(of, solution), b), `mode ${mode}`).toBeLessThanOrEqual(20 * (n + 1) * eps * Math.max(1, largest(solution)));
    });
  });

  it.each([0, 1, 2, 5, 16])('solves triangles of %i and reads no more', (n) => {
    const a = randomMatrix(dtype, n, n, n + 5);
    const b = randomMatrix(dtype, n, 2, n + 6);
    for (const upper of [0, 1]) {
      for (const unit of [0, 1]) {
        const isRead = (i: number, j: number): boolean => (i === j ? unit === 0 : (j > i) === (upper === 1));
        const triangle = matrix(n, n, (i, j) => (isRead(i, j) ? [at(a, i, j)[0] + (i === j ? 2 : 0), at(a, i, j)[1]] : i === j ? 1 : 0));
        const spoilt = matrix(n, n, (i, j) => (isRead(i, j) ? at(triangle, i, j) : NaN));
        [triangle, plainTranspose(triangle), conjugateTranspose(triangle)].forEach((of, mode) => {
          const x = roomFor(dtype, 2 * n);
          expect(runKernel('triangularSolve', dtype, [dataOf(dtype, [spoilt]), dataOf(dtype, [b])], [x], [1, n, 2, upper, mode, unit])).toBeUndefined();
          const solution = readMatrix(dtype, x, n, 2);
          expect(distance(product(of, solution), b)).toBeLessThanOrEqual(40 * (n + 1) * eps * Math.max(1, largest(solution)));
        });
      }
    }
  });

  it.each([0, 1, 2, 5, 16])('factors definite matrices of %i by one triangle', (n) => {
    const a = definite(dtype, n, n + 7);
    for (const upper of [0, 1]) {
      const spoilt = matrix(n, n, (i, j) => (i === j || (j > i) === (upper === 1) ? at(a, i, j) : NaN));
      const room = roomFor(dtype, n * n);
      expect(runKernel('cholesky', dtype, [dataOf(dtype, [spoilt])], [room], [1, n, upper])).toBeUndefined();
      const factor = readMatrix(dtype, room, n, n);
      const l = upper === 1 ? conjugateTranspose(factor) : factor;
      expect(distance(l, conjugateTranspose(upperOf(conjugateTranspose(l))))).toBe(0);
      expect(distance(product(l, conjugateTranspose(l)), a)).toBeLessThanOrEqual(4 * (n + 1) * eps * Math.max(1, largest(a)));
    }
  });

  it.each(shapes)('reflects %i×%i to a triangle', (m, n) => {
    const k = Math.min(m, n);
    const a = randomMatrix(dtype, m, n, m + 10 * n);
    const data = dataOf(dtype, [a]);
    const bound = 8 * Math.max(m, n) * eps;
    const [q, r, whole, tall, upper, h, tau] = [m * k, k * n, m * m, m * n, k * n, m * n, k].map((count) => roomFor(dtype, count));
    runKernel('qr', dtype, [data], [q!, r!], [1, m, n]);
    runKernel('qrComplete', dtype, [data], [whole!, tall!], [1, m, n]);
    runKernel('qrUpper', dtype, [data], [upper!], [1, m, n]);
    runKernel('householder', dtype, [data], [h!, tau!], [1, m, n]);
    expect(upper).toEqual(r);
    for (const [given, triangle, columns] of [[q!, r!, k], [whole!, tall!, m]] as const) {
      const [isometry, rest] = [readMatrix(dtype, given, m, columns), readMatrix(dtype, triangle, columns, n)];
      expect(distance(product(isometry, rest), a)).toBeLessThanOrEqual(bound);
      expect(distance(product(conjugateTranspose(isometry), isometry), identity(columns))).toBeLessThanOrEqual(bound);
      expect(distance(rest, upperOf(rest))).toBe(0);
      for (let i = 0; i < k; i++) expect(at(rest, i, i)[1]).toBe(0);
    }
    const c = randomMatrix(dtype, m, 2, m);
    for (const adjoint of [0, 1]) {
      const room = roomFor(dtype, 2 * m);
      runKernel('householderApply', dtype, [h!, tau!, dataOf(dtype, [c])], [room], [1, m, n, 2, adjoint]);
      const matrixOf = readMatrix(dtype, whole!, m, m);
      expect(distance(readMatrix(dtype, room, m, 2), product(adjoint === 1 ? conjugateTranspose(matrixOf) : matrixOf, c))).toBeLessThanOrEqual(bound);
    }
  });

  it.each(shapes)('finds the columns of %i×%i that come next', (m, n) => {
    const k = Math.min(m, n);
    const a = randomMatrix(dtype, m, n, m + 20 * n);
    const [q, r, order] = [roomFor(dtype, m * k), roomFor(dtype, k * n), new BigInt64Array(n)];
    runKernel('qrPivoted', dtype, [dataOf(dtype, [a])], [q, r, order], [1, m, n]);
    const rest = readMatrix(dtype, r, k, n);
    expect(distance(product(readMatrix(dtype, q, m, k), rest), allColumns(a, order))).toBeLessThanOrEqual(8 * Math.max(m, n) * eps);
    for (let i = 1; i < k; i++) expect(Math.abs(at(rest, i, i)[0])).toBeLessThanOrEqual(Math.abs(at(rest, i - 1, i - 1)[0]) * (1 + 8 * eps));
  });

  it.each([1, 2, 3, 4])('has the cofactors of matrices of %i of every rank', (n) => {
    for (let rank = 0; rank <= n; rank++) {
      const [left, right] = [randomMatrix(dtype, n, rank, n + rank), randomMatrix(dtype, rank, n, n + 2 * rank)];
      const round = isSingle(dtype) ? Math.fround : (x: number): number => x;
      const exact = product(left, right);
      const a = matrix(n, n, (i, j) => [round(at(exact, i, j)[0]), round(at(exact, i, j)[1])]);
      const room = roomFor(dtype, n * n);
      runKernel('cofactor', dtype, [dataOf(dtype, [a]), dataOf(dtype, [a]), new Int32Array(n), new Int32Array(1)], [room], [1, n]);
      expect(distance(readMatrix(dtype, room, n, n), matrix(n, n, (i, j) => minor(a, i, j)))).toBeLessThanOrEqual(40 * eps);
    }
  });

  it('gives NaN for what is not finite, among others that are', () => {
    const [a, bad] = [definite(dtype, 3, 1), matrix(3, 3, (i, j) => (i === 1 && j === 0 ? Infinity : 1))];
    const data = dataOf(dtype, [bad, a]);
    const floating = (count: number): ReturnType<typeof roomFor> => roomFor(dtype, 2 * count);
    const calls: readonly (readonly [string, readonly ReturnType<typeof roomFor>[], readonly ReturnType<typeof roomFor>[], readonly number[]])[] = [
      ['lu', [data], [floating(9), new Int32Array(6), new Int32Array(2)], [2, 3, 3]],
      ['luFullPivot', [data], [floating(9), new Int32Array(6), new Int32Array(6), new Int32Array(2)], [2, 3, 3]],
      ['luSolve', [data, data, Int32Array.of(0, 1, 2, 0, 1, 2), dataOf(dtype, [a, a])], [floating(9)], [2, 3, 3, 0]],
      ['triangularSolve', [data, dataOf(dtype, [a, a])], [floating(9)], [2, 3, 3, 0, 0, 0]],
      ['cholesky', [data], [floating(9)], [2, 3, 0]],
      ['qr', [data], [floating(9), floating(9)], [2, 3, 3]],
      ['householder', [data], [floating(9), floating(3)], [2, 3, 3]],
      ['qrPivoted', [data], [floating(9), floating(9), new BigInt64Array(6)], [2, 3, 3]],
      ['cofactor', [data, data, new Int32Array(6), new Int32Array(2)], [floating(9)], [2, 3]],
    ];
    for (const [name, inputs, outputs, integers] of calls) {
      expect(runKernel(name, dtype, inputs, outputs, integers), name).toBeUndefined();
      for (const output of outputs) {
        const [first, second] = [output.subarray(0, output.length / 2), output.subarray(output.length / 2)];
        if (output instanceof Int32Array || output instanceof BigInt64Array) expect([...first].map(Number), name).toEqual(first.length === 1 ? [1] : [0, 1, 2]);
        else expect([[...first as Float64Array].every(Number.isNaN), [...second as Float64Array].every(Number.isFinite)], name).toEqual([true, true]);
      }
    }
  });

  it('says which element has no result', () => {
    const [one, none] = [identity(2), matrix(2, 2, () => 1)];
    const zero = matrix(2, 2, (i, j) => (i === 1 && j === 1 ? 0 : 1));
    const of = (...matrices: readonly Matrix[]): ReturnType<typeof dataOf> => dataOf(dtype, matrices);
    const x = (): ReturnType<typeof roomFor> => roomFor(dtype, 12);
    expect(runKernel('luSolve', dtype, [of(one, one, none), of(one, zero, zero), Int32Array.of(0, 1, 0, 1, 0, 1), of(one, one, one)], [x()], [3, 2, 2, 0])).toBe(1);
    expect(runKernel('triangularSolve', dtype, [of(one, one, zero), of(one, one, one)], [x()], [3, 2, 2, 1, 0, 0])).toBe(2);
    expect(runKernel('triangularSolve', dtype, [of(one, one, zero), of(one, one, one)], [x()], [3, 2, 2, 1, 0, 1])).toBeUndefined();
    const factors = x();
    expect(runKernel('cholesky', dtype, [of(none, one, one)], [factors], [3, 2, 0])).toBe(0);
    expect([...factors.subarray(0, factors.length / 3) as Float64Array].every(Number.isNaN)).toBe(true);
    expect(distance(readMatrix(dtype, factors, 2, 2, 2), one)).toBe(0);
  });
});

/** (−1)^(i+j) times the determinant without row i and column j, by Leibniz. */
function minor(a: Matrix, i: number, j: number): readonly [number, number] {
  const rest = matrix(a.m - 1, a.n - 1, (r, c) => at(a, r < i ? r : r + 1, c < j ? c : c + 1));
  const [re, im] = leibniz(rest);
  return (i + j) % 2 === 0 ? [re, im] : [-re, -im];
}

function leibniz(a: Matrix): readonly [number, number] {
  if (a.n === 0) return [1, 0];
  let [re, im] = [0, 0];
  for (let j = 0; j < a.n; j++) {
    const [p, q] = at(a, 0, j);
    const [r, s] = leibniz(matrix(a.m - 1, a.n - 1, (row, column) => at(a, row + 1, column < j ? column : column + 1)));
    const sign = j % 2 === 0 ? 1 : -1;
    re += sign * (p * r - q * s);
    im += sign * (p * s + q * r);
  }
  return [re, im];
}

test('cofactors of huge and tiny matrices overflow and vanish only where they themselves do', () => {
  const room = new Float64Array(9);
  runKernel('cofactor', 'float64', [Float64Array.of(1e200, 0, 0, 0, 1e-200, 0, 0, 0, 1e-100), room.slice(), new Int32Array(3), new Int32Array(1)], [room], [1, 3]);
  const [first, , , , middle, , , , last] = room;
  expect([first, middle, last].map((value, which) => Math.abs(value! / [1e-300, 1e100, 1][which]! - 1) < 1e-14)).toEqual([true, true, true]);
});

test('columns of one length keep their order', () => {
  const order = new BigInt64Array(4);
  runKernel('qrPivoted', 'float64', [Float64Array.from({ length: 16 }, (_, k) => (k % 5 === 0 ? 1 : 0))], [new Float64Array(16), new Float64Array(16), order], [1, 4, 4]);
  expect([...order].map(Number)).toEqual([0, 1, 2, 3]);
  expect(part(identity(2), 1, 1).re).toEqual(Float64Array.of(1));
});
