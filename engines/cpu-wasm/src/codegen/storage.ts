/** How a dtype lies in memory and which WebAssembly type computes it. */
import { type DType, dtypes, execution, type KernelAccess, type ScalarType } from '@tf/core';
import type { Opcode } from '../encoder/opcodes.ts';
import type { ValueType } from '../encoder/code.ts';

/** An element has one lane, or two of one type: real and imaginary part, side by side. */
export interface Storage {
  /** Of one element. */
  readonly bytes: number;
  readonly lanes: 1 | 2;
  readonly laneBytes: 1 | 4 | 8;
  readonly value: 'i32' | 'i64' | 'f32' | 'f64';
  /** Of one lane. */
  readonly load: Opcode;
  readonly store: Opcode;
}

export const supportedDTypes: readonly DType[] = ['float32', 'float64', 'complex64', 'complex128', 'int32', 'int64', 'bool'];

const single = { laneBytes: 4, value: 'f32', load: 'f32.load', store: 'f32.store' } as const;
const double = { laneBytes: 8, value: 'f64', load: 'f64.load', store: 'f64.store' } as const;

const storages: { readonly [D in DType]: Storage } = {
  float32: { ...single, bytes: 4, lanes: 1 },
  float64: { ...double, bytes: 8, lanes: 1 },
  complex64: { ...single, bytes: 8, lanes: 2 },
  complex128: { ...double, bytes: 16, lanes: 2 },
  int32: { bytes: 4, lanes: 1, laneBytes: 4, value: 'i32', load: 'i32.load', store: 'i32.store' },
  int64: { bytes: 8, lanes: 1, laneBytes: 8, value: 'i64', load: 'i64.load', store: 'i64.store' },
  bool: { bytes: 1, lanes: 1, laneBytes: 1, value: 'i32', load: 'i32.load8_u', store: 'i32.store8' },
};

export function storageOf(dtype: DType): Storage {
  return storages[dtype];
}

export type NumericDType = Exclude<DType, 'bool'>;

/** For steps that add and multiply: booleans have no sums. */
export function requireNumeric(dtype: DType, op: string): NumericDType {
  return execution.requireNumeric({ engine: 'cpu-wasm', dtypes: supportedDTypes }, dtype, op);
}

/** The WebAssembly type of a scalar; booleans are 0 or 1. */
export function valueTypeOf(type: ScalarType): Exclude<ValueType, 'v128'> {
  return type === 'bool' ? 'i32' : type;
}

/** One lane of one write: what one expression of a kernel's body computes. */
export interface WrittenLane {
  readonly write: number;
  readonly lane: 0 | 1;
}

/** Per expression of a kernel's body, where it goes. */
export function writtenLanes(writes: readonly KernelAccess[]): readonly WrittenLane[] {
  return writes.flatMap(({ dtype }, write) => (dtypes[dtype].lanes === 1 ? [{ write, lane: 0 } as const] : [{ write, lane: 0 } as const, { write, lane: 1 } as const]));
}
