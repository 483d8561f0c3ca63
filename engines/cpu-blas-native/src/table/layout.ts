/** Everything about a plan that depends on its sizes and not on where memory lies. */
import { allSteps, dtypes, execution, type GatherStep, type Plan, type ScatterStep } from '@tf/core';
import type { Addon } from '../addon.ts';
import { addressLimit } from '../memory/limit.ts';
import type { Operations } from './kernel-words.ts';
import { writeStep } from './records.ts';
import { type PlacedKernel, TableWriter } from './table-writer.ts';
import { header, kinds, tableVersion } from './words.ts';

export interface Layout {
  readonly words: Float64Array<ArrayBuffer>;
  readonly begin: number;
  /** Words behind the steps that define an extent, by index of the step. */
  readonly extentEnds: ReadonlyMap<number, number>;
  readonly indexed: ReadonlyMap<number, GatherStep | ScatterStep>;
  /** Words where the records of calls begin. */
  readonly calls: readonly number[];
  /** The arena: slots, those of tiles, working memory. */
  readonly arenaBytes: number;
  readonly slotOffsets: readonly number[];
  readonly tileOffsets: readonly number[];
  readonly scratchOffset: number;
  /** By plan buffer. */
  readonly bufferBytes: readonly number[];
  readonly outputShapes: readonly (readonly number[])[];
  readonly outputBytes: readonly number[];
}

export interface LayoutRequest {
  readonly plan: Plan;
  readonly value: execution.DimValue;
  readonly addon: Addon;
  readonly operations: Operations;
  readonly threads: number;
  readonly level: number;
}

export function layoutPlan({ plan, value, addon, operations, threads, level }: LayoutRequest): Layout {
  const bufferBytes = plan.buffers.map(({ elements, dtype }) => execution.byteCount(value(elements), dtypes[dtype].bytes, elements, addressLimit));
  const shapes = plan.outputs.map(({ shape }) => Object.freeze(shape.map(value)));
  const table = new TableWriter(plan, operations, value);
  table.addKernels(allSteps(plan.steps));
  const begin = table.words.length;
  plan.steps.forEach((step, index) => {
    writeStep(table, step);
    if (step.kind === 'extent') table.extentEnds.set(index, table.words.length);
  });
  table.record(kinds.end, () => undefined);
  const words = table.words.result();
  const scratchBytes = Math.max(64, ...table.kernels.map((kernel) => scratchOf(addon, plan, kernel)), ...contractionBytes(addon, words, table.contractions));
  const slots = execution.layoutSlots(execution.slotSizes(plan, value, addressLimit), 0, 0);
  const tiles = execution.layoutSlots(table.tileSlots, slots.bytes, 0);
  words[header.version] = tableVersion;
  words[header.words] = words.length;
  words[header.addresses] = header.length;
  words[header.counters] = header.length + plan.buffers.length;
  words[header.scratchBytes] = scratchBytes;
  words[header.threads] = threads;
  words[header.isa] = level;
  return {
    words, begin, extentEnds: table.extentEnds, indexed: table.indexed, calls: table.calls,
    arenaBytes: tiles.bytes + scratchBytes, slotOffsets: slots.offsets, tileOffsets: tiles.offsets, scratchOffset: tiles.bytes, bufferBytes, outputShapes: shapes,
    outputBytes: plan.outputs.map(({ dtype }, i) => execution.byteCount(shapes[i]!.reduce((product, extent) => product * extent, 1), dtypes[dtype].bytes, 'output', addressLimit)),
  };
}

/** Ranks of tables are at most those of the plan's steps. */
function scratchOf(addon: Addon, { steps }: Plan, { size }: PlacedKernel): number {
  const rank = allSteps(steps).reduce((most, step) => (step.kind === 'loop' || step.kind === 'scan' ? Math.max(most, step.extents.length) : most), 1);
  return addon.loopScratch(size.registers, size.operations, size.operands, size.lanes, rank, size.folds ? 1 : 0);
}

function contractionBytes(addon: Addon, words: Float64Array<ArrayBuffer>, places: readonly number[]): readonly number[] {
  if (places.length === 0) return [];
  const address = addon.addressOf(words.buffer);
  return places.map((at) => addon.contractScratch(address + 8 * at));
}

