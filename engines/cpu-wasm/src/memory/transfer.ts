/** Values between the host and the heap. */
import { type DType, dtypes, TfError, type TypedArray } from '@tf/core';
import type { Heap } from './heap.ts';

export function writeArray(heap: Heap, dtype: DType, address: number, data: TypedArray): void {
  switch (dtype) {
    case 'float32':
      heap.floats.set(data as Float32Array, address / 4);
      return;
    case 'float64':
      heap.doubles.set(data as Float64Array, address / 8);
      return;
    case 'int32':
      heap.words.set(data as Int32Array, address / 4);
      return;
    default:
      writeBooleans(heap.bytes, address, data as Uint8Array);
  }
}

/** Code computes with booleans as 0 and 1, so every other byte becomes 1 here. */
function writeBooleans(bytes: Uint8Array, address: number, data: Uint8Array): void {
  for (let i = 0; i < data.length; i++) bytes[address + i] = data[i] === 0 ? 0 : 1;
}

export function readArray(heap: Heap, dtype: DType, address: number, count: number): TypedArray {
  switch (dtype) {
    case 'float32':
      return heap.floats.slice(address / 4, address / 4 + count);
    case 'float64':
      return heap.doubles.slice(address / 8, address / 8 + count);
    case 'int32':
      return heap.words.slice(address / 4, address / 4 + count);
    default:
      return heap.bytes.slice(address, address + count);
  }
}

/** The values of an evicted buffer. */
export function readCopy(copy: Float64Array<ArrayBuffer>, dtype: DType, count: number): TypedArray {
  const bytes = copy.buffer.slice(0, count * dtypes[dtype].bytes);
  switch (dtype) {
    case 'float32':
      return new Float32Array(bytes);
    case 'float64':
      return new Float64Array(bytes);
    case 'int32':
      return new Int32Array(bytes);
    default:
      return new Uint8Array(bytes);
  }
}

export function writeScalar(heap: Heap, dtype: DType, address: number, value: number): void {
  switch (dtype) {
    case 'float32':
      heap.floats[address / 4] = value;
      return;
    case 'float64':
      heap.doubles[address / 8] = value;
      return;
    case 'int32':
      heap.words[address / 4] = value;
      return;
    default:
      heap.bytes[address] = value === 0 ? 0 : 1;
  }
}

const arrays: { readonly [D in DType]?: { readonly name: string; readonly [Symbol.hasInstance]: (value: unknown) => boolean } } = {
  float32: Float32Array,
  float64: Float64Array,
  int32: Int32Array,
  bool: Uint8Array,
};

/** Host data must be the dtype's typed array and as long as the shape says; sizes are checked before anything is allocated. */
export function checkHostData(where: string, dtype: DType, shape: readonly number[], data: TypedArray, maximum: number): void {
  const expected = arrays[dtype]!;
  if (!(data instanceof (expected as unknown as new () => TypedArray))) {
    const got = (data as object | undefined)?.constructor.name ?? String(data);
    throw new TfError('DTypeError', `${where}: ${dtype} data comes as ${expected.name}, got ${got}. Convert it with ${expected.name}.from(…).`, { op: where, expected: expected.name, got });
  }
  const count = shape.reduce((product, extent) => product * extent, 1);
  if (count * dtypes[dtype].bytes > maximum) {
    throw new TfError('TooLargeError', `${where}: shape [${shape.join(', ')}] takes ${count * dtypes[dtype].bytes} bytes; the memory can hold ${maximum}. Work in smaller batches.`, { op: where, engine: 'cpu-wasm', requested: count * dtypes[dtype].bytes, maximum });
  }
  if (!shape.every((extent) => Number.isInteger(extent) && extent >= 0)) {
    throw new TfError('ShapeError', `${where}: a shape needs non-negative integers, got [${shape.join(', ')}].`, { op: where, shape });
  }
  if (data.length !== count) {
    throw new TfError('DataLengthError', `${where}: shape [${shape.join(', ')}] needs ${count} values, got ${data.length}.`, { op: where, expected: count, got: data.length });
  }
}
