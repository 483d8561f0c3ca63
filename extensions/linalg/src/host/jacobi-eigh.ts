/** Eigenvalues and vectors of Hermitian matrices by Jacobi's rotations of pairs of rows and columns (Golub & Van Loan 2013, section 8.5). */
import { frobeniusNorm, identityMatrix, type Matrix, rowsInOrder, scaledToOne, unitRoundoff, zeroMatrix } from './matrix.ts';
import { jacobiRotation, rotateColumns, rotateRows } from './rotations.ts';

/** A = V diag(w) Vᴴ, w ascending: the rows of `vectors` are columns of V. */
export interface HermitianVectors {
  readonly w: Float64Array;
  readonly vectors: Matrix;
}

/** More than any matrix needs: about ten are usual. */
const mostSweeps = 60;

/** The decomposition of a finite Hermitian matrix, without vectors when they are not wanted. */
export function hermitianVectors(a: Matrix, wanted: boolean): HermitianVectors {
  const { matrix, scale } = scaledToOne(a);
  const turned = wanted ? identityMatrix(a.rows) : zeroMatrix(a.rows, 0);
  const tiny = unitRoundoff ** 2 * frobeniusNorm(matrix);
  for (let sweep = 0; sweep < mostSweeps && diagonalise(matrix, turned, tiny); sweep++);
  const values = Float64Array.from({ length: a.rows }, (_, i) => matrix.re[i * (a.rows + 1)]!);
  const order = [...values.keys()].sort((p, q) => values[p]! - values[q]!);
  return { w: Float64Array.from(order, (i) => values[i]! * scale), vectors: rowsInOrder(turned, order) };
}

/** The Hermitian matrix of one triangle; the diagonal's imaginary part is not read. */
export function hermitian(a: Matrix, upper: boolean): Matrix {
  const n = a.rows;
  const result = zeroMatrix(n, n);
  for (let i = 0; i < n; i++) {
    result.re[i * n + i] = a.re[i * n + i]!;
    for (let j = i + 1; j < n; j++) {
      const from = upper ? i * n + j : j * n + i;
      const sign = upper ? 1 : -1;
      result.re[i * n + j] = result.re[j * n + i] = a.re[from]!;
      result.im[i * n + j] = sign * a.im[from]!;
      result.im[j * n + i] = -sign * a.im[from]!;
    }
  }
  return result;
}

/** One sweep over all pairs; whether any element beside the diagonal counted. */
function diagonalise(a: Matrix, turned: Matrix, tiny: number): boolean {
  const n = a.rows;
  let turnedAny = false;
  for (let p = 0; p < n - 1; p++) {
    for (let q = p + 1; q < n; q++) {
      const [alpha, beta] = [a.re[p * n + p]!, a.re[q * n + q]!];
      const [re, im] = [a.re[p * n + q]!, a.im[p * n + q]!];
      // Relative to the diagonal elements: what is smaller changes no eigenvalue of a definite matrix (Demmel & Veselić 1992).
      if (Math.hypot(re, im) <= Math.max(tiny, unitRoundoff * Math.sqrt(Math.abs(alpha)) * Math.sqrt(Math.abs(beta)))) continue;
      const rotation = jacobiRotation(alpha, beta, re, im);
      rotateRows(turned, p, q, rotation);
      const conjugate = { ...rotation, im: -rotation.im };
      rotateRows(a, p, q, conjugate);
      rotateColumns(a, p, q, conjugate);
      settle(a, p, q, alpha - rotation.shift, beta + rotation.shift);
      turnedAny = true;
    }
  }
  return turnedAny;
}

/** What the rotation makes of the four elements where the rows and columns meet. */
function settle({ columns: n, re, im }: Matrix, p: number, q: number, alpha: number, beta: number): void {
  re[p * n + p] = alpha;
  re[q * n + q] = beta;
  re[p * n + q] = re[q * n + p] = 0;
  for (const at of [p * n + p, p * n + q, q * n + p, q * n + q]) im[at] = 0;
}
