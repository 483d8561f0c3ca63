import { type Engine, TfError } from '@tf/core';
import type { EngineState } from './executables.ts';
import type { Scope } from './scope.ts';

interface BindingParts {
  readonly engine: Engine | undefined;
  readonly state: EngineState | undefined;
  readonly recording: boolean;
  readonly capture: boolean;
  readonly scope: Scope | undefined;
}

const outside: BindingParts = Object.freeze({ engine: undefined, state: undefined, recording: true, capture: false, scope: undefined });

/** What holds while a callback runs or a lease lasts. */
export class Binding implements BindingParts {
  readonly engine: Engine | undefined;
  readonly state: EngineState | undefined;
  /** Whether operations on tracked tensors are recorded. */
  readonly recording: boolean;
  /** Whether all others are recorded too. */
  readonly capture: boolean;
  /** What the tensors made here are freed with. */
  readonly scope: Scope | undefined;
  /** The binding in which this one was entered. */
  readonly outer: Binding | undefined;
  /** Held across turns of the event loop by an asynchronous callback. */
  readonly exclusive: boolean;
  left = false;

  constructor(outer: Binding | undefined, exclusive: boolean, change: Partial<BindingParts>) {
    const { engine, state, recording, capture, scope } = { ...(outer ?? outside), ...change };
    this.engine = engine;
    this.state = state;
    this.recording = recording;
    this.capture = capture;
    this.scope = scope;
    this.outer = outer;
    this.exclusive = exclusive;
  }
}

/** The stack of bindings of one runtime. */
export class Bindings {
  current: Binding | undefined = undefined;
  readonly #stateOf: (engine: Engine) => EngineState;

  constructor(stateOf: (engine: Engine) => EngineState) {
    this.#stateOf = stateOf;
  }

  /** Binds an engine: the same one again is fine, another is a `SessionBusyError`. */
  enter(what: string, engine: Engine, exclusive: boolean): Binding {
    const outer = this.current;
    if (outer?.engine !== undefined && outer.engine !== engine) throw busy(what, outer.engine, engine);
    if (exclusive) this.#refuseSecondLease(what, engine);
    if (engine.disposed) throw new TfError('DisposedError', `${what}: the engine ${engine.info.name} has been disposed. Create another one.`, { op: what, engine: engine.info.name });
    return (this.current = new Binding(outer, exclusive, { engine, state: outer?.state ?? this.#stateOf(engine) }));
  }

  /** Switches recording, or opens a scope, for what follows. */
  change(change: Pick<BindingParts, 'recording' | 'capture'> | Pick<BindingParts, 'scope'>): Binding {
    return (this.current = new Binding(this.current, false, change));
  }

  /** Leaves a binding; one that was entered later and is still held stays in force. */
  leave(binding: Binding): void {
    binding.left = true;
    let current = this.current;
    while (current?.left === true) current = current.outer;
    this.current = current;
  }

  /** Runs `callback` inside `binding` and leaves it, whatever happens. */
  within<T>(what: string, remedy: string, binding: Binding, callback: () => T): T {
    try {
      const result = callback();
      if (isThenable(result)) throw asyncCallback(what, remedy, result);
      return result;
    } finally {
      this.leave(binding);
    }
  }

  #refuseSecondLease(what: string, engine: Engine): void {
    for (let at = this.current; at !== undefined; at = at.outer) {
      if (at.exclusive) throw new TfError('SessionBusyError', `${what}: another sessionAsync of this runtime has not settled yet. Await it first, or use one EagerRuntime per task.`, { op: what, engine: engine.info.name });
    }
  }
}

function busy(what: string, current: Engine, wanted: Engine): TfError {
  return new TfError('SessionBusyError', `${what}: this runtime is in a session on the engine ${current.info.name} and was asked for a session on another engine (${wanted.info.name}). Leave the first one, or use one EagerRuntime per engine.`, { op: what, engine: current.info.name, wanted: wanted.info.name });
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}

function asyncCallback(what: string, remedy: string, result: PromiseLike<unknown>): TfError {
  // The callback goes on without its binding; what it then throws says less than the error given here.
  const ignore = (): void => {};
  result.then(ignore, ignore);
  return new TfError('AsyncCallbackError', `${what}: the callback returned a promise, but ${what} ends when the callback returns. ${remedy}`, { op: what });
}
