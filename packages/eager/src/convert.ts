import { type DType, type TensorType, TfError } from '@tf/core';

/** What JSON shows of a tensor: complex elements as `{ re, im }`. */
export interface TensorJson {
  readonly dtype: DType;
  readonly shape: readonly number[];
  readonly data: unknown;
}

/** The number that a scalar stands for where JavaScript needs one. */
export function asNumber({ key, shape }: TensorType, item: () => unknown): number {
  const value = shape.length === 0 ? item() : undefined;
  if (typeof value === 'number' || typeof value === 'boolean') return Number(value);
  throw new TfError('ArgumentError', `A tensor ${key} was used as a number. Compute with x.add(…), compare with x.lt(…), or read its values first: x.item() for one, x.toArray() for all.`, { argument: 'x', type: key });
}
