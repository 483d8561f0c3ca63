import type { Operand, TypedArray } from '@tf/core';
import { FormatError, type HostValue } from '../format.ts';

interface Readable {
  data(): Promise<TypedArray>;
}

/** The values of any tensor that has some. */
export async function readValue(tensor: Operand): Promise<HostValue> {
  const { data } = tensor as Operand & Partial<Readable>;
  if (typeof data !== 'function') throw new FormatError(`A result ${tensor.type.key} has no values to read`);
  return { dtype: tensor.type.dtype, shape: tensor.type.shape as readonly number[], data: await data.call(tensor) };
}
