import type { DataOf, DeviceBuffer, Differentiable, DType, Engine, ElementOf, Kind, Nested, Operand, TensorMethods, TensorType, TensorValue, TypedArray } from '@tf/core';

/** Anything that has values: numbers, nested arrays, typed arrays, host and resident tensors, eager tensors. */
export type TensorLike<D extends DType = DType> = Operand<Kind, D> | TensorValue;

export interface EagerKind extends Kind {
  readonly out: EagerTensor<this['D']>;
  readonly level: 1;
}

/** What other front ends may know of an eager tensor: under the key `Symbol.for('tf.eager')`. */
export interface EagerFacts {
  readonly tracked: boolean;
  /** Where the value lies, or undefined while no operation has used it and it is on the host. */
  readonly buffer: DeviceBuffer | undefined;
  /** A copy of the value while it is on the host. */
  readonly data: TypedArray | undefined;
  /** Whether no trace, no gradient and no other eager tensor holds the value: a compiled function that it is donated to may take it. */
  readonly sole: boolean;
  readonly type: TensorType;
}

export interface BackwardOptions {
  /** The cotangent of the tensor, of its type; a real scalar's is 1. */
  readonly cotangent?: TensorLike;
  /** The variables (or tensors that retain theirs) whose gradients are wanted; all that the tensor depends on when absent. */
  readonly inputs?: readonly EagerTensor[];
  /** Where the derivative runs, when not on the session's engine: values are copied there. */
  readonly engine?: Engine;
}

/** An immutable tensor of an eager runtime: operations on it run at once. */
export interface EagerTensor<D extends DType = DType> extends TensorMethods<EagerKind, D>, Operand<EagerKind, D> {
  readonly type: TensorType<D>;
  /** Whether gradients flow through this tensor. */
  readonly tracksGrad: boolean;
  /** The accumulated gradient, as a constant: of a variable, or of a tensor that retains its own. Undefined where there is none. */
  readonly grad: EagerTensor<D> | undefined;
  /** Forgets the accumulated gradient, if there is one. */
  clearGrad(): void;
  /**
   * Adds the gradients of this tensor into the variables that it was computed from. The trace stays: a second call adds
   * them again.
   *
   * @throws NonScalarGradError for anything but a real scalar without a cotangent, InactiveGradError when no variable is
   * reached or one of `inputs` is not, NotDifferentiableError for integers and booleans.
   * @example
   * import { EagerRuntime } from '@tf/eager';
   * import { createEngine } from '@tf/engine-cpu-wasm';
   * const runtime = new EagerRuntime();
   * const x = runtime.variable([1, 2, 3]);
   * runtime.session(await createEngine(), () => x.mul(x.mul(runtime.constant([10, 20, 30]))).sum().backward());
   * if (String(x.grad?.toArray()) !== '20,80,180') throw new Error('unexpected');
   */
  backward(this: EagerTensor<D> & Differentiable<D>, options?: BackwardOptions): void;
  /**
   * Lets `backward` accumulate the gradient of this tensor too, which was computed from tracked ones. Variables do so anyway.
   *
   * @throws InactiveGradError when the tensor depends on no tracked variable.
   * @example
   * import { EagerRuntime } from '@tf/eager';
   * import { createEngine } from '@tf/engine-cpu-wasm';
   * const runtime = new EagerRuntime();
   * const x = runtime.variable([1, 2]);
   * runtime.session(await createEngine(), () => {
   *   const h = x.mul(x).retainGrad();
   *   h.mul(h).sum().backward();
   *   console.log(h.grad?.toArray()); // → [ 2, 8 ]
   * });
   */
  retainGrad(): this;
  /**
   * Makes a variable or constant a leaf in which gradients accumulate, or one no longer. What was recorded before stays,
   * and so does the gradient.
   *
   * @throws NotDifferentiableError for integers and booleans; ArgumentError for false on a tensor computed from tracked
   * ones, where `detach()` is meant.
   */
  setRequiresGrad(requires: boolean): this;
  /** The same value, through which no gradient flows. */
  detach(): EagerTensor<D>;
  /** The values in row-major order, a copy: on every engine. */
  data(): Promise<DataOf<D>>;
  /** The values as nested arrays of numbers or booleans, complex ones as `{ re, im }`; the value itself for rank 0. */
  toArray(): Nested<ElementOf<D>>;
  /** Integers as nested arrays of bigints. */
  toBigIntArray(): Nested<bigint>;
  /** The value of a tensor with one element. */
  item(): ElementOf<D>;
  /** Lets go of the value: memory that no other tensor and no trace needs is given back. A second call does nothing. */
  dispose(): void;
  [Symbol.dispose](): void;
}

/**
 * A cell that holds a value, and a slot in which gradients accumulate. Operations read the value it has when they run;
 * what was computed from it does not change when another value is assigned.
 */
export interface EagerVariable<D extends DType = DType> extends EagerTensor<D> {
  /** How many values have been assigned. */
  readonly version: number;
  /**
   * Replaces the value by one of the same type. No gradient flows through the assignment; the gradient stays, and
   * backward through what was computed before uses the values that were used then.
   *
   * @throws ShapeError or DTypeError when the type differs, DisposedError when the variable has been disposed.
   * @example
   * import { EagerRuntime } from '@tf/eager';
   * import { createEngine } from '@tf/engine-cpu-wasm';
   * const runtime = new EagerRuntime();
   * const w = runtime.variable([1, 2]);
   * runtime.session(await createEngine(), () => w.assign(runtime.noGrad(() => w.mul(10))));
   * if (String(w.toArray()) !== '10,20') throw new Error('unexpected');
   */
  assign(value: TensorLike<D>): this;
}
