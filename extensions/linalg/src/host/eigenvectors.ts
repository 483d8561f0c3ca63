/** Eigenvalues and vectors from a Schur form. */
import { divided } from './complex.ts';
import { copied, type Matrix, unitRoundoff, zeroMatrix } from './matrix.ts';
import type { SchurForm } from './hessenberg.ts';
import { type Rotation, rotateColumns, rotateRows } from './rotations.ts';

/** The eigenvalues of triangular or quasi-triangular T, as a column. A 2×2 block is in its standard form. */
export function eigenvalues({ rows: n, re, im }: Matrix): Matrix {
  const values = zeroMatrix(n, 1);
  for (let k = 0; k < n; k++) {
    const at = k * (n + 1);
    [values.re[k], values.im[k]] = [re[at]!, im[at]!];
    const part = k + 1 < n ? pairOf(re, n, k) : 0;
    if (part === 0) continue;
    [values.im[k], values.re[k + 1], values.im[k + 1]] = [part, re[at]!, -part];
    k++;
  }
  return values;
}

/** The imaginary part √|bc| of a pair whose block begins at k, 0 when none does. */
function pairOf(t: Float64Array, n: number, k: number): number {
  return Math.sqrt(Math.abs(t[k * n + k + 1]!)) * Math.sqrt(Math.abs(t[(k + 1) * n + k]!)) * (t[(k + 1) * n + k] === 0 ? 0 : 1);
}

/** The triangular form of a quasi-triangular one: (b, i√|bc|) is an eigenvector of a 2×2 block, of unit length a column of the rotation. */
export function triangularForm(form: SchurForm): SchurForm {
  const [t, z] = [copied(form.t), copied(form.z)];
  const n = t.rows;
  const values = eigenvalues(form.t);
  for (let k = 0; k + 1 < n; k++) {
    if (t.re[(k + 1) * n + k] === 0) continue;
    const [b, c] = [t.re[k * n + k + 1]!, t.re[(k + 1) * n + k]!];
    const length = Math.hypot(Math.sqrt(Math.abs(b)), Math.sqrt(Math.abs(c)));
    const rotation: Rotation = { c: Math.sqrt(Math.abs(b)) / length, re: 0, im: (-Math.sign(b) * Math.sqrt(Math.abs(c))) / length };
    rotateRows(t, k, k + 1, rotation, k);
    rotateColumns(t, k, k + 1, rotation, k + 2);
    rotateColumns(z, k, k + 1, rotation);
    t.re[(k + 1) * n + k] = t.im[(k + 1) * n + k] = 0;
    for (const i of [k, k + 1]) [t.re[i * n + i], t.im[i * n + i]] = [values.re[i]!, values.im[i]!];
    k++;
  }
  return { t, z };
}

/** Before the squares of a growing solution leave the range. */
const large = 2 ** 400;

/**
 * Eigenvector k of triangular T by back substitution (Golub & Van Loan 2013, section 7.6.4): (T − t_kk) x = 0, x_k = 1, zero below. Equal
 * eigenvalues count as u‖T‖ apart, so that a defective matrix has nearly parallel vectors and none that is infinite.
 */
function triangularVector({ rows: n, re, im }: Matrix, k: number, least: number): readonly [re: Float64Array, im: Float64Array] {
  const [x, y] = [new Float64Array(k + 1), new Float64Array(k + 1)];
  x[k] = 1;
  for (let i = k - 1; i >= 0; i--) {
    let [sumRe, sumIm] = [0, 0];
    for (let j = i + 1; j <= k; j++) {
      const [tRe, tIm] = [re[i * n + j]!, im[i * n + j]!];
      sumRe -= tRe * x[j]! - tIm * y[j]!;
      sumIm -= tRe * y[j]! + tIm * x[j]!;
    }
    const [gapRe, gapIm] = [re[i * n + i]! - re[k * n + k]!, im[i * n + i]! - im[k * n + k]!];
    const isApart = Math.abs(gapRe) + Math.abs(gapIm) >= least;
    [x[i], y[i]] = divided(sumRe, sumIm, isApart ? gapRe : least, isApart ? gapIm : 0);
    if (Math.abs(x[i]!) + Math.abs(y[i]!) > large) shrink([x, y], i);
  }
  return [x, y];
}

function shrink(parts: readonly Float64Array[], from: number): void {
  for (const part of parts) for (let i = from; i < part.length; i++) part[i]! /= large;
}

/** The eigenvectors Z x of a triangular Schur form as columns, T and what it is scaled to of the order of 1. */
export function eigenvectors({ t, z }: SchurForm): Matrix {
  const n = t.rows;
  const result = zeroMatrix(n, n);
  let norm = 0;
  for (let i = 0; i < t.re.length; i++) norm = Math.max(norm, Math.abs(t.re[i]!) + Math.abs(t.im[i]!));
  const least = norm === 0 ? 1 : unitRoundoff * norm;
  for (let k = 0; k < n; k++) {
    const [x, y] = triangularVector(t, k, least);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j <= k; j++) {
        const [zRe, zIm] = [z.re[i * n + j]!, z.im[i * n + j]!];
        result.re[i * n + k]! += zRe * x[j]! - zIm * y[j]!;
        result.im[i * n + k]! += zRe * y[j]! + zIm * x[j]!;
      }
    }
  }
  return result;
}

/** Columns of norm 1 whose largest element is real. */
export function normaliseVectors(vectors: Matrix): void {
  const { rows: n, columns, re, im } = vectors;
  for (let k = 0; k < columns; k++) {
    const { at, length } = lengthOf(vectors, k);
    const size = Math.hypot(re[at]!, im[at]!);
    const [cos, sin] = im[at] === 0 ? [1, 0] : [re[at]! / size, im[at]! / size];
    for (let i = k; i < n * columns; i += columns) {
      const [x, y] = [re[i]! / length, im[i]! / length];
      [re[i], im[i]] = [x * cos + y * sin, y * cos - x * sin];
    }
    im[at] = 0;
  }
}

/** The length of a column, and where its largest element is. */
function lengthOf({ rows: n, columns, re, im }: Matrix, k: number): { readonly at: number; readonly length: number } {
  let [largest, at] = [0, k];
  for (let i = k; i < n * columns; i += columns) {
    const size = Math.hypot(re[i]!, im[i]!);
    if (size > largest) [largest, at] = [size, i];
  }
  let sum = 0;
  for (let i = k; i < n * columns; i += columns) sum += (re[i]! / largest) ** 2 + (im[i]! / largest) ** 2;
  return { at, length: largest * Math.sqrt(sum) };
}
