/** Plans: steps on buffers, the closed set that engines implement. Types only. */
import type { Dim } from '../types/dim.ts';
import type { DType, TypedArray } from '../types/dtype.ts';
import type { IndexSource } from '../types/index-source.ts';
import type { LoopKernel, ScanKernel } from '../types/loop-language.ts';
import type { DimConstraint } from '../types/shape.ts';
import type { TensorType } from '../types/tensor-type.ts';
import type { Combine, Contract } from './program.ts';

/** Where an element lies: `offset + Σ index·stride`, in elements of the buffer. */
export interface BufferView {
  readonly buffer: number;
  readonly offset: Dim;
  /** One per iteration axis of the step. */
  readonly strides: readonly Dim[];
}

/** The closed set of steps that an engine implements. Engines never see an operation's name. */
export type Step = LoopStep | ContractStep | CopyStep | IotaStep | ScanStep | SortStep | GatherStep | ScatterStep | TileStep | RepeatStep | WhileStep | BranchStep | SizeStep | ExtentStep | CallStep;

/** A write may lie where the same iteration reads, and no other: an engine reads all of an element, or of several, before it writes. */
export interface LoopStep {
  readonly kind: 'loop';
  readonly kernel: LoopKernel;
  /** Extents of the iteration axes; the first `rank − reduce.axes` index the writes. */
  readonly extents: readonly Dim[];
  readonly reads: readonly BufferView[];
  readonly writes: readonly BufferView[];
}

/**
 * Loops over the same rows. The outermost extent of each is a multiple q·rows; its row r are the iterations r·q … r·q + q − 1.
 * Row r of a loop reads, of what loops of this step write, row r alone. So the loops may run one after the other, or all of
 * them for some rows, then for the next ones: how many at a time is the engine's choice, and no bit depends on it.
 */
export interface TileStep {
  readonly kind: 'tile';
  readonly rows: Dim;
  readonly steps: readonly LoopStep[];
}

/** out[…batch, m, n] = Σₖ lhs[…batch, m, k]·rhs[…batch, k, n]; the order over k depends on (m, n, k, dtype) only. */
export interface ContractStep {
  readonly kind: 'contract';
  readonly dtype: DType;
  readonly batch: readonly Dim[];
  readonly m: Dim;
  readonly n: Dim;
  readonly k: Dim;
  /** Strides: …batch, m, k. */
  readonly lhs: BufferView;
  /** Strides: …batch, k, n. */
  readonly rhs: BufferView;
  /** Strides: …batch, m, n. */
  readonly out: BufferView;
}

/** Copies `elements` contiguous elements. */
export interface CopyStep {
  readonly kind: 'copy';
  readonly dtype: DType;
  readonly elements: Dim;
  readonly from: { readonly buffer: number; readonly offset: Dim };
  readonly to: { readonly buffer: number; readonly offset: Dim };
}

/** A {@link ScanKernel} over its axes; running from an axis's end is running along negative strides. */
export interface ScanStep {
  readonly kind: 'scan';
  readonly kernel: ScanKernel;
  readonly extents: readonly Dim[];
  readonly reads: readonly BufferView[];
  readonly write: BufferView;
}

/** Sorts along the last of its axes (see {@link Sort}): the elements in order, and the index that each had. */
export interface SortStep {
  readonly kind: 'sort';
  readonly dtype: DType;
  readonly descending: boolean;
  readonly extents: readonly Dim[];
  readonly from: BufferView;
  readonly values: BufferView;
  /** int32. */
  readonly indices: BufferView;
  /** int32: eight words for each element of one sorted line, for the engine's use. */
  readonly workspace: { readonly buffer: number; readonly offset: Dim };
}

/** out[i] = i for `elements` contiguous elements, in a real dtype that is not bool; rounded once where that does not hold i. */
export interface IotaStep {
  readonly kind: 'iota';
  readonly dtype: DType;
  readonly elements: Dim;
  readonly out: { readonly buffer: number; readonly offset: Dim };
}

/** What gathers and scatters share: an index below 0 counts from the end; one that names no row is an `IndexError`. */
export interface IndexedStep {
  readonly dtype: DType;
  readonly extents: readonly Dim[];
  /** int32 indices. */
  readonly indices: BufferView;
  /** The rows that an index chooses from, and how far apart they lie in the indexed tensor. */
  readonly rows: Dim;
  readonly rowStride: Dim;
  /** For {@link rowError}: what the user called. */
  readonly named?: IndexSource;
}

/** out[i] = source[i, row indices[i]], for each i of the iteration axes. */
export interface GatherStep extends IndexedStep {
  readonly kind: 'gather';
  readonly source: BufferView;
  readonly out: BufferView;
}

/** target[i, row indices[i]] is combined with updates[i], for each i in row-major order. */
export interface ScatterStep extends IndexedStep {
  readonly kind: 'scatter';
  readonly combine: Combine;
  readonly updates: BufferView;
  readonly target: BufferView;
}

/**
 * Runs steps again and again, for `counter` = 0 … `count` − 1. Offsets of views inside (and nothing else) may contain the symbol
 * `counter`, linearly: where iteration i reads its slice and writes its row. What iterations hand on lies in buffers.
 */
export interface RepeatStep {
  readonly kind: 'repeat';
  readonly counter: string;
  readonly count: Dim;
  readonly steps: readonly Step[];
}

/** Runs the condition's steps, then as long as `holds`, one bool, is true: `steps`, and the condition's again. */
export interface WhileStep {
  readonly kind: 'while';
  readonly condition: readonly Step[];
  readonly holds: BufferView;
  readonly steps: readonly Step[];
}

/** Runs the branch that `index`, one int32, names; below 0 the first one, beyond the end the last. */
export interface BranchStep {
  readonly kind: 'branch';
  readonly index: BufferView;
  readonly branches: readonly (readonly Step[])[];
}

/** Writes an extent as an int32. */
export interface SizeStep {
  readonly kind: 'size';
  readonly value: Dim;
  readonly to: { readonly buffer: number; readonly offset: Dim };
}

/**
 * Reads an int32 and defines a symbol: min(max(value, 0), bound), which it writes too. Later steps, buffers and outputs
 * mention the symbol, no earlier step does; slots of the arena are sized without it.
 */
export interface ExtentStep {
  readonly kind: 'extent';
  readonly symbol: string;
  readonly bound: Dim;
  readonly from: { readonly buffer: number; readonly offset: Dim };
  readonly to: { readonly buffer: number; readonly offset: Dim };
}

/** Contiguous elements of a buffer that a kernel reads or writes. */
export interface CallOperand {
  readonly buffer: number;
  readonly offset: Dim;
  readonly dtype: DType;
  readonly elements: Dim;
}

/**
 * Runs the kernel that an execution module has under this symbol: the one step that reaches a family's own code. Inputs and
 * outputs are row-major and contiguous, and no output overlaps anything else of the step. It is left out where all outputs
 * are empty. What a kernel says of an element of the batch ends nothing: the plan finishes, then `run` throws a
 * `KernelError {op, batchIndex}` for the first one.
 */
export interface CallStep {
  readonly kind: 'call';
  readonly symbol: string;
  /** The operation's package and its version, where it has one: kernels that were made for another version are refused. */
  readonly package?: string;
  readonly version?: string;
  readonly integers: readonly Dim[];
  readonly inputs: readonly CallOperand[];
  readonly outputs: readonly CallOperand[];
  /** Bytes (as bool) for the kernel's use, undefined before; their address is a multiple of 16. */
  readonly workspace?: CallOperand;
}

export type BufferPlace =
  | { readonly kind: 'input'; readonly index: number }
  | { readonly kind: 'output'; readonly index: number }
  /**
   * Shares arena slot `slot` with buffers whose lifetimes do not overlap, but for a loop that works in place: it writes a
   * buffer where it reads another, no fold, each element where the same iteration has read it. An intermediate may
   * share an output's memory in the same way.
   */
  | { readonly kind: 'arena'; readonly slot: number }
  /**
   * Touched by one tile step only, whose rows divide its elements: it needs memory for the rows that are worked on at a time,
   * which begin at its begin. Shares tile slot `slot` with buffers that loops of the same step do not use meanwhile, and with
   * those of other steps.
   */
  | { readonly kind: 'tile'; readonly slot: number }
  | { readonly kind: 'constant'; readonly data: TypedArray };

export interface PlanBuffer {
  readonly dtype: DType;
  readonly elements: Dim;
  readonly place: BufferPlace;
}

/** The output may lie in the input's memory, where the input is donated: it is read for the last time before. */
export interface Donation {
  readonly input: number;
  readonly output: number;
}

/** One run of a program: order, lifetimes and memory are decided; sizes come with the inputs. */
export interface Plan {
  readonly contract: Contract;
  /** Program inputs followed by bound inputs. */
  readonly inputs: readonly TensorType[];
  readonly outputs: readonly TensorType[];
  readonly buffers: readonly PlanBuffer[];
  /** Each arena slot is as large as the largest of these byte counts, in which no introduced symbol occurs. */
  readonly slots: readonly (readonly Dim[])[];
  /** Each input and each output once at most. Absent: none. */
  readonly donations?: readonly Donation[];
  readonly steps: readonly Step[];
  readonly constraints: readonly DimConstraint[];
  /** Sum of all intermediates in bytes, had each its own memory: what the arena is compared with. */
  readonly intermediateBytes: Dim;
}
