/** Matrices that decompositions are tried on: each family stands for something that is known to go wrong. */
import { createRandom } from '@tf/testkit';
import { adjoint } from './kernels.testing.ts';
import { type Matrix, multiplied, zeroMatrix } from './src/host/matrix.ts';

export interface MatrixRequest {
  readonly rows: number;
  readonly columns: number;
  readonly isReal: boolean;
  readonly seed: number;
}

type Family = (request: MatrixRequest) => Matrix;

/** Uniform between −1 and 1. */
export function randomMatrix({ rows, columns, isReal, seed }: MatrixRequest): Matrix {
  const random = createRandom(seed);
  const matrix = zeroMatrix(rows, columns);
  for (let i = 0; i < rows * columns; i++) {
    matrix.re[i] = 2 * random() - 1;
    if (!isReal) matrix.im[i] = 2 * random() - 1;
  }
  return matrix;
}

/** Orthonormal columns, or rows where there are more of those: Gram and Schmidt's, twice. */
export function randomUnitary(request: MatrixRequest): Matrix {
  const { rows, columns } = request;
  if (rows < columns) return adjoint(randomUnitary({ ...request, rows: columns, columns: rows }));
  const q = randomMatrix(request);
  for (let j = 0; j < columns; j++) {
    for (let pass = 0; pass < 2; pass++) for (let k = 0; k < j; k++) removeColumn(q, j, k);
    let sum = 0;
    for (let i = j; i < rows * columns; i += columns) sum += q.re[i]! ** 2 + q.im[i]! ** 2;
    for (let i = j; i < rows * columns; i += columns) {
      q.re[i]! /= Math.sqrt(sum);
      q.im[i]! /= Math.sqrt(sum);
    }
  }
  return q;
}

/** Column j less its part along column k. */
function removeColumn({ rows, columns: n, re, im }: Matrix, j: number, k: number): void {
  let [a, b] = [0, 0];
  for (let i = 0; i < rows * n; i += n) {
    a += re[i + k]! * re[i + j]! + im[i + k]! * im[i + j]!;
    b += re[i + k]! * im[i + j]! - im[i + k]! * re[i + j]!;
  }
  for (let i = 0; i < rows * n; i += n) {
    const [x, y] = [re[i + k]!, im[i + k]!];
    re[i + j]! -= a * x - b * y;
    im[i + j]! -= a * y + b * x;
  }
}


/** U diag(s) V with random unitary factors. */
function withSingularValues(s: (i: number, k: number) => number): Family {
  return (request) => {
    const k = Math.min(request.rows, request.columns);
    const left = randomUnitary({ ...request, columns: k, seed: request.seed + 1000 });
    const right = randomUnitary({ ...request, rows: k, seed: request.seed + 2000 });
    for (let at = 0; at < left.re.length; at++) {
      const value = s(at % k, k);
      left.re[at]! *= value;
      left.im[at]! *= value;
    }
    return multiplied(left, right);
  };
}

/** Elements by their place. */
function withElements(element: (i: number, j: number, rows: number, columns: number) => number): Family {
  return ({ rows, columns }) => {
    const matrix = zeroMatrix(rows, columns);
    for (let i = 0; i < rows; i++) for (let j = 0; j < columns; j++) matrix.re[i * columns + j] = element(i, j, rows, columns);
    return matrix;
  };
}

/** Rows and columns of very different size. */
function graded(exponent: (i: number, j: number) => number): Family {
  return (request) => {
    const matrix = randomMatrix(request);
    for (let at = 0; at < matrix.re.length; at++) {
      const factor = 10 ** exponent(Math.floor(at / request.columns), at % request.columns);
      matrix.re[at]! *= factor;
      matrix.im[at]! *= factor;
    }
    return matrix;
  };
}

const [cos, sin] = [Math.cos(1.2), Math.sin(1.2)];

export const hardFamilies: Readonly<Record<string, Family>> = Object.freeze({
  random: randomMatrix,
  zero: withElements(() => 0),
  identity: withElements((i, j) => (i === j ? 1 : 0)),
  ones: withElements(() => 1),
  repeated: withSingularValues((i, k) => (2 * i < k ? 2 : 1)),
  clustered: withSingularValues((i) => 1 + i * 1e-14),
  'of two scales': withSingularValues((i, k) => (2 * i < k ? 1 + i : 1e-9 * (1 + i))),
  geometric: withSingularValues((i) => 2 ** -i),
  'of deficient rank': withSingularValues((i, k) => (3 * i < k ? 1 : 0)),
  'one large value': withSingularValues((i) => (i === 0 ? 1 : 1e-12)),
  'graded rows': graded((i) => -i / 2),
  'graded columns, growing': graded((_, j) => j / 2 - 4),
  'graded both ways': graded((i, j) => -(i + j) / 3),
  huge: graded(() => 30),
  tiny: graded(() => -30),
  Hilbert: withElements((i, j) => 1 / (i + j + 1)),
  Vandermonde: withElements((i, j, rows) => ((i + 1) / rows) ** j),
  Kahan: withElements((i, j) => (j < i ? 0 : sin ** i * (i === j ? 1 : -cos))),
  companion: withElements((i, j, rows) => (i === 0 ? (j % 3) - 1.5 + j / rows : i === j + 1 ? 1 : 0)),
  Toeplitz: withElements((i, j) => 1 / (1 + Math.abs(i - j)) + (j > i ? 0.5 : 0)),
  'second difference': withElements((i, j) => (i === j ? 2 : Math.abs(i - j) === 1 ? -1 : 0)),
  Grcar: withElements((i, j) => (i === j + 1 ? -1 : j >= i && j <= i + 3 ? 1 : 0)),
  Frank: withElements((i, j, rows) => (j < i - 1 ? 0 : rows - Math.max(i, j))),
  'cyclic permutation': withElements((i, j, rows) => (j === (i + 1) % rows ? 1 : 0)),
  nilpotent: withElements((i, j) => (j === i + 1 ? 1 : 0)),
  'nilpotent, lower': withElements((i, j) => (i === j + 1 ? 1 : 0)),
  'one column': withElements((i, j) => (j === 1 ? i + 1 : 0)),
  'rotations by right angles': withElements((i, j) => (i % 2 === 0 && j === i + 1 ? 1 : i % 2 === 1 && j === i - 1 ? -1 : 0)),
});

/** Half the sum with the adjoint. */
export function hermitianOf(a: Matrix): Matrix {
  const b = adjoint(a);
  return { ...a, re: a.re.map((value, i) => 0.5 * (value + b.re[i]!)), im: a.im.map((value, i) => 0.5 * (value + b.im[i]!)) };
}
