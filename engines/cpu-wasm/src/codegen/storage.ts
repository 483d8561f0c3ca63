/** How a dtype lies in memory and which WebAssembly type computes it. */
import { type DType, type ScalarType, TfError } from '@tf/core';
import type { Opcode } from '../encoder/opcodes.ts';
import type { ValueType } from '../encoder/code.ts';

export type StoredDType = 'float32' | 'float64' | 'int32' | 'bool';

export interface Storage {
  readonly bytes: number;
  readonly value: 'i32' | 'f32' | 'f64';
  readonly load: Opcode;
  readonly store: Opcode;
}

export const supportedDTypes: readonly StoredDType[] = ['float32', 'float64', 'int32', 'bool'];

const storages: { readonly [D in StoredDType]: Storage } = {
  float32: { bytes: 4, value: 'f32', load: 'f32.load', store: 'f32.store' },
  float64: { bytes: 8, value: 'f64', load: 'f64.load', store: 'f64.store' },
  int32: { bytes: 4, value: 'i32', load: 'i32.load', store: 'i32.store' },
  bool: { bytes: 1, value: 'i32', load: 'i32.load8_u', store: 'i32.store8' },
};

export function isSupported(dtype: DType): dtype is StoredDType {
  return Object.hasOwn(storages, dtype);
}

/** How `dtype` is stored, or an `UnsupportedOnEngineError`. */
export function storageOf(dtype: DType): Storage {
  if (!isSupported(dtype)) {
    throw new TfError('UnsupportedOnEngineError', `cpu-wasm: ${dtype} is not supported; it runs ${supportedDTypes.join(', ')}. Convert the operands or use another engine.`, { engine: 'cpu-wasm', dtype });
  }
  return storages[dtype];
}

export type NumericDType = Exclude<StoredDType, 'bool'>;

/** For steps that add and multiply: booleans have no sums. */
export function requireNumeric(dtype: DType, op: string): NumericDType {
  storageOf(dtype);
  if (isSupported(dtype) && dtype !== 'bool') return dtype;
  throw new TfError('UnsupportedOnEngineError', `cpu-wasm: ${op} of ${dtype} is not supported; convert the operands to int32 or a float dtype.`, { engine: 'cpu-wasm', op, dtype });
}

/** The WebAssembly type of a scalar; booleans are 0 or 1. */
export function valueTypeOf(type: ScalarType): Exclude<ValueType, 'v128'> {
  return type === 'bool' ? 'i32' : type;
}
