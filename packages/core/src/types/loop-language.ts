import type { Dim } from './dim.ts';
import type { DType } from './dtype.ts';

/**
 * The loop language: what one element of a loop kernel computes. Records only; the functions that build, print and
 * evaluate them are in the room `loop`, the emitters in the engines.
 *
 * Every operation rounds to its type and nothing is ever contracted or reassociated (contracts.md §3), so each emitter
 * yields the same bits wherever the arithmetic is IEEE 754.
 */
export type ScalarType = 'f32' | 'f64' | 'i32' | 'i64' | 'bool';

export type ScalarExpr =
  /** Lane `lane` (0: real part or value, 1: imaginary part) of the element read from operand `input`. */
  | { readonly op: 'argument'; readonly type: ScalarType; readonly input: number; readonly lane: 0 | 1 }
  | { readonly op: 'constant'; readonly type: ScalarType; readonly value: number | bigint }
  | { readonly op: UnaryOp; readonly type: ScalarType; readonly args: readonly [ScalarExpr] }
  | { readonly op: BinaryOp; readonly type: ScalarType; readonly args: readonly [ScalarExpr, ScalarExpr] }
  /**
   * `args[0] ? args[1] : args[2]`; both branches are values, neither traps. `shortcut`: where the condition fails, which it nearly
   * always does, `args[1]` has the same bits as `args[2]` but takes longer; so engines may always compute `args[1]`.
   */
  | { readonly op: 'select'; readonly type: ScalarType; readonly shortcut?: true; readonly args: readonly [ScalarExpr, ScalarExpr, ScalarExpr] }
  /**
   * `table[index]`, the i32 `args[0]` first brought into the table: a negative index reads the first entry, one beyond the end
   * the last. At most 64 entries of the node's type, which is not bool; engines keep them as constant data. In loops over
   * 64-bit lanes the index is `convert` of an i64, that is its low half.
   */
  | { readonly op: 'lookup'; readonly type: ScalarType; readonly table: readonly (number | bigint)[]; readonly args: readonly [ScalarExpr] }
  /** A function of `loop/functions`, replaced by its definition before anything is emitted. */
  | { readonly op: 'call'; readonly type: ScalarType; readonly name: string; readonly args: readonly ScalarExpr[] };

/** `convert` goes by value (float to int truncates and saturates, NaN to 0; to bool is ≠ 0); `bitcast` by bits. */
export type UnaryOp = 'neg' | 'abs' | 'sqrt' | 'floor' | 'ceil' | 'trunc' | 'nearest' | 'not' | 'convert' | 'bitcast';

/**
 * `min` and `max` propagate NaN and order −0 below +0. Shifts and bit operations take integers, `and or xor` booleans
 * too. Comparisons give `bool` and compare their operands' common type.
 */
export type BinaryOp =
  | 'add' | 'sub' | 'mul' | 'div' | 'min' | 'max' | 'copysign'
  | 'and' | 'or' | 'xor' | 'shl' | 'shrS' | 'shrU'
  | 'eq' | 'ne' | 'lt' | 'le' | 'gt' | 'ge';

/** How a reduction combines two elements. Its tree is fixed by the logical extents alone (`loop/reduction.ts`). */
export type MonoidName = 'sum' | 'prod' | 'max' | 'min';

/** How an operand steps along the innermost iteration axis: part of a kernel's code; all other strides are data. */
export type InnerStep = 'contiguous' | 'broadcast' | 'strided';

export interface KernelAccess {
  readonly dtype: DType;
  readonly inner: InnerStep;
}

/**
 * One loop nest, generic in extents, strides and addresses. The last `reduce.axes` of its `rank` iteration axes are
 * folded with the monoid, in logical order; the others index the elements written.
 */
export interface LoopKernel {
  readonly rank: number;
  readonly reads: readonly KernelAccess[];
  readonly writes: readonly KernelAccess[];
  /** One expression per lane of each write, in order. */
  readonly body: readonly ScalarExpr[];
  readonly reduce?: { readonly monoid: MonoidName; readonly axes: number };
}

/**
 * A running value along one iteration axis, element after element. Result 0 is `first` of what is read there; result i > 0 is `next`
 * of what is read there and of result i − 1, which is argument `reads.length`. The scanned axis is the innermost one, or the one
 * outside it (`columns`): then rows of results follow one another, and `inner` says how operands step along a row.
 */
export interface ScanKernel {
  readonly rank: number;
  readonly columns: boolean;
  readonly reads: readonly KernelAccess[];
  readonly write: KernelAccess;
  /** One expression per lane of the write. */
  readonly first: readonly ScalarExpr[];
  readonly next: readonly ScalarExpr[];
}

/** What one scanned axis of an operation computes; all inputs have the output's shape. */
export interface Scan {
  readonly axis: number;
  /** From the axis's end to its beginning. */
  readonly reverse: boolean;
  readonly first: readonly ScalarExpr[];
  readonly next: readonly ScalarExpr[];
}

/**
 * How a layout operation reads its input. `axes[o]` is the input axis that output axis `o` walks, from `start[o]` (0) in
 * steps of `step[o]` (1); several input axes that it walks together, which is their diagonal; or `null` where the output
 * repeats one element (broadcast). `reshape` keeps the row-major
 * element order.
 */
export type IndexMap =
  | { readonly kind: 'axes'; readonly axes: readonly (number | null | readonly number[])[]; readonly start?: readonly Dim[]; readonly step?: readonly number[] }
  | { readonly kind: 'reshape' };

/** A result put together from pieces of its inputs; what no piece covers has the value `fill`. Pieces do not overlap. */
export interface Assembly {
  /** A number, or the one element of an input. */
  readonly fill?: number | { readonly input: number };
  readonly pieces: readonly AssemblyPiece[];
}

/** The box of `extents` elements at `from` in an input, put at `at` in the output, `step` apart along each axis. */
export interface AssemblyPiece {
  readonly input: number;
  readonly from: readonly Dim[];
  readonly extents: readonly Dim[];
  readonly at: readonly Dim[];
  readonly step: readonly number[];
}
