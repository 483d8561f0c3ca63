import type { DType } from '@tf/core';
import type { RuntimeCore } from './core.ts';
import type { EagerTensor } from './eager-tensor.ts';
import type { coreKey, originKey, recordKey } from './keys.ts';
import type { TraceValue } from './trace.ts';
import type { ValueRecord } from './value.ts';

/** An eager tensor as this package sees it. */
export interface OwnTensor<D extends DType = DType> extends EagerTensor<D> {
  readonly [coreKey]: RuntimeCore;
  readonly [recordKey]: ValueRecord | undefined;
  readonly [originKey]: TraceValue | undefined;
}
