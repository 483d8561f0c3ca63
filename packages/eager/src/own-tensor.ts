import type { DType } from '@tf/core';
import type { RuntimeCore } from './core.ts';
import type { EagerTensor } from './eager-tensor.ts';
import { disposed } from './faults.ts';
import { asideKey, type coreKey, type freeKey, originKey, recordKey } from './keys.ts';
import type { GradientSlot, TraceValue } from './trace.ts';
import type { ValueRecord } from './value.ts';

/** What few tensors have. */
export class Aside {
  /** Where the gradient accumulates: of a leaf that requires one, or of a tensor that retains its own. */
  slot: GradientSlot | undefined = undefined;
  /** Where the value comes from in a trace that `captureTrace` recorded although nothing tracked. */
  captured: TraceValue | undefined = undefined;
  /** The scope that freed the tensor. */
  freedBy: string | undefined = undefined;
}

/** An eager tensor as this package sees it. */
export interface OwnTensor<D extends DType = DType> extends EagerTensor<D> {
  readonly [coreKey]: RuntimeCore;
  readonly [recordKey]: ValueRecord | undefined;
  readonly [originKey]: TraceValue | undefined;
  [asideKey]: Aside | undefined;
  [freeKey](scope: string): void;
}

export function asideOf(tensor: OwnTensor): Aside {
  return (tensor[asideKey] ??= new Aside());
}

/** The value, which a disposed tensor has no longer. */
export function liveRecord(tensor: OwnTensor, op: string, argument?: number): ValueRecord {
  const record = tensor[recordKey];
  if (record === undefined) throw disposed(op, tensor.type, tensor[asideKey]?.freedBy, argument);
  return record;
}

/** Where a value comes from, in a trace of tracked tensors or a captured one. */
export function traceOf(tensor: OwnTensor): TraceValue | undefined {
  return tensor[originKey] ?? tensor[asideKey]?.captured;
}
