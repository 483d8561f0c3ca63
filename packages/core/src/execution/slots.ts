/** How many bytes things take, and where the slots of an arena lie. */
import type { Plan } from '../contract.ts';
import { TfError } from '../errors.ts';
import { type Dim, dimText } from '../types/dim.ts';

/** What lies between the end of each slot and the beginning of the next, in bytes from the arena's beginning. */
export type Gaps = readonly (readonly [start: number, end: number])[];

/** What an engine's memory can address. */
export interface AddressLimit {
  readonly engine: string;
  readonly maximumBytes: number;
}

/** Throws a `TooLargeError` beyond the limit; `what`: the symbolic count, or a word for it. */
export function byteCount(elements: number, bytes: number, what: Dim | string, { engine, maximumBytes }: AddressLimit): number {
  const requested = elements * bytes;
  if (requested <= maximumBytes) return requested;
  const symbolic = typeof what === 'number' ? '' : `${typeof what === 'string' ? what : dimText(what)}: `;
  throw new TfError('TooLargeError', `${engine}: ${symbolic}${elements} elements take ${requested} bytes; its memory can address ${maximumBytes}. Work in smaller batches.`, { engine, requested, maximum: maximumBytes });
}

export function slotSizes({ slots }: Plan, value: (dim: Dim) => number, limit: AddressLimit): readonly number[] {
  return slots.map((slot) => slot.reduce<number>((largest, dim) => Math.max(largest, byteCount(value(dim), 1, dim, limit)), 0));
}

export interface Slots {
  readonly offsets: readonly number[];
  readonly gaps: Gaps;
  readonly bytes: number;
}

export const noGaps: Gaps = Object.freeze([]);

/** One after the other from `start` on. */
export function layoutSlots(sizes: readonly number[], start: number, gapBytes: number): Slots {
  let bytes = start;
  const gaps: (readonly [number, number])[] = [];
  const offsets = sizes.map((size) => {
    const offset = bytes;
    bytes += Math.ceil(size / 64) * 64 + gapBytes;
    gaps.push([offset + size, bytes]);
    return offset;
  });
  return { offsets, gaps, bytes };
}
