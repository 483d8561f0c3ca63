import { divided, squareRoot } from './complex.ts';
import { type Matrix, zeroMatrix } from './matrix.ts';

/**
 * The principal square root of an upper triangular matrix (Björck & Hammarling 1983): x_ii = √t_ii, and along the columns
 * x_ij = (t_ij − Σ_{i<k<j} x_ik x_kj) / (x_ii + x_jj). Two zero eigenvalues have a root only where nothing couples them; elsewhere it is
 * infinite.
 */
export function triangularRoot(t: Matrix): Matrix {
  const n = t.rows;
  const x = zeroMatrix(n, n);
  for (let j = 0; j < n; j++) {
    [x.re[j * n + j], x.im[j * n + j]] = squareRoot(t.re[j * n + j]!, t.im[j * n + j]!);
    for (let i = j - 1; i >= 0; i--) {
      const at = i * n + j;
      let [re, im] = [t.re[at]!, t.im[at]!];
      for (let k = i + 1; k < j; k++) {
        const [aRe, aIm, bRe, bIm] = [x.re[i * n + k]!, x.im[i * n + k]!, x.re[k * n + j]!, x.im[k * n + j]!];
        re -= aRe * bRe - aIm * bIm;
        im -= aRe * bIm + aIm * bRe;
      }
      const isFree = re === 0 && im === 0;
      [x.re[at], x.im[at]] = isFree ? [0, 0] : divided(re, im, x.re[i * n + i]! + x.re[j * n + j]!, x.im[i * n + i]! + x.im[j * n + j]!);
    }
  }
  return x;
}
