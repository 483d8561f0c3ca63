/** Monoids on dtypes, as reductions need them. */
import { type DType, loop, type MonoidName } from '@tf/core';
import type { Opcode } from '../encoder/opcodes.ts';
import { storageOf } from './storage.ts';

type FoldType = 'i32' | 'i64' | 'f32' | 'f64';

/** A monoid on one dtype. Booleans fold as i32 0 and 1, where max is `or` and min is `and`. */
export interface Fold {
  readonly monoid: MonoidName;
  readonly type: FoldType;
  /** Of an element; complex ones have two lanes side by side. */
  readonly lanes: 1 | 2;
  readonly laneBytes: 4 | 8;
  readonly bytes: number;
  /** Of one lane. */
  readonly load: Opcode;
  readonly store: Opcode;
  readonly identity: readonly (number | bigint)[];
}

export function foldOf(monoid: MonoidName, dtype: DType): Fold {
  const { value: type, lanes } = storageOf(dtype);
  const laneBytes = type === 'f64' || type === 'i64' ? 8 : 4;
  return { monoid, type, lanes, laneBytes, bytes: lanes * laneBytes, load: `${type}.load`, store: `${type}.store`, identity: loop.identityLanes(monoid, dtype) };
}

/** The dtype in which a fold keeps elements of `dtype` on the way. */
export function foldDType(dtype: DType): DType {
  return dtype === 'bool' ? 'int32' : dtype;
}

export const foldVectors = { i32: 'i32x4', i64: 'i64x2', f32: 'f32x4', f64: 'f64x2' } as const;
