import type { Program } from '../contract.ts';

/** What one compile is for, and what it has found out on the way. */
export interface Target {
  /** Symbols of the kernels that the engine's execution modules have. */
  readonly kernels: ReadonlySet<string>;
  /** Lowered operations by operation, parameters and input types; filled as they are met. */
  readonly lowered: Map<string, Program>;
}

export function createTarget(kernels: ReadonlySet<string> = new Set()): Target {
  return { kernels, lowered: new Map() };
}
