/** What the operations of a family become in StableHLO: a plain value beside the family, as execution modules are for engines. Types only. */
import type { Dim, Operand, Params, TfError } from '@tf/core';
import type { Value, ValueType } from './text.ts';
import type { StableHloWriter } from './writer.ts';

/** Where XLA runs what it compiles. */
export type Platform = 'cpu' | 'gpu' | 'tpu';

/** What the operations of a family become; those that are absent become what their traits say, or what they lower to. */
export interface StableHloFamily {
  /** The family's id, as in its extension. */
  readonly family: string;
  /** By operation name. */
  readonly operations: { readonly [operation: string]: StableHloRole };
}

export type StableHloRole = NativeRole | RefusedRole;

/** An operation that StableHLO has, or that a few of its operations make. */
export interface NativeRole {
  /** What it becomes, for `stableHloSupport`: `fft`, `custom calls of lapack_*gesdd_ffi`. */
  readonly becomes: string;
  /** Where XLA has it; everywhere when absent. */
  readonly platforms?: readonly Platform[];
  /** What users should know: one sentence each. */
  readonly caveats?: readonly string[];
  /** Writes it: one value per output, of the types that `site.outputs` says. Not asked where all outputs are without elements. */
  readonly toStableHlo: (site: StableHloSite) => readonly Value[];
}

/** An operation that XLA cannot run. */
export interface RefusedRole {
  /** Why, as the end of "… has no StableHLO: ". */
  readonly reason: string;
}

/** One instruction, whose extents are all known. */
export interface StableHloSite {
  readonly writer: StableHloWriter;
  readonly params: Params;
  readonly operands: readonly Value[];
  readonly outputs: readonly ValueType[];
  /** The size of an extent among the parameters. */
  extent(dim: Dim): number;
  /** Values by public functions, of core and of families: what is computed around an operation of StableHLO. */
  apply(f: (...operands: readonly Operand[]) => Operand | readonly Operand[], ...operands: readonly Value[]): readonly Value[];
  /** The error that says why this use of the operation has no StableHLO: to be thrown. */
  refuse(why: string): TfError;
}
