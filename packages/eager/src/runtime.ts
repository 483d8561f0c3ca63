import { AdContext, type CacheStats, createCatalog, type DType, type Engine, nextNumber, type Operand } from '@tf/core';
import type { Binding } from './binding.ts';
import { RuntimeCore } from './core.ts';
import { ownTensor, recordOf } from './create.ts';
import type { BackwardOptions, EagerTensor, EagerVariable, TensorLike } from './eager-tensor.ts';
import { EagerListener } from './listener.ts';
import { createTensor, createVariable } from './tensor.ts';

export interface EagerRuntimeOptions {
  /** Rules and caches of derivatives; shared by runtimes that are given the same one. The core operations by default. */
  readonly context?: AdContext;
  /** Named in errors that concern two runtimes. */
  readonly name?: string;
  /** How many planned operations are kept (1024), and how many prepared derivatives (256). */
  readonly maximumOperations?: number;
  readonly maximumDerivatives?: number;
}

export interface VariableOptions {
  /** Whether gradients accumulate in it; by default for floating and complex values. */
  readonly requiresGrad?: boolean;
}

/** What a runtime holds: bounded, and constant once a training loop has settled. */
export interface EagerStats {
  /** One-operation plans. */
  readonly operations: CacheStats;
  /** Derivatives of whole traces. */
  readonly preparedDerivatives: CacheStats;
  /** Forward operations that backward had to carry out again. */
  readonly recomputed: number;
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

  constructor(options: EagerRuntimeOptions = {}) {
    this.context = options.context ?? new AdContext({ catalog: createCatalog() });
    this.#core = new RuntimeCore({
      context: this.context,
      name: options.name ?? `runtime ${nextNumber()}`,
      maximumOperations: options.maximumOperations ?? 1024,
      maximumDerivatives: options.maximumDerivatives ?? 256,
    }, (core) => new EagerListener(core));
  }

  /**
   * Runs `callback` with `engine` bound. Sessions on the same engine nest.
   *
   * @throws AsyncCallbackError when the callback returns a promise, SessionBusyError inside a session on another engine.
   */
  session<T>(engine: Engine, callback: (session: Session) => T): T {
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
   * if (x.add(1).toArray()[1] !== 3) throw new Error('unexpected');
   * session.dispose();
   */
  open(engine: Engine): Session {
    return this.#session(this.#core.bindings.enter('open', engine, false), engine);
  }

  /** Runs `callback` without recording: nothing computed inside is tracked. */
  noGrad<T>(callback: () => T): T {
    const { bindings } = this.#core;
    return bindings.within('noGrad', insideRemedy, bindings.record(false), callback);
  }

  /** A variable: a value that can be replaced by `assign`, and in which gradients accumulate. */
  variable<D extends DType = 'float64'>(value: TensorLike<D>, options: VariableOptions = {}): EagerVariable<D> {
    return createVariable<D>(this.#core, recordOf(this.#core, 'variable', value), options.requiresGrad);
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
  backward(loss: Operand, options: BackwardOptions = {}): void {
    ownTensor(this.#core, 'backward', loss).backward(options);
  }

  /** Clears the gradients of all variables of this runtime. */
  clearGrads(): void {
    this.#core.epoch++;
  }

  stats(): EagerStats {
    const { operations, derivatives, recomputed } = this.#core;
    return { operations: operations.stats(), preparedDerivatives: derivatives.stats(), recomputed };
  }

  #session(binding: Binding, engine: Engine): Session {
    return new Session(this, engine, () => this.#core.bindings.leave(binding));
  }
}
