import type { DType } from '@tf/core';
import { Aside } from './aside.ts';
import type { RuntimeCore } from './core.ts';
import type { EagerTensor } from './eager-tensor.ts';
import { disposed } from './faults.ts';
import { asideKey, type coreKey, type freeKey, originKey, recordKey } from './keys.ts';
import type { TraceValue } from './trace.ts';
import type { ValueRecord } from './value.ts';

/** An eager tensor as this package sees it. */
export interface OwnTensor<D extends DType = DType> extends EagerTensor<D> {
  readonly [coreKey]: RuntimeCore;
  readonly [recordKey]: ValueRecord | undefined;
  readonly [originKey]: TraceValue | undefined;
  [asideKey]: Aside | undefined;
  [freeKey](aside: Aside): void;
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
