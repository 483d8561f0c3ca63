import { allocate, type DeviceBuffer, type DType, type Engine, type EngineInput, type TensorType, TfError, type TypedArray, dtypeOfArray, dtypes, shapeText } from '@tf/core';
import { countOf, setLane } from '../values.ts';

/** Bytes and buffers alive on one engine. */
export interface Ledger {
  bytes: number;
  buffers: number;
}

/** A value of the reference engine: an array of its own. */
export class ReferenceBuffer implements DeviceBuffer {
  readonly engine: Engine;
  readonly dtype: DType;
  readonly shape: readonly number[];
  readonly data: TypedArray;
  readonly #ledger: Ledger;
  #disposed = false;
  donated: boolean = false;

  constructor(engine: Engine, ledger: Ledger, dtype: DType, shape: readonly number[], data: TypedArray) {
    this.engine = engine;
    this.dtype = dtype;
    this.shape = Object.freeze([...shape]);
    this.data = data;
    this.#ledger = ledger;
    ledger.bytes += data.byteLength;
    ledger.buffers++;
  }

  get disposed(): boolean {
    return this.#disposed || this.engine.disposed;
  }

  /** Disposes it for a run that was given it. */
  donate(): void {
    if (this.#disposed) return;
    this.dispose();
    this.donated = true;
  }

  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#ledger.bytes -= this.data.byteLength;
    this.#ledger.buffers--;
  }
}

/** A buffer of this engine that is still alive, or a typed error that says what is wrong. */
export function ownBuffer(engine: Engine, op: string, value: DeviceBuffer): ReferenceBuffer {
  if (value.engine !== engine || !(value instanceof ReferenceBuffer)) throw new TfError('ForeignValueError', `${op}: a buffer of another engine was passed to ${engine.info.name}. Read it there and upload it here.`, { op, engine: engine.info.name });
  if (value.donated) throw new TfError('DisposedError', `${op}: a ${value.dtype}${shapeText(value.shape)} buffer was donated to a run before, and its memory with it. Do not donate what is needed afterwards.`, { op, donated: true });
  if (value.disposed) throw new TfError('DisposedError', `${op}: a disposed ${value.dtype}${shapeText(value.shape)} buffer was used. Keep it until its last use.`, { op });
  return value;
}

/** The data of an upload: as many values as the shape needs, in the dtype's own array. */
export function checkedData(op: string, argument: string, dtype: DType, shape: readonly number[], data: TypedArray): TypedArray {
  const wanted = countOf(shape) * dtypes[dtype].lanes;
  const own = allocate(dtype, 0);
  if (own.constructor !== data.constructor) throw new TfError('DTypeError', `${op}: ${argument} is ${dtype}, got the data of a ${dtypeOfArray(data)}. Pass a ${own.constructor.name}.`, { op, argument, dtype });
  if (data.length !== wanted) throw new TfError('DataLengthError', `${op}: ${argument} of shape ${shapeText(shape)} takes ${wanted} values, got ${data.length}.`, { op, argument, shape });
  return data;
}

/** An input of a run, with its shape. */
export interface RunInput {
  readonly data: TypedArray;
  readonly shape: readonly number[];
}

export function readInput(engine: Engine, op: string, index: number, type: TensorType, value: EngineInput): RunInput {
  const argument = `input ${index}`;
  if (typeof value === 'number') {
    const data = allocate(type.dtype, 1);
    setLane(data, 0, type.dtype === 'int64' ? Math.trunc(value) : value);
    return { data, shape: [] };
  }
  if (!('engine' in value)) return { data: checkedData(op, argument, type.dtype, value.shape, value.data), shape: value.shape };
  const buffer = ownBuffer(engine, op, value);
  if (buffer.dtype !== type.dtype) throw new TfError('DTypeError', `${op}: ${argument} is ${type.key}, got a ${buffer.dtype} buffer. Convert it first.`, { op, argument, dtype: buffer.dtype });
  return buffer;
}
