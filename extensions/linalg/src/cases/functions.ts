/** Uses of functions that are made of decompositions. */
import { add, convert, diagEmbed, type DType, type Operand, slice, sum, tensor } from '@tf/core';
import type { ExtensionCase } from '@tf/testkit';
import { adjoint, times } from '../algebra.ts';
import { matrixLog, matrixLogTangent } from '../matrix-log/operation.ts';
import { matrixSqrt } from '../matrix-sqrt/operation.ts';
import { matrixNorm, norm } from '../norms.ts';
import { polar } from '../polar.ts';
import { matrixRank, nullSpace, orth } from '../rank.ts';
import { schur } from '../schur/operation.ts';
import { solveTriangularSylvester } from '../sylvester/operation.ts';
import { truncatedSvd } from '../truncated-svd.ts';
import { binary, label, unary, values } from './matrices.ts';

/** a + diag(by), in its dtype. */
function shifted(a: Operand, by: readonly number[]): Operand {
  return add(a, convert(diagEmbed(tensor([...by])) as Operand, a.type.dtype)) as Operand;
}

const dtypes = ['float64', 'complex128'] as const;
const orders = ['fro', 'nuc', 1, -1, 2, -2, Infinity, -Infinity] as const;

const norms: readonly ExtensionCase[] = [
  ...dtypes.flatMap((dtype) => orders.map((ord): ExtensionCase => ({ name: `matrix norm ${ord}, ${dtype}`, inputs: [values(dtype, [3, 2], 50)], f: unary((a) => matrixNorm(a, { ord })) }))),
  { name: 'norms of a batch of matrices', inputs: [values('float64', [2, 2, 3], 51)], f: unary((a) => norm(a, { ord: 'nuc', axes: [2, 0], keepdims: true })) },
  { name: 'norms of vectors', inputs: [values('complex128', [2, 3], 52)], f: unary((a) => [norm(a, { axes: 0, ord: 3 }), norm(a), norm(a, { axes: 1, keepdims: true })]) },
  { name: 'norms of nothing', inputs: [values('float64', [0, 3], 53)], f: unary((a) => [norm(a), matrixNorm(a, { ord: 'nuc' })]) },
];

const parts: readonly ExtensionCase[] = dtypes.flatMap((dtype): readonly ExtensionCase[] => [
  ...[[3, 3], [4, 2], [2, 3], [2, 2, 2]].map((shape, at): ExtensionCase => ({ name: `polar, ${label(dtype, shape)}`, inputs: [values(dtype, shape, 60 + at)], f: unary((a) => { const { u, p } = polar(a, { side: at % 2 === 0 ? 'right' : 'left' }); return [u, p]; }) })),
  { name: `rank, ${dtype}`, inputs: [values(dtype, [3, 4], 64)], f: unary((a) => matrixRank(times(slice(a, [0, 0], [3, 2]), slice(a, [0, 0], [2, 4])))) },
  { name: `root, ${dtype}`, inputs: [values(dtype, [2, 3, 3], 65)], f: unary((a) => matrixSqrt(shifted(a, [3, 3, 3]))) },
  { name: `logarithm, ${dtype}`, inputs: [values(dtype, [2, 2, 2], 67)], tolerance: 1e-6, f: unary((a) => matrixLog(shifted(a, [3, 5]))) },
  { name: `logarithm in a direction, ${dtype}`, inputs: [values('complex128', [2, 2], 68), values('complex128', [2, 2], 69)], tolerance: 1e-6, f: binary((a, e) => matrixLogTangent(shifted(a, [3, 5]), e)) },
  { name: `Schur form, ${dtype}`, inputs: [values(dtype, [3, 3], 66)], f: unary((a) => { const { t, z } = schur(a); return times(z, t, adjoint(z)); }) },
]);

const dynamic: readonly ExtensionCase[] = dtypes.flatMap((dtype): readonly ExtensionCase[] => [
  { name: `truncated by size, ${dtype}`, inputs: [values(dtype, [3, 4], 70)], f: unary((a) => { const { u, s, vh } = truncatedSvd(a, { rtol: 0.3 }); return times(u, times(convert(diagEmbed(s), u.type.dtype) as Operand, vh)); }) },
  { name: `truncated by weight and number, ${dtype}`, inputs: [values(dtype, [4, 3], 71)], f: unary((a) => { const { s, discardedWeight } = truncatedSvd(a, { discardedWeight: 0.05, maxRank: 2 }); return [sum(s), discardedWeight]; }) },
  { name: `column space, ${dtype}`, inputs: [values(dtype, [4, 2], 72)], f: unary((a) => { const q = orth(a); return times(q, adjoint(q)); }) },
  { name: `null space, ${dtype}`, inputs: [values(dtype, [2, 4], 73)], f: unary((a) => { const q = nullSpace(a); return times(q, adjoint(q)); }) },
  { name: `truncated in a batch, ${dtype}`, inputs: [values(dtype, [2, 3, 4], 74)], f: unary((a) => { const { u, s, vh, discardedWeight } = truncatedSvd(a, { rtol: 0.3 }); return [times(u, times(convert(diagEmbed(s), u.type.dtype) as Operand, vh)), discardedWeight]; }) },
  { name: `column and null spaces of a batch, ${dtype}`, inputs: [values(dtype, [2, 2, 3], 75)], f: unary((a) => [orth(a, { rtol: 0.3 }), nullSpace(a, { rtol: 0.3 })].map((q) => times(q, adjoint(q)))) },
]);

const factors: readonly ExtensionCase[] = [
  { name: 'an equation with triangles', inputs: [values('complex128', [2, 3], 80)], f: unary((c) => [false, true].map((isAdjoint) => solveTriangularSylvester(triangle(2, c.type.dtype), triangle(3, c.type.dtype), c, isAdjoint))) },
];

/** Upper, with 1, 2, … on the diagonal. */
function triangle(n: number, dtype: DType): Operand {
  return tensor(Array.from({ length: n }, (_, i) => Array.from({ length: n }, (__, j) => ({ re: j < i ? 0 : j === i ? i + 1 : 0.5, im: j > i ? 0.25 : 0 }))), { dtype: dtype as 'complex128' });
}

export const functionCases: readonly ExtensionCase[] = [...norms, ...parts, ...dynamic, ...factors];
