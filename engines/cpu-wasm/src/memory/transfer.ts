/** Values between the host and the heap. */
import { arrayConstructor, type DType, dtypes, type TypedArray } from '@tf/core';
import type { Heap } from './heap.ts';

/** The view of the heap whose elements are a dtype's lanes, and the bytes of one. */
function viewOf(heap: Heap, dtype: DType): { readonly view: TypedArray; readonly bytes: number } {
  switch (dtype) {
    case 'float32':
    case 'complex64':
      return { view: heap.floats, bytes: 4 };
    case 'float64':
    case 'complex128':
      return { view: heap.doubles, bytes: 8 };
    case 'int32':
      return { view: heap.words, bytes: 4 };
    case 'int64':
      return { view: heap.longs, bytes: 8 };
    case 'bool':
      return { view: heap.bytes, bytes: 1 };
  }
}

export function writeArray(heap: Heap, dtype: DType, address: number, data: TypedArray): void {
  if (dtype === 'bool') {
    writeBooleans(heap.bytes, address, data as Uint8Array);
    return;
  }
  const { view, bytes } = viewOf(heap, dtype);
  (view as Float64Array).set(data as Float64Array, address / bytes);
}

/** Code computes with booleans as 0 and 1, so every other byte becomes 1 here. */
function writeBooleans(bytes: Uint8Array, address: number, data: Uint8Array): void {
  for (let i = 0; i < data.length; i++) bytes[address + i] = data[i] === 0 ? 0 : 1;
}

export function readArray(heap: Heap, dtype: DType, address: number, count: number): TypedArray {
  const { view, bytes } = viewOf(heap, dtype);
  return view.slice(address / bytes, address / bytes + count * dtypes[dtype].lanes);
}

/** The values of an evicted buffer. */
export function readCopy(copy: Float64Array<ArrayBuffer>, dtype: DType, count: number): TypedArray {
  const bytes = copy.buffer.slice(0, count * dtypes[dtype].bytes);
  return new (arrayConstructor(dtype))(bytes, 0, count * dtypes[dtype].lanes);
}

export function writeScalar(heap: Heap, dtype: DType, address: number, value: number): void {
  switch (dtype) {
    case 'float32':
      heap.floats[address / 4] = value;
      return;
    case 'float64':
      heap.doubles[address / 8] = value;
      return;
    case 'complex64':
      heap.floats[address / 4] = value;
      heap.floats[address / 4 + 1] = 0;
      return;
    case 'complex128':
      heap.doubles[address / 8] = value;
      heap.doubles[address / 8 + 1] = 0;
      return;
    case 'int32':
      heap.words[address / 4] = value;
      return;
    case 'int64':
      writeLong(heap, address, value);
      return;
    case 'bool':
      heap.bytes[address] = value === 0 ? 0 : 1;
  }
}

/** Two words, so that scalars need no `BigInt64Array`. Beyond 64 bits it saturates, as conversions do; NaN is 0. */
function writeLong(heap: Heap, address: number, value: number): void {
  const whole = Math.trunc(value);
  const isLarge = Math.abs(whole) >= 2 ** 63;
  const high = isLarge ? (whole > 0 ? 2 ** 31 - 1 : -(2 ** 31)) : Math.floor(whole / 2 ** 32);
  heap.words[address / 4 + 1] = high;
  heap.words[address / 4] = isLarge ? (whole > 0 ? -1 : 0) : whole - high * 2 ** 32;
}
