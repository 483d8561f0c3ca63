/** Uses of decompositions of general square matrices, of equations, and of least squares. */
import { convert, exp, mul, type Operand, slice, sum, tensor } from '@tf/core';
import type { ExtensionCase } from '@tf/testkit';
import { scaleColumns, times, transposed } from '../algebra.ts';
import { cond } from '../cond.ts';
import { eig, eigvals } from '../eig/operation.ts';
import { lstsq, pinv } from '../pinv/pinv.ts';
import { inv } from '../solve/solve.ts';
import { sylvester } from '../sylvester/sylvester.ts';
import { binary, label, unary, values } from './matrices.ts';

const dtypes = ['float64', 'complex128'] as const;

const spectra: readonly ExtensionCase[] = dtypes.flatMap((dtype) => [[1, 1], [3, 3], [2, 2, 2]].flatMap((shape, at): readonly ExtensionCase[] => {
  const x = values(dtype, shape, 110 + at);
  const name = label(dtype, shape);
  return [
    { name: `a function of a matrix by eig, ${name}`, inputs: [x], f: unary((a) => { const { values: w, vectors } = eig(a); return times(scaleColumns(vectors, exp(w) as Operand), inv(vectors) as Operand); }) },
    { name: `vectors of eig with a gauge, ${name}`, inputs: [x], f: unary((a) => { const { vectors } = eig(a, { gauge: 'canonicalPivot' }); return vectors; }) },
    { name: `powers of eigvals, ${name}`, inputs: [x], f: unary((a) => { const w = eigvals(a) as Operand; return sum(mul(w, mul(w, w)) as Operand, { axes: -1 }); }) },
    { name: `eigvals, ${name}`, inputs: [x], f: unary((a) => eigvals(a)) },
  ];
}));

const squares = (dtype: 'float64' | 'complex128', seed: number): readonly ExtensionCase['inputs'][number][] => [values(dtype, [2, 2], seed), values(dtype, [3, 3], seed + 1), values(dtype, [2, 3], seed + 2)];

const equations: readonly ExtensionCase[] = [
  ...dtypes.map((dtype, at): ExtensionCase => ({ name: `sylvester, ${dtype}`, inputs: squares(dtype, 120 + 10 * at), f: (a, b, c) => sylvester(a as Operand, b as Operand, c as Operand) as never })),
  { name: 'sylvester of a batch and one matrix', inputs: [values('float64', [2, 2, 2], 140), values('float64', [1, 1], 141), values('complex128', [2, 1], 142)], f: (a, b, c) => sylvester(a as Operand, b as Operand, c as Operand) as never },
  { name: 'Lyapunov: both matrices are one', inputs: [values('float64', [3, 3], 143), values('float64', [3, 3], 144)], f: binary((a, c) => sylvester(a, a, c)) },
];

const rankOne = (a: Operand): Operand => times(slice(a, [0, 0], [a.type.shape[0] as number, 1]) as Operand, slice(a, [0, 0], [1, a.type.shape[1] as number]) as Operand);

const leastSquares: readonly ExtensionCase[] = dtypes.flatMap((dtype, at): readonly ExtensionCase[] => [
  ...[[3, 3], [4, 2], [2, 4], [2, 3, 2]].map((shape, which): ExtensionCase => ({ name: `pinv, ${label(dtype, shape)}`, inputs: [values(dtype, shape, 150 + 10 * at + which)], f: unary((a) => pinv(a)) })),
  { name: `pinv at constant rank, ${dtype}`, inputs: [values(dtype, [4, 3], 170 + at)], f: unary((a) => pinv(rankOne(a), { rtol: 1e-5 })) },
  { name: `lstsq, tall, ${dtype}`, inputs: [values(dtype, [4, 2], 172 + at), values(dtype, [4, 2], 174 + at)], f: binary((a, b) => { const { x, residuals, rank } = lstsq(a, b); return [x, residuals, rank]; }) },
  { name: `lstsq, wide, a vector, ${dtype}`, inputs: [values(dtype, [2, 3], 176 + at), values(dtype, [2], 178 + at)], f: binary((a, b) => { const { x, singularValues } = lstsq(a, b, { rtol: 1e-9 }); return [x, sum(singularValues)]; }) },
]);

const edges: readonly ExtensionCase[] = [
  { name: 'pinv of nothing', inputs: [values('float64', [0, 3], 180)], f: unary((a) => pinv(a)) },
  { name: 'lstsq of one matrix and a batch', inputs: [values('float64', [3, 2], 181), values('float64', [2, 3, 1], 182)], f: binary((a, b) => lstsq(a, b).x as Operand) },
  { name: 'eig of nothing', inputs: [values('float64', [0, 0], 183)], f: unary((a) => { const { values: w, vectors } = eig(a); return [w, vectors]; }) },
  { name: 'condition numbers', inputs: [values('float64', [3, 3], 184)], f: unary((a) => [cond(a), cond(a, { ord: -2 }), cond(a, { ord: 'fro' }), cond(a, { ord: 1 })]) },
  { name: 'condition numbers of tall matrices', inputs: [values('complex128', [2, 3, 2], 185)], f: unary((a) => cond(a)) },
  { name: 'a transposed solution', inputs: [values('float64', [3, 2], 186)], f: unary((a) => times(pinv(transposed(a)) as Operand, convert(tensor([[1], [2]]), a.type.dtype) as Operand)) },
];

export const generalCases: readonly ExtensionCase[] = [...spectra, ...equations, ...leastSquares, ...edges];
