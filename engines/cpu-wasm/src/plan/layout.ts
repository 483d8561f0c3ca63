/** The step table of a plan for one binding of its symbols: everything but the buffers' addresses. */
import { dtypes, execution, type Plan, type Step } from '@tf/core';
import { addressLimit } from '../memory/heap.ts';
import { builtins, extentRecord } from '../codegen/record.ts';
import { writeCall } from './call-records.ts';
import { writeContract, writeCopy, writeIndexed, writeIota, writeScan, writeSize, writeSort } from './data-records.ts';
import { writeLoop, writeTile } from './loop-records.ts';
import { writeBranch, writeRepeat, writeWhile } from './nested-records.ts';
import type { Patches } from './patches.ts';
import { type SplitLimits, type Splits, splitTable } from './splits.ts';
import type { StepCosts } from './step-cost.ts';
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
  /** Undefined where one thread does all. */
  readonly splits: Splits | undefined;
  /** By plan buffer. */
  readonly bufferBytes: readonly number[];
  readonly outputShapes: readonly (readonly number[])[];
  readonly outputBytes: readonly number[];
}

export interface LayoutOptions {
  readonly tiles: execution.TileLimits;
  /** After each slot of the arena so many bytes stay free, a multiple of 64. */
  readonly gapBytes: number;
  /** Undefined where one thread does all. */
  readonly splitting: { readonly limits: SplitLimits; readonly costs: StepCosts } | undefined;
}

export function layoutPlan(plan: Plan, elements: readonly number[], value: execution.DimValue, { tiles: limits, gapBytes, splitting }: LayoutOptions): Layout {
  const bufferBytes = plan.buffers.map(({ elements: count, dtype }) => execution.byteCount(value(count), dtypes[dtype].bytes, count, addressLimit));
  const table = new TableWriter(plan, elements, limits, value, writeRecord);
  table.steps(plan.steps);
  table.end();
  const slots = execution.layoutSlots(execution.slotSizes(plan, value, addressLimit), 0, gapBytes);
  const tiles = execution.layoutSlots(table.tileSlots, slots.bytes, gapBytes);
  const tileBytes = tiles.bytes - slots.bytes;
  const splits = splitting && splitTable(plan, table.words, tileBytes, splitting.costs, splitting.limits);
  // Each thread has slots of its own for its tiles.
  const areas = splits?.hasTiles === true ? splitting!.limits.members : 1;
  const shapes = plan.outputs.map(({ shape }) => Object.freeze(shape.map(value)));
  return {
    words: table.words,
    fixed: table.fixed.result(),
    varying: table.varying.result(),
    arenaBytes: slots.bytes + areas * tileBytes,
    slotOffsets: slots.offsets,
    tileOffsets: tiles.offsets,
    gaps: gapBytes === 0 ? execution.noGaps : [...slots.gaps, ...Array.from({ length: areas }, (_, area) => tiles.gaps.map(([start, end]) => [start + area * tileBytes, end + area * tileBytes] as const)).flat()],
    splits,
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
