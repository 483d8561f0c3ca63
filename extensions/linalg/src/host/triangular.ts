/** Triangular systems and Cholesky's factor. */
import type { HostKernel } from '@tf/core';
import { failures } from '../failures.ts';
import { type FactorCall, factorKernels } from './factor-kernel.ts';
import type { Field } from './field.ts';

/** Whether the elements of one triangle are finite, those of the diagonal only where it is read. */
function isTriangleFinite(field: Field, a: Float64Array, n: number, upper: boolean, diagonal: boolean): boolean {
  for (let i = 0; i < n; i++) {
    const [from, to] = upper ? [diagonal ? i : i + 1, n] : [0, diagonal ? i + 1 : i];
    for (let at = (i * n + from) * field.lanes; at < (i * n + to) * field.lanes; at++) if (!Number.isFinite(a[at])) return false;
  }
  return true;
}

function triangularSolve({ field, inputs: [a, b], outputs: [x], integers: [, n, p, upper, mode, unit] }: FactorCall): boolean {
  if (unit !== 1) for (let i = 0; i < n!; i++) if (field.isZero(a!, i * n! + i)) return false;
  x!.set(b!);
  // Rows of the triangle one after the other, from the end that has one element.
  const down = (upper === 1) !== (mode === 0);
  for (let step = 0; step < n!; step++) {
    const i = down ? step : n! - 1 - step;
    if (mode === 0) substituteRow(field, a!, x!, i, n!, p!, upper === 1, unit === 1);
    else substituteColumn(field, a!, x!, i, n!, p!, upper === 1, unit === 1, mode === 2);
  }
  return true;
}

/** xᵢ = (xᵢ − Σ aᵢₖ xₖ)/aᵢᵢ. */
function substituteRow(field: Field, a: Float64Array, x: Float64Array, i: number, n: number, p: number, upper: boolean, unit: boolean): void {
  for (let k = upper ? i + 1 : 0; k < (upper ? n : i); k++) field.addMultiple(x, i * p, -1, a, i * n + k, false, x, k * p, p);
  if (!unit) field.divide(x, i * p, a, i * n + i, false, p);
}

/** The same of the transpose, whose column i is row i: once xᵢ is known its multiples are subtracted from those that follow. */
function substituteColumn(field: Field, a: Float64Array, x: Float64Array, i: number, n: number, p: number, upper: boolean, unit: boolean, conjugate: boolean): void {
  if (!unit) field.divide(x, i * p, a, i * n + i, conjugate, p);
  for (let k = upper ? i + 1 : 0; k < (upper ? n : i); k++) field.addMultiple(x, k * p, -1, a, i * n + k, conjugate, x, i * p, p);
}

/** Golub & Van Loan, Matrix Computations, §4.2.5 by rows: L in the lower triangle, whose elements above are not read. */
function factorDefinite(field: Field, l: Float64Array, n: number): boolean {
  const { lanes } = field;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) {
      field.subtractDot(l, i * n + j, l, i * n, l, j * n, j);
      field.divide(l, i * n + j, l, j * n + j, false, 1);
    }
    // Of a Hermitian matrix the diagonal is real.
    if (lanes === 2) l[2 * (i * n + i) + 1] = 0;
    field.subtractDot(l, i * n + i, l, i * n, l, i * n, i);
    const pivot = l[(i * n + i) * lanes] as number;
    if (!(pivot > 0)) return false;
    l[(i * n + i) * lanes] = Math.sqrt(pivot);
    if (lanes === 2) l[2 * (i * n + i) + 1] = 0;
  }
  return true;
}

/** One triangle of `from`, and its conjugate transpose where `across`, into zeros. */
function copyTriangle(field: Field, to: Float64Array, from: Float64Array, n: number, upper: boolean, across: boolean): void {
  const { lanes } = field;
  for (let i = 0; i < n; i++) {
    for (let j = upper ? i : 0; j < (upper ? n : i + 1); j++) {
      const [at, source] = [(across ? j * n + i : i * n + j) * lanes, (i * n + j) * lanes];
      to[at] = from[source] as number;
      if (lanes === 2) to[at + 1] = (across ? -1 : 1) * (from[source + 1] as number);
    }
  }
}

function cholesky({ field, inputs: [a], outputs: [factor], integers: [, n, upper] }: FactorCall): boolean {
  const l = upper === 1 ? new Float64Array(a!.length) : factor!;
  copyTriangle(field, l, a!, n!, upper === 1, upper === 1);
  const found = factorDefinite(field, l, n!);
  if (upper === 1) copyTriangle(field, factor!, l, n!, false, true);
  return found;
}

export const triangularKernels: Readonly<Record<string, HostKernel>> = {
  ...factorKernels({
    name: 'triangularSolve',
    run: triangularSolve,
    isFinite: ({ field, inputs: [a, b], integers: [, n, , upper, , unit] }) => isTriangleFinite(field, a!, n!, upper === 1, unit !== 1) && b!.every(Number.isFinite),
    failure: failures.triangularSolve,
  }),
  ...factorKernels({
    name: 'cholesky',
    run: cholesky,
    isFinite: ({ field, inputs: [a], integers: [, n, upper] }) => isTriangleFinite(field, a!, n!, upper === 1, true),
    failure: failures.cholesky,
  }),
};
