/** How many rows of a tile step are worked on at a time, and what that means for its buffers. */
import type { BufferView, LoopStep, Plan, TileStep } from '../contract.ts';
import { invariant } from '../errors.ts';
import type { Dim } from '../types/dim.ts';
import { dtypes } from '../types/dtype.ts';

/** What decides how many rows a tile has. */
export interface TileLimits {
  /** What the loops of a step read again, or read of each other, should stay in the cache: a share of a small second-level one. */
  readonly cacheBytes: number;
  /** Of a loop's widest operand: below it the loop's start would count. */
  readonly minimumBytes: number;
}

export const tileLimits: TileLimits = Object.freeze({ cacheBytes: 128 * 1024, minimumBytes: 16 * 1024 });

/** Rows per tile are a multiple of it where there are as many: vectors end with rows of numbers. */
const GRANULE = 8;

export interface Tiling {
  readonly rows: number;
  /** Rows of every tile but the last. */
  readonly tile: number;
  readonly tiles: number;
  readonly last: number;
}

/** Of loops by themselves. */
export const untiled: Tiling = Object.freeze({ rows: 1, tile: 1, tiles: 1, last: 1 });

export type DimValue = (dim: Dim) => number;

/** Words of a tile step's records that differ from tile to tile. */
export function entryCount({ steps }: TileStep): number {
  return steps.reduce((count, { reads, writes }) => count + 1 + reads.length + writes.length, 0);
}

export function tilingOf(plan: Plan, step: TileStep, limits: TileLimits, value: DimValue): Tiling {
  const rows = value(step.rows);
  for (const { extents } of step.steps) invariant(rows === 0 || value(extents[0]!) % rows === 0, `plan: ${value(extents[0]!)} iterations for ${rows} rows`);
  const { reused, widest } = rowBytes(plan, step, rows, value);
  const wanted = Math.max(1, Math.floor(limits.cacheBytes / reused), Math.ceil(limits.minimumBytes / widest));
  if (!(wanted < rows)) return { rows, tile: rows, tiles: Math.min(1, rows), last: rows };
  const tile = wanted < GRANULE ? wanted : wanted - (wanted % GRANULE);
  const tiles = Math.ceil(rows / tile);
  return { rows, tile, tiles, last: rows - (tiles - 1) * tile };
}

/** Bytes per row: of the step's own slots and of what several of its loops touch; of the widest operand. */
function rowBytes({ buffers }: Plan, { steps }: TileStep, rows: number, value: DimValue): { readonly reused: number; readonly widest: number } {
  const slots = new Map<number, number>();
  const kept = new Map<number, { readonly step: LoopStep; reused: number }>();
  let widest = 0;
  for (const step of steps) {
    for (const view of [...step.reads, ...step.writes]) {
      const { dtype, place } = buffers[view.buffer]!;
      const bytes = (value(step.extents[0]!) / rows) * Math.abs(value(view.strides[0]!)) * dtypes[dtype].bytes;
      widest = Math.max(widest, bytes);
      if (place.kind === 'tile') slots.set(place.slot, Math.max(bytes, slots.get(place.slot) ?? 0));
      else if (!kept.has(view.buffer)) kept.set(view.buffer, { step, reused: 0 });
      else if (kept.get(view.buffer)!.step !== step) kept.get(view.buffer)!.reused = bytes;
    }
  }
  const own = [...slots.values()].reduce((sum, bytes) => sum + bytes, 0);
  return { reused: [...kept.values()].reduce((sum, { reused }) => sum + reused, own), widest };
}

/** How far an operand of a loop moves, in bytes, from one tile to the next: not at all if it holds one tile. */
export function tileStride({ buffers }: Plan, { extents }: LoopStep, { buffer, strides }: BufferView, { rows, tile }: Tiling, value: DimValue): number {
  const { dtype, place } = buffers[buffer]!;
  return place.kind === 'tile' ? 0 : (value(extents[0]!) / rows) * tile * value(strides[0]!) * dtypes[dtype].bytes;
}

/** Makes the slots large enough for this step's tiles. */
export function addSlots(slots: number[], { buffers }: Plan, { steps }: TileStep, { rows, tile }: Tiling, value: DimValue): void {
  for (const { reads, writes } of steps) {
    for (const { buffer } of [...reads, ...writes]) {
      const { dtype, elements, place } = buffers[buffer]!;
      if (place.kind !== 'tile') continue;
      const bytes = rows === 0 ? 0 : (value(elements) / rows) * tile * dtypes[dtype].bytes;
      for (let slot = slots.length; slot <= place.slot; slot++) slots.push(0);
      slots[place.slot] = Math.max(slots[place.slot]!, bytes);
    }
  }
}
