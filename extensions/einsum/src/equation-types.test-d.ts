/** Types only: `tsc -b` is the test. */
import type { HostTensor, TensorType, Var } from '@tf/core';
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

export function refused(): void {
  // @ts-expect-error one operand is missing
  einsum('ij,jk->ik', a);
  // @ts-expect-error z is no label of an operand
  einsum('ij,jk->iz', a, b);
  // @ts-expect-error i is twice in the output
  einsum('ij,jk->ii', [a, b]);
  // @ts-expect-error a matrix has two axes
  einsum('ijk->i', matrix);
  // @ts-expect-error an array is no tensor
  einsum('i', [1, 2]);
}
