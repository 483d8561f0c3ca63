/** Householder reflections I − γ w wᴴ: Hermitian and unitary. */
import type { Matrix } from './matrix.ts';

/** w lies in rows `first` and below; nothing when the column is zero below its first element already. */
export interface Reflection {
  readonly first: number;
  readonly re: Float64Array;
  readonly im: Float64Array;
  readonly gamma: number;
}

/**
 * The reflection that makes a column zero below row `first`: w = x + e^{iθ}‖x‖ e₁ with θ the argument of x₁, γ = 2/‖w‖² =
 * 1 / (‖x‖ (‖x‖ + |x₁|)) (Golub & Van Loan 2013, section 5.1.13).
 */
export function reflectionOf(a: Matrix, first: number, column: number): Reflection | undefined {
  const count = a.rows - first;
  const [re, im] = [new Float64Array(count), new Float64Array(count)];
  let below = 0;
  for (let i = 0; i < count; i++) {
    const at = (first + i) * a.columns + column;
    [re[i], im[i]] = [a.re[at]!, a.im[at]!];
    if (i > 0) below = Math.hypot(below, re[i]!, im[i]!);
  }
  if (below === 0) return undefined;
  const head = Math.hypot(re[0]!, im[0]!);
  const norm = Math.hypot(head, below);
  // Of unit length, so that γ neither overflows nor vanishes.
  const [cos, sin] = head === 0 ? [1, 0] : [re[0]! / head, im[0]! / head];
  for (let i = 1; i < count; i++) {
    re[i]! /= norm;
    im[i]! /= norm;
  }
  const enlarged = head / norm + 1;
  [re[0], im[0]] = [cos * enlarged, sin * enlarged];
  return { first, re, im, gamma: 1 / enlarged };
}

/** H A, in columns `from` and further. */
export function reflectRows(a: Matrix, { first, re, im, gamma }: Reflection, from: number = 0): void {
  for (let j = from; j < a.columns; j++) {
    let [sumRe, sumIm] = [0, 0];
    for (let i = 0, at = first * a.columns + j; i < re.length; i++, at += a.columns) {
      sumRe += re[i]! * a.re[at]! + im[i]! * a.im[at]!;
      sumIm += re[i]! * a.im[at]! - im[i]! * a.re[at]!;
    }
    for (let i = 0, at = first * a.columns + j; i < re.length; i++, at += a.columns) {
      a.re[at]! -= gamma * (re[i]! * sumRe - im[i]! * sumIm);
      a.im[at]! -= gamma * (re[i]! * sumIm + im[i]! * sumRe);
    }
  }
}

/** A H. */
export function reflectColumns(a: Matrix, { first, re, im, gamma }: Reflection): void {
  for (let row = 0; row < a.rows; row++) {
    const start = row * a.columns + first;
    let [sumRe, sumIm] = [0, 0];
    for (let i = 0; i < re.length; i++) {
      sumRe += a.re[start + i]! * re[i]! - a.im[start + i]! * im[i]!;
      sumIm += a.re[start + i]! * im[i]! + a.im[start + i]! * re[i]!;
    }
    for (let i = 0; i < re.length; i++) {
      a.re[start + i]! -= gamma * (sumRe * re[i]! + sumIm * im[i]!);
      a.im[start + i]! -= gamma * (sumIm * re[i]! - sumRe * im[i]!);
    }
  }
}
