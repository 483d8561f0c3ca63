/** What the caller of a run gives up. */
import { type EngineInput, type Plan, TfError } from '@tf/core';
import { WasmBuffer } from './memory/buffer.ts';
import type { Residency } from './memory/residency.ts';

export interface Donated {
  readonly buffers: readonly WasmBuffer[];
  /** Per output: the buffer whose memory it takes. */
  readonly reused: readonly (WasmBuffer | undefined)[];
}

const nothing: Donated = Object.freeze({ buffers: [], reused: [] });

/** A buffer that is an input twice is read in two ways, so no output takes its memory. */
export function donatedOf({ donations = [], outputs }: Plan, inputs: readonly EngineInput[], indices: readonly number[]): Donated {
  if (indices.length === 0) return nothing;
  const wrong = indices.find((index) => !(Number.isInteger(index) && index >= 0 && index < inputs.length));
  if (wrong !== undefined) throw new TfError('ArgumentError', `run: donate lists input ${wrong} of ${inputs.length}. List indices of inputs.`, { op: 'run', argument: 'donate', got: wrong, count: inputs.length });
  const given = new Set(indices);
  const times = new Map<EngineInput, number>();
  for (const input of inputs) times.set(input, (times.get(input) ?? 0) + 1);
  const reused = new Array<WasmBuffer | undefined>(outputs.length).fill(undefined);
  for (const { input, output } of donations) {
    const buffer = inputs[input];
    if (given.has(input) && buffer instanceof WasmBuffer && times.get(buffer) === 1) reused[output] = buffer;
  }
  const buffers = [...new Set([...given].map((index) => inputs[index]))].filter((input) => input instanceof WasmBuffer);
  return { buffers, reused };
}

/** Disposes what no output has taken. */
export function dropDonated({ buffers }: Donated, residency: Residency): void {
  for (const buffer of buffers) {
    if (buffer.donated) continue;
    residency.release(buffer);
    buffer.giveUp();
  }
}
