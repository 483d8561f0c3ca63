/** The step table of a plan for one binding of its symbols: everything but the buffers' addresses. */
import { dtypes, execution, type Plan, type Step } from '@tf/core';
import { addressLimit } from '../memory/heap.ts';
import { builtins, extentRecord } from '../codegen/record.ts';
import { writeCall } from './call-records.ts';
import { writeContract, writeCopy, writeIndexed, writeIota, writeScan, writeSize, writeSort } from './data-records.ts';
import { writeLoop, writeTile } from './loop-records.ts';
import { writeBranch, writeRepeat, writeWhile } from './nested-records.ts';
import type { Patches } from './patches.ts';
import { TableWriter } from './table-writer.ts';

export interface Layout {
  readonly words: Int32Array;
  /** By buffer kind: arena, constants and workspace change rarely, inputs and outputs with every run. */
  readonly fixed: Patches;
  readonly varying: Patches;
  readonly arenaBytes: number;
  readonly slotOffsets: readonly number[];
  /** Of the slots of tile steps, which follow. */
  readonly tileOffsets: readonly number[];
  readonly gaps: execution.Gaps;
  /** By plan buffer. */
  readonly bufferBytes: readonly number[];
  readonly outputShapes: readonly (readonly number[])[];
  readonly outputBytes: readonly number[];
}

/** After each slot of the arena `gapBytes` stay free, a multiple of 64. */
export function layoutPlan(plan: Plan, elements: readonly number[], limits: execution.TileLimits, value: execution.DimValue, gapBytes: number = 0): Layout {
  const bufferBytes = plan.buffers.map(({ elements: count, dtype }) => execution.byteCount(value(count), dtypes[dtype].bytes, count, addressLimit));
  const table = new TableWriter(plan, elements, limits, value, writeRecord);
  table.steps(plan.steps);
  table.end();
  const slots = execution.layoutSlots(execution.slotSizes(plan, value, addressLimit), 0, gapBytes);
  const tiles = execution.layoutSlots(table.tileSlots, slots.bytes, gapBytes);
  const shapes = plan.outputs.map(({ shape }) => Object.freeze(shape.map(value)));
  return {
    words: table.words,
    fixed: table.fixed.result(),
    varying: table.varying.result(),
    arenaBytes: tiles.bytes,
    slotOffsets: slots.offsets,
    tileOffsets: tiles.offsets,
    gaps: gapBytes === 0 ? execution.noGaps : [...slots.gaps, ...tiles.gaps],
    bufferBytes,
    outputShapes: shapes,
    outputBytes: plan.outputs.map(({ dtype }, i) => execution.byteCount(shapes[i]!.reduce((product, extent) => product * extent, 1), dtypes[dtype].bytes, 'output', addressLimit)),
  };
}

function writeRecord(table: TableWriter, step: Step, element: number): void {
  switch (step.kind) {
    case 'loop':
      writeLoop(table, step, element);
      return;
    case 'contract':
      writeContract(table, step, element);
      return;
    case 'copy':
      writeCopy(table, step);
      return;
    case 'size':
      writeSize(table, step);
      return;
    case 'scan':
      writeScan(table, step, element);
      return;
    case 'sort':
      writeSort(table, step, element);
      return;
    case 'iota':
      writeIota(table, step, element);
      return;
    case 'call':
      writeCall(table, step, element);
      return;
    case 'extent':
      table.begin(builtins.end, extentRecord.words);
      table.advance(extentRecord.words);
      return;
    case 'gather':
    case 'scatter':
      writeIndexed(table, step, element);
      return;
    case 'tile':
      writeTile(table, step, element);
      return;
    case 'repeat':
      writeRepeat(table, step, element);
      return;
    case 'while':
      writeWhile(table, step, element);
      return;
    case 'branch':
      writeBranch(table, step, element);
  }
}
