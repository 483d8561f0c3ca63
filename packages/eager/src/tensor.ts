import { checkOptions, type DataOf, type DeviceBuffer, type DType, isInexact, type Listener, nestedBigInts, nestedValues, formatTensor, type Nested, type ElementOf, nextNumber, singleValue, TensorMethods, TfError, type TensorType, type TypedArray, wrongArgument } from '@tf/core';
import { backwardOptions } from './arguments.ts';
import type { Aside } from './aside.ts';
import { runBackward } from './backward.ts';
import { type TensorJson } from './convert.ts';
import type { RuntimeCore } from './core.ts';
import { recordOf } from './create.ts';
import type { BackwardOptions, EagerFacts, EagerKind, EagerTensor, EagerVariable, TensorLike } from './eager-tensor.ts';
import { otherType } from './faults.ts';
import { asideKey, coreKey, eagerKey, freeKey, inspectKey, originKey, recordKey } from './keys.ts';
import { asideOf, liveRecord, type OwnTensor } from './own-tensor.ts';
import { setGradient, slotGradient } from './slot.ts';
import { GradientSlot, leafValue, releaseNode, type TraceValue } from './trace.ts';
import { concreteShape, holdRecord, isLost, read, releaseRecord, type ValueRecord } from './value.ts';

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

  get buffer(): DeviceBuffer | undefined {
    return liveRecord(this.#tensor, 'buffer').buffer;
  }

  get data(): TypedArray | undefined {
    const record = liveRecord(this.#tensor, 'data');
    return record.buffer === undefined ? read(record) : undefined;
  }

  get sole(): boolean {
    return liveRecord(this.#tensor, 'donate').holders === 1;
  }
}

class Tensor<D extends DType> extends TensorMethods<EagerKind, D> implements OwnTensor<D> {
  readonly type: TensorType<D>;
  readonly [coreKey]: RuntimeCore;
  [recordKey]: ValueRecord | undefined;
  [originKey]: TraceValue | undefined;
  [asideKey]: Aside | undefined;

  constructor(core: RuntimeCore, record: ValueRecord, origin: TraceValue | undefined) {
    super();
    this.type = record.type as TensorType<D>;
    this[coreKey] = core;
    this[recordKey] = record;
    this[originKey] = origin;
    this[asideKey] = undefined;
    record.holders++;
    if (origin !== undefined) origin.node.holders++;
    core.bindings.current?.scope?.add(this as OwnTensor);
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
    const slot = this[recordKey] === undefined ? undefined : this[asideKey]?.slot;
    const record = slot === undefined ? undefined : slotGradient(this[coreKey], slot);
    return record === undefined ? undefined : new Tensor<D>(this[coreKey], record, undefined);
  }

  clearGrad(): void {
    const slot = this[asideKey]?.slot;
    if (slot !== undefined) setGradient(this[coreKey], slot, undefined);
  }

  backward(options: BackwardOptions = {}): void {
    checkOptions('backward', options, backwardOptions, 'y.backward({ cotangent })');
    runBackward(this[coreKey], [this as OwnTensor], [options.cotangent], options);
  }

  retainGrad(): this {
    this.live('retainGrad');
    const origin = this[originKey];
    if (origin === undefined) throw new TfError('InactiveGradError', `retainGrad: this tensor ${this.type.key} depends on no tracked variable, so it gets no gradient. Compute it from variables, outside noGrad, or make it a leaf: setRequiresGrad(true).`, { op: 'retainGrad' });
    asideOf(this as OwnTensor).slot ??= retainedSlot(origin);
    return this;
  }

  setRequiresGrad(requires: boolean): this {
    if (typeof requires !== 'boolean') throw wrongArgument('setRequiresGrad', 'requires', requires, 'true or false');
    const record = this.live('setRequiresGrad');
    const origin = this[originKey];
    if (origin?.node.recipe !== undefined) {
      if (requires) return this;
      throw new TfError('ArgumentError', `setRequiresGrad: this tensor ${this.type.key} was computed from tracked ones, so gradients flow through it. Use x.detach() for its value alone.`, { op: 'setRequiresGrad' });
    }
    if (requires === (origin !== undefined)) return this;
    if (requires) this.track(record);
    else {
      this[originKey] = undefined;
      releaseNode((origin as TraceValue).node);
    }
    return this;
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
    if (record.buffer?.donated === true) return `${this.type.key}, donated to a run`;
    if (isLost(record)) return `${this.type.key}, lost with its engine`;
    return formatTensor(this.type.dtype, concreteShape(this.type), read(record));
  }

  [inspectKey](): string {
    return this.toString();
  }

  toJSON(): TensorJson {
    const values = nestedValues(this.type, read(this.live('toJSON')));
    return { dtype: this.type.dtype, shape: concreteShape(this.type), data: values };
  }

  dispose(): void {
    const record = this[recordKey];
    if (record === undefined) return;
    const origin = this[originKey];
    const aside = this[asideKey];
    if (aside !== undefined) {
      this.clearGrad();
      this.release(aside);
    }
    this[recordKey] = undefined;
    this[originKey] = undefined;
    releaseRecord(record);
    if (origin !== undefined) releaseNode(origin.node);
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  [freeKey](aside: Aside): void {
    if (this[recordKey] === undefined) return;
    this.dispose();
    this[asideKey] = aside;
  }

  protected live(op: string): ValueRecord {
    return liveRecord(this as OwnTensor, op);
  }

  /** Makes this a leaf in whose slot gradients accumulate. */
  protected track(record: ValueRecord): void {
    requireInexact('setRequiresGrad', this.type);
    const slot = (asideOf(this as OwnTensor).slot ??= new GradientSlot(nextNumber()));
    this[originKey] = leafValue(record, slot, nextNumber());
  }

  /** Lets go of the leaf that a captured trace knows this by. */
  protected release(aside: Aside): void {
    if (aside.captured !== undefined) releaseNode(aside.captured.node);
    aside.captured = undefined;
  }
}

/** The slot of a value in the middle of a trace. */
function retainedSlot({ node, index }: TraceValue): GradientSlot {
  const known = node.slots?.[index];
  if (known !== undefined) return known;
  const slots = [...(node.slots ?? [])];
  slots[index] = new GradientSlot(nextNumber());
  node.slots = slots;
  return slots[index];
}

function requireInexact(op: string, { key, dtype }: TensorType): void {
  if (isInexact(dtype)) return;
  throw new TfError('NotDifferentiableError', `${op}: ${key} values carry no gradient. Leave them as they are, or convert to float64 first.`, { op, dtype });
}

class Variable<D extends DType> extends Tensor<D> implements EagerVariable<D> {
  #version = 0;

  get version(): number {
    return this.#version;
  }

  assign(value: TensorLike<D>): this {
    const old = this.live('assign');
    const record = recordOf(this[coreKey], 'assign', value);
    if (record.type.key !== this.type.key) throw otherType('assign', 'value', this.type, record.type);
    this[recordKey] = holdRecord(record);
    const origin = this[originKey];
    const aside = this[asideKey];
    if (aside !== undefined) this.release(aside);
    if (origin !== undefined) {
      this[originKey] = leafValue(record, aside?.slot, nextNumber());
      releaseNode(origin.node);
    }
    releaseRecord(old);
    this.#version++;
    return this;
  }
}

/** A tensor of a trace that tracks, or of one that was only captured. */
export function createTensor<D extends DType>(core: RuntimeCore, record: ValueRecord, origin: TraceValue | undefined, captured?: TraceValue): OwnTensor<D> {
  const tensor: OwnTensor<D> = new Tensor<D>(core, record, origin);
  if (captured === undefined) return tensor;
  captured.node.holders++;
  asideOf(tensor as OwnTensor).captured = captured;
  return tensor;
}

/** A variable; values that carry no gradient get no slot. */
export function createVariable<D extends DType>(core: RuntimeCore, record: ValueRecord, requiresGrad: boolean | undefined): EagerVariable<D> {
  if (requiresGrad === true) requireInexact('variable', record.type);
  const variable = new Variable<D>(core, record, undefined);
  return (requiresGrad ?? isInexact(record.type.dtype)) ? variable.setRequiresGrad(true) : variable;
}
