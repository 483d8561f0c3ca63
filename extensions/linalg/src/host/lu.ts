/** LU with partial pivoting, and what its factors solve. */
import type { HostKernel } from '@tf/core';
import { failures } from '../failures.ts';
import { type FactorCall, factorKernels } from './factor-kernel.ts';
import type { Field } from './field.ts';

/** Rows i and j of a matrix of n columns change places. */
export function swapRows(a: Float64Array, i: number, j: number, n: number, lanes: number): void {
  const width = n * lanes;
  const row = a.slice(i * width, (i + 1) * width);
  a.copyWithin(i * width, j * width, (j + 1) * width);
  a.set(row, j * width);
}

/** What partial or complete pivoting leaves: row i of the packed factors is row `rows[i]` of the matrix. */
export function eliminate(field: Field, a: Float64Array, m: number, n: number, k: number): void {
  if (field.isZero(a, k * n + k)) return;
  for (let i = k + 1; i < m; i++) {
    field.divide(a, i * n + k, a, k * n + k, false, 1);
    field.addMultiple(a, i * n + k + 1, -1, a, i * n + k, false, a, k * n + k + 1, n - k - 1);
  }
}

/** Golub & Van Loan, Matrix Computations, algorithm 3.4.1: packed factors in place, the rows' order; gives the parity of that order. */
function factor(field: Field, a: Float64Array, m: number, n: number, order: Int32Array): number {
  let parity = 1;
  for (let i = 0; i < m; i++) order[i] = i;
  for (let k = 0; k < Math.min(m, n); k++) {
    let pivot = k;
    for (let i = k + 1; i < m; i++) if (field.size(a, i * n + k) > field.size(a, pivot * n + k)) pivot = i;
    if (pivot !== k) {
      swapRows(a, k, pivot, n, field.lanes);
      [order[k], order[pivot]] = [order[pivot] as number, order[k] as number];
      parity = -parity;
    }
    eliminate(field, a, m, n, k);
  }
  return parity;
}

function lu({ field, inputs: [a], outputs: [factors], integerOutputs: [order, parity], integers: [, m, n] }: FactorCall): void {
  factors!.set(a!);
  parity![0] = factor(field, factors!, m!, n!, order as Int32Array);
}

/** Whether a packed factor has a zero on the diagonal. */
function isSingular(field: Field, factors: Float64Array, n: number): boolean {
  for (let i = 0; i < n; i++) if (field.isZero(factors, i * n + i)) return true;
  return false;
}

/** L Y = P B and U X = Y. */
function solvePlain(field: Field, factors: Float64Array, order: Int32Array, b: Float64Array, x: Float64Array, n: number, p: number): void {
  const width = p * field.lanes;
  order.forEach((row, i) => x.set(b.subarray(row * width, (row + 1) * width), i * width));
  for (let i = 0; i < n; i++) for (let k = 0; k < i; k++) field.addMultiple(x, i * p, -1, factors, i * n + k, false, x, k * p, p);
  for (let i = n - 1; i >= 0; i--) {
    for (let k = i + 1; k < n; k++) field.addMultiple(x, i * p, -1, factors, i * n + k, false, x, k * p, p);
    field.divide(x, i * p, factors, i * n + i, false, p);
  }
}

/** Uᵀ Y = B, Lᵀ Z = Y and X = Pᵀ Z, or with the factors' conjugates; `b` is overwritten. */
function solveTransposed(field: Field, factors: Float64Array, order: Int32Array, b: Float64Array, x: Float64Array, n: number, p: number, conjugate: boolean): void {
  const width = p * field.lanes;
  for (let k = 0; k < n; k++) {
    field.divide(b, k * p, factors, k * n + k, conjugate, p);
    for (let i = k + 1; i < n; i++) field.addMultiple(b, i * p, -1, factors, k * n + i, conjugate, b, k * p, p);
  }
  for (let k = n - 1; k >= 0; k--) for (let i = 0; i < k; i++) field.addMultiple(b, i * p, -1, factors, k * n + i, conjugate, b, k * p, p);
  order.forEach((row, i) => x.set(b.subarray(i * width, (i + 1) * width), row * width));
}

function luSolve({ field, inputs: [, factors, b], indices: [order], outputs: [x], integers: [, n, p, mode] }: FactorCall): boolean {
  if (isSingular(field, factors!, n!)) return false;
  if (mode === 0) solvePlain(field, factors!, order!, b!, x!, n!, p!);
  else solveTransposed(field, factors!, order!, b!, x!, n!, p!, mode === 2);
  return true;
}

export const luKernels: Readonly<Record<string, HostKernel>> = {
  ...factorKernels({ name: 'lu', run: lu }),
  // The matrix itself is not read.
  ...factorKernels({ name: 'luSolve', run: luSolve, isFinite: ({ inputs }) => inputs.slice(1).every((input) => input.every(Number.isFinite)), failure: failures.luSolve }),
};
