/** A run in debug mode: one step at a time, with a look at the canaries after each. */
import { execution, type Plan } from '@tf/core';
import { builtins, functionWord, SCRATCH_BYTES } from './codegen/record.ts';
import type { PlanCode } from './codegen/code-cache.ts';
import type { Device } from './memory/device.ts';
import { brokenBetween, canaryByte, fault, type GuardedAllocator } from './memory/guarded-allocator.ts';
import type { Layout } from './plan/layout.ts';
import { stepWords } from './plan/table-words.ts';

/** What stays free between the slots of an arena, for canaries. */
export const ARENA_GAP_BYTES = 64;

export interface GuardedRun {
  readonly plan: Plan;
  readonly layout: Layout;
  readonly code: PlanCode;
  readonly table: number;
  /** By plan buffer. */
  readonly addresses: readonly number[];
  /** Carries out a step that decides an extent. */
  readonly decide: (step: number) => void;
}

/** Throws an `EngineFaultError` that names the step which wrote where it must not, or the buffer that is gone. */
export function runGuarded(run: GuardedRun, device: Device, guard: GuardedAllocator): void {
  const { plan, layout, code, table } = run;
  const { heap } = device;
  requireBuffers(run, guard);
  guard.poison(device.scratch, SCRATCH_BYTES);
  guard.poison(device.arena, layout.arenaBytes);
  const gaps = layout.gaps.map(([start, end]): readonly [number, number] => [device.arena + start, device.arena + end]);
  for (const [start, end] of gaps) heap.bytes.fill(canaryByte, start, end);
  const own = [...run.addresses, table, device.scratch, device.arena];
  let record = table;
  plan.steps.forEach((step, index) => {
    const next = record + 4 * stepWords(step);
    if (step.kind === 'extent') run.decide(index);
    else runOne(code, record, next, device);
    const who = (): string => `step ${index} of the plan (${execution.stepText(step)})`;
    guard.checkSome(own, who, index);
    gaps.forEach(([start, end], slot) => {
      const at = brokenBetween(heap, start, end);
      if (at !== undefined) throw fault(`${who()} wrote ${at - start} bytes beyond the end of the arena's slot ${slot}`, { step: index, slot, side: 'after' });
    });
    record = next;
  });
  guard.check(() => 'a step of the plan');
}

/** The step at `record` alone: the walk ends at `next`. */
function runOne(code: PlanCode, record: number, next: number, { heap, scratch }: Device): void {
  const word = next / 4 + functionWord;
  const kept = heap.words[word]!;
  heap.words[word] = builtins.end;
  try {
    code.run(record, scratch);
  } finally {
    heap.words[word] = kept;
  }
}

/** Every buffer of the plan must lie in memory that is still its own. */
function requireBuffers({ plan, layout, addresses }: GuardedRun, guard: GuardedAllocator): void {
  plan.buffers.forEach(({ place }, buffer) => {
    const scalar = place.kind === 'input' && plan.inputs[place.index]!.shape.length === 0;
    if (scalar || (place.kind !== 'input' && place.kind !== 'output' && place.kind !== 'constant')) return;
    const bytes = layout.bufferBytes[buffer]!;
    if (!guard.holds(addresses[buffer]!, bytes)) throw fault(`buffer ${buffer} of the plan (${place.kind}, ${bytes} bytes) lies in memory that was freed`, { buffer, side: 'freed' });
  });
}
