/** Uses of the family that its laws are tried on: values from the definition, derivatives from differences. */
import type { Operand, Var } from '@tf/core';
import { createRandom, type ExtensionCase, type HostValue, randomValues } from '@tf/testkit';
import { embedOperation } from './diagonal.ts';
import { einsum } from './einsum.ts';
import { naiveEinsum, termsOf } from './cases/naive.ts';

type Shapes = readonly (readonly number[])[];

function valuesOf(shapes: Shapes, dtype: 'float64' | 'complex128', seed: number): readonly HostValue[] {
  const random = createRandom(seed);
  return shapes.map((shape) => randomValues(dtype, shape, random));
}

function caseOf(equation: string, shapes: Shapes, dtype: 'float64' | 'complex128' = 'float64'): ExtensionCase {
  const inputs = valuesOf(shapes, dtype, equation.length + shapes.length);
  return {
    name: `${equation} of ${JSON.stringify(shapes)}${dtype === 'float64' ? '' : ', complex'}`,
    f: (...operands) => einsum(equation, operands as readonly Operand[]) as Var,
    inputs,
    expected: [naiveEinsum(termsOf(equation), inputs)],
  };
}

const pairs: readonly (readonly [string, Shapes])[] = [
  ['ij,jk->ik', [[2, 3], [3, 4]]],
  ['ij,jk->ki', [[2, 3], [3, 4]]],
  ['bij,bjk->bik', [[2, 2, 3], [2, 3, 2]]],
  ['bij,jk->ibk', [[2, 2, 3], [3, 2]]],
  ['i,j->ij', [[2], [3]]],
  ['i,i->i', [[3], [3]]],
  ['ij,ij->', [[2, 3], [2, 3]]],
  ['ij,ij->i', [[2, 3], [2, 3]]],
  ['abc,acd->dba', [[2, 3, 2], [2, 2, 3]]],
  ['aib,ci->abc', [[2, 3, 2], [2, 3]]],
  [',ij->ij', [[], [2, 3]]],
  ['ij,jk->ik', [[2, 0], [0, 3]]],
];

const single: readonly (readonly [string, Shapes])[] = [
  ['ii->', [[3, 3]]],
  ['ii->i', [[3, 3]]],
  ['iij->ji', [[2, 2, 3]]],
  ['ijij->ij', [[2, 3, 2, 3]]],
  ['iiij->i', [[2, 2, 2, 3]]],
  ['ij->ji', [[2, 3]]],
  ['ij->j', [[2, 3]]],
];

const several: readonly (readonly [string, Shapes])[] = [
  ['ij,jk,kl->il', [[2, 3], [3, 2], [2, 4]]],
  ['ij,jk,kl,lm->im', [[2, 1], [3, 2], [2, 4], [1, 2]]],
  ['a,a,a->a', [[1], [3], [1]]],
  ['ab,bc,ca->', [[2, 1], [3, 1], [4, 1]]],
  ['ab,ab,bc->ac', [[2, 3], [2, 3], [3, 2]]],
  ['nn,nd->d', [[4, 4], [4, 2]]],
  ['bi,bj,bij->b', [[2, 2], [2, 3], [2, 2, 3]]],
];

const complex: readonly (readonly [string, Shapes])[] = [
  ['ij,jk->ik', [[2, 3], [3, 2]]],
  ['ii,ij->j', [[2, 2], [2, 3]]],
  ['a,a->a', [[1], [3]]],
  ['ab,bc,ca->', [[2, 3], [3, 2], [2, 2]]],
];

const [spread] = valuesOf([[2, 3]], 'float64', 5) as readonly [HostValue];
const random = createRandom(7);

export const einsumCases: readonly ExtensionCase[] = [
  ...[...pairs, ...single, ...several].map(([equation, shapes]) => caseOf(equation, shapes)),
  ...complex.map(([equation, shapes]) => caseOf(equation, shapes, 'complex128')),
  { name: 'the same operand twice', f: (x) => einsum('ij,ij->', x as Operand, x as Operand) as Var, inputs: [spread], expected: [naiveEinsum(termsOf('ij,ij->'), [spread, spread])] },
  { name: 'integers', f: (x, y) => einsum('ij,jk->ik', x as Operand, y as Operand) as Var, inputs: [randomValues('int32', [2, 3], random), randomValues('int32', [3, 2], random)] },
  { name: 'loops over what does not fit', f: (x, y, z) => einsum('ij,jk,kl->il', [x as Operand, y as Operand, z as Operand], { memoryLimit: 20 }) as Var, inputs: valuesOf([[3, 4], [4, 5], [5, 2]], 'float64', 11) },
  { name: 'embed', operation: embedOperation.operation, params: { labels: [0, 1, 0], out: [1, 0] }, inputs: [spread] },
];
