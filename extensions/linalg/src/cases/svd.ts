/** Uses of the singular value decomposition: what is determined of it. */
import { applyOperation, mul, type Operand, slice } from '@tf/core';
import type { ExtensionCase } from '@tf/testkit';
import { adjoint, scaleColumns, times } from '../algebra.ts';
import { distinct } from '../distinct/operation.ts';
import { svdFromRightOperation, svdFromValuesOperation } from '../svd/operation.ts';
import { svd, svdFull, svdvals } from '../svd/svd.ts';
import { label, unary, values } from './matrices.ts';

const dtypes = ['float64', 'complex128'] as const;
const shapes: readonly (readonly number[])[] = [[3, 3], [4, 2], [2, 4], [2, 3, 2]];

/** The projector on all columns of the first matrix of factors but the first `from`, up to `to`. */
function projector(u: Operand, from: number, to: number): Operand {
  const { shape } = u.type;
  const zeros = shape.slice(0, -1).map(() => 0);
  const columns = slice(u, [...zeros, from], [...shape.slice(0, -1), to]) as Operand;
  return times(columns, adjoint(columns));
}

const whole: readonly ExtensionCase[] = dtypes.flatMap((dtype) => shapes.flatMap((shape, at): readonly ExtensionCase[] => {
  const x = values(dtype, shape, 10 + at);
  const name = label(dtype, shape);
  return [
    { name: `svd with a gauge, ${name}`, inputs: [x], f: unary((a) => { const { u, s, vh } = svd(a, { gauge: 'canonicalPivot' }); return [u, s, vh]; }) },
    { name: `svd put together with other values, ${name}`, inputs: [x], f: unary((a) => { const { u, s, vh } = svd(a); return times(scaleColumns(u, squared(s)), vh); }) },
    { name: `svdvals, ${name}`, inputs: [x], f: unary((a) => svdvals(a)) },
    { name: `left vectors alone, ${name}`, inputs: [x], f: unary((a) => { const { u, s } = svd(a, { vectors: 'left' }); return [projector(u, 0, 1), s]; }) },
    { name: `right vectors alone, ${name}`, inputs: [x], f: unary((a) => { const { s, vh } = svd(a, { vectors: 'right' }); return [projector(adjoint(vh), 0, 1), s]; }) },
    { name: `svdFull and what is beyond the values, ${name}`, inputs: [x], f: unary((a) => { const { u, s, vh } = svdFull(a); return [projector(u, 2, u.type.shape.at(-1) as number), s, projector(adjoint(vh), 1, vh.type.shape.at(-2) as number)]; }) },
  ];
}));

function squared(s: Operand): Operand {
  return mul(s, s) as Operand;
}

const edges: readonly ExtensionCase[] = [
  { name: 'svd of one element', inputs: [values('complex128', [1, 1], 3)], f: unary((a) => { const { u, s, vh } = svd(a, { gauge: 'canonicalPivot' }); return [u, s, vh]; }) },
  { name: 'svd of a column', inputs: [values('float64', [4, 1], 4)], f: unary((a) => { const { u, s, vh } = svd(a, { gauge: 'canonicalPivot' }); return [u, s, vh]; }) },
  { name: 'svd of no columns', inputs: [values('float64', [3, 0], 5)], f: unary((a) => { const { u, s, vh } = svd(a, { gauge: 'canonicalPivot' }); return [u, s, vh]; }) },
  { name: 'svd of no rows', inputs: [values('float64', [2, 0, 3], 6)], f: unary((a) => { const { u, s, vh } = svdFull(a, { driver: 'gesvd' }); return [u, s, projector(adjoint(vh), 0, 3)]; }) },
  { name: 'svd of no matrices', inputs: [values('complex128', [0, 2, 3], 7)], f: unary((a) => { const { u, s, vh } = svd(a); return [u, s, vh]; }) },
];

const params = { derivativeEps: 1e-9, onDegenerate: 'throw', driver: 'gesdd' };

/** What derivatives run instead of operations that lack a part, and what tells values apart. */
const forms: readonly ExtensionCase[] = [
  { name: 'values first', inputs: [values('float64', [3, 2], 8)], f: unary((a) => { const [s, u, vh] = applyOperation(svdFromValuesOperation, [a], params) as readonly [Operand, Operand, Operand]; return [s, projector(u, 0, 1), projector(adjoint(vh), 0, 1)]; }) },
  { name: 'left vectors last', inputs: [values('complex128', [2, 3], 9)], f: unary((a) => { const [s, vh, u] = applyOperation(svdFromRightOperation, [a], params) as readonly [Operand, Operand, Operand]; return [s, projector(u, 0, 1), projector(adjoint(vh), 0, 1)]; }) },
  { name: 'values told apart', inputs: [values('float64', [2, 3], 10)], f: unary((s) => distinct(s, { ulps: 8, squares: true, zeroUlps: 1 })) },
];

export const svdCases: readonly ExtensionCase[] = [...whole, ...edges, ...forms];
