/** Unitary 2×2 transformations of two rows or two columns of a matrix. */
import type { Matrix } from './matrix.ts';

/** [[c, s], [−s̄, c]] with a real c. */
export interface Rotation {
  readonly c: number;
  readonly re: number;
  readonly im: number;
}

/** The rotation that takes (x, y) to (r, 0) (Golub & Van Loan 2013, section 5.1.8). */
export function rotationOf(xRe: number, xIm: number, yRe: number, yIm: number): Rotation {
  const [x, y] = [Math.hypot(xRe, xIm), Math.hypot(yRe, yIm)];
  if (y === 0) return { c: 1, re: 0, im: 0 };
  if (x === 0) return { c: 0, re: yRe / y, im: -yIm / y };
  const length = Math.hypot(x, y);
  // s = (x / |x|) ȳ / length
  const [re, im] = [xRe / x, xIm / x];
  return { c: x / length, re: (re * yRe + im * yIm) / length, im: (im * yRe - re * yIm) / length };
}

/** Rows p and q, from column `from` on: x ↦ c x + s y, y ↦ c y − s̄ x. */
export function rotateRows(matrix: Matrix, p: number, q: number, rotation: Rotation, from: number = 0): void {
  rotateLines(matrix, p * matrix.columns + from, q * matrix.columns + from, 1, matrix.columns - from, rotation);
}

/** Columns p and q of the first `count` rows, by the adjoint of what {@link rotateRows} does: x ↦ c x + s̄ y, y ↦ c y − s x. */
export function rotateColumns(matrix: Matrix, p: number, q: number, { c, re, im }: Rotation, count: number = matrix.rows): void {
  rotateLines(matrix, p, q, matrix.columns, count, { c, re, im: -im });
}

/** Numbers at `first`, `second` and every `step` further: x ↦ c x + s y, y ↦ c y − s̄ x. */
function rotateLines({ re: a, im: b }: Matrix, first: number, second: number, step: number, count: number, { c, re, im }: Rotation): void {
  for (let i = 0, p = first, q = second; i < count; i++, p += step, q += step) {
    const [xRe, xIm, yRe, yIm] = [a[p]!, b[p]!, a[q]!, b[q]!];
    a[p] = c * xRe + (re * yRe - im * yIm);
    b[p] = c * xIm + (re * yIm + im * yRe);
    a[q] = c * yRe - (re * xRe + im * xIm);
    b[q] = c * yIm - (re * xIm - im * xRe);
  }
}

/**
 * The rotation that, on columns p and q, makes the Hermitian matrix [[α, ζ], [ζ̄, β]] of their products diagonal: with
 * τ = (β − α) / (2|ζ|) and t the smaller root of t² + 2τt = 1 (Golub & Van Loan 2013, section 8.5.2), x ↦ c (x − t e^{−iφ} y),
 * y ↦ c (y + t e^{iφ} x), φ the argument of ζ. The diagonal becomes α − t|ζ|, β + t|ζ|. For {@link rotateRows} of a matrix whose rows
 * are those columns.
 */
export function jacobiRotation(alpha: number, beta: number, zetaRe: number, zetaIm: number): Rotation & { readonly shift: number } {
  const size = Math.hypot(zetaRe, zetaIm);
  const tau = (beta - alpha) / (2 * size);
  const t = (tau < 0 ? -1 : 1) / (Math.abs(tau) + Math.hypot(1, tau));
  const c = 1 / Math.hypot(1, t);
  const s = t * c;
  return { c, re: -s * (zetaRe / size), im: s * (zetaIm / size), shift: t * size };
}
