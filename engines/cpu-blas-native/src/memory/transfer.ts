/** Values between the host and the engine's memory. */
import { arrayConstructor, type DType, dtypes, type TypedArray } from '@tf/core';
import type { Place } from './place.ts';

/** Code computes with booleans as 0 and 1, so every other byte becomes 1 here. */
export function writeArray(place: Place, dtype: DType, data: TypedArray): void {
  const to = new (arrayConstructor(dtype))(place.memory, place.offset, data.length);
  if (dtype !== 'bool') {
    (to as Float64Array).set(data as Float64Array);
    return;
  }
  for (let i = 0; i < data.length; i++) (to as Uint8Array)[i] = (data as Uint8Array)[i] === 0 ? 0 : 1;
}

export function readArray(place: Place, dtype: DType, count: number): TypedArray {
  const bytes = place.memory.slice(place.offset, place.offset + count * dtypes[dtype].bytes);
  return new (arrayConstructor(dtype))(bytes, 0, count * dtypes[dtype].lanes);
}

/** Numbers given as inputs: sixteen bytes each. */
export class ScalarArea {
  readonly #view: DataView;

  constructor({ memory, offset }: Place) {
    this.#view = new DataView(memory, offset);
  }

  write(index: number, dtype: DType, value: number): void {
    const at = 16 * index;
    const view = this.#view;
    switch (dtype) {
      case 'float32':
      case 'complex64':
        view.setFloat32(at, value, true);
        view.setFloat32(at + 4, 0, true);
        return;
      case 'float64':
      case 'complex128':
        view.setFloat64(at, value, true);
        view.setFloat64(at + 8, 0, true);
        return;
      case 'int32':
        view.setInt32(at, value, true);
        return;
      case 'int64':
        view.setBigInt64(at, longOf(value), true);
        return;
      case 'bool':
        view.setUint8(at, value === 0 ? 0 : 1);
    }
  }
}

/** Beyond 64 bits it saturates, as conversions do; NaN is 0. */
function longOf(value: number): bigint {
  if (Number.isNaN(value)) return 0n;
  if (value >= 2 ** 63) return 2n ** 63n - 1n;
  return value <= -(2 ** 63) ? -(2n ** 63n) : BigInt(Math.trunc(value));
}
