import type { execution } from '@tf/core';
import type { ResidencyOptions } from './memory/residency.ts';
import type { SplitLimits } from './plan/splits.ts';
import type { PoolOptions } from './threads/pool.ts';

/** What tests set otherwise than users can. */
export interface Tuning extends ResidencyOptions, Omit<PoolOptions, 'threads'> {
  readonly tiles?: execution.TileLimits | undefined;
  readonly splits?: Pick<SplitLimits, 'stepCost' | 'pieceCost'> | undefined;
}
