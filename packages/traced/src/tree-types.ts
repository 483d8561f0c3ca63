import type { ComplexDType, DataOf, Differentiable, DType, DTypeOf, InexactDType, Kind, Operand, ResidentTensor } from '@tf/core';
import type { TracedTensor } from './traced-tensor.ts';

/** What may stand for a tensor of dtype `D` in a call: a tensor of any front end, a typed array (a vector), or a number for float64. */
export type TensorArgument<D extends DType> = Operand<Kind, D> | DataOf<Exclude<D, ComplexDType>> | ([D] extends ['float64'] ? number : never);

type Static = string | boolean | null | undefined;

/** The tensors among the alternatives of a leaf. */
type TensorIn<T> = Extract<T, Operand>;

/** A number in a call reaches the function as a traced scalar: declare the leaf as one. */
export type NumbersArriveTraced = 'declare this leaf as TracedTensor<never> (a weak scalar) or TracedTensor<"float64">';

/** What a caller may pass where the function takes `T`: every tensor leaf may be any tensor of that dtype. */
export type ArgumentOf<T> = [TensorIn<T>] extends [never] ? BranchOf<T> : TensorArgument<DTypeOf<TensorIn<T>>> | Extract<T, Static>;

type BranchOf<T> = T extends number ? NumbersArriveTraced
  : T extends Static ? T
  : T extends object ? { readonly [Key in keyof T]: ArgumentOf<T[Key]> }
  : T;

export type ArgumentsOf<A extends readonly unknown[]> = { [Index in keyof A]: ArgumentOf<A[Index]> };

/** The argument tree with traced tensors at its tensor leaves. */
export type TracedOf<T> = [TensorIn<T>] extends [never] ? TracedBranch<T> : TracedTensor<DTypeOf<TensorIn<T>>> | Extract<T, Static>;

type TracedBranch<T> = T extends Static | number ? T
  : T extends object ? { readonly [Key in keyof T]: TracedOf<T[Key]> }
  : T;

/** Arguments that are all traced; a function without arguments has none such. */
export type TracedArgumentsOf<A extends readonly unknown[]> = A extends readonly [] ? readonly [never] : { [Index in keyof A]: TracedOf<A[Index]> };

/** The tree of gradients of `T`: undefined at integer and boolean leaves and at leaves that are no tensors. */
export type GradientOf<T, Absent = never> = [TensorIn<T>] extends [never] ? GradientBranch<T, Absent> : LeafGradient<DTypeOf<TensorIn<T>>, Absent> | Extract<T, undefined>;

type GradientBranch<T, Absent> = T extends Static | number ? undefined
  : T extends object ? { readonly [Key in keyof T]: GradientOf<T[Key], Absent> }
  : undefined;

type LeafGradient<D extends DType, Absent> = [Extract<D, InexactDType>] extends [never] ? ([D] extends [never] ? TracedTensor<never> | Absent : undefined) : TracedTensor<D> | Absent;

/** Gradients of the arguments numbered `N`: one tree for a number, a tuple of trees for a list. */
export type GradientsOf<A extends readonly unknown[], N, Absent = never> = N extends number ? GradientOf<A[N], Absent>
  : { readonly [Index in keyof N]: N[Index] extends number ? GradientOf<A[N[Index]], Absent> : never };

/**
 * Joined to a function that is differentiated: words, where its result or an argument that it is differentiated by is one
 * tensor whose dtype is known to have no derivative. Of trees, whose other leaves may have one, nothing is said.
 */
export type DifferentiableCall<A extends readonly unknown[], N, R> = [CallProblem<A, N, R>] extends [never] ? unknown : CallProblem<A, N, R>;

type CallProblem<A extends readonly unknown[], N, R> = LeafProblem<R> | ArgumentProblem<A, N extends readonly unknown[] ? N[number] : N>;

type ArgumentProblem<A extends readonly unknown[], N> = N extends number ? LeafProblem<A[N]> : never;

type LeafProblem<T> = [T] extends [Operand] ? Extract<Differentiable<DTypeOf<T>>, string> : never;

export type TangentsOf<A extends readonly unknown[]> = { [Index in keyof A]: TangentOf<A[Index]> };

/** What may be given as tangent or cotangent of `T`; undefined stands for zero. */
export type TangentOf<T> = [TensorIn<T>] extends [never] ? TangentBranch<T> : Operand<Kind, DTypeOf<TensorIn<T>>> | number | undefined;

type TangentBranch<T> = T extends Static | number ? undefined
  : T extends object ? { readonly [Key in keyof T]: TangentOf<T[Key]> }
  : undefined;

/** A tree like the result `R` with `G`, derivatives by the arguments, at each leaf that carries a tangent. */
export type JacobianOf<R, G> = [TensorIn<R>] extends [never] ? JacobianBranch<R, G> : LeafJacobian<DTypeOf<TensorIn<R>>, G>;

type JacobianBranch<R, G> = R extends Static | number ? undefined
  : R extends object ? { readonly [Key in keyof R]: JacobianOf<R[Key], G> }
  : undefined;

type LeafJacobian<D extends DType, G> = [D] extends [never] ? G : [Extract<D, InexactDType>] extends [never] ? undefined : G;

/** A result tree after a run: tensors, of whichever front end, have become values on the engine; all else is as it was. */
export type ResultOf<T> = T extends Operand ? ResidentTensor<[DTypeOf<T>] extends [never] ? 'float64' : DTypeOf<T>>
  : T extends Static | number ? T
  : T extends object ? { readonly [Key in keyof T]: ResultOf<T[Key]> }
  : T;
