import { type Argument, checkOptions, type Differentiable, type DType, type DTypeOf, TfError } from '@tf/core';
import { contextOptions, gradOptions, pullbackOptions, requirePerArgument, requireTracedList } from './arguments.ts';
import { type GradOptions, pullbackTraced, pushforwardTraced, requireTangent } from './differentiate.ts';
import { liveOutputs, openMap, orZeros, resultTree, seedArguments, seedResult } from './opened.ts';
import { absent, asTraced, atomOfType, replay, requireTraced, type TracedTensor } from './traced-tensor.ts';
import { treesOf } from './transforms.ts';
import type { AnyFunction } from './tracing.ts';
import type { ArgumentsOf, GradientOf, TangentOf, TangentsOf, TensorArgument } from './tree-types.ts';

/** Cotangents of the arguments from those of the result; undefined stands for zero. */
export type Pullback<R, G> = (cotangents: TangentOf<R>, options?: Pick<GradOptions, 'conjugate' | 'context'>) => G;

/**
 * The cotangent of `x` from the cotangent `ct` of a traced value `y`; or, given a function and its arguments, its value
 * and the function that pulls cotangents of the result back to the arguments: `[value, pullback]`. The pullback gives one
 * tree per argument, zero where the result does not depend on a leaf, undefined at leaves without tangents.
 *
 * @throws ShapeError, DTypeError or ArgumentError when cotangents do not fit the result.
 * @example
 * import { tensor } from '@tf/core';
 * import { createEngine } from '@tf/engine-cpu-wasm';
 * import { evaluate, type TracedTensor, vjp } from '@tf/traced';
 * const engine = await createEngine();
 * const [, pullback] = vjp((x: TracedTensor<'float64'>) => x.mul(x), tensor([1, 2]));
 * console.log(evaluate(pullback(tensor([10, 100])), engine)[0].toArray()); // → [ 20, 400 ]
 */
export function vjp<D extends DType, E extends DType>(y: TracedTensor<D> & Differentiable<D>, x: TracedTensor<E> & Differentiable<E>, ct: Argument, options?: GradOptions): TracedTensor<E>;
export function vjp<R, const P extends readonly TensorArgument<'float64'>[]>(f: (...args: readonly TracedTensor<'float64'>[]) => R, ...primals: P): readonly [R, Pullback<R, { readonly [Index in keyof P]: TracedTensor<'float64'> }>];
export function vjp<A extends readonly unknown[], R>(f: (...args: A) => R, ...primals: NoInfer<ArgumentsOf<A>>): readonly [R, Pullback<R, { readonly [Index in keyof A]: GradientOf<A[Index]> }>];
export function vjp(target: TracedTensor | AnyFunction, ...rest: unknown[]): unknown {
  if (typeof target !== 'function') {
    requireTraced('vjp', target);
    return target.vjp(rest[0] as TracedTensor, rest[1] as Argument, rest[2] as GradOptions | undefined);
  }
  const call = openMap('vjp', target, rest);
  const pullback = (cotangents: unknown, options: GradOptions = {}): unknown => {
    checkOptions('vjp', options, pullbackOptions, 'pullback(cotangents, { conjugate: true })');
    const { values, seeds } = seedResult('vjp', call, cotangents);
    const found = pullbackTraced(replay, { op: 'vjp', outputs: values, cotangents: seeds, wrt: call.wrt, options });
    return treesOf(call, (at, leaf) => orZeros(found[at], leaf));
  };
  return [call.result, pullback];
}

/** One gradient for each value, in its type. */
export type PerValue<X extends readonly TracedTensor[]> = { readonly [Index in keyof X]: TracedTensor<DTypeOf<X[Index]>> };

/**
 * Cotangents of many values `xs` from the cotangent `ct` of `y`, by one transform: what they share is there once. The
 * same value may be listed more than once. The values are taken as independent: a path from one to `y` that passes through
 * another belongs to that other.
 *
 * @throws InactiveGradError when `y` does not depend on one of them; ShapeError or DTypeError when `ct` does not fit `y`.
 * @example
 * import { tensor } from '@tf/core';
 * import { createEngine } from '@tf/engine-cpu-wasm';
 * import { compile, input, vjpMany } from '@tf/traced';
 * const [a, b] = [input('a'), input('b', { shape: [2] })];
 * const run = compile(vjpMany(a.mul(b), [a, b, a], tensor([1, 10])), { engine: await createEngine() });
 * console.log(run({ a: 3, b: tensor([5, 7]) }).map((x) => x.toArray())); // → [ 75, [ 3, 30 ], 75 ]
 */
export function vjpMany<const X extends readonly TracedTensor[]>(y: TracedTensor, xs: X, ct: Argument, options: GradOptions = {}): PerValue<X> {
  const op = 'vjpMany';
  requireTraced(op, y);
  requireTracedList(op, 'xs', xs);
  for (const x of xs) requireTraced(op, x);
  checkOptions(op, options, gradOptions);
  requireTangent(op, y.type);
  const cotangent = atomOfType(op, 'the cotangent', ct, y.type);
  const found = pullbackTraced(replay, { op, outputs: [y], cotangents: [cotangent], wrt: xs, options });
  return xs.map((x, at) => (found[at] === undefined ? absent(op, x, options) : asTraced(found[at]))) as unknown as PerValue<X>;
}

/**
 * The tangent of a traced value `y` when `x` has the given tangent; or, given a function, its value and the tangent of
 * its result: `[value, tangent]`. Primals and tangents are lists, one tree per argument; undefined stands for zero.
 *
 * @throws ShapeError, DTypeError or ArgumentError when tangents do not fit their values.
 * @example
 * import { createEngine } from '@tf/engine-cpu-wasm';
 * import { evaluate, jvp } from '@tf/traced';
 * const engine = await createEngine();
 * const [value, tangent] = evaluate(jvp((x) => x.mul(x), [3], [1]), engine);
 * console.log(value.item(), tangent.item()); // → 9 6
 */
export function jvp<D extends DType, E extends DType>(y: TracedTensor<D> & Differentiable<D>, x: TracedTensor<E> & Differentiable<E>, tangent: Argument, options?: Pick<GradOptions, 'context'>): TracedTensor<D>;
export function jvp<R>(f: (...args: readonly TracedTensor<'float64'>[]) => R, primals: readonly TensorArgument<'float64'>[], tangents: readonly (TensorArgument<'float64'> | undefined)[], options?: Pick<GradOptions, 'context'>): readonly [R, GradientOf<R>];
export function jvp<A extends readonly unknown[], R>(f: (...args: A) => R, primals: Readonly<NoInfer<ArgumentsOf<A>>>, tangents: Readonly<NoInfer<TangentsOf<A>>>, options?: Pick<GradOptions, 'context'>): readonly [R, GradientOf<R>];
export function jvp(target: TracedTensor | AnyFunction, ...rest: unknown[]): unknown {
  if (typeof target !== 'function') {
    requireTraced('jvp', target);
    return target.jvp(rest[0] as TracedTensor, rest[1] as Argument, rest[2] as GradOptions | undefined);
  }
  const [primals, tangents, options = {}] = rest as [readonly unknown[], readonly unknown[], Pick<GradOptions, 'context'> | undefined];
  requirePerArgument('jvp', 'primals', primals);
  requirePerArgument('jvp', 'tangents', tangents);
  checkOptions('jvp', options, contextOptions, 'jvp(f, [x], [v], { context })');
  if (primals.length !== tangents.length) throw new TfError('ArgumentError', `jvp: ${primals.length} primals and ${tangents.length} tangents; there must be one tangent per primal.`, { op: 'jvp', argument: 'tangents' });
  const call = openMap('jvp', target, primals, options.context);
  const { values, seeds } = seedArguments('jvp', call, tangents);
  const found = pushforwardTraced(replay, { op: 'jvp', outputs: liveOutputs(call), wrt: values, tangents: seeds, options });
  return [call.result, resultTree(call, (at, output) => orZeros(found[at], output))];
}
