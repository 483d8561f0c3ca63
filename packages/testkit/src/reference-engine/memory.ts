import type { PlanBuffer, TypedArray } from '@tf/core';
import type { Binding } from '../interpreter/binding.ts';
import type { Calls } from './kernels.ts';

/** The memory of one run: an array per buffer, and the sizes. */
export interface Memory {
  readonly buffers: readonly PlanBuffer[];
  readonly arrays: readonly TypedArray[];
  readonly binding: Binding;
  readonly calls: Calls;
  /** Called when a further symbol is bound: outputs may have their shapes now. */
  readonly onExtent: (symbol: string) => void;
}
