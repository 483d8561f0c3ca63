/** LU with complete pivoting, and cofactors by it. */
import type { HostKernel } from '@tf/core';
import { type FactorCall, factorKernels } from './factor-kernel.ts';
import type { Field } from './field.ts';
import { eliminate, swapRows } from './lu.ts';
import { productsWithoutOne } from './products.ts';

export function swapColumns(a: Float64Array, i: number, j: number, m: number, n: number, lanes: number): void {
  for (let row = 0; row < m; row++) {
    for (let lane = 0; lane < lanes; lane++) {
      const [left, right] = [(row * n + i) * lanes + lane, (row * n + j) * lanes + lane];
      [a[left], a[right]] = [a[right] as number, a[left] as number];
    }
  }
}

/** The place of the largest element from (k, k) on; of several the first, by rows. */
function largestFrom(field: Field, a: Float64Array, m: number, n: number, k: number): readonly [row: number, column: number] {
  let [row, column, largest] = [k, k, 0];
  for (let i = k; i < m; i++) {
    for (let j = k; j < n; j++) {
      const size = field.size(a, i * n + j);
      if (size > largest) [row, column, largest] = [i, j, size];
    }
  }
  return [row, column];
}

interface Orders {
  readonly rows: Int32Array;
  readonly columns: Int32Array;
}

/**
 * Golub & Van Loan, Matrix Computations, §3.4.8: packed factors in place, element (i, j) of the product being element (rows[i], columns[j]) of
 * the matrix; gives the parity of both orders. A zero pivot is left as it is: all that follow are zero too.
 */
function factorFully(field: Field, a: Float64Array, m: number, n: number, { rows, columns }: Orders): number {
  let parity = 1;
  rows.forEach((_, i) => (rows[i] = i));
  columns.forEach((_, j) => (columns[j] = j));
  for (let k = 0; k < Math.min(m, n); k++) {
    const [row, column] = largestFrom(field, a, m, n, k);
    if (row !== k) {
      swapRows(a, k, row, n, field.lanes);
      [rows[k], rows[row]] = [rows[row] as number, rows[k] as number];
      parity = -parity;
    }
    if (column !== k) {
      swapColumns(a, k, column, m, n, field.lanes);
      [columns[k], columns[column]] = [columns[column] as number, columns[k] as number];
      parity = -parity;
    }
    eliminate(field, a, m, n, k);
  }
  return parity;
}

function luFullPivot({ field, inputs: [a], outputs: [factors], integerOutputs: [rows, columns, parity], integers: [, m, n] }: FactorCall): void {
  factors!.set(a!);
  parity![0] = factorFully(field, factors!, m!, n!, { rows: rows as Int32Array, columns: columns as Int32Array });
}

/** L⁻¹ for the unit lower triangle of packed factors. */
function unitLowerInverse(field: Field, factors: Float64Array, n: number): Float64Array {
  const inverse = new Float64Array(n * n * field.lanes);
  for (let i = 0; i < n; i++) {
    inverse[(i * n + i) * field.lanes] = 1;
    for (let k = 0; k < i; k++) field.addMultiple(inverse, i * n, -1, factors, i * n + k, false, inverse, k * n, k + 1);
  }
  return inverse;
}

/** U⁻¹ X in place, for the upper triangle of packed factors with each row divided by its pivot; rows of zeros are the identity's. */
function unitUpperSolve(field: Field, factors: Float64Array, x: Float64Array, n: number): void {
  for (let k = 0; k < n; k++) if (!field.isZero(factors, k * n + k)) field.divide(factors, k * n + k + 1, factors, k * n + k, false, n - k - 1);
  for (let i = n - 1; i >= 0; i--) for (let k = i + 1; k < n; k++) field.addMultiple(x, i * n, -1, factors, i * n + k, false, x, k * n, n);
}

/**
 * With A = Pᵀ L D U Qᵀ, L and U of unit diagonal, adj(A) = ±Q U⁻¹ adj(D) L⁻¹ P, where adj(D)ᵢᵢ is the product of all pivots but one:
 * nothing is divided by a small one, and with complete pivoting L and U are well conditioned (Stewart, Matrix Algorithms I, §3.2.4).
 * Cofactors are the transpose of the adjugate.
 */
function cofactor({ field, inputs: [a], outputs: [cofactors], integers: [, n] }: FactorCall): void {
  const { lanes } = field;
  const [rows, columns] = [new Int32Array(n!), new Int32Array(n!)];
  const parity = factorFully(field, a!, n!, n!, { rows, columns });
  const pivots = Float64Array.from({ length: n! * lanes }, (_, at) => a![(Math.floor(at / lanes) * n! + Math.floor(at / lanes)) * lanes + (at % lanes)] as number);
  const others = productsWithoutOne(field, pivots, parity);
  const x = unitLowerInverse(field, a!, n!);
  for (let i = 0; i < n!; i++) field.scale(x, i * n!, others, i, n!);
  unitUpperSolve(field, a!, x, n!);
  for (let i = 0; i < n!; i++) {
    for (let j = 0; j < n!; j++) {
      const to = (rows[j]! * n! + columns[i]!) * lanes;
      for (let lane = 0; lane < lanes; lane++) cofactors![to + lane] = x[(i * n! + j) * lanes + lane] as number;
    }
  }
}

export const fullPivotKernels: Readonly<Record<string, HostKernel>> = {
  ...factorKernels({ name: 'luFullPivot', run: luFullPivot }),
  // The factors with partial pivoting are not read: this does without them.
  ...factorKernels({ name: 'cofactor', run: cofactor, isFinite: ({ inputs }) => inputs[0]!.every(Number.isFinite) }),
};
