import { type DataOf, type DeviceBuffer, type DType, isInexact, type Listener, nestedBigInts, nestedValues, formatTensor, type Nested, type ElementOf, nextNumber, singleValue, TensorMethods, TfError, type TensorType } from '@tf/core';
import { runBackward } from './backward.ts';
import type { RuntimeCore } from './core.ts';
import { recordOf } from './create.ts';
import type { BackwardOptions, EagerFacts, EagerKind, EagerTensor, EagerVariable, TensorLike } from './eager-tensor.ts';
import { disposed, otherType } from './faults.ts';
import { coreKey, eagerKey, originKey, recordKey } from './keys.ts';
import type { OwnTensor } from './own-tensor.ts';
import { setGradient, slotGradient } from './slot.ts';
import { GradientSlot, leafValue, releaseNode, type TraceValue } from './trace.ts';
import { concreteShape, holdRecord, placeBuffer, read, releaseRecord, type ValueRecord } from './value.ts';

/** Values that are only on the host are uploaded when their buffer is asked for. */
class Facts implements EagerFacts {
  readonly #tensor: OwnTensor;

  constructor(tensor: OwnTensor) {
    this.#tensor = tensor;
  }

  get tracked(): boolean {
    return this.#tensor.tracksGrad;
  }

  get type(): TensorType {
    return this.#tensor.type;
  }

  get buffer(): DeviceBuffer {
    const record = this.#tensor[recordKey];
    if (record === undefined) throw disposed('buffer', this.type);
    return record.buffer ?? placeBuffer(record, this.#tensor[coreKey].bound('buffer').engine);
  }
}

class Tensor<D extends DType> extends TensorMethods<EagerKind, D> implements OwnTensor<D> {
  readonly type: TensorType<D>;
  readonly [coreKey]: RuntimeCore;
  [recordKey]: ValueRecord | undefined;
  [originKey]: TraceValue | undefined;

  constructor(core: RuntimeCore, record: ValueRecord, origin: TraceValue | undefined) {
    super();
    this.type = record.type as TensorType<D>;
    this[coreKey] = core;
    this[recordKey] = record;
    this[originKey] = origin;
    record.holders++;
    if (origin !== undefined) origin.node.holders++;
  }

  get listener(): Listener<EagerKind> {
    return this[coreKey].listener;
  }

  get [eagerKey](): EagerFacts {
    return new Facts(this as OwnTensor);
  }

  get tracksGrad(): boolean {
    return this[originKey] !== undefined;
  }

  get grad(): EagerTensor<D> | undefined {
    return undefined;
  }

  clearGrad(): void {}

  backward(options: BackwardOptions = {}): void {
    this.live('backward');
    const { cotangent } = options;
    runBackward(this[coreKey], this as OwnTensor, cotangent === undefined ? undefined : recordOf(this[coreKey], 'backward', cotangent, this.type), options);
  }

  detach(): EagerTensor<D> {
    return new Tensor<D>(this[coreKey], this.live('detach'), undefined);
  }

  async data(): Promise<DataOf<D>> {
    return read(this.live('data')) as DataOf<D>;
  }

  toArray(): Nested<ElementOf<D>> {
    return nestedValues(this.type, read(this.live('toArray')));
  }

  toBigIntArray(): Nested<bigint> {
    return nestedBigInts(this.type, read(this.live('toBigIntArray')));
  }

  item(): ElementOf<D> {
    return singleValue(this.type, read(this.live('item')));
  }

  override toString(): string {
    const record = this[recordKey];
    if (record === undefined) return `${this.type.key}, disposed`;
    return formatTensor(this.type.dtype, concreteShape(this.type), read(record));
  }

  dispose(): void {
    const record = this[recordKey];
    if (record === undefined) return;
    const origin = this[originKey];
    this[recordKey] = undefined;
    this[originKey] = undefined;
    releaseRecord(record);
    if (origin !== undefined) releaseNode(origin.node);
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  /** The value, which a disposed tensor has no longer. */
  protected live(op: string): ValueRecord {
    const record = this[recordKey];
    if (record === undefined) throw disposed(op, this.type);
    return record;
  }
}

class Variable<D extends DType> extends Tensor<D> implements EagerVariable<D> {
  readonly #slot: GradientSlot | undefined;
  #version = 0;

  constructor(core: RuntimeCore, record: ValueRecord, slot: GradientSlot | undefined) {
    super(core, record, undefined);
    this.#slot = slot;
    if (slot !== undefined) this[originKey] = leafValue(record, slot, nextNumber());
  }

  get version(): number {
    return this.#version;
  }

  override get grad(): EagerTensor<D> | undefined {
    const slot = this[recordKey] === undefined ? undefined : this.#slot;
    const record = slot === undefined ? undefined : slotGradient(this[coreKey], slot);
    return record === undefined ? undefined : new Tensor<D>(this[coreKey], record, undefined);
  }

  override clearGrad(): void {
    if (this.#slot !== undefined) setGradient(this[coreKey], this.#slot, undefined);
  }

  assign(value: TensorLike<D>): this {
    const old = this.live('assign');
    const record = recordOf(this[coreKey], 'assign', value);
    if (record.type.key !== this.type.key) throw otherType('assign', 'value', this.type, record.type);
    this[recordKey] = holdRecord(record);
    const origin = this[originKey];
    if (origin !== undefined && this.#slot !== undefined) {
      this[originKey] = leafValue(record, this.#slot, nextNumber());
      releaseNode(origin.node);
    }
    releaseRecord(old);
    this.#version++;
    return this;
  }

  override dispose(): void {
    this.clearGrad();
    super.dispose();
  }
}

export function createTensor<D extends DType>(core: RuntimeCore, record: ValueRecord, origin: TraceValue | undefined): OwnTensor<D> {
  return new Tensor<D>(core, record, origin);
}

/** A variable; values that carry no gradient get no slot. */
export function createVariable<D extends DType>(core: RuntimeCore, record: ValueRecord, requiresGrad: boolean | undefined): EagerVariable<D> {
  const inexact = isInexact(record.type.dtype);
  if (requiresGrad === true && !inexact) throw new TfError('NotDifferentiableError', `variable: ${record.type.key} values carry no gradient. Leave requiresGrad out, or convert to float64 first.`, { op: 'variable', dtype: record.type.dtype });
  return new Variable<D>(core, record, (requiresGrad ?? inexact) ? new GradientSlot() : undefined);
}
