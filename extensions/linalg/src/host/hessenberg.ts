import { copied, identityMatrix, type Matrix, zeroMatrix } from './matrix.ts';
import { reflectColumns, reflectionOf, reflectRows } from './reflections.ts';

/** A = Z T Zᴴ with a unitary Z: triangular, quasi-triangular or Hessenberg T. Z has no columns when it is not wanted. */
export interface SchurForm {
  readonly t: Matrix;
  readonly z: Matrix;
}

/** Zero below the first subdiagonal, by reflections (Golub & Van Loan 2013, algorithm 7.4.2). */
export function hessenbergForm(a: Matrix, wanted: boolean): SchurForm {
  const n = a.rows;
  const t = copied(a);
  const z = wanted ? identityMatrix(n) : zeroMatrix(0, n);
  for (let j = 0; j + 2 < n; j++) {
    const reflection = reflectionOf(t, j + 1, j);
    if (reflection === undefined) continue;
    reflectRows(t, reflection, j);
    reflectColumns(t, reflection);
    reflectColumns(z, reflection);
    for (let i = j + 2; i < n; i++) t.re[i * n + j] = t.im[i * n + j] = 0;
  }
  return { t, z };
}
