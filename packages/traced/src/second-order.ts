import { type Argument, checkOptions, type Differentiable, type DType, type Operand } from '@tf/core';
import { functionGradOptions, gradOptions, requirePerArgument } from './arguments.ts';
import { type GradOptions, inactive, pullbackTraced, pushforwardTraced, unitCotangent } from './differentiate.ts';
import type { Argnums } from './gradients.ts';
import { blockOr, forwardBlocks, zeroBlock } from './jacobians.ts';
import { orZeros, seedArguments } from './opened.ts';
import { absent, asTraced, atomOfType, replay, requireTraced, TracedTensor, zerosOf } from './traced-tensor.ts';
import { asAsked, type FunctionGradOptions, openCall, type OpenedCall, scalarResult, treesOf } from './transforms.ts';
import type { AnyFunction } from './tracing.ts';
import type { ArgumentsOf, DifferentiableCall, GradientOf, GradientsOf, JacobianOf, TangentsOf, TensorArgument } from './tree-types.ts';

/**
 * The Hessian of a real scalar `y` times a vector: the tangent of the gradient by `x` when `x` moves by `tangent`, in the
 * type of `x`. Forward over reverse: a small multiple of the cost of `y`, whatever the size of `x`. Given a function and
 * lists of primals and tangents, one tree per argument (undefined stands for zero): one tree per argument.
 *
 * @throws as `grad`; ShapeError, DTypeError or ArgumentError when tangents do not fit their values.
 * @example
 * import { tensor } from '@tf/core';
 * import { createEngine } from '@tf/engine-cpu-wasm';
 * import { evaluate, hvp } from '@tf/traced';
 * const [product] = hvp((x) => x.mul(x).mul(x).sum(), [tensor([1, 2])], [tensor([1, 1])]);
 * console.log(evaluate(product, await createEngine()).toArray()); // → [ 6, 12 ]
 */
export function hvp<D extends DType, E extends DType>(y: TracedTensor<D> & Differentiable<D>, x: TracedTensor<E> & Differentiable<E>, tangent: Argument, options?: GradOptions): TracedTensor<E>;
export function hvp<const P extends readonly TensorArgument<'float64'>[]>(f: (...args: readonly TracedTensor<'float64'>[]) => Operand, primals: P, tangents: readonly (TensorArgument<'float64'> | undefined)[], options?: GradOptions): { readonly [Index in keyof P]: TracedTensor<'float64'> };
export function hvp<A extends readonly unknown[]>(f: (...args: A) => Operand, primals: Readonly<NoInfer<ArgumentsOf<A>>>, tangents: Readonly<NoInfer<TangentsOf<A>>>, options?: GradOptions): { readonly [Index in keyof A]: GradientOf<A[Index]> };
export function hvp(target: TracedTensor | AnyFunction, second: unknown, third: unknown, options: GradOptions = {}): unknown {
  const op = 'hvp';
  checkOptions(op, options, gradOptions);
  if (typeof target === 'function') {
    requirePerArgument(op, 'primals', second);
    requirePerArgument(op, 'tangents', third);
    const call = openCall(op, target, second as readonly unknown[], options.context);
    const gradients = gradientsOf(op, call, options);
    const { values, seeds } = seedArguments(op, call, third as readonly unknown[]);
    const found = pushforwardTraced(replay, { op, outputs: gradients, wrt: values, tangents: seeds, options });
    return treesOf(call, (at, leaf) => orZeros(found[at], leaf));
  }
  requireTraced(op, target);
  requireTraced(op, second);
  const tangent = atomOfType(op, 'the tangent', third as Argument, second.type);
  const gradient = gradientOf(op, target, second, options);
  if (gradient === undefined) return absent(op, second, options);
  return orZeros(pushforwardTraced(replay, { op, outputs: [gradient], wrt: [second], tangents: [tangent], options })[0], second);
}

/**
 * The Hessian of a real scalar, in the shape `x.shape ++ x.shape`: the Jacobian of the gradient, forward over reverse.
 * Given a function: the function that computes it, as a tree like the arguments with trees like the arguments at its
 * leaves (those that `argnums` names), in the shape `leaf.shape ++ leaf.shape`.
 *
 * Cost: the linear program once over as many vectors as the arguments have elements; the value and the gradient are computed once. For a
 * product with one vector use `hvp`.
 *
 * @throws as `grad`; ShapeError when an extent is a symbol; DTypeError for complex values.
 * @example
 * import { prod, tensor } from '@tf/core';
 * import { createEngine } from '@tf/engine-cpu-wasm';
 * import { evaluate, hessian } from '@tf/traced';
 * const matrix = hessian((x) => prod(x))(tensor([2, 3, 5]));
 * console.log(evaluate(matrix, await createEngine()).toArray()); // → [ [ 0, 5, 3 ], [ 5, 0, 2 ], [ 3, 2, 0 ] ]
 */
export function hessian<D extends DType, E extends DType>(y: TracedTensor<D> & Differentiable<D>, x: TracedTensor<E> & Differentiable<E>, options?: GradOptions): TracedTensor<E>;
export function hessian<A extends readonly unknown[] = readonly TracedTensor<'float64'>[], R extends Operand = Operand, const N extends Argnums = 0>(f: ((...args: A) => R) & DifferentiableCall<A, N, R>, options?: FunctionGradOptions<N>): (...args: NoInfer<ArgumentsOf<A>>) => NoInfer<JacobianOf<GradientsOf<A, N>, GradientsOf<A, N>>>;
export function hessian(target: TracedTensor | AnyFunction, second?: unknown, third: GradOptions = {}): unknown {
  const op = 'hessian';
  if (typeof target === 'function' && second !== undefined) checkOptions(op, second, functionGradOptions, 'hessian(f, { argnums: 0 })');
  if (typeof target === 'function') return (...args: readonly unknown[]) => hessianTree(op, target, args, (second ?? {}) as FunctionGradOptions<Argnums>);
  requireTraced(op, target);
  requireTraced(op, second);
  checkOptions(op, third, gradOptions);
  const gradient = gradientOf(op, target, second, third);
  if (gradient === undefined) return blockOr(op, undefined, second.type.shape, second, third);
  return forwardBlocks(op, [gradient], second, third)[0] ?? zeroBlock(second.type.shape, second);
}

function hessianTree(op: string, f: AnyFunction, args: readonly unknown[], options: FunctionGradOptions<Argnums>): unknown {
  const { argnums = 0 } = options;
  const call = openCall(op, f, args, options.context, argnums);
  const gradients = gradientsOf(op, call, options);
  const columns = call.wrt.map((x) => forwardBlocks(op, gradients, x, options));
  return asAsked(argnums, treesOf(call, (row, { type }) => asAsked(argnums, treesOf(call, (column, x) => columns[column]?.[row] ?? zeroBlock(type.shape, x)))));
}

function gradientOf(op: string, y: TracedTensor, x: TracedTensor, options: GradOptions): TracedTensor | undefined {
  const [gradient] = pullbackTraced(replay, { op, outputs: [y], cotangents: [unitCotangent(op, y)], wrt: [x], options });
  return gradient === undefined ? undefined : asTraced(gradient);
}

/** The gradients of a call's scalar result by all that it is differentiated by. */
function gradientsOf(op: string, call: OpenedCall, options: GradOptions): readonly TracedTensor[] {
  const y = scalarResult(op, call.result, false);
  const found = pullbackTraced(replay, { op, outputs: [y], cotangents: [unitCotangent(op, y)], wrt: call.wrt, options });
  const gradients: TracedTensor[] = [];
  treesOf(call, (at, leaf, label) => {
    const gradient = found[at];
    if (gradient === undefined && options.allowUnused !== true) throw inactive(op, label, leaf.type);
    return gradients.push(gradient === undefined ? zerosOf(leaf.type) : asTraced(gradient));
  });
  return gradients;
}
