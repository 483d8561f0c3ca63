import type { RuntimeCore } from './core.ts';
import type { GradientSlot } from './trace.ts';
import { holdRecord, releaseRecord, type ValueRecord } from './value.ts';

/** The gradient that has accumulated since it was cleared. */
export function slotGradient(core: RuntimeCore, slot: GradientSlot): ValueRecord | undefined {
  return slot.epoch === core.epoch ? slot.record : undefined;
}

/** Puts a gradient in the slot's place; the one that was there is let go. */
export function setGradient(core: RuntimeCore, slot: GradientSlot, gradient: ValueRecord | undefined): void {
  if (gradient !== undefined) holdRecord(gradient);
  if (slot.record !== undefined) releaseRecord(slot.record);
  slot.record = gradient;
  slot.epoch = core.epoch;
}
