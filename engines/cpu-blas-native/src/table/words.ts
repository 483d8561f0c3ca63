/** The numbers of native/tf_native.h. */
import type { Combine, DType, MonoidName } from '@tf/core';

export const tableVersion = 4;

export const header = { version: 0, words: 1, addresses: 2, counters: 3, scratch: 4, scratchBytes: 5, abort: 6, at: 7, badIndex: 8, threads: 9, isa: 10, length: 11 } as const;

export const status = { done: 0, index: 1, aborted: 2, thrown: 3, corrupt: 4, memory: 5 } as const;

export const kinds = { end: 0, loop: 1, contract: 2, copy: 3, iota: 4, scan: 5, sort: 6, gather: 7, scatter: 8, tile: 9, repeat: 10, while: 11, branch: 12, size: 13, call: 14, nothing: 15 } as const;

/** Words of a view before its strides: buffer, offset, moves. */
export const VIEW_STRIDES = 3;

/** In the record of a call: what the host writes and reads. */
export const callRecord = { site: 2, function: 3, status: 4, operands: 5, workspace: 6, tables: 7, integers: 8, batched: 9, views: 10 } as const;

export const dtypeCodes: { readonly [D in DType]: number } = { float32: 0, float64: 1, complex64: 2, complex128: 3, int32: 4, int64: 5, bool: 6 };

export const monoidCodes: { readonly [M in MonoidName | 'none']: number } = { none: 0, sum: 1, prod: 2, max: 3, min: 4 };

export const combineCodes: { readonly [C in Combine]: number } = { set: 0, add: 1, max: 2, min: 3 };
