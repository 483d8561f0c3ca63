import { checkOptions } from '@tf/core';
import { pullbackOptions } from './arguments.ts';
import type { GradOptions, LinearMap } from './differentiate.ts';
import { preparePullback, preparePushforward } from './differentiate.ts';
import { requireLinear } from './linearity.ts';
import type { Pullback } from './linear-maps.ts';
import { liveOutputs, openMap, orZeros, resultTree, seedArguments, seedResult } from './opened.ts';
import { replay, type TracedTensor } from './traced-tensor.ts';
import { treesOf } from './transforms.ts';
import type { AnyFunction } from './tracing.ts';
import type { ArgumentsOf, GradientOf, TangentsOf, TensorArgument } from './tree-types.ts';

/** Remembers the derivative for the last set of values that seeds were given for. */
class LastPrepared {
  readonly #prepare: (values: readonly TracedTensor[]) => LinearMap;
  #values: readonly TracedTensor[] = [];
  #map: LinearMap | undefined;

  constructor(prepare: (values: readonly TracedTensor[]) => LinearMap) {
    this.#prepare = prepare;
  }

  for(values: readonly TracedTensor[]): LinearMap {
    const same = values.length === this.#values.length && values.every((value, at) => value === this.#values[at]);
    if (this.#map !== undefined && same) return this.#map;
    this.#values = values;
    return (this.#map = this.#prepare(values));
  }
}

/**
 * The value of `f` and its derivative as a function of tangents, one tree per argument (undefined stands for zero):
 * `[value, linear]`. `f` runs once and is differentiated once; each call of `linear` adds only the linear part to the
 * program and reads the values that the primal part computed.
 *
 * @throws ArgumentError, ShapeError or DTypeError when tangents do not fit the arguments.
 * @example
 * import { tensor } from '@tf/core';
 * import { createEngine } from '@tf/engine-cpu-wasm';
 * import { evaluate, linearize } from '@tf/traced';
 * const [value, linear] = linearize((x) => x.mul(x), tensor([1, 2]));
 * const results = evaluate([value, linear(tensor([1, 0])), linear(tensor([0, 1]))], await createEngine());
 * console.log(results.map((x) => x.toArray())); // → [ [ 1, 4 ], [ 2, 0 ], [ 0, 4 ] ]
 */
export function linearize<R, const P extends readonly TensorArgument<'float64'>[]>(f: (...args: readonly TracedTensor<'float64'>[]) => R, ...primals: P): readonly [R, (...tangents: { readonly [Index in keyof P]: TensorArgument<'float64'> | undefined }) => GradientOf<R>];
export function linearize<A extends readonly unknown[], R>(f: (...args: A) => R, ...primals: NoInfer<ArgumentsOf<A>>): readonly [R, (...tangents: TangentsOf<A>) => GradientOf<R>];
export function linearize(f: AnyFunction, ...primals: readonly unknown[]): unknown {
  const call = openMap('linearize', f, primals);
  const outputs = liveOutputs(call);
  const prepared = new LastPrepared((wrt) => preparePushforward(replay, { op: 'linearize', outputs, wrt, options: {} }));
  const linear = (...tangents: readonly unknown[]): unknown => {
    const { values, seeds } = seedArguments('linearize', call, tangents);
    const found = prepared.for(values)(seeds);
    return resultTree(call, (at, output) => orZeros(found[at], output));
  };
  return [call.result, linear];
}

/**
 * The adjoint of a linear function under ⟨a, b⟩ = Re Σ conj(a)·b: the function that takes cotangents of the result to
 * those of the arguments, one tree per argument. Of the example arguments only types matter. Linear means: in all
 * floating leaves of all arguments together; what `f` captures may be anything.
 *
 * @throws UnsupportedRuleError naming the operation, when one is not linear; an added constant counts, unless it is zero.
 * @example
 * import { matmul, tensor } from '@tf/core';
 * import { createEngine } from '@tf/engine-cpu-wasm';
 * import { evaluate, linearTranspose } from '@tf/traced';
 * const a = tensor([[1, 2], [3, 4]]);
 * const [x] = linearTranspose((v) => matmul(a, v), tensor([0, 0]))(tensor([1, 10]));
 * console.log(evaluate(x, await createEngine()).toArray()); // → [ 31, 42 ]
 */
export function linearTranspose<R, const P extends readonly TensorArgument<'float64'>[]>(f: (...args: readonly TracedTensor<'float64'>[]) => R, ...examplePrimals: P): Pullback<R, { readonly [Index in keyof P]: TracedTensor<'float64'> }>;
export function linearTranspose<A extends readonly unknown[], R>(f: (...args: A) => R, ...examplePrimals: NoInfer<ArgumentsOf<A>>): Pullback<R, { readonly [Index in keyof A]: GradientOf<A[Index]> }>;
export function linearTranspose(f: AnyFunction, ...examplePrimals: readonly unknown[]): unknown {
  const op = 'linearTranspose';
  const call = openMap(op, f, examplePrimals);
  requireLinear(op, call);
  return (cotangents: unknown, options: GradOptions = {}): unknown => {
    checkOptions(op, options, pullbackOptions, 'transposed(cotangents, { conjugate: true })');
    const { values, seeds } = seedResult(op, call, cotangents);
    const found = preparePullback(replay, { op, outputs: values, wrt: call.wrt, options })(seeds);
    return treesOf(call, (at, leaf) => orZeros(found[at], leaf));
  };
}
