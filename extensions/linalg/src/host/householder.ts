/** QR by Householder reflections, without and with column pivoting. */
import type { HostKernel } from '@tf/core';
import { type FactorCall, factorKernels } from './factor-kernel.ts';
import type { Field } from './field.ts';
import { swapColumns } from './full-pivot.ts';

/** The norm of the numbers below (row, column), that one included; neither large nor small ones overflow or vanish. */
function columnNorm(field: Field, a: Float64Array, m: number, n: number, row: number, column: number): number {
  const { lanes } = field;
  let largest = 0;
  for (let i = row; i < m; i++) largest = Math.max(largest, field.size(a, i * n + column));
  if (largest === 0) return 0;
  let sum = 0;
  for (let i = row; i < m; i++) for (let lane = 0; lane < lanes; lane++) sum += ((a[(i * n + column) * lanes + lane] as number) / largest) ** 2;
  return largest * Math.sqrt(sum);
}

/**
 * H = I − τ v vᴴ with Hᴴ x = (β, 0, …), β real, v₀ = 1, for column k from its diagonal down: β takes the place of x₀, v that of what
 * follows (Golub & Van Loan, algorithm 5.1.1, with the signs of LAPACK's larfg).
 */
function reflect(field: Field, a: Float64Array, m: number, n: number, k: number, tau: Float64Array): void {
  const { lanes } = field;
  const at = k * n + k;
  const [re, im] = [a[at * lanes] as number, lanes === 2 ? (a[at * lanes + 1] as number) : 0];
  const below = columnNorm(field, a, m, n, k + 1, k);
  if (below === 0 && im === 0) return;
  const beta = (re > 0 || Object.is(re, 0) ? -1 : 1) * columnNorm(field, a, m, n, k, k);
  tau[k * lanes] = (beta - re) / beta;
  if (lanes === 2) tau[2 * k + 1] = -im / beta;
  const divisor = Float64Array.of(re - beta, im);
  for (let i = k + 1; i < m; i++) field.divide(a, i * n + k, divisor, 0, false, 1);
  a[at * lanes] = beta;
  if (lanes === 2) a[2 * at + 1] = 0;
}

/** Rows from k on of C, from column `from` on, become H C or Hᴴ C, the vector of H lying in column k of h. */
function applyReflection(field: Field, h: Float64Array, j: number, k: number, tau: Float64Array, adjoint: boolean, c: Float64Array, m: number, p: number, from: number): void {
  const width = p - from;
  if (width <= 0 || field.isZero(tau, k)) return;
  const { lanes } = field;
  const w = c.slice((k * p + from) * lanes, (k + 1) * p * lanes);
  for (let i = k + 1; i < m; i++) field.addMultiple(w, 0, 1, h, i * j + k, true, c, i * p + from, width);
  const factor = tau.slice(k * lanes, (k + 1) * lanes);
  if (adjoint && lanes === 2) factor[1] = -(factor[1] as number);
  field.scale(w, 0, factor, 0, width);
  for (let at = 0; at < width * lanes; at++) c[(k * p + from) * lanes + at]! -= w[at] as number;
  for (let i = k + 1; i < m; i++) field.addMultiple(c, i * p + from, -1, h, i * j + k, false, w, 0, width);
}

/** All reflections in place: R above, the vectors below. */
function factor(field: Field, a: Float64Array, m: number, n: number, tau: Float64Array): void {
  for (let k = 0; k < Math.min(m, n); k++) {
    reflect(field, a, m, n, k, tau);
    applyReflection(field, a, n, k, tau, true, a, m, n, k + 1);
  }
}

/** Q C in place, or Qᴴ C. */
function applyAll(field: Field, h: Float64Array, j: number, tau: Float64Array, count: number, c: Float64Array, m: number, p: number, adjoint: boolean): void {
  for (let step = 0; step < count; step++) {
    const k = adjoint ? step : count - 1 - step;
    applyReflection(field, h, j, k, tau, adjoint, c, m, p, 0);
  }
}

function copyUpper(r: Float64Array, h: Float64Array, rows: number, n: number, lanes: number): void {
  for (let i = 0; i < rows; i++) if (i < n) r.set(h.subarray((i * n + i) * lanes, (i + 1) * n * lanes), (i * n + i) * lanes);
}

/** The first columns of Q. */
function formQ(field: Field, h: Float64Array, n: number, tau: Float64Array, q: Float64Array, m: number, columns: number): void {
  for (let i = 0; i < columns; i++) q[(i * columns + i) * field.lanes] = 1;
  applyAll(field, h, n, tau, Math.min(m, n), q, m, columns, false);
}

function qrWith(columnsOf: (m: number, n: number) => number): (call: FactorCall) => void {
  return ({ field, inputs: [a], outputs: [q, r], integers: [, m, n] }) => {
    const tau = new Float64Array(Math.min(m!, n!) * field.lanes);
    factor(field, a!, m!, n!, tau);
    copyUpper(r!, a!, columnsOf(m!, n!), n!, field.lanes);
    formQ(field, a!, n!, tau, q!, m!, columnsOf(m!, n!));
  };
}

function qrUpper({ field, inputs: [a], outputs: [r], integers: [, m, n] }: FactorCall): void {
  factor(field, a!, m!, n!, new Float64Array(Math.min(m!, n!) * field.lanes));
  copyUpper(r!, a!, Math.min(m!, n!), n!, field.lanes);
}

function householder({ field, inputs: [a], outputs: [h, tau], integers: [, m, n] }: FactorCall): void {
  h!.set(a!);
  factor(field, h!, m!, n!, tau!);
}

function householderApply({ field, inputs: [h, tau, c], outputs: [product], integers: [, m, j, p, adjoint] }: FactorCall): void {
  product!.set(c!);
  applyAll(field, h!, j!, tau!, Math.min(m!, j!), product!, m!, p!, adjoint === 1);
}

/** Businger & Golub, Numerische Mathematik 7 (1965): the column with the largest rest comes next, of several the first. */
function qrPivoted({ field, inputs: [a], outputs: [q, r], integerOutputs: [order], integers: [, m, n] }: FactorCall): void {
  const columns = order as BigInt64Array;
  const tau = new Float64Array(Math.min(m!, n!) * field.lanes);
  for (let j = 0; j < n!; j++) columns[j] = BigInt(j);
  for (let k = 0; k < Math.min(m!, n!); k++) {
    const norms = Array.from({ length: n! - k }, (_, j) => columnNorm(field, a!, m!, n!, k, k + j));
    const next = k + norms.indexOf(Math.max(...norms));
    swapColumns(a!, k, next, m!, n!, field.lanes);
    [columns[k], columns[next]] = [columns[next] as bigint, columns[k] as bigint];
    reflect(field, a!, m!, n!, k, tau);
    applyReflection(field, a!, n!, k, tau, true, a!, m!, n!, k + 1);
  }
  copyUpper(r!, a!, Math.min(m!, n!), n!, field.lanes);
  formQ(field, a!, n!, tau, q!, m!, Math.min(m!, n!));
}

export const householderKernels: Readonly<Record<string, HostKernel>> = {
  ...factorKernels({ name: 'qr', run: qrWith(Math.min) }),
  ...factorKernels({ name: 'qrComplete', run: qrWith((m) => m) }),
  ...factorKernels({ name: 'qrUpper', run: qrUpper }),
  ...factorKernels({ name: 'householder', run: householder }),
  ...factorKernels({ name: 'householderApply', run: householderApply }),
  ...factorKernels({ name: 'qrPivoted', run: qrPivoted }),
};
