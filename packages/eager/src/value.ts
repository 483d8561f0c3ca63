import { allocate, type DeviceBuffer, dtypes, elementCount, type Engine, type EngineInput, type Literal, TfError, type TensorType, type TypedArray } from '@tf/core';
import { lostWithEngine } from './faults.ts';
import type { KnownType } from './type-table.ts';

/**
 * An immutable value: a buffer on an engine, a JavaScript number (weak scalars), or data on the host that the first
 * use uploads. Tensors, variables, gradient slots and traces share it; when the last holder that says so lets go, an
 * owned buffer is given back at once, and otherwise the engine's finalizer does it.
 */
export class ValueRecord {
  readonly type: TensorType;
  readonly typeId: number;
  /** Whether nobody outside this runtime holds the buffer. */
  readonly owned: boolean;
  buffer: DeviceBuffer | undefined;
  data: TypedArray | undefined;
  readonly scalar: number;
  holders: number;

  constructor(known: KnownType, buffer: DeviceBuffer | undefined, data: TypedArray | undefined, scalar: number, owned: boolean) {
    this.type = known.type;
    this.typeId = known.id;
    this.owned = owned;
    this.buffer = buffer;
    this.data = data;
    this.scalar = scalar;
    this.holders = 0;
  }
}

export function holdRecord(record: ValueRecord): ValueRecord {
  record.holders++;
  return record;
}

export function releaseRecord(record: ValueRecord): void {
  if (--record.holders > 0) return;
  if (record.owned) record.buffer?.dispose();
}

/** The value where `engine` can use it; it stays there. */
export function place(record: ValueRecord, engine: Engine): EngineInput {
  const { buffer } = record;
  if (buffer !== undefined && buffer.engine === engine) return buffer;
  if (buffer === undefined && record.data === undefined) return record.scalar;
  return placeBuffer(record, engine);
}

/** The value as a buffer of `engine`. Data that came from the host stay: they outlive the engine. */
export function placeBuffer(record: ValueRecord, engine: Engine): DeviceBuffer {
  return (record.buffer = copyTo(record, engine));
}

/** The value for one run on `engine`. An engine that only lends its work (`away`) gets a copy for the run. */
export function lend(record: ValueRecord, engine: Engine, away: boolean): EngineInput {
  const { buffer, data } = record;
  if (buffer !== undefined ? buffer.engine === engine : data === undefined || !away) return place(record, engine);
  return { data: data ?? read(record), shape: concreteShape(record.type) };
}

/** A value of its own with the same elements, which can go to `engine` while the other stays where it is. */
export function hostCopy(record: ValueRecord, engine: Engine): ValueRecord {
  const { type, typeId, buffer, data, scalar } = record;
  if (buffer === undefined ? data === undefined : buffer.engine === engine) return record;
  return new ValueRecord({ type, id: typeId }, undefined, data ?? read(record), scalar, true);
}

/** Brings a value back from an engine that only lent its work; the next use takes it where it is needed. */
export function moveToHost(record: ValueRecord): void {
  const { buffer } = record;
  if (buffer === undefined) return;
  record.data = buffer.engine.read(buffer);
  record.buffer = undefined;
  if (record.owned) buffer.dispose();
}

function copyTo(record: ValueRecord, engine: Engine): DeviceBuffer {
  return engine.upload(record.type.dtype, concreteShape(record.type), record.data ?? read(record));
}

/** Whether the value was only on an engine that has been disposed. */
export function isLost({ buffer, data }: ValueRecord): boolean {
  return buffer !== undefined && data === undefined && buffer.engine.disposed;
}

/** A copy of the values on the host. */
export function read(record: ValueRecord): TypedArray {
  const { buffer, data } = record;
  if (buffer !== undefined && (data === undefined || !buffer.engine.disposed)) {
    if (isLost(record)) throw lostWithEngine('read', 'a tensor', record.type, buffer.engine);
    return buffer.engine.read(buffer);
  }
  return data === undefined ? scalarData(record) : data.slice();
}

function scalarData(record: ValueRecord): TypedArray {
  const data = allocate(record.type.dtype, 1);
  if (typeof BigInt64Array !== 'undefined' && data instanceof BigInt64Array) data[0] = BigInt(Math.trunc(record.scalar));
  else data[0] = record.scalar;
  return data;
}

export function concreteShape(type: TensorType): readonly number[] {
  for (const dim of type.shape) if (typeof dim !== 'number') throw new TfError('ShapeError', `An eager tensor has a fixed shape, got ${type.key}.`, { shape: type.shape });
  return type.shape as readonly number[];
}

/** The number 1, as the cotangent of a real scalar. */
export function unitRecord(known: KnownType): ValueRecord {
  return new ValueRecord(known, undefined, undefined, 1, true);
}

/** A literal as a value: its number, or data that are uploaded where it is used. */
export function literalRecord(known: KnownType, { type, data }: Literal): ValueRecord {
  const scalar = data.length === 1 && dtypes[type.dtype].lanes === 1 && typeof data[0] === 'number' ? data[0] : undefined;
  return type.shape.length > 0 || scalar === undefined ? new ValueRecord(known, undefined, data, 0, true) : new ValueRecord(known, undefined, undefined, scalar, true);
}

/** Refuses data that do not fill the type. */
export function checkLength(type: TensorType, data: TypedArray): void {
  const needed = (elementCount(type.shape) as number) * dtypes[type.dtype].lanes;
  if (data.length !== needed) throw new TfError('DataLengthError', `${type.key} needs ${needed} values, got ${data.length}.`, { type: type.key, needed, got: data.length });
}
