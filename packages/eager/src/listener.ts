import { applyInside, BoundedCache, type Builder, contractVersion, coreVersion, type DType, hashSeed, hostForm, isInexact, isLiteral, type Lifted, liftHost, type Listener, mixText, nextNumber, type Operand, type Operation, type OperationName, type Params, regionWithMethods, type TypedArray, type DeviceBuffer, type Weak, type Dim } from '@tf/core';
import type { Bound, RuntimeCore } from './core.ts';
import type { EagerKind } from './eager-tensor.ts';
import { mismatch, noSession } from './faults.ts';
import { coreKey, eagerKey, originKey, recordKey } from './keys.ts';
import type { OperationEntry } from './operations.ts';
import { asideOf, liveRecord, type OwnTensor } from './own-tensor.ts';
import { createTensor } from './tensor.ts';
import { leafValue, TraceNode, TraceValue } from './trace.ts';
import { checkLength, holdRecord, literalRecord, read, ValueRecord } from './value.ts';

/** Carries out operations on eager tensors at once, and records those that a gradient may flow through. */
export class EagerListener implements Listener<EagerKind> {
  readonly level = 1;
  readonly contract: number = contractVersion;
  readonly coreVersion: string = coreVersion;
  /** The body of a loop, branch or batch that is being run: what is computed meanwhile belongs into it. */
  #inside: Builder | undefined;
  readonly region: NonNullable<Listener['region']> = (body, types) => regionWithMethods(body, types, {
    scalar: (value, dtype) => this.scalar(value, dtype),
    enter: (inside) => {
      this.#inside = inside;
    },
  });
  readonly #core: RuntimeCore;
  /** What families have worked out, by their keys. */
  readonly #memo = new BoundedCache<string, unknown>({ hash: (key) => mixText(hashSeed, key), same: (a, b) => a === b, bytes: (key) => 2 * key.length });

  constructor(core: RuntimeCore) {
    this.#core = core;
  }

  apply(operation: OperationName, inputs: readonly Lifted[], params: object): readonly OwnTensor[] {
    if (this.#inside !== undefined) return applyInside(this.#inside, operation, inputs, params) as unknown as readonly OwnTensor[];
    const core = this.#core;
    const binding = core.bindings.current;
    if (binding === undefined || binding.engine === undefined || binding.state === undefined) throw noSession(operation.id);
    const records = new Array<ValueRecord>(inputs.length);
    let tracked = false;
    for (let at = 0; at < inputs.length; at++) {
      const input = inputs[at] as OwnTensor;
      records[at] = input[recordKey] ?? this.#valueOf(operation, input, at);
      if (input[originKey] !== undefined) tracked = true;
    }
    const entry = core.operations.find(operation as Operation, records, params as Params);
    if (binding.recording && entry.differentiable && (tracked || binding.capture)) return this.#record(entry, inputs as readonly OwnTensor[], records, binding as Bound, tracked);
    const buffers = core.execute(binding.engine, binding.state, entry, records);
    const tensors = new Array<OwnTensor>(buffers.length);
    for (let at = 0; at < buffers.length; at++) tensors[at] = createTensor(core, core.own(entry, at, buffers[at] as DeviceBuffer), undefined);
    return tensors;
  }

  memo<T>(key: string, make: () => T): T {
    return this.#memo.getOrCreate(key, make) as T;
  }

  lift(value: Operand): OwnTensor {
    if (eagerKey in value) throw mismatch(undefined, this.#core.name, (value as unknown as Partial<OwnTensor>)[coreKey]?.name, value.type);
    const form = hostForm(value);
    if (form?.form === 'data') return this.#constant(value, form.data);
    return liftHost(value, {
      data: (host, data) => this.#constant(host, data),
      resident: (host, buffer) => this.#own(new ValueRecord(this.#core.types.of(host.type), buffer as DeviceBuffer, undefined, 0, false)),
      scalar: (number, dtype) => this.scalar(number, dtype),
      apply: (operation, inputs, params) => this.apply(operation, inputs, params),
    }) as OwnTensor;
  }

  scalar(value: Weak, dtype: DType): OwnTensor {
    return this.#own(new ValueRecord(this.#core.types.scalar(dtype), undefined, undefined, Number(value), true));
  }

  /** The value is there: it is read, and the extent is a number. */
  extent(operation: OperationName, k: Lifted, bound: Dim): Dim {
    const own = k as OwnTensor;
    const value = Number(read(own[recordKey] ?? this.#valueOf(operation, own, 1))[0]);
    return Math.min(Math.max(value, 0), bound as number);
  }

  #run({ engine, state }: Bound, entry: OperationEntry, records: readonly ValueRecord[]): readonly ValueRecord[] {
    const buffers = this.#core.execute(engine, state, entry, records);
    const outputs = new Array<ValueRecord>(buffers.length);
    for (let at = 0; at < buffers.length; at++) outputs[at] = this.#core.own(entry, at, buffers[at] as DeviceBuffer);
    return outputs;
  }

  /** Runs it, and a node of the trace: the producers of the inputs that take part, and the values that reverse reads. */
  #record(entry: OperationEntry, inputs: readonly OwnTensor[], records: readonly ValueRecord[], binding: Bound, tracked: boolean): readonly OwnTensor[] {
    const { capture } = binding;
    const active: number[] = [];
    const producers: TraceValue[] = [];
    for (let at = 0; at < inputs.length; at++) {
      const input = inputs[at] as OwnTensor;
      const origin = input[originKey] ?? (capture ? captured(input, records[at] as ValueRecord) : undefined);
      if (origin === undefined) continue;
      active.push(at);
      producers.push(origin);
    }
    const core = this.#core;
    const run = tracked ? core.operations.augmented(entry, active, records) : entry;
    const outputs = this.#run(binding, run, records);
    const own = entry.outputs.length;
    const recipe = core.operations.recipe(run, active, own);
    const { residuals, tracks } = recipe;
    const retained = new Array<ValueRecord>(residuals.length);
    for (let at = 0; at < residuals.length; at++) {
      const residual = residuals[at] as number;
      const record = (residual >= 0 ? records[residual] : outputs[-1 - residual]) as ValueRecord;
      record.holders++;
      retained[at] = record;
    }
    for (let at = own; at < outputs.length; at++) if ((outputs[at] as ValueRecord).holders === 0) (outputs[at] as ValueRecord).buffer?.dispose();
    for (const producer of producers) producer.node.holders++;
    const node = new TraceNode(recipe, producers, retained, nextNumber(), undefined);
    const tensors = new Array<OwnTensor>(own);
    for (let at = 0; at < own; at++) {
      const value = tracks[at] === true ? new TraceValue(node, at) : undefined;
      tensors[at] = tracked ? createTensor(core, outputs[at] as ValueRecord, value) : createTensor(core, outputs[at] as ValueRecord, undefined, value);
    }
    return tensors;
  }

  /** A host tensor's data as a constant, uploaded once for each engine. */
  #constant(host: Operand, data: TypedArray): OwnTensor {
    const uploads = this.#core.bindings.current?.state?.uploads;
    let record = uploads?.get(host);
    if (record === undefined) {
      checkLength(host.type, data);
      record = holdRecord(new ValueRecord(this.#core.types.of(host.type), undefined, data, 0, true));
      uploads?.set(host, record);
    }
    return this.#own(record);
  }

  #own(record: ValueRecord): OwnTensor {
    return createTensor(this.#core, record, undefined);
  }

  /** The value of an operand that carries none: a literal's; a disposed tensor has lost its own. */
  #valueOf(operation: OperationName, input: Lifted, at: number): ValueRecord {
    if (isLiteral(input)) return literalRecord(this.#core.types.of(input.type), input);
    return liveRecord(input as OwnTensor, operation.id, at);
  }
}

/** Where a captured trace has an untracked value from; a constant becomes a leaf when it is first met. Literals do not. */
function captured(input: OwnTensor, record: ValueRecord): TraceValue | undefined {
  if (isLiteral(input) || !isInexact(record.type.dtype)) return undefined;
  return (asideOf(input).captured ??= leafValue(record, undefined, nextNumber()));
}
