/** Factorisations, and what is solved with them. */
import { broadcastTo, convert, fori, iotaBeside, matmul, mul, notEqual, type Operand, prod, reshape, sub, tril, triu } from '@tf/core';
import type { NativeRole, StableHloRole, StableHloSite, StableHloValue as Value, StableHloType as ValueType } from '@tf/export-stablehlo';
import { adjoint } from '../algebra.ts';
import { leadingBlock, padded } from '../blocks.ts';
import { identityColumns, inverseOrder, permutedRows } from '../permute.ts';
import { solveTriangle, type SystemOf } from '../triangular/operation.ts';
import { element, swapped } from './elements.ts';
import { byLapack, callLapack, infoType, matrixParts } from './lapack.ts';

const cholesky: NativeRole = {
  becomes: 'cholesky',
  caveats: ['a matrix that is not positive definite gives NaN: XLA has no errors'],
  toStableHlo({ writer, params, operands, outputs: [type], apply }) {
    const isUpper = params['upper'] === true;
    const factor = writer.other('cholesky', operands, type as ValueType, `, lower = ${String(!isUpper)}`);
    // What stands in the other triangle is not said.
    return apply((x) => (isUpper ? triu(x) : tril(x)) as Operand, factor);
  },
};

const transposes: { readonly [S in SystemOf]: string } = { matrix: 'NO_TRANSPOSE', transpose: 'TRANSPOSE', adjoint: 'ADJOINT' };

const triangularSolve: NativeRole = {
  becomes: 'triangular_solve',
  caveats: ['a zero on the diagonal gives infinities or NaN: XLA has no errors'],
  toStableHlo({ writer, params, operands, outputs }) {
    const attributes = ['left_side = true', `lower = ${String(params['upper'] !== true)}`, `transpose_a = #stablehlo<transpose ${transposes[params['of'] as SystemOf]}>`, `unit_diagonal = ${String(params['unit'] === true)}`];
    return writer.generic('triangular_solve', operands, outputs, attributes.join(', '));
  },
};

/** LAPACK says which row each row changed places with, one after the other, counting from 1. */
function factored(site: StableHloSite): readonly Value[] {
  const [a] = site.operands as readonly [Value];
  const [lead, rows, columns] = matrixParts(a);
  const k = Math.min(rows, columns);
  if (k === 0) return site.apply((x) => [x, ...unmoved(x, rows)], a);
  const [packed, pivots] = callLapack(site, 'getrf', [a], [a, { element: 'i32', shape: [...lead, k] }, infoType(lead)]) as readonly [Value, Value];
  return [packed, ...site.apply((given) => orderOf(sub(given, 1) as Operand, rows, k), pivots)];
}

/** The order of rows of which none moved, and its parity. */
function unmoved(x: Operand, rows: number): readonly Operand[] {
  const lead = x.type.shape.slice(0, -2);
  const first = reshape(sub(iotaBeside('lu', x, 1), -1) as Operand, []) as Operand;
  return [broadcastTo(iotaBeside('lu', x, rows), [...lead, rows]) as Operand, broadcastTo(first, lead) as Operand];
}

function orderOf(pivots: Operand, rows: number, k: number): readonly Operand[] {
  const lead = pivots.type.shape.slice(0, -1);
  const start = broadcastTo(iotaBeside('lu', pivots, rows), [...lead, rows]) as Operand;
  const order = fori(k, (i, current: Operand) => swapped(current, i as Operand, element(pivots, i as Operand)), start) as Operand;
  const moved = notEqual(pivots, iotaBeside('lu', pivots, k)) as Operand;
  return [order, prod(sub(1, mul(convert(moved, 'int32') as Operand, 2) as Operand) as Operand, { axes: -1 }) as Operand].map((each) => convert(each, 'int32') as Operand);
}

const luSolve: NativeRole = {
  becomes: 'triangular_solve',
  caveats: ['a singular matrix gives infinities or NaN: XLA has no errors'],
  toStableHlo({ params, operands: [, packed, order, b], apply }) {
    const of = params['of'] as SystemOf;
    return apply((factors, rows, right) => {
      if (of === 'matrix') return solveTriangle(factors as Operand, solveTriangle(factors as Operand, permutedRows(right as Operand, rows as Operand), { unit: true }), { upper: true });
      return permutedRows(solveTriangle(factors as Operand, solveTriangle(factors as Operand, right as Operand, { upper: true, of }), { unit: true, of }), inverseOrder(rows as Operand));
    }, packed as Value, order as Value, b as Value);
  },
};

/** Reflections, and their factors. */
function reflections(site: StableHloSite, a: Value): readonly [h: Value, tau: Value] {
  const [lead, rows, columns] = matrixParts(a);
  const k = Math.min(rows, columns);
  const scales: ValueType = { element: a.element, shape: [...lead, k] };
  if (k === 0) return [a, site.writer.zeros(scales)];
  return callLapack(site, 'geqrf', [a], [a, scales]) as readonly [Value, Value];
}

/** The first columns of Q, as many as there are rows and reflections or more. */
function columnsOfQ(site: StableHloSite, h: Value, tau: Value, count: number): Value {
  const [, rows] = matrixParts(h);
  const [whole] = site.apply((x) => {
    const [, , own] = matrixParts(h);
    return own >= count ? leadingBlock(x as Operand, rows, count) : padded(x as Operand, rows, count);
  }, h) as readonly [Value];
  if (tau.shape.at(-1) === 0) return site.apply((x) => broadcastTo(identityColumns(x as Operand, rows, count), x?.type.shape ?? []) as Operand, whole)[0] as Value;
  return callLapack(site, ['orgqr', 'ungqr'], [whole, tau], [whole])[0] as Value;
}

function upperOf(site: StableHloSite, h: Value, rows: number): Value {
  return site.apply((x) => triu(leadingBlock(x as Operand, rows, h.shape.at(-1) as number)) as Operand, h)[0] as Value;
}

function qr(isComplete: boolean): (site: StableHloSite) => readonly Value[] {
  return (site) => {
    const [a] = site.operands as readonly [Value];
    const [, rows, columns] = matrixParts(a);
    const count = isComplete ? rows : Math.min(rows, columns);
    const [h, tau] = reflections(site, a);
    return [columnsOfQ(site, h, tau, count), upperOf(site, h, count)];
  };
}

function householderApply(site: StableHloSite): readonly Value[] {
  const [h, tau, c] = site.operands as readonly [Value, Value, Value];
  const q = columnsOfQ(site, h, tau, h.shape.at(-2) as number);
  return site.apply((x, y) => matmul(site.params['adjoint'] === true ? adjoint(x as Operand) : (x as Operand), y as Operand) as Operand, q, c);
}

function pivotedQr(site: StableHloSite): readonly Value[] {
  const [a] = site.operands as readonly [Value];
  const [lead, rows, columns] = matrixParts(a);
  const k = Math.min(rows, columns);
  const order: ValueType = { element: 'i32', shape: [...lead, columns] };
  if (k === 0) return site.apply((x) => [leadingBlock(x as Operand, rows, 0), leadingBlock(x as Operand, 0, columns), convert(broadcastTo(iotaBeside('qr', x as Operand, columns), order.shape), 'int64') as Operand], a);
  const [h, places, tau] = callLapack(site, 'geqp3', [a, site.writer.zeros(order)], [a, order, { element: a.element, shape: [...lead, k] }]) as readonly [Value, Value, Value];
  const [permutation] = site.apply((x) => convert(sub(x as Operand, 1), 'int64') as Operand, places) as readonly [Value];
  return [columnsOfQ(site, h, tau, k), upperOf(site, h, k), permutation];
}

export const factorisationRoles: { readonly [operation: string]: StableHloRole } = {
  cholesky,
  triangularSolve,
  lu: byLapack('lapack_*getrf_ffi', factored),
  luSolve,
  qr: byLapack('lapack_*geqrf_ffi and lapack_*orgqr_ffi', qr(false)),
  qrComplete: byLapack('lapack_*geqrf_ffi and lapack_*orgqr_ffi', qr(true)),
  qrUpper: byLapack('lapack_*geqrf_ffi', (site) => [upperOf(site, reflections(site, site.operands[0] as Value)[0], site.outputs[0]?.shape.at(-2) as number)]),
  householder: byLapack('lapack_*geqrf_ffi', (site) => reflections(site, site.operands[0] as Value)),
  householderApply: byLapack('lapack_*orgqr_ffi, and dot_general', householderApply),
  qrPivoted: byLapack('lapack_*geqp3_ffi and lapack_*orgqr_ffi', pivotedQr),
};
