/** Uses of the decomposition of Hermitian matrices, which cases make of others: so differences in all directions are derivatives. */
import { exp, type Operand, slice } from '@tf/core';
import type { ExtensionCase } from '@tf/testkit';
import { adjoint, hermitianPart, scaleColumns, times } from '../algebra.ts';
import { eigh, eigvalsh } from '../eigh/operation.ts';
import { label, unary, values } from './matrices.ts';

const dtypes = ['float64', 'complex128'] as const;
const shapes: readonly (readonly number[])[] = [[1, 1], [3, 3], [2, 3, 3]];

function upperProjector(v: Operand): Operand {
  const { shape } = v.type;
  const zeros = shape.slice(0, -1).map(() => 0);
  const columns = slice(v, [...zeros, 1], shape) as Operand;
  return times(columns, adjoint(columns));
}

const whole: readonly ExtensionCase[] = dtypes.flatMap((dtype) => shapes.flatMap((shape, at): readonly ExtensionCase[] => {
  const x = values(dtype, shape, 30 + at);
  const name = label(dtype, shape);
  return [
    { name: `eigh with a gauge, ${name}`, inputs: [x], f: unary((a) => { const { values: w, vectors } = eigh(hermitianPart(a), { gauge: 'canonicalPivot', uplo: 'U' }); return [w, vectors]; }) },
    { name: `a function of a Hermitian matrix, ${name}`, inputs: [x], f: unary((a) => { const { values: w, vectors } = eigh(hermitianPart(a)); return times(scaleColumns(vectors, exp(w) as Operand), adjoint(vectors)); }) },
    { name: `a projector of eigh, ${name}`, inputs: [x], f: unary((a) => upperProjector(eigh(hermitianPart(a)).vectors)) },
    { name: `eigvalsh, ${name}`, inputs: [x], f: unary((a) => eigvalsh(hermitianPart(a))) },
  ];
}));

const edges: readonly ExtensionCase[] = [
  { name: 'eigh of nothing', inputs: [values('float64', [0, 0], 40)], f: unary((a) => { const { values: w, vectors } = eigh(a); return [w, vectors]; }) },
  { name: 'eigvalsh of no matrices', inputs: [values('complex128', [0, 2, 2], 41)], f: unary((a) => eigvalsh(hermitianPart(a))) },
];

export const eighCases: readonly ExtensionCase[] = [...whole, ...edges];
