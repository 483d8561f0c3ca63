/** Eigenvalues and right eigenvectors of general matrices. */
import { balanced, type Balanced } from './balance.ts';
import { complexSchur } from './complex-schur.ts';
import { eigenvalues, eigenvectors, normaliseVectors, triangularForm } from './eigenvectors.ts';
import { type Matrix, multiplied, scaledToOne, timesReal, unitRoundoff } from './matrix.ts';
import { realSchur } from './real-schur.ts';

/** A V = V diag(w): w a column, vectors the columns of V, of norm 1. */
export interface Eigenvectors {
  readonly w: Matrix;
  readonly v: Matrix;
}

/**
 * The eigenvectors of a finite matrix, in the order of its Schur form; a real matrix has real vectors and conjugate pairs. Nothing when
 * the QR steps do not end.
 *
 * Balancing makes eigenvalues more precise, but can enlarge the residual of vectors (Watkins 2006): where it did, the matrix is taken as
 * it is.
 */
export function generalVectors(a: Matrix, isReal: boolean): Eigenvectors | undefined {
  const { matrix, scale } = scaledToOne(a);
  const better = balanced(matrix);
  const first = better.diagonal.every((factor) => factor === 1) ? undefined : vectorsOf(better, isReal);
  const isGood = first !== undefined && residual(matrix, first) <= 10 * unitRoundoff * a.rows;
  const found = isGood ? first : vectorsOf({ matrix, diagonal: new Float64Array(a.rows).fill(1) }, isReal);
  return found && { w: timesReal(found.w, scale), v: found.v };
}

function vectorsOf({ matrix, diagonal }: Balanced, isReal: boolean): Eigenvectors | undefined {
  const form = isReal ? realSchur(matrix, true) : complexSchur(matrix, true);
  if (form === undefined) return undefined;
  const w = eigenvalues(form.t);
  const v = eigenvectors(isReal ? triangularForm(form) : form);
  const n = matrix.rows;
  for (let i = 0; i < n * n; i++) {
    v.re[i]! *= diagonal[Math.floor(i / n)]!;
    v.im[i]! *= diagonal[Math.floor(i / n)]!;
  }
  normaliseVectors(v);
  if (isReal) pair(w, v);
  return { w, v };
}

/** What a real matrix has: real vectors of real eigenvalues, conjugate vectors of conjugate eigenvalues. */
function pair(w: Matrix, v: Matrix): void {
  const n = w.rows;
  for (let k = 0; k < n; k++) {
    const isPair = w.im[k] !== 0;
    for (let i = k; i < n * n; i += n) {
      if (isPair) [v.re[i + 1], v.im[i + 1]] = [v.re[i]!, -v.im[i]!];
      else v.im[i] = 0;
    }
    if (isPair) k++;
  }
  normaliseVectors(v);
}

/** max ‖A v − w v‖, of a matrix whose largest element is close to 1. */
function residual(a: Matrix, { w, v }: Eigenvectors): number {
  const n = a.rows;
  const product = multiplied(a, v);
  let largest = 0;
  for (let k = 0; k < n; k++) {
    let sum = 0;
    for (let i = k; i < n * n; i += n) {
      const re = product.re[i]! - (w.re[k]! * v.re[i]! - w.im[k]! * v.im[i]!);
      const im = product.im[i]! - (w.re[k]! * v.im[i]! + w.im[k]! * v.re[i]!);
      sum += re * re + im * im;
    }
    largest = Math.max(largest, Math.sqrt(sum));
  }
  return largest;
}
