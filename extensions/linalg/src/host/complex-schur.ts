/** The Schur form of complex matrices by QR steps with one shift (Golub & Van Loan 2013, section 7.5; Francis 1961). */
import { divided, squareRoot } from './complex.ts';
import { blockStart } from './deflation.ts';
import { hessenbergForm, type SchurForm } from './hessenberg.ts';
import { type Matrix, scaledToOne, timesReal } from './matrix.ts';
import { rotateColumns, rotateRows, rotationOf } from './rotations.ts';

/** Steps after which one eigenvalue should long have been found; about three are usual. */
export const mostSteps = 300;

/** A = Z T Zᴴ of a finite matrix, T triangular; nothing when the steps do not end. */
export function complexSchur(a: Matrix, wanted: boolean): SchurForm | undefined {
  const { matrix, scale } = scaledToOne(a);
  const { t, z } = hessenbergForm(matrix, wanted);
  let [last, steps] = [t.rows - 1, 0];
  while (last > 0) {
    const first = blockStart(t, last);
    if (first === last) {
      [last, steps] = [last - 1, 0];
      continue;
    }
    if (++steps > mostSteps) return undefined;
    step(t, z, first, last, steps % 10 === 0 ? exceptionalShift(t, last) : wilkinsonShift(t, last));
  }
  return { t: timesReal(t, scale), z };
}

type Shift = readonly [re: number, im: number];

/** The eigenvalue of the last 2×2 block that is closer to its last element. */
function wilkinsonShift({ columns: n, re, im }: Matrix, last: number): Shift {
  const at = last * n + last;
  const [aRe, aIm, dRe, dIm] = [re[at - n - 1]!, im[at - n - 1]!, re[at]!, im[at]!];
  const [bRe, bIm, cRe, cIm] = [re[at - n]!, im[at - n]!, re[at - 1]!, im[at - 1]!];
  // d − bc / (p ± √(p² + bc)), p = (a − d)/2, with the larger divisor
  const [pRe, pIm] = [0.5 * (aRe - dRe), 0.5 * (aIm - dIm)];
  const [productRe, productIm] = [bRe * cRe - bIm * cIm, bRe * cIm + bIm * cRe];
  if (productRe === 0 && productIm === 0) return [dRe, dIm];
  const [rootRe, rootIm] = squareRoot(pRe * pRe - pIm * pIm + productRe, 2 * pRe * pIm + productIm);
  const sign = pRe * rootRe + pIm * rootIm < 0 ? -1 : 1;
  const [quotientRe, quotientIm] = divided(productRe, productIm, pRe + sign * rootRe, pIm + sign * rootIm);
  return [dRe - quotientRe, dIm - quotientIm];
}

/** Breaks a cycle that the usual shift can fall into (Martin, Peters & Wilkinson 1970). */
function exceptionalShift({ columns: n, re, im }: Matrix, last: number): Shift {
  const at = last * n + last;
  return [re[at]! + 0.75 * (Math.abs(re[at - 1]!) + Math.abs(im[at - 1]!)), im[at]!];
}

/** One QR step on the block between rows `first` and `last`: a rotation from the shifted first column, then the bulge is chased out. */
function step(t: Matrix, z: Matrix, first: number, last: number, [shiftRe, shiftIm]: Shift): void {
  const n = t.columns;
  for (let k = first; k < last; k++) {
    const at = k === first ? k * n + k : k * n + k - 1;
    const [xRe, xIm] = k === first ? [t.re[at]! - shiftRe, t.im[at]! - shiftIm] : [t.re[at]!, t.im[at]!];
    const rotation = rotationOf(xRe, xIm, t.re[at + n]!, t.im[at + n]!);
    rotateRows(t, k, k + 1, rotation, Math.max(first, k - 1));
    if (k > first) t.re[at + n] = t.im[at + n] = 0;
    rotateColumns(t, k, k + 1, rotation, Math.min(last, k + 2) + 1);
    rotateColumns(z, k, k + 1, rotation);
  }
}
