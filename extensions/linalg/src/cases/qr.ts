/** Uses of QR decompositions: of what they determine. */
import { applyOperation, mul, type Operand, sum } from '@tf/core';
import { type ExtensionCase, hostValue } from '@tf/testkit';
import { adjoint, times } from '../algebra.ts';
import { block } from '../blocks.ts';
import { HouseholderQr, householderQr } from '../householder/householder-qr.ts';
import { applyReflections, reflectionsOf } from '../householder/operation.ts';
import { qrUpperOperation } from '../qr/operation.ts';
import { qr, type QrOptions } from '../qr/qr.ts';
import { rankRevealingQr } from '../pivoted-qr/operation.ts';
import { binary, label, unary, values } from './matrices.ts';

const dtypes = ['float64', 'complex128'] as const;
const shapes: readonly (readonly number[])[] = [[1, 1], [3, 3], [4, 2], [2, 4], [2, 3, 2], [4, 1], [1, 3]];

function factorsOf(options: QrOptions): (a: Operand) => readonly Operand[] {
  return (a) => {
    const { q, r } = qr(a, options);
    // Squares: of one element Q and R have second derivatives that are 0, where relative bounds say nothing.
    return [q, mul(r, r) as Operand];
  };
}

/** Q's first columns, the projector on the others, and R. */
function determined(q: Operand, r: Operand, k: number): readonly Operand[] {
  const [rows, columns] = q.type.shape.slice(-2) as unknown as readonly [number, number];
  const rest = block(q, [0, rows], [k, columns]);
  return [block(q, [0, rows], [0, k]), times(rest, adjoint(rest)), mul(r, r) as Operand];
}

const decompositions: readonly ExtensionCase[] = dtypes.flatMap((dtype) => shapes.flatMap((shape, at): readonly ExtensionCase[] => {
  const x = values(dtype, shape, 110 + at);
  const name = label(dtype, shape);
  const k = Math.min(...shape.slice(-2));
  return [
    { name: `qr, ${name}`, inputs: [x], f: unary(factorsOf({})) },
    { name: `qr with a positive diagonal, ${name}`, inputs: [x], f: unary(factorsOf({ gauge: 'positiveDiagonal' })) },
    { name: `R alone, ${name}`, inputs: [x], f: unary((a) => qr(a).r) },
    { name: `R by an operation of its own, ${name}`, inputs: [x], f: unary((a) => applyOperation(qrUpperOperation, [a], {})[0] as Operand) },
    { name: `complete qr, ${name}`, inputs: [x], f: unary((a) => { const { q, r } = qr(a, { mode: 'complete', gauge: 'positiveDiagonal' }); return determined(q, r, k); }) },
    { name: `householderQr, ${name}`, inputs: [x], f: unary((a) => { const state = householderQr(a); return [state.qColumns(), state.r()] as readonly Operand[]; }) },
  ];
}));

const states: readonly ExtensionCase[] = dtypes.flatMap((dtype, which): readonly ExtensionCase[] => [
  { name: `columns appended, ${dtype}`, inputs: [values(dtype, [4, 2], 120 + which), values(dtype, [4, 1], 122 + which)], f: binary((a, b) => { const state = householderQr(a).append(b as Operand); return [state.qColumns([1, 3]), state.r()] as readonly Operand[]; }) },
  { name: `columns appended beyond a square, ${dtype}`, inputs: [values(dtype, [2, 2], 124 + which), values(dtype, [2, 2], 126 + which)], f: binary((a, b) => { const state = householderQr(a).append(b as Operand); return [state.qColumns(), state.r()] as readonly Operand[]; }) },
  { name: `columns appended until it is wide, ${dtype}`, inputs: [values(dtype, [2, 3, 2], 128 + which), values(dtype, [2, 3, 2], 130 + which)], f: binary((a, b) => { const state = HouseholderQr.fromFactors(householderQr(a).factors).append(b as Operand); return [state.qColumns(), state.r()] as readonly Operand[]; }) },
  { name: `columns of Q beyond the rank, ${dtype}`, inputs: [values(dtype, [5, 2], 132 + which)], f: unary((a) => { const rest = householderQr(a).qColumns([2, 5]) as Operand; return times(rest, adjoint(rest)); }) },
  { name: `reflections applied, ${dtype}`, inputs: [values(dtype, [4, 2], 134 + which), values(dtype, [4, 3], 136 + which)], wrt: [1], f: binary((a, c) => [applyReflections(reflectionsOf(a), c), applyReflections(reflectionsOf(a), c, true)]) },
  { name: `columns that begin with a reflection of nothing, ${dtype}`, inputs: [hostValue(dtype, [3, 2], dtype === 'float64' ? [2, 1, 0, 3, 0, 4] : [2, 0, 1, 1, 0, 0, 3, 0, 0, 0, 4, -1])], f: unary((a) => { const { q, r } = qr(a, { gauge: 'positiveDiagonal' }); return [times(q, adjoint(q)), mul(r, r)] as readonly Operand[]; }) },
  { name: `rankRevealingQr, ${dtype}`, inputs: [values(dtype, [2, 4, 3], 138 + which)], f: unary((a) => { const { q, r, permutation, rank } = rankRevealingQr(a); return [q, r, permutation, rank]; }) },
]);

const edges: readonly ExtensionCase[] = [
  { name: 'qr of no rows', inputs: [values('float64', [0, 3], 140)], f: unary(factorsOf({ gauge: 'positiveDiagonal' })) },
  { name: 'qr of no columns', inputs: [values('float64', [3, 0], 141)], f: unary((a) => { const { q, r } = qr(a, { mode: 'complete' }); return [times(q, adjoint(q)), r]; }), expected: [hostValue('float64', [3, 3], [1, 0, 0, 0, 1, 0, 0, 0, 1]), hostValue('float64', [3, 0], [])] },
  { name: 'qr of no matrices', inputs: [values('complex128', [0, 3, 2], 142)], f: unary(factorsOf({})) },
  { name: 'columns appended to none', inputs: [values('float64', [3, 0], 143), values('float64', [3, 2], 144)], f: binary((a, b) => { const state = householderQr(a).append(b as Operand); return [state.qColumns(), state.r()] as readonly Operand[]; }) },
  { name: 'rankRevealingQr of nothing', inputs: [values('float64', [2, 0, 3], 145)], f: unary((a) => { const { permutation, rank } = rankRevealingQr(a); return [permutation, rank]; }), expected: [hostValue('int64', [2, 3], [0, 1, 2, 0, 1, 2]), hostValue('int64', [2], [0, 0])] },
  { name: 'the rank of columns that depend on others', inputs: [hostValue('float64', [3, 3], [1, 2, 3, 2, 4, 6, 0, 0, 1])], f: unary((a) => { const { permutation, rank } = rankRevealingQr(a); return [permutation, rank]; }), expected: [hostValue('int64', [3], [2, 1, 0]), hostValue('int64', [], [2])] },
  { name: 'qr of integers', inputs: [hostValue('int32', [2, 1], [3, 4])], f: unary((a) => sum(qr(a, { gauge: 'positiveDiagonal' }).r as Operand) as Operand), expected: [hostValue('float64', [], [5])] },
];

export const qrCases: readonly ExtensionCase[] = [...decompositions, ...states, ...edges];
