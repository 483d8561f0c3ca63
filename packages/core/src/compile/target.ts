import type { Instruction, KernelCall, Program } from '../contract.ts';

/** What one compile is for, and what it has found out on the way. */
export interface Target {
  /** Symbols of the kernels that the engine's execution modules have. */
  readonly kernels: ReadonlySet<string>;
  /** No algorithm may be replaced by another: nothing that changes a bit. */
  readonly exact: boolean;
  /** Lowered operations by operation, parameters and input types; filled as they are met. */
  readonly lowered: Map<string, Program>;
}

/** The call of a kernel that the target has. */
export function kernelCall({ operation, params, inputs, outputs }: Instruction, { kernels }: Target): KernelCall | undefined {
  const call = operation.traits.call?.(params, inputs.map(({ type }) => type), outputs.map(({ type }) => type));
  return call !== undefined && kernels.has(call.symbol) ? call : undefined;
}

export function createTarget(kernels: ReadonlySet<string> = new Set(), exact = false): Target {
  return { kernels, exact, lowered: new Map() };
}
