import { identityMatrix, type Matrix, transposed, zeroMatrix } from './matrix.ts';
import { type Reflection, reflectionOf, reflectRows } from './reflections.ts';

/**
 * Orthonormal rows, with `count` − r more that are orthogonal to them: the r reflections that make their transpose triangular take the
 * remaining unit vectors there (Golub & Van Loan 2013, section 5.2.6).
 */
export function completedRows(rows: Matrix, count: number): Matrix {
  const [given, length] = [rows.rows, rows.columns];
  if (given >= count) return rows;
  const factored = transposed(rows);
  const reflections: Reflection[] = [];
  for (let j = 0; j < given; j++) {
    const reflection = reflectionOf(factored, j, j);
    if (reflection === undefined) continue;
    reflectRows(factored, reflection, j);
    reflections.push(reflection);
  }
  const rest = zeroMatrix(length, count - given);
  for (let j = given; j < count; j++) rest.re[j * rest.columns + j - given] = 1;
  for (const reflection of reflections.reverse()) reflectRows(rest, reflection);
  const result = identityMatrix(count, length);
  const added = transposed(rest);
  for (const part of ['re', 'im'] as const) {
    result[part].set(rows[part]);
    result[part].set(added[part], given * length);
  }
  return result;
}
