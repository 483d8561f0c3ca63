import { checkOptions, convert, type Differentiable, type DType, elementCount, equal, isComplex, isOperand, type Operand, reshape, type Shape, tensor, type TensorType, tensorType, TfError, transpose } from '@tf/core';
import { functionGradOptions, gradOptions } from './arguments.ts';
import { type GradOptions, inactive, preparePullback, preparePushforward, requireTangent } from './differentiate.ts';
import type { Argnums } from './gradients.ts';
import { liveOutputs, openMap, type OpenedMap, resultTree } from './opened.ts';
import { absent, asTraced, replay, requireTraced, traced, TracedTensor, zerosOf } from './traced-tensor.ts';
import { asAsked, type FunctionGradOptions, treesOf } from './transforms.ts';
import type { AnyFunction } from './tracing.ts';
import type { ArgumentsOf, DifferentiableCall, GradientsOf, JacobianOf } from './tree-types.ts';

/** The derivative of one output by one value, in the shape `output ++ value`; undefined where nothing flows. */
export type Block = TracedTensor | undefined;

/**
 * The Jacobian ∂y/∂x, all columns at once: the derivative is found once and runs over the batch of all unit vectors of
 * `x`. Shape `y.shape ++ x.shape`, dtype of `x`. Given a function: the function that computes the Jacobian of its result, a
 * tree like the result that has a tree like the arguments (those that `argnums` names) at each leaf.
 *
 * Cost: the linear program once over as many vectors as `x` has elements; the values of `f` are computed once. Use `jacobianReverse` when the
 * result has fewer elements than the arguments.
 *
 * @throws InactiveGradError when nothing depends on an argument; ShapeError when its extents are symbols; DTypeError for
 * complex values, whose derivative is linear over the reals only.
 * @example
 * import { tensor } from '@tf/core';
 * import { createEngine } from '@tf/engine-cpu-wasm';
 * import { evaluate, jacobianForward } from '@tf/traced';
 * const jacobian = jacobianForward((x) => x.mul(x));
 * console.log(evaluate(jacobian(tensor([1, 2])), await createEngine()).toArray()); // → [ [ 2, 0 ], [ 0, 4 ] ]
 */
export function jacobianForward<D extends DType, E extends DType>(y: TracedTensor<D> & Differentiable<D>, x: TracedTensor<E> & Differentiable<E>, options?: GradOptions): TracedTensor<E>;
export function jacobianForward<A extends readonly unknown[] = readonly TracedTensor<'float64'>[], R = Operand, const N extends Argnums = 0>(f: ((...args: A) => R) & DifferentiableCall<A, N, R>, options?: FunctionGradOptions<N>): (...args: NoInfer<ArgumentsOf<A>>) => NoInfer<JacobianOf<R, GradientsOf<A, N>>>;
export function jacobianForward(target: TracedTensor | AnyFunction, second?: unknown, third: GradOptions = {}): unknown {
  const op = 'jacobianForward';
  return jacobian(op, target, second, third, (outputs, wrt, options) => {
    const byInput = wrt.map((x) => forwardBlocks(op, outputs, x, options));
    return outputs.map((_, at) => byInput.map((blocks) => blocks[at]));
  });
}

/**
 * The Jacobian ∂y/∂x, all rows at once: as {@link jacobianForward}, with the reverse derivative over all unit vectors of
 * `y`.
 *
 * Cost: the linear program once over as many vectors as the result has elements.
 *
 * @throws as {@link jacobianForward}; ShapeError when an extent of the result is a symbol.
 * @example
 * import { tensor } from '@tf/core';
 * import { createEngine } from '@tf/engine-cpu-wasm';
 * import { evaluate, jacobianReverse, type TracedTensor } from '@tf/traced';
 * const f = (p: { w: TracedTensor<'float64'>; b: TracedTensor<'float64'> }) => p.w.mul(p.b);
 * const { w, b } = evaluate(jacobianReverse(f)({ w: tensor([1, 2]), b: 3 }), await createEngine());
 * console.log(w.toArray(), b.toArray()); // → [ [ 3, 0 ], [ 0, 3 ] ] [ 1, 2 ]
 */
export function jacobianReverse<D extends DType, E extends DType>(y: TracedTensor<D> & Differentiable<D>, x: TracedTensor<E> & Differentiable<E>, options?: GradOptions): TracedTensor<E>;
export function jacobianReverse<A extends readonly unknown[] = readonly TracedTensor<'float64'>[], R = Operand, const N extends Argnums = 0>(f: ((...args: A) => R) & DifferentiableCall<A, N, R>, options?: FunctionGradOptions<N>): (...args: NoInfer<ArgumentsOf<A>>) => NoInfer<JacobianOf<R, GradientsOf<A, N>>>;
export function jacobianReverse(target: TracedTensor | AnyFunction, second?: unknown, third: GradOptions = {}): unknown {
  const op = 'jacobianReverse';
  return jacobian(op, target, second, third, (outputs, wrt, options) => outputs.map((output) => reverseBlocks(op, output, wrt, options)));
}

/** Per output and per value its block. */
type Blocks = (outputs: readonly TracedTensor[], wrt: readonly TracedTensor[], options: GradOptions) => readonly (readonly Block[])[];

function jacobian(op: string, target: TracedTensor | AnyFunction, second: unknown, third: GradOptions, blocksOf: Blocks): unknown {
  if (typeof target === 'function') {
    if (second !== undefined) checkOptions(op, second, functionGradOptions, `${op}(f, { argnums: 0 })`);
    const options = (second ?? {}) as FunctionGradOptions<Argnums>;
    return (...args: readonly unknown[]) => {
      const { argnums = 0 } = options;
      const call = openMap(op, target, args, options.context, argnums);
      return blockTree(op, call, argnums, options, blocksOf(requireOutputs(op, call), call.wrt, options));
    };
  }
  requireTraced(op, target);
  requireTraced(op, second);
  checkOptions(op, third, gradOptions);
  return blockOr(op, blocksOf([target], [second], third)[0]?.[0], target.type.shape, second, third);
}

function requireOutputs(op: string, call: OpenedMap): readonly TracedTensor[] {
  const outputs = liveOutputs(call);
  if (outputs.length > 0) return outputs;
  const integer = call.flat.leaves.find(isOperand);
  if (integer !== undefined) requireTangent(`${op}: the result`, integer.type);
  throw new TfError('ArgumentError', `${op}: the function returned no tensor. Return what is to be differentiated.`, { op, argument: 'f' });
}

function blockTree(op: string, call: OpenedMap, argnums: Argnums, { allowUnused = false }: GradOptions, blocks: readonly (readonly Block[])[]): unknown {
  if (!allowUnused) {
    treesOf(call, (at, leaf, label) => {
      if (blocks.every((row) => row[at] === undefined)) throw inactive(op, label, leaf.type);
      return undefined;
    });
  }
  return resultTree(call, (row, output) => asAsked(argnums, treesOf(call, (at, leaf) => blocks[row]?.[at] ?? zeroBlock(output.type.shape, leaf))));
}

/** A block as the answer about two values: zeros when `options` allow them. */
export function blockOr(op: string, block: Block, shape: Shape, x: TracedTensor, options: GradOptions): TracedTensor {
  if (block === undefined) absent(op, x, options);
  return block ?? zeroBlock(shape, x);
}

export function zeroBlock(shape: Shape, { type }: TracedTensor): TracedTensor {
  return zerosOf(tensorType(type.dtype, [...shape, ...type.shape]));
}

/** One block per output. */
export function forwardBlocks(op: string, outputs: readonly TracedTensor[], x: TracedTensor, options: GradOptions): readonly Block[] {
  for (const { type } of [x, ...outputs]) requireReal(op, type);
  const count = countOf(op, x.type);
  const found = preparePushforward(replay, { op, outputs, wrt: [x], options })([unitVectors(x.type, count)], count);
  return outputs.map(({ type }, at) => {
    const columns = found[at];
    if (columns === undefined) return undefined;
    const last = type.shape.map((_, axis) => axis + 1);
    return asBlock(transpose(asTraced(columns), [...last, 0]), type.shape, x);
  });
}

/** One block per value of `wrt`. */
function reverseBlocks(op: string, output: TracedTensor, wrt: readonly TracedTensor[], options: GradOptions): readonly Block[] {
  for (const { type } of [output, ...wrt]) requireReal(op, type);
  const count = countOf(op, output.type);
  const found = preparePullback(replay, { op, outputs: [output], wrt, options })([unitVectors(output.type, count)], count);
  return wrt.map((x, at) => {
    const rows = found[at];
    return rows === undefined ? undefined : asBlock(asTraced(rows), output.type.shape, x);
  });
}

function asBlock(whole: TracedTensor, shape: Shape, x: TracedTensor): TracedTensor {
  const block = reshape(whole, [...shape, ...x.type.shape]);
  return block.type.dtype === x.type.dtype ? block : convert(block, x.type.dtype);
}

function countOf(op: string, { shape, key }: TensorType): number {
  const count = elementCount(shape);
  if (typeof count === 'number') return count;
  throw new TfError('ShapeError', `${op}: ${key} has an extent that is not known while the program is built, and a Jacobian has one column or row for each element. Give the sizes, or use jvp and vjp.`, { op, shape });
}

/** The unit vectors of a type as one batch: an identity matrix, which the program makes. */
function unitVectors({ dtype, shape }: TensorType, count: number): TracedTensor {
  const index = traced(tensor(Int32Array.from({ length: count }, (_, at) => at)));
  return reshape(convert(equal(reshape(index, [count, 1]), reshape(index, [1, count])), dtype), [count, ...shape]);
}

function requireReal(op: string, type: TensorType): void {
  requireTangent(op, type);
  if (isComplex(type.dtype)) throw new TfError('DTypeError', `${op}: the derivative of or by a complex ${type.key} is linear over the reals only and is no matrix of its dtype. Use jvp and vjp.`, { op, dtype: type.dtype });
}
