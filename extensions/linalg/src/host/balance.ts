import { type Matrix, copied } from './matrix.ts';

/** D⁻¹ A D, with powers of two on the diagonal of D. */
export interface Balanced {
  readonly matrix: Matrix;
  readonly diagonal: Float64Array;
}

/** Rounds after which the scale is what it is. */
const mostRounds = 40;

/**
 * The similar matrix whose rows and columns have norms of one order, the diagonal included (Parlett & Reinsch 1969; James, Langou &
 * Lowery 2014), so that the eigenvalues of a badly scaled matrix are found as precisely as its elements allow.
 */
export function balanced(a: Matrix): Balanced {
  const matrix = copied(a);
  const diagonal = new Float64Array(a.rows).fill(1);
  for (let round = 0, changed = true; changed && round < mostRounds; round++) {
    changed = false;
    for (let i = 0; i < a.rows; i++) {
      const factor = factorOf(columnNorm(matrix, i), rowNorm(matrix, i), diagonal[i]!);
      if (factor === 1) continue;
      changed = true;
      diagonal[i]! *= factor;
      scaleBoth(matrix, i, factor);
    }
  }
  return { matrix, diagonal };
}

/** The power of two that brings c f and r / f together; 1 when that gains less than a twentieth. */
function factorOf(c: number, r: number, known: number): number {
  if (c === 0 || r === 0) return 1;
  const factor = 2 ** Math.round(0.5 * Math.log2(r / c));
  const total = known * factor;
  const gains = Math.hypot(c * factor, r / factor) < 0.95 * Math.hypot(c, r);
  return gains && total > 2 ** -300 && total < 2 ** 300 ? factor : 1;
}

function rowNorm({ rows: n, re, im }: Matrix, i: number): number {
  let sum = 0;
  for (let j = 0; j < n; j++) sum += re[i * n + j]! ** 2 + im[i * n + j]! ** 2;
  return Math.sqrt(sum);
}

function columnNorm({ rows: n, re, im }: Matrix, j: number): number {
  let sum = 0;
  for (let i = 0; i < n; i++) sum += re[i * n + j]! ** 2 + im[i * n + j]! ** 2;
  return Math.sqrt(sum);
}

/** Column i times the factor, row i divided by it. */
function scaleBoth({ rows: n, re, im }: Matrix, i: number, factor: number): void {
  for (const part of [re, im]) {
    for (let j = 0; j < n; j++) {
      part[j * n + i]! *= factor;
      part[i * n + j]! /= factor;
    }
  }
}
