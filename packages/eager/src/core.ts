import { type AdContext, type DeviceBuffer, type Engine, type EngineInput, type Listener, type Operation, type Params } from '@tf/core';
import { type Binding, Bindings } from './binding.ts';
import type { EagerKind } from './eager-tensor.ts';
import { EngineState } from './executables.ts';
import { lostWithEngine, noSession } from './faults.ts';
import { type OperationEntry, OperationTable } from './operations.ts';
import type { Prepared } from './prepared.ts';
import { SlotCache } from './slot-cache.ts';
import { TypeTable } from './type-table.ts';
import { isLost, place, ValueRecord } from './value.ts';

/** A binding inside a session. */
export interface Bound extends Binding {
  readonly engine: Engine;
  readonly state: EngineState;
}

export interface CoreOptions {
  readonly context: AdContext;
  readonly name: string;
  readonly maximumOperations: number;
  readonly maximumDerivatives: number;
  readonly derivativeHash: (key: readonly number[]) => number;
}

/** What a runtime's tensors, listener and backward share: rules, caches and the current binding; never an engine. */
export class RuntimeCore {
  readonly context: AdContext;
  readonly listener: Listener<EagerKind>;
  readonly name: string;
  readonly types: TypeTable = new TypeTable();
  readonly operations: OperationTable;
  readonly derivatives: SlotCache<Prepared>;
  readonly bindings: Bindings;
  readonly #states = new WeakMap<Engine, EngineState>();
  /** Gradients written in an earlier epoch have been cleared. */
  epoch = 1;
  recomputed = 0;
  /** Gradient slots that the latest backward added into. */
  slots = 0;
  readonly derivativeHash: (key: readonly number[]) => number;
  /** Numbers recipes: traces are compared by these. */
  readonly nextRecipe: () => number;
  #recipes = 0;
  #visits = 0;

  constructor({ context, name, maximumOperations, maximumDerivatives, derivativeHash }: CoreOptions, createListener: (core: RuntimeCore) => Listener<EagerKind>) {
    this.context = context;
    this.name = name;
    this.listener = createListener(this);
    this.derivativeHash = derivativeHash;
    this.nextRecipe = () => ++this.#recipes;
    this.operations = new OperationTable(context, this.types, this.nextRecipe, maximumOperations);
    this.derivatives = new SlotCache(maximumDerivatives);
    this.bindings = new Bindings((engine) => this.stateOf(engine));
  }

  /** The session in force. */
  bound(op: string): Bound {
    const { current } = this.bindings;
    if (current === undefined || current.engine === undefined) throw noSession(op);
    return current as Bound;
  }

  stateOf(engine: Engine): EngineState {
    let state = this.#states.get(engine);
    if (state === undefined) this.#states.set(engine, (state = new EngineState()));
    return state;
  }

  nextVisit(): number {
    return ++this.#visits;
  }

  /** Runs a planned operation; the outputs are new buffers. */
  execute(engine: Engine, state: EngineState, entry: OperationEntry, records: readonly ValueRecord[]): readonly DeviceBuffer[] {
    const inputs = new Array<EngineInput>(records.length);
    for (let at = 0; at < records.length; at++) {
      const record = records[at] as ValueRecord;
      const { buffer } = record;
      if (buffer !== undefined && buffer.engine === engine) inputs[at] = buffer;
      else {
        if (isLost(record)) throw lostWithEngine(entry.instruction.operation.id, `operand ${at}, a tensor`, record.type, (buffer as DeviceBuffer).engine);
        inputs[at] = place(record, engine);
      }
    }
    return state.operations.of(entry, entry.plans, engine).run(inputs);
  }

  /** Carries out an operation with one output on values, recording nothing. */
  compute(engine: Engine, operation: Operation, records: readonly ValueRecord[], params: Params): ValueRecord {
    const entry = this.operations.find(operation, records, params);
    const [buffer] = this.execute(engine, this.stateOf(engine), entry, records);
    return this.own(entry, 0, buffer as DeviceBuffer);
  }

  /** An output of an operation. */
  own(entry: OperationEntry, index: number, buffer: DeviceBuffer): ValueRecord {
    return new ValueRecord(entry.outputs[index] as OperationEntry['outputs'][number], buffer, undefined, 0, true);
  }
}
