import type { DType } from '@tf/core';

/** What JSON shows of a tensor: complex elements as `{ re, im }`. */
export interface TensorJson {
  readonly dtype: DType;
  readonly shape: readonly number[];
  readonly data: unknown;
}
