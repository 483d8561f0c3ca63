/** What the caller of a run gives up. */
import { type EngineInput, execution, type Plan } from '@tf/core';
import { WasmBuffer } from './memory/buffer.ts';
import type { Residency } from './memory/residency.ts';

export type Donated = execution.Donated<WasmBuffer>;

export function donatedOf(plan: Plan, inputs: readonly EngineInput[], indices: readonly number[]): Donated {
  return execution.donatedOf(plan, inputs, indices, (input) => input instanceof WasmBuffer);
}

/** Disposes what no output has taken. */
export function dropDonated({ buffers }: Donated, residency: Residency): void {
  for (const buffer of buffers) {
    if (buffer.donated) continue;
    residency.release(buffer);
    buffer.giveUp();
  }
}
