/** Types only: `tsc -b` is the test. */
import type { HostTensor, TensorType, Var } from '@tf/core';
import { contractionPath } from './contraction-path.ts';
import { einsum } from './einsum.ts';
import type { EquationProblem } from './equation-types.ts';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Holds<T extends true> = T;

declare const a: Var<'float64'>;
declare const b: Var<'float32'>;
declare const z: Var<'complex64'>;
declare const host: HostTensor<'int32'>;
declare const matrix: Var<'float64'> & { readonly type: TensorType<'float64'> & { readonly shape: readonly [number, number] } };

type A = Var<'float64'>;

/** What the compiler says of equations that do not fit, beside twins of which it says nothing. */
export type Problems = [
  Holds<Same<EquationProblem<'ij,jk->ik', readonly [A]>, 'einsum: ij,jk->ik names 2 operands, 1 were given'>>,
  Holds<Same<EquationProblem<'ij,jk->ik', readonly [A, A]>, never>>,
  Holds<Same<EquationProblem<'ij', readonly [A, A]>, 'einsum: ij names 1 operands, 2 were given'>>,
  Holds<Same<EquationProblem<'ij', readonly [A]>, never>>,
  Holds<Same<EquationProblem<'ij,jk->iz', readonly [A, A]>, 'einsum: in ij,jk->iz, the output label z is in no operand\'s term'>>,
  Holds<Same<EquationProblem<'ij,jz->iz', readonly [A, A]>, never>>,
  Holds<Same<EquationProblem<' i j , j k -> i i ', readonly [A, A]>, 'einsum: in  i j , j k -> i i , the output has the label i twice'>>,
  Holds<Same<EquationProblem<' i j , j k -> i k ', readonly [A, A]>, never>>,
  Holds<Same<EquationProblem<'ijk->i', readonly [typeof matrix]>, 'einsum: in ijk->i, the term of operand 0 has 3 labels, the operand has 2 axes'>>,
  Holds<Same<EquationProblem<'ik->i', readonly [typeof matrix]>, never>>,
  Holds<Same<EquationProblem<'...k->...', readonly [typeof matrix]>, never>>,
  Holds<Same<EquationProblem<',->', readonly [A, A]>, never>>,
  Holds<Same<EquationProblem<'->', readonly [A]>, never>>,
  Holds<Same<EquationProblem<'->', readonly [A, A]>, 'einsum: -> names 1 operands, 2 were given'>>,
  Holds<Same<EquationProblem<'->', readonly [typeof matrix]>, 'einsum: in ->, the term of operand 0 has 0 labels, the operand has 2 axes'>>,
  Holds<Same<EquationProblem<'ij,jk->i,k', readonly [A, A]>, 'einsum: ij,jk->i,k has a comma after the arrow'>>,
  Holds<Same<EquationProblem<'ij->j->i', readonly [A]>, 'einsum: ij->j->i has two arrows'>>,
  Holds<Same<EquationProblem<'ij>ji', readonly [A]>, 'einsum: ij>ji has the character >'>>,
  Holds<Same<EquationProblem<'ij - > ji', readonly [A]>, 'einsum: ij - > ji has the character -'>>,
  Holds<Same<EquationProblem<'i1->i', readonly [A]>, 'einsum: i1->i has the character 1'>>,
  Holds<Same<EquationProblem<'ij->i*', readonly [A]>, 'einsum: ij->i* has the character *'>>,
  Holds<Same<EquationProblem<'i..->i', readonly [A]>, 'einsum: i..->i has a "." that belongs to no "..."'>>,
  Holds<Same<EquationProblem<'i. ..->i', readonly [A]>, 'einsum: i. ..->i has a "." that belongs to no "..."'>>,
  Holds<Same<EquationProblem<'...i...->i', readonly [A]>, 'einsum: ...i...->i has two ellipses in one term'>>,
  Holds<Same<EquationProblem<'ij->...i...', readonly [A]>, 'einsum: ij->...i... has two ellipses in one term'>>,
  Holds<Same<EquationProblem<' i\tj\n->\t j ... i ', readonly [typeof matrix]>, never>>,
  Holds<Same<EquationProblem<'éß->ßé', readonly [typeof matrix]>, never>>,
  Holds<Same<EquationProblem<'éß->ßz', readonly [typeof matrix]>, 'einsum: in éß->ßz, the output label z is in no operand\'s term'>>,
  // Letters without case are left to the run: 𝐛 and 𝐚 are two units of UTF-16 each, of which one is the same.
  Holds<Same<EquationProblem<'𝐛𝐚->𝐚𝐛', readonly [typeof matrix]>, never>>,
  Holds<Same<EquationProblem<'文本->本文', readonly [typeof matrix]>, never>>,
  Holds<Same<EquationProblem<'文本', readonly [A, A]>, 'einsum: 文本 names 1 operands, 2 were given'>>,
  // Shapes have ranks, too.
  Holds<Same<EquationProblem<'ij,jk->ik', readonly [readonly [2, 3], readonly [3]]>, 'einsum: in ij,jk->ik, the term of operand 1 has 2 labels, the operand has 1 axes'>>,
  Holds<Same<EquationProblem<'ij,j->i', readonly [readonly [2, 3], readonly [3]]>, never>>,
  // Of a text or a number of operands that is not known, nothing is said.
  Holds<Same<EquationProblem<string, readonly [A]>, never>>,
  Holds<Same<EquationProblem<'ij,jk->ik', readonly A[]>, never>>,
];

type Is<E> = <V>(value: V, ...proof: Same<V, E> extends true ? [] : [never]) => void;
declare const isFloat64: Is<Var<'float64'>>;
declare const isFloat32: Is<Var<'float32'>>;
declare const isComplex128: Is<Var<'complex128'>>;
declare const isHost: Is<HostTensor<'int32'>>;

export function results(text: string, some: readonly Var<'float64'>[]): void {
  isFloat64(einsum('ij,jk->ik', a, b));
  isFloat32(einsum('ij->ji', b));
  isComplex128(einsum('ij,jk,kl', a, b, z));
  isFloat32(einsum('ij,jk->ik', [b, host], { path: 'greedy' }));
  isHost(einsum('i,i->', host, host));
  isComplex128(einsum(a, [0, 1], z, [1, 2], [0, 2]));
  isFloat64(einsum(text, a, a));
  isFloat64(einsum('ij,jk->ik', some));
}

export function paths(text: string, shapes: readonly (readonly number[])[]): void {
  contractionPath('ij,jk,kl->il', [[2, 3], [3, 4], [4, 5]], { path: 'greedy' });
  contractionPath('ij,jk->ik', [matrix, [3, 4]]);
  contractionPath('...j,jk->...k', [[2, 2, 3], b]);
  contractionPath('ij,jk->ik', shapes);
  contractionPath(text, [[2, 3]]);
  // @ts-expect-error one shape is missing
  contractionPath('ij,jk->ik', [[2, 3]]);
  // @ts-expect-error z is no label of an operand
  contractionPath('ij,jk->iz', [[2, 3], [3, 4]]);
  // @ts-expect-error the second shape has three axes
  contractionPath('ij,jk->ik', [matrix, [3, 4, 5]]);
  // @ts-expect-error a comma after the arrow
  contractionPath('ij,jk->i,k', [[2, 3], [3, 4]]);
  // @ts-expect-error a text is no shape
  contractionPath('ij', ['23']);
}

export function refused(): void {
  // @ts-expect-error one operand is missing
  einsum('ij,jk->ik', a);
  // @ts-expect-error z is no label of an operand
  einsum('ij,jk->iz', a, b);
  // @ts-expect-error i is twice in the output
  einsum('ij,jk->ii', [a, b]);
  // @ts-expect-error a matrix has two axes
  einsum('ijk->i', matrix);
  // @ts-expect-error a comma after the arrow
  einsum('ij,jk->i,k', a, b);
  // @ts-expect-error no label, two operands
  einsum('->', a, b);
  // @ts-expect-error a digit is no label
  einsum('i1->i', a);
  // @ts-expect-error an array is no tensor
  einsum('i', [1, 2]);
}
