import { AdContext, type CacheStats, checkOptions, createCatalog, type Differentiable, type DType, type Engine, type Kind, nextNumber, type Operand } from '@tf/core';
import { requireCallback, requireSessionEngine, runtimeOptions, scopeOptions, variableOptions } from './arguments.ts';
import type { Binding } from './binding.ts';
import { RuntimeCore } from './core.ts';
import { ownTensor, recordOf } from './create.ts';
import type { GradOptions } from './differentiate.ts';
import type { BackwardOptions, EagerTensor, EagerVariable, TensorLike } from './eager-tensor.ts';
import { Functional, type PerInput } from './functional.ts';
import { EagerListener } from './listener.ts';
import { Scope, type TensorScope } from './scope.ts';
import { createTensor, createVariable } from './tensor.ts';
import { vmap, type VmapOptions } from './vmap.ts';
import { hashKey } from './walk.ts';

export interface EagerRuntimeOptions {
  /** Rules and caches of derivatives; shared by runtimes that are given the same one. The core operations by default. */
  readonly context?: AdContext;
  /** Named in errors that concern two runtimes. */
  readonly name?: string;
  /** How many planned operations are kept (1024), and how many prepared derivatives (256). */
  readonly maximumOperations?: number;
  readonly maximumDerivatives?: number;
  /** The hash of a derivative's structure; tests inject a constant to show that equality decides. */
  readonly derivativeHash?: (key: readonly number[]) => number;
}

export interface ScopeOptions {
  /** Named when a tensor that the scope freed is used; by default the callback's name. */
  readonly name?: string;
}

export interface VariableOptions<D extends DType = DType> {
  /** Whether gradients accumulate in it; by default for floating and complex values. Of integers and booleans only false. */
  readonly requiresGrad?: unknown extends Differentiable<D> ? boolean : false | Differentiable<D>;
}

/** What a runtime holds: bounded, and constant once a training loop has settled. */
export interface EagerStats {
  /** One-operation plans. */
  readonly operations: CacheStats;
  /** Derivatives of whole traces. */
  readonly preparedDerivatives: CacheStats;
  /** Forward operations that derivatives had to carry out again. */
  readonly recomputed: number;
  /** Gradient slots that the latest `backward` added into. A runtime keeps no list of variables, so it counts no others. */
  readonly slots: number;
}

/** A session in force; disposing it leaves it. */
export class Session {
  readonly runtime: EagerRuntime;
  readonly engine: Engine;
  readonly #leave: () => void;

  constructor(runtime: EagerRuntime, engine: Engine, leave: () => void) {
    this.runtime = runtime;
    this.engine = engine;
    this.#leave = leave;
  }

  /** Leaves the session; a second call does nothing. */
  dispose(): void {
    this.#leave();
  }

  [Symbol.dispose](): void {
    this.#leave();
  }
}

const asyncRemedy = 'Use await runtime.sessionAsync(engine, async () => …).';
const insideRemedy = 'Put it inside the asynchronous part: each stretch of synchronous work in its own call.';

/**
 * Operations on the tensors of a runtime run at once, on the engine of the session in force, and are recorded for
 * `backward`. A runtime holds rules and caches; engines are only lent to it.
 *
 * @example
 * import { mul, sum } from '@tf/core';
 * import { EagerRuntime } from '@tf/eager';
 * import { createEngine } from '@tf/engine-cpu-wasm';
 * const runtime = new EagerRuntime();
 * const engine = await createEngine();
 * const x = runtime.variable([1, 2, 3]);
 * runtime.session(engine, () => sum(mul(x, x)).backward());
 * if (String(x.grad?.toArray()) !== '2,4,6') throw new Error('unexpected');
 */
export class EagerRuntime {
  readonly context: AdContext;
  readonly #core: RuntimeCore;
  readonly #functional: Functional;

  constructor(options: EagerRuntimeOptions = {}) {
    checkOptions('EagerRuntime', options, runtimeOptions, 'new EagerRuntime({ context })');
    this.context = options.context ?? new AdContext({ catalog: createCatalog() });
    this.#core = new RuntimeCore({
      context: this.context,
      name: options.name ?? `runtime ${nextNumber()}`,
      maximumOperations: options.maximumOperations ?? 1024,
      maximumDerivatives: options.maximumDerivatives ?? 256,
      derivativeHash: options.derivativeHash ?? hashKey,
    }, (core) => new EagerListener(core));
    this.#functional = new Functional(this.#core);
  }

  /**
   * Runs `callback` with `engine` bound. Sessions on the same engine nest.
   *
   * @throws AsyncCallbackError when the callback returns a promise, SessionBusyError inside a session on another engine.
   */
  session<T>(engine: Engine, callback: (session: Session) => T): T {
    requireSessionEngine('session', engine);
    requireCallback('session', callback);
    const { bindings } = this.#core;
    const binding = bindings.enter('session', engine, false);
    return bindings.within('session', asyncRemedy, binding, () => callback(this.#session(binding, engine)));
  }

  /**
   * Binds `engine` until the callback's promise settles. One at a time in a runtime; meanwhile the engine stays bound for
   * whatever else uses the runtime.
   *
   * @throws SessionBusyError while another one has not settled, or inside a session on another engine.
   */
  async sessionAsync<T>(engine: Engine, callback: (session: Session) => Promise<T>): Promise<T> {
    requireSessionEngine('sessionAsync', engine);
    requireCallback('sessionAsync', callback);
    const { bindings } = this.#core;
    const binding = bindings.enter('sessionAsync', engine, true);
    try {
      return await callback(this.#session(binding, engine));
    } finally {
      bindings.leave(binding);
    }
  }

  /**
   * Binds `engine` until the returned session is disposed: for scripts and notebooks.
   *
   * @example
   * import { EagerRuntime } from '@tf/eager';
   * import { createEngine } from '@tf/engine-cpu-wasm';
   * const runtime = new EagerRuntime();
   * const session = runtime.open(await createEngine());
   * const x = runtime.constant([1, 2]);
   * if (String(x.add(1).toArray()) !== '2,3') throw new Error('unexpected');
   * session.dispose();
   */
  open(engine: Engine): Session {
    requireSessionEngine('open', engine);
    return this.#session(this.#core.bindings.enter('open', engine, false), engine);
  }

  /** Runs `callback` without recording: nothing computed inside is tracked. */
  noGrad<T>(callback: () => T): T {
    requireCallback('noGrad', callback);
    const { bindings } = this.#core;
    return bindings.within('noGrad', insideRemedy, bindings.change({ recording: false, capture: false }), callback);
  }

  /**
   * Runs `callback` and records all it computes, so that functional derivatives by constants can be taken afterwards.
   * Nothing tracks because of it: what is computed outside from its results is not recorded.
   *
   * @throws AsyncCallbackError when the callback returns a promise.
   * @example
   * import { EagerRuntime } from '@tf/eager';
   * import { createEngine } from '@tf/engine-cpu-wasm';
   * const runtime = new EagerRuntime();
   * runtime.session(await createEngine(), () => {
   *   const c = runtime.constant([1, 2, 3]);
   *   const y = runtime.captureTrace(() => c.mul(c).sum());
   *   console.log(runtime.grad(y, c).toArray(), y.tracksGrad); // → [ 2, 4, 6 ] false
   * });
   */
  captureTrace<T>(callback: () => T): T {
    requireCallback('captureTrace', callback);
    const { bindings } = this.#core;
    return bindings.within('captureTrace', insideRemedy, bindings.change({ recording: true, capture: true }), callback);
  }

  /**
   * Runs `callback` and frees the tensors made inside, but for those in the tree that it returns and those kept with
   * `scope.keep`. Values that gradients, variables or traces of other tensors need stay, as they do under `dispose`. Scopes
   * nest: what leaves one belongs to the enclosing one.
   *
   * @throws AsyncCallbackError when the callback returns a promise. Using a freed tensor is a DisposedError that names the
   * scope.
   * @example
   * import { EagerRuntime } from '@tf/eager';
   * import { createEngine } from '@tf/engine-cpu-wasm';
   * const runtime = new EagerRuntime();
   * const engine = await createEngine();
   * runtime.session(engine, () => {
   *   const x = runtime.constant([1, 2, 3]);
   *   const y = runtime.scope(() => x.mul(x).add(1).sum());
   *   console.log(y.item(), engine.stats().liveBuffers); // → 17 2
   * });
   */
  scope<T>(callback: (scope: TensorScope) => T, options: ScopeOptions = {}): T {
    requireCallback('scope', callback);
    checkOptions('scope', options, scopeOptions, 'scope(callback, { name })');
    const { bindings } = this.#core;
    const scope = new Scope(options.name ?? (callback.name || `number ${nextNumber()}`), bindings.current?.scope);
    const binding = bindings.change({ scope });
    try {
      return scope.keep(bindings.within('scope', insideRemedy, binding, () => callback(scope)));
    } finally {
      scope.end();
    }
  }

  /** A variable: a value that can be replaced by `assign`, and in which gradients accumulate. */
  variable<D extends DType = 'float64'>(value: TensorLike<D>, options: VariableOptions<D> = {}): EagerVariable<D> {
    checkOptions('variable', options, variableOptions, 'variable(value, { requiresGrad: false })');
    return createVariable<D>(this.#core, recordOf(this.#core, 'variable', value), options.requiresGrad as boolean | undefined);
  }

  /** A tensor through which no gradient flows. */
  constant<D extends DType = 'float64'>(value: TensorLike<D>): EagerTensor<D> {
    return createTensor<D>(this.#core, recordOf(this.#core, 'constant', value), undefined);
  }

  /**
   * Adds the gradients of `loss` into the variables that it was computed from: `loss.backward(options)` for what a
   * function of any operands returns, without a cast.
   *
   * @throws as `EagerTensor.backward`; InactiveGradError when `loss` is no eager tensor, because then no variable entered
   * it; ContextMismatchError for a tensor of another runtime.
   * @example
   * import { mul, type Operand, sum } from '@tf/core';
   * import { EagerRuntime } from '@tf/eager';
   * import { createEngine } from '@tf/engine-cpu-wasm';
   * const loss = (x: Operand) => sum(mul(x, x));
   * const runtime = new EagerRuntime();
   * const x = runtime.variable([1, 2, 3]);
   * runtime.session(await createEngine(), () => runtime.backward(loss(x)));
   * console.log(x.grad?.toArray()); // → [ 2, 4, 6 ]
   */
  backward<D extends DType>(loss: Operand<Kind, D> & Differentiable<D>, options: BackwardOptions = {}): void {
    ownTensor(this.#core, 'backward', loss).backward(options);
  }

  /**
   * The gradient of the real scalar `y` by `x`: a variable, or any tensor on a path to `y`, where the trace is cut for this
   * call. It is a tensor like any other and can be differentiated again; `x.grad` is not touched.
   *
   * @throws NonScalarGradError unless `y` is a real scalar; InactiveGradError when it does not depend on `x`;
   * NotDifferentiableError for integers and booleans.
   * @example
   * import { EagerRuntime } from '@tf/eager';
   * import { createEngine } from '@tf/engine-cpu-wasm';
   * const runtime = new EagerRuntime();
   * const s = runtime.variable(2.5);
   * runtime.session(await createEngine(), () => {
   *   const first = runtime.grad(s.mul(s).mul(s), s);
   *   const second = runtime.grad(first, s);
   *   console.log(first.item(), second.item(), runtime.grad(second, s).item()); // → 18.75 15 6
   * });
   */
  grad<D extends DType, E extends DType>(y: Operand<Kind, D> & Differentiable<D>, x: Operand<Kind, E> & Differentiable<E>, options: GradOptions = {}): EagerTensor<E> {
    return this.#functional.gradients('grad', [y], [x], [undefined], options)[0] as unknown as EagerTensor<E>;
  }

  /** As {@link grad}, but undefined when `y` does not depend on `x`. */
  gradOptional<D extends DType, E extends DType>(y: Operand<Kind, D> & Differentiable<D>, x: Operand<Kind, E> & Differentiable<E>, options: GradOptions = {}): EagerTensor<E> | undefined {
    return this.#functional.gradOptional(y, x, options);
  }

  /**
   * The cotangent of `x` when `y` has the given cotangent, of its type. Adjoint of {@link jvp} under ⟨a, b⟩ = Re Σ conj(a)·b.
   *
   * @throws ShapeError or DTypeError when the cotangent has another type; InactiveGradError when `y` does not depend on `x`.
   */
  vjp<D extends DType, E extends DType>(y: Operand<Kind, D> & Differentiable<D>, x: Operand<Kind, E> & Differentiable<E>, cotangent: TensorLike, options: GradOptions = {}): EagerTensor<E> {
    return this.#functional.gradients('vjp', [y], [x], [cotangent], options)[0] as unknown as EagerTensor<E>;
  }

  /** The cotangents of several tensors by one derivative; one that is given twice has two results. */
  vjpMany<const X extends readonly Operand[]>(y: Operand, inputs: X, cotangent: TensorLike, options: GradOptions = {}): PerInput<X> {
    return this.#functional.gradients('vjpMany', [y], inputs, [cotangent], options) as unknown as PerInput<X>;
  }

  /**
   * The tangent of `y` when `x` has the given tangent, of its type; zero when `y` does not depend on `x`.
   *
   * @throws ShapeError or DTypeError when the tangent has another type; InactiveGradError when `x` is a constant that no
   * trace knows.
   * @example
   * import { EagerRuntime } from '@tf/eager';
   * import { createEngine } from '@tf/engine-cpu-wasm';
   * const runtime = new EagerRuntime();
   * const x = runtime.variable([1, 2, 3]);
   * runtime.session(await createEngine(), () => {
   *   console.log(runtime.jvp(x.mul(x), x, [1, 0, 10]).toArray()); // → [ 2, 0, 60 ]
   * });
   */
  jvp<D extends DType, E extends DType>(y: Operand<Kind, D> & Differentiable<D>, x: Operand<Kind, E> & Differentiable<E>, tangent: TensorLike, options: Pick<GradOptions, 'engine'> = {}): EagerTensor<D> {
    return this.#functional.tangent('jvp', y, [x], [tangent], options);
  }

  /** The tangent of `y` when several tensors have tangents. No tensor may be given twice: ArgumentError. */
  jvpMany<D extends DType>(y: Operand<Kind, D>, inputs: readonly Operand[], tangents: readonly TensorLike[], options: Pick<GradOptions, 'engine'> = {}): EagerTensor<D> {
    return this.#functional.tangent('jvpMany', y, inputs, tangents, options);
  }

  /**
   * The Hessian of the real scalar `y` by `x`, times a tangent of the type of `x`: the derivative of the gradient along it.
   *
   * @throws as {@link grad} and {@link jvp}.
   * @example
   * import { EagerRuntime } from '@tf/eager';
   * import { createEngine } from '@tf/engine-cpu-wasm';
   * const runtime = new EagerRuntime();
   * const x = runtime.variable([1, 2]);
   * runtime.session(await createEngine(), () => {
   *   console.log(runtime.hvp(x.mul(x).mul(x).sum(), x, [1, 1]).toArray()); // → [ 6, 12 ]
   * });
   */
  hvp<D extends DType, E extends DType>(y: Operand<Kind, D> & Differentiable<D>, x: Operand<Kind, E> & Differentiable<E>, tangent: TensorLike, options: GradOptions = {}): EagerTensor<E> {
    return this.#functional.hvp(y, x, tangent, options);
  }

  /**
   * The function that maps `f` over an axis of its arguments by one program over all of them at once: what a loop over the
   * axis and a stack of the results would give, to rounding. `f` runs once, on values of a program that have the methods of
   * tensors; what it captures is shared, and gradients flow into it and into the arguments.
   *
   * @throws AxisError when an argument has no such axis; ShapeError when the sizes along it differ; UnsupportedRuleError
   * when an operation has no batch rule.
   * @example
   * import { tensor } from '@tf/core';
   * import { EagerRuntime, type EagerTensor } from '@tf/eager';
   * import { createEngine } from '@tf/engine-cpu-wasm';
   * const runtime = new EagerRuntime();
   * using session = runtime.open(await createEngine());
   * const w = runtime.variable(tensor([1, 2]));
   * const scores = runtime.vmap((x: EagerTensor<'float64'>) => x.mul(w).sum())(tensor([[1, 0], [0, 1], [1, 1]]));
   * console.log(scores.toArray()); // → [ 1, 2, 3 ]
   */
  vmap<A extends readonly never[], R>(f: (...args: A) => R, options: VmapOptions = {}): (...args: { readonly [Index in keyof A]: unknown }) => R {
    return vmap(this.#core, f as (...args: readonly unknown[]) => unknown, options) as (...args: readonly unknown[]) => R;
  }

  /** Clears the gradients of all variables of this runtime. */
  clearGrads(): void {
    this.#core.epoch++;
  }

  stats(): EagerStats {
    const { operations, derivatives, recomputed, slots } = this.#core;
    return { operations: operations.stats(), preparedDerivatives: derivatives.stats(), recomputed, slots };
  }

  #session(binding: Binding, engine: Engine): Session {
    return new Session(this, engine, () => this.#core.bindings.leave(binding));
  }
}
