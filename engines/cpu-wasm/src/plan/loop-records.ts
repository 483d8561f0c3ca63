/** Records of loops, by themselves and tile by tile. */
import { type BufferView, type Dim, execution, type LoopStep, sameDim, type TileStep } from '@tf/core';
import { builtins, loopRecord, tileRecord } from '../codegen/record.ts';
import { counterValue, type KnownRecord, type TableWriter } from './table-writer.ts';

/** The record for all rows, or for those of one tile. */
export function writeLoop(table: TableWriter, step: LoopStep, element: number, tiling: execution.Tiling = execution.untiled): KnownRecord {
  const { kernel, reads, writes } = step;
  const words = loopRecord.words(kernel.rank, reads.length + writes.length);
  let known = table.known.get(kernel);
  if (known !== undefined && known.tiling === tiling && walksAlike(known.step, step)) {
    table.words.copyWithin(table.at, known.at, known.at + words);
  } else {
    known = { step, tiling, at: table.at, outer: addLoopRecord(table, step, element, tiling) };
    table.known.set(kernel, known);
  }
  reads.forEach((view, i) => table.address(loopRecord.address(kernel.rank, i), view));
  writes.forEach((view, i) => table.address(loopRecord.address(kernel.rank, reads.length + i), view));
  table.advance(words);
  return known;
}

/** The header, then the loops for the rows of one tile. */
export function writeTile(table: TableWriter, step: TileStep, element: number): void {
  const header = table.at;
  const headerWords = tileRecord.words(execution.entryCount(step));
  const tiling = execution.tilingOf(table.plan, step, table.limits, table.value);
  execution.addSlots(table.tileSlots, table.plan, step, tiling, table.value);
  table.advance(headerWords);
  let entry = header + tileRecord.entry(0);
  const add = (word: number, next: number, toLast: number): void => {
    if (tiling.tiles <= 1) return;
    const values = [4 * (word - header), next, toLast, -(next * (tiling.tiles - 2) + toLast)];
    for (const value of values) table.words[entry++] = value;
  };
  for (const inner of step.steps) {
    const at = table.at;
    const { rank } = inner.kernel;
    const { outer } = writeLoop(table, inner, table.nextElement(), tiling);
    const extent = at + loopRecord.extent(outer);
    add(extent, 0, (table.words[extent]! / tiling.tile) * tiling.last - table.words[extent]!);
    [...inner.reads, ...inner.writes].forEach((view, operand) => {
      const further = execution.tileStride(table.plan, inner, view, tiling, table.value);
      add(at + loopRecord.address(rank, operand), further, further);
    });
  }
  const isOne = tiling.tiles <= 1;
  table.header(header, (words) => {
    table.begin(isOne ? builtins.nothing : element, isOne ? headerWords : words);
    table.put(tileRecord.tiles, tiling.tiles);
    table.put(tileRecord.headerBytes, 4 * headerWords);
  });
}

/** All but the addresses. Gives the axis that begins with the outermost of the step. */
function addLoopRecord(table: TableWriter, step: LoopStep, element: number, tiling: execution.Tiling): number {
  const { rank, reduce } = step.kernel;
  const views = [...step.reads, ...step.writes];
  const extents = step.extents.map(table.value);
  if (tiling.rows !== tiling.tile) extents[0] = (extents[0]! / tiling.rows) * tiling.tile;
  const written = rank - (reduce?.axes ?? 0);
  const strides = views.map((view, i) => table.strides(view, i < step.reads.length ? rank : written));
  const axes = extents.map((extent, axis): execution.Axis => ({ extent, strides: strides.map((of) => of[axis] ?? 0) }));
  const merged = execution.mergeAxes(axes.slice(0, written), reduce === undefined);
  const outer = execution.padAxes(merged, written, views.length);
  const folded = execution.padAxes(execution.mergeAxes(axes.slice(written), true), rank - written, views.length);
  const isEmpty = extents.slice(0, written).includes(0);
  table.begin(isEmpty ? builtins.nothing : element, loopRecord.words(rank, views.length));
  table.put(loopRecord.foldCount(rank), counterValue(extents.slice(written).reduce((product, extent) => product * extent, 1)));
  const all = [...outer, ...folded];
  all.forEach(({ extent }, axis) => table.put(loopRecord.extent(axis), counterValue(extent)));
  views.forEach((_, operand) => {
    for (let axis = 0; axis < rank; axis++) table.put(loopRecord.delta(rank, operand, axis), execution.deltaOf(all, axis, operand));
  });
  return Math.min(written - merged.length, rank - 1);
}

/** The same record but for the addresses. */
function walksAlike(a: LoopStep, b: LoopStep): boolean {
  const alike = (x: BufferView, i: number, others: readonly BufferView[]): boolean => sameDims(x.strides, others[i]!.strides);
  return sameDims(a.extents, b.extents) && a.reads.every((view, i) => alike(view, i, b.reads)) && a.writes.every((view, i) => alike(view, i, b.writes));
}

function sameDims(a: readonly Dim[], b: readonly Dim[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!sameDim(a[i]!, b[i]!)) return false;
  return true;
}
