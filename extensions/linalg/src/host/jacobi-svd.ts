/**
 * The singular value decomposition by rotations of pairs of columns from the right until all are orthogonal (Hestenes 1958), the longest
 * of those that remain first (de Rijk 1989). It needs no bidiagonal form, and finds small singular values as precisely as the columns
 * determine them (Demmel & Veselić 1992).
 */
import { completedRows } from './complete.ts';
import { conjugated, identityMatrix, type Matrix, rowsInOrder, scaledToOne, swapRows, transposed, unitRoundoff, zeroMatrix } from './matrix.ts';
import { jacobiRotation, rotateRows } from './rotations.ts';

/** A = U diag(s) Vᴴ, s descending: the rows of `left` are columns of U, those of `right` columns of V. */
export interface SingularVectors {
  readonly s: Float64Array;
  readonly left: Matrix;
  readonly right: Matrix;
}

/** More than any matrix needs: about ten are usual. */
const mostSweeps = 60;

/** The square of a length that counts as zero beside a longest element of about 1, far from the end of the range. */
const negligible: number = 2 ** -900;

/** The decomposition of a finite matrix, with no vectors of a side or at least min(m, n). */
export function singularVectors(a: Matrix, left: number, right: number): SingularVectors {
  if (a.rows < a.columns) {
    // Aᴴ = V diag(s) Uᴴ
    const { s, left: v, right: u } = singularVectors(conjugated(transposed(a)), right, left);
    return { s, left: u, right: v };
  }
  const { matrix, scale } = scaledToOne(transposed(a));
  const turned = right === 0 ? zeroMatrix(a.columns, 0) : identityMatrix(a.columns);
  for (let sweep = 0; sweep < mostSweeps && orthogonalise(matrix, turned); sweep++);
  const lengths = Float64Array.from({ length: matrix.rows }, (_, i) => rowLength(matrix, i));
  const order = [...lengths.keys()].sort((p, q) => lengths[q]! - lengths[p]!);
  return {
    s: Float64Array.from(order, (i) => lengths[i]! * scale),
    left: left === 0 ? zeroMatrix(0, a.rows) : completedRows(directions(matrix, lengths, order), left),
    right: right === 0 ? zeroMatrix(0, a.columns) : completedRows(rowsInOrder(turned, order), right),
  };
}

/** One sweep over all pairs of rows; whether any was not orthogonal. */
function orthogonalise(rows: Matrix, turned: Matrix): boolean {
  // A rotation leaves a product of a few u and the sum of its rounding: no smaller one is a reason to go on.
  const tolerance = 2 * unitRoundoff * Math.max(4, Math.sqrt(rows.columns));
  let turnedAny = false;
  for (let p = 0; p < rows.rows - 1; p++) {
    bringLongest(rows, turned, p);
    for (let q = p + 1; q < rows.rows; q++) {
      const { alpha, beta, re, im } = products(rows, p, q);
      if (alpha < negligible || beta < negligible) continue;
      if (Math.hypot(re, im) <= tolerance * Math.sqrt(alpha) * Math.sqrt(beta)) continue;
      const rotation = jacobiRotation(alpha, beta, re, im);
      rotateRows(rows, p, q, rotation);
      rotateRows(turned, p, q, rotation);
      turnedAny = true;
    }
  }
  return turnedAny;
}

function bringLongest(rows: Matrix, turned: Matrix, p: number): void {
  let longest = p;
  let square = squaredLength(rows, p);
  for (let q = p + 1; q < rows.rows; q++) {
    const other = squaredLength(rows, q);
    if (other > square) [longest, square] = [q, other];
  }
  if (longest === p) return;
  swapRows(rows, p, longest);
  swapRows(turned, p, longest);
}

function squaredLength({ columns, re, im }: Matrix, row: number): number {
  let sum = 0;
  for (let at = row * columns; at < (row + 1) * columns; at++) sum += re[at]! ** 2 + im[at]! ** 2;
  return sum;
}

/** ‖x‖², ‖y‖² and xᴴy of rows p and q. */
function products(rows: Matrix, p: number, q: number): { readonly alpha: number; readonly beta: number; readonly re: number; readonly im: number } {
  const { columns, re: a, im: b } = rows;
  let [re, im, alpha, beta] = [0, 0, 0, 0];
  for (let i = 0, x = p * columns, y = q * columns; i < columns; i++, x++, y++) {
    const [xRe, xIm, yRe, yIm] = [a[x]!, b[x]!, a[y]!, b[y]!];
    alpha += xRe * xRe + xIm * xIm;
    beta += yRe * yRe + yIm * yIm;
    re += xRe * yRe + xIm * yIm;
    im += xRe * yIm - xIm * yRe;
  }
  return { alpha, beta, re, im };
}

/** The length, also where its square would vanish. */
function rowLength({ columns, re, im }: Matrix, row: number): number {
  let largest = 0;
  for (let at = row * columns; at < (row + 1) * columns; at++) largest = Math.max(largest, Math.abs(re[at]!), Math.abs(im[at]!));
  if (largest === 0) return 0;
  let sum = 0;
  for (let at = row * columns; at < (row + 1) * columns; at++) sum += (re[at]! / largest) ** 2 + (im[at]! / largest) ** 2;
  return largest * Math.sqrt(sum);
}

/** The rows of unit length, in this order, up to those that are too short to have been made orthogonal. */
function directions(rows: Matrix, lengths: Float64Array, order: readonly number[]): Matrix {
  const unit = rowsInOrder(rows, order.filter((i) => lengths[i]! ** 2 >= negligible));
  for (let i = 0; i < unit.rows; i++) {
    const length = lengths[order[i]!]!;
    for (let at = i * unit.columns; at < (i + 1) * unit.columns; at++) {
      unit.re[at]! /= length;
      unit.im[at]! /= length;
    }
  }
  return unit;
}
