/** Values that come from the host. */
import { TfError } from '../errors.ts';
import { arrayConstructor, type DType, dtypes, type TypedArray } from '../types/dtype.ts';
import type { AddressLimit } from './slots.ts';

/** Host data must be the dtype's typed array and as long as the shape says; sizes are checked before anything is allocated. */
export function checkHostData(where: string, dtype: DType, shape: readonly number[], data: TypedArray, { engine, maximumBytes }: AddressLimit): void {
  const expected = arrayConstructor(dtype);
  if (!(data instanceof expected)) {
    const got = (data as object | undefined)?.constructor.name ?? String(data);
    throw new TfError('DTypeError', `${where}: ${dtype} data comes as ${expected.name}, got ${got}. Convert it with ${expected.name}.from(…).`, { op: where, expected: expected.name, got });
  }
  const count = shape.reduce((product, extent) => product * extent, 1);
  if (count * dtypes[dtype].bytes > maximumBytes) {
    throw new TfError('TooLargeError', `${where}: shape [${shape.join(', ')}] takes ${count * dtypes[dtype].bytes} bytes; the memory can hold ${maximumBytes}. Work in smaller batches.`, { op: where, engine, requested: count * dtypes[dtype].bytes, maximum: maximumBytes });
  }
  if (!shape.every((extent) => Number.isInteger(extent) && extent >= 0)) {
    throw new TfError('ShapeError', `${where}: a shape needs non-negative integers, got [${shape.join(', ')}].`, { op: where, shape });
  }
  const needed = count * dtypes[dtype].lanes;
  if (data.length !== needed) {
    throw new TfError('DataLengthError', `${where}: shape [${shape.join(', ')}] needs ${needed} values${needed === count ? '' : ` (${dtype}: real and imaginary parts in turn)`}, got ${data.length}.`, { op: where, expected: needed, got: data.length });
  }
}
