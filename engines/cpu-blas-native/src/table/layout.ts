/** Everything about a plan that depends on its sizes and not on where memory lies. */
import { allSteps, type DimBinding, dtypes, elementCount, execution, type GatherStep, type Plan, type ScatterStep, TfError } from '@tf/core';
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
  /** The sizes that it is for. */
  readonly sizes: DimBinding;
  readonly outputShapes: readonly (readonly number[])[];
  readonly outputBytes: readonly number[];
}

export interface LayoutRequest {
  readonly plan: Plan;
  readonly sizes: DimBinding;
  /** What is known of a size before the run decides: outputs have room for it. */
  readonly most: execution.DimValue;
  readonly addon: Addon;
  readonly operations: Operations;
  readonly threads: number;
  readonly level: number;
}

export function layoutPlan({ plan, sizes, most, addon, operations, threads, level }: LayoutRequest): Layout {
  const value = execution.dimValue(sizes);
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
  const slotBytes = execution.slotSizes(plan, value, addressLimit);
  const slots = execution.layoutSlots(slotBytes, 0, 0);
  const tiles = execution.layoutSlots(table.tileSlots, slots.bytes, 0);
  words[header.version] = tableVersion;
  words[header.words] = words.length;
  words[header.addresses] = header.length;
  words[header.counters] = header.length + plan.buffers.length;
  words[header.scratchBytes] = scratchBytes;
  words[header.threads] = threads;
  words[header.isa] = level;
  checkTable(addon, plan, words, begin, plan.buffers.map(({ dtype, place }): number => {
    if (place.kind === 'constant') return place.data.byteLength;
    if (place.kind === 'arena') return slotBytes[place.slot]!;
    if (place.kind === 'tile') return table.tileSlots[place.slot] ?? 0;
    return most(elementCount((place.kind === 'input' ? plan.inputs : plan.outputs)[place.index]!.shape)) * dtypes[dtype].bytes;
  }));
  return {
    words, begin, extentEnds: table.extentEnds, indexed: table.indexed, calls: table.calls,
    arenaBytes: tiles.bytes + scratchBytes, slotOffsets: slots.offsets, tileOffsets: tiles.offsets, scratchOffset: tiles.bytes, sizes, outputShapes: shapes,
    outputBytes: plan.outputs.map(({ dtype }, i) => execution.byteCount(shapes[i]!.reduce((product, extent) => product * extent, 1), dtypes[dtype].bytes, 'output', addressLimit)),
  };
}

/** Refuses a table that would reach beyond its buffers: what the plan says of its sizes is not taken on trust. */
function checkTable(addon: Addon, plan: Plan, words: Float64Array<ArrayBuffer>, begin: number, bytes: readonly number[]): void {
  const capacities = Float64Array.from(bytes);
  const wrong = addon.check(addon.addressOf(words.buffer), words.length, begin, addon.addressOf(capacities.buffer), plan.buffers.length);
  if (wrong === 0) return;
  const step = Object.entries(kinds).find(([, kind]) => kind === words[wrong])?.[0] ?? 'unknown';
  throw new TfError('InvariantError', `plan: a step of kind ${step} does not fit its buffers or its kernel. This is a fault of tf, or of who made the plan: please report it.`, { engine: 'cpu-blas-native', step, word: wrong });
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

