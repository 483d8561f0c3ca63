import type { DeviceBuffer } from '../contract.ts';
import { TfError } from '../errors.ts';
import type { DataOf, DType, TypedArray } from '../types/dtype.ts';
import { hostKey, type HostForm, type Listener, type Operand } from '../types/operand.ts';
import { type TensorType, tensorType } from '../types/tensor-type.ts';
import { formatTensor } from './format.ts';
import { type HostKind, hostListener, HostTensor } from './host-tensor.ts';
import { shownAsText } from './inspect.ts';
import { TensorMethods } from './methods.generated.ts';
import { dataRows } from './operand-base.ts';
import { type ElementOf, type Nested, nestedBigInts, nestedValues, singleValue, type TensorJson } from './values.ts';

/**
 * A result of a run: it stays on its engine until it is read, and is accepted wherever a host tensor is. Feeding it back
 * copies nothing.
 */
export class ResidentTensor<D extends DType = DType> extends TensorMethods<HostKind, D> {
  readonly type: TensorType<D>;
  readonly #buffer: DeviceBuffer;

  /** Takes over the buffer: disposing the tensor disposes it. */
  constructor(buffer: DeviceBuffer, type: TensorType = tensorType(buffer.dtype, buffer.shape)) {
    super();
    this.type = type as TensorType<D>;
    this.#buffer = buffer;
    (this as { [hostKey]?: HostForm })[hostKey] = { form: 'resident', buffer };
  }

  get listener(): Listener<HostKind> {
    return hostListener;
  }

  get disposed(): boolean {
    return this.#buffer.disposed;
  }

  // The whole is read once: a slice would be an operation that nobody has run.
  override [Symbol.iterator](): IterableIterator<HostTensor<D>> {
    return dataRows(this as Operand, () => this.#read('iteration'), (type, data) => new HostTensor<D>(type as TensorType<D>, { form: 'data', data }));
  }

  /** A copy of the values in row-major order: on every engine. */
  data(): Promise<DataOf<D>> {
    return Promise.resolve().then(() => this.#read('data') as DataOf<D>);
  }

  /** The values as nested arrays of numbers or booleans, complex ones as `{ re, im }`; the value itself for rank 0. */
  toArray(): Nested<ElementOf<D>> {
    return nestedValues(this.type, this.#read('toArray'));
  }

  /** What `JSON.stringify` writes: dtype, shape and the values as {@link toArray} gives them. JSON has no NaN and no infinities: they become null. */
  toJSON(): TensorJson<D> {
    return { dtype: this.type.dtype, shape: this.type.shape as readonly number[], data: nestedValues(this.type, this.#read('toJSON')) };
  }

  /** Integers as nested arrays of bigints. */
  toBigIntArray(): Nested<bigint> {
    return nestedBigInts(this.type, this.#read('toBigIntArray'));
  }

  /** The value of a tensor with one element. */
  item(): ElementOf<D> {
    return singleValue(this.type, this.#read('item'));
  }

  override toString(): string {
    if (this.#buffer.engine.disposed) return `${this.type.key}, lost with its engine`;
    return this.disposed ? `${this.type.key}, disposed` : formatTensor(this.type.dtype, this.#buffer.shape, this.#read('toString'));
  }

  /** Gives the memory back; a second call does nothing. */
  dispose(): void {
    this.#buffer.dispose();
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  static {
    shownAsText(ResidentTensor.prototype);
  }

  #read(op: string): TypedArray {
    const { engine } = this.#buffer;
    if (engine.disposed) throw new TfError('DisposedError', `${op}: the engine ${engine.info.name} of this ${this.type.key} was disposed, and the value with it. Read results (await x.data()) before engine.dispose().`, { op, engine: engine.info.name, type: this.type.key });
    if (this.#buffer.donated === true) throw new TfError('DisposedError', `${op}: this ${this.type.key} was donated to a run, and its memory with it. Do not donate what is needed afterwards.`, { op, type: this.type.key, donated: true });
    if (this.disposed) throw new TfError('DisposedError', `${op}: this ${this.type.key} was disposed. Read values before disposing.`, { op, type: this.type.key });
    return engine.read(this.#buffer);
  }
}
