/** Uses of LU, of the systems that it solves, of determinants and of Cholesky factors. */
import { add, mul, type Operand } from '@tf/core';
import { type ExtensionCase, hostValue } from '@tf/testkit';
import { adjoint, hermitianPart, times, transposed } from '../algebra.ts';
import { cholesky } from '../cholesky/operation.ts';
import { det, logdet, slogdet } from '../determinant/determinant.ts';
import { cofactors } from '../determinant/operation.ts';
import { fullPivLu, lu } from '../lu/lu.ts';
import { identityColumns } from '../permute.ts';
import { fullPivLuSolve, inv, solve } from '../solve/solve.ts';
import { luSolve, luWitness } from '../solve/operation.ts';
import { choleskySolve, triangularSolve, type TriangularSolveOptions } from '../triangular/solve.ts';
import { binary, label, unary, values } from './matrices.ts';

const dtypes = ['float64', 'complex128'] as const;
const squares: readonly (readonly number[])[] = [[1, 1], [3, 3], [2, 3, 3]];
const rectangles: readonly (readonly number[])[] = [[4, 2], [2, 4], [2, 3, 2]];

/** A + 2 on the diagonal: no pivot is near another. */
function settled(a: Operand): Operand {
  const size = a.type.shape.at(-1) as number;
  return add(a, mul(identityColumns(a, size, size), 2)) as Operand;
}

/** Hermitian, with all eigenvalues at least 1. */
export function definite(a: Operand): Operand {
  const size = a.type.shape.at(-1) as number;
  return add(hermitianPart(times(a, adjoint(a))), identityColumns(a, size, size)) as Operand;
}

const factors: readonly ExtensionCase[] = dtypes.flatMap((dtype) => [...squares, ...rectangles].flatMap((shape, at): readonly ExtensionCase[] => {
  const x = values(dtype, shape, 50 + at);
  const name = label(dtype, shape);
  return [
    { name: `lu, ${name}`, inputs: [x], f: unary((a) => { const { p, l, u, parity } = lu(a); return [p, l, u, parity]; }) },
    { name: `fullPivLu, ${name}`, inputs: [x], f: unary((a) => { const { p, l, u, q, parity } = fullPivLu(a); return [p, l, u, q, parity]; }) },
  ];
}));

const determinants: readonly ExtensionCase[] = dtypes.flatMap((dtype) => squares.flatMap((shape, at): readonly ExtensionCase[] => {
  const x = values(dtype, shape, 60 + at);
  const name = label(dtype, shape);
  return [
    { name: `det, ${name}`, inputs: [x], f: unary((a) => det(a)) },
    { name: `slogdet, ${name}`, inputs: [x], f: unary((a) => { const { sign, logabsdet } = slogdet(settled(a)); return [sign, logabsdet]; }) },
    { name: `logdet, ${name}`, inputs: [x], f: unary((a) => logdet(definite(a))) },
    { name: `cofactors, ${name}`, inputs: [x], f: unary((a) => cofactors(a, luWitness(a))) },
    { name: `inv, ${name}`, inputs: [x], f: unary((a) => inv(settled(a))) },
  ];
}));

const triangles: readonly TriangularSolveOptions[] = (['matrix', 'transpose', 'adjoint'] as const).flatMap((of) => [false, true].flatMap((upper) => (['left', 'right'] as const).map((side) => ({ of, upper, side, unitDiagonal: (of === 'adjoint') === upper }))));

const solves: readonly ExtensionCase[] = dtypes.flatMap((dtype, which): readonly ExtensionCase[] => {
  const [a, b, vector] = [values(dtype, [3, 3], 70 + which), values(dtype, [3, 2], 72 + which), values(dtype, [3], 74 + which)];
  return [
    { name: `solve, ${dtype}`, inputs: [a, b], f: binary((x, y) => solve(settled(x), y)) },
    { name: `solve for a vector, ${dtype}`, inputs: [a, vector], f: binary((x, y) => solve(settled(x), y)) },
    { name: `solve with one matrix for a batch, ${dtype}`, inputs: [a, values(dtype, [2, 3, 2], 76)], f: binary((x, y) => solve(settled(x), y)) },
    { name: `solve with leading axes that broadcast, ${dtype}`, inputs: [values(dtype, [2, 1, 2, 2], 77), values(dtype, [3, 2, 1], 78)], f: binary((x, y) => solve(settled(x), y)) },
    { name: `fullPivLuSolve, ${dtype}`, inputs: [a, b], f: binary((x, y) => fullPivLuSolve(x, y)) },
    { name: `fullPivLuSolve of a batch, ${dtype}`, inputs: [values(dtype, [2, 3, 3], 79), vector], f: binary((x, y) => fullPivLuSolve(settled(x), y)) },
    { name: `systems of the transpose, ${dtype}`, inputs: [a, b], f: binary((x, y) => luSolve(settled(x), luWitness(settled(x)), y, 'transpose')) },
    { name: `systems of the adjoint, ${dtype}`, inputs: [a, b], f: binary((x, y) => luSolve(settled(x), luWitness(settled(x)), y, 'adjoint')) },
    ...triangles.map((options): ExtensionCase => ({ name: `triangularSolve ${JSON.stringify(options)}, ${dtype}`, inputs: [a, b], f: binary((x, y) => triangularSolve(settled(x), options.side === 'right' ? transposed(y) : y, options)) })),
    { name: `triangularSolve for a vector from the right, ${dtype}`, inputs: [a, vector], f: binary((x, y) => triangularSolve(settled(x), y, { side: 'right' })) },
    { name: `triangularSolve of a batch, ${dtype}`, inputs: [a, values(dtype, [2, 3, 1], 80)], f: binary((x, y) => triangularSolve(settled(x), y, { upper: true })) },
    { name: `choleskySolve, ${dtype}`, inputs: [a, b], f: binary((x, y) => choleskySolve(cholesky(definite(x)), y)) },
    { name: `choleskySolve by an upper factor, ${dtype}`, inputs: [a, vector], f: binary((x, y) => choleskySolve(cholesky(definite(x), { upper: true }), y, { upper: true })) },
  ];
});

const definites: readonly ExtensionCase[] = dtypes.flatMap((dtype) => squares.flatMap((shape, at): readonly ExtensionCase[] => [false, true].map((upper): ExtensionCase => ({
  name: `cholesky ${upper ? 'upper' : 'lower'}, ${label(dtype, shape)}`, inputs: [values(dtype, shape, 90 + at)], f: unary((a) => cholesky(definite(a), { upper })),
}))));

const edges: readonly ExtensionCase[] = [
  { name: 'det of nothing', inputs: [values('float64', [0, 0], 1)], f: unary((a) => det(a)), expected: [hostValue('float64', [], [1])] },
  { name: 'slogdet of nothing', inputs: [values('complex128', [2, 0, 0], 1)], f: unary((a) => { const { sign, logabsdet } = slogdet(a); return [sign, logabsdet]; }), expected: [hostValue('complex128', [2], [1, 0, 1, 0]), hostValue('float64', [2], [0, 0])] },
  { name: 'lu of no rows', inputs: [values('float64', [0, 3], 1)], f: unary((a) => { const { p, l, u } = lu(a); return [p, l, u]; }) },
  { name: 'fullPivLu of no columns', inputs: [values('float64', [2, 0], 1)], f: unary((a) => { const { p, l, u, q } = fullPivLu(a); return [p, l, u, q]; }) },
  { name: 'no systems', inputs: [values('float64', [0, 2, 2], 1), values('float64', [2], 2)], f: binary((a, b) => solve(a, b)) },
  { name: 'systems without right sides', inputs: [values('float64', [2, 2], 3), values('float64', [2, 0], 2)], f: binary((a, b) => solve(settled(a), b)) },
  { name: 'systems of nothing', inputs: [values('float64', [0, 0], 3), values('float64', [0, 2], 2)], f: binary((a, b) => solve(a, b)) },
  { name: 'inv of no matrices', inputs: [values('complex128', [0, 2, 2], 3)], f: unary((a) => inv(a)) },
  { name: 'cholesky of nothing', inputs: [values('float64', [3, 0, 0], 3)], f: unary((a) => cholesky(a)) },
  { name: 'cholesky of integers', inputs: [hostValue('int32', [2, 2], [4, 9, 2, 2])], f: unary((a) => cholesky(a)), expected: [hostValue('float64', [2, 2], [2, 0, 1, 1])] },
  { name: 'determinants of a known matrix', inputs: [hostValue('float64', [3, 3], [2, 0, 1, 1, 3, 2, 1, 1, 1])], f: unary((a) => [det(a), logdet(mul(a, 1) as Operand)]), expected: [hostValue('float64', [], [0]), hostValue('float64', [], [-Infinity])], wrt: [] },
];

export const systemCases: readonly ExtensionCase[] = [...factors, ...determinants, ...solves, ...definites, ...edges];
