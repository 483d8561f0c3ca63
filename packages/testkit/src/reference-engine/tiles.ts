import { type BufferView, type DimBinding, evaluateDim, type LoopStep } from '@tf/core';

/** Rows from … to − 1 of a tile step. */
export interface Rows {
  readonly from: number;
  readonly to: number;
}

/** The reference engine works on so many rows at a time: few, so that small cases have several tiles and a last shorter one. */
export const TILE_ROWS = 3;

export function tilesOf(rows: number): readonly Rows[] {
  return Array.from({ length: Math.ceil(rows / TILE_ROWS) }, (_, at) => ({ from: at * TILE_ROWS, to: Math.min(rows, (at + 1) * TILE_ROWS) }));
}

/** The loop for these of its `count` rows. A buffer that is not `kept` has memory for them alone. */
export function rowsOf(step: LoopStep, count: number, { from, to }: Rows, binding: DimBinding, kept: (buffer: number) => boolean): LoopStep {
  const [outer, ...inner] = step.extents.map((extent) => evaluateDim(extent, binding)) as [number, ...number[]];
  const each = outer / count;
  const moved = (view: BufferView): BufferView => (kept(view.buffer) ? { ...view, offset: evaluateDim(view.offset, binding) + from * each * evaluateDim(view.strides[0] ?? 0, binding) } : view);
  return { ...step, extents: [(to - from) * each, ...inner], reads: step.reads.map(moved), writes: step.writes.map(moved) };
}
