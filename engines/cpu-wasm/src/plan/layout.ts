/** The step table of a plan for one binding of its symbols: everything but the buffers' addresses. */
import { type BranchStep, type BufferView, type ContractStep, type CopyStep, type Dim, dimText, dtypes, type GatherStep, type IotaStep, type LoopKernel, type LoopStep, type Plan, type RepeatStep, sameDim, type ScanStep, type ScatterStep, type SizeStep, type SortStep, type Step, TfError, type TileStep, type WhileStep } from '@tf/core';
import { axisRecord, branchRecord, builtins, bytesWord, contractRecord, copyRecord, extentRecord, functionWord, indexedRecord, iotaRecord, loopRecord, repeatRecord, sizeRecord, sortRecord, tileRecord, whileRecord } from '../codegen/record.ts';
import { type Axis, deltaOf, mergeAxes, padAxes } from './axes.ts';
import { type Address, dependsOn, incrementOf, movingCount, startOf } from './nested.ts';
import { PatchList, type Patches } from './patches.ts';
import { byteCount, type Gaps, layoutSlots, noGaps, slotSizes } from './slots.ts';
import { tableWords } from './table-words.ts';
import { addSlots, entryCount, type TileLimits, type Tiling, tileStride, tilingOf, untiled } from './tiles.ts';

export interface Layout {
  readonly words: Int32Array;
  /** By buffer kind: arena, constants and workspace change rarely, inputs and outputs with every run. */
  readonly fixed: Patches;
  readonly varying: Patches;
  readonly arenaBytes: number;
  readonly slotOffsets: readonly number[];
  /** Of the slots of tile steps, which follow. */
  readonly tileOffsets: readonly number[];
  readonly gaps: Gaps;
  /** By plan buffer. */
  readonly bufferBytes: readonly number[];
  readonly outputShapes: readonly (readonly number[])[];
  readonly outputBytes: readonly number[];
}

export type DimValue = (dim: Dim) => number;

/** After each slot of the arena `gapBytes` stay free, a multiple of 64. */
export function layoutPlan(plan: Plan, elements: readonly number[], limits: TileLimits, value: DimValue, gapBytes: number = 0): Layout {
  const bufferBytes = plan.buffers.map(({ elements: count, dtype }) => byteCount(value(count), dtypes[dtype].bytes, count));
  const table = new TableWriter(plan, elements, limits, value);
  table.steps(plan.steps);
  table.end();
  const slots = layoutSlots(slotSizes(plan, value), 0, gapBytes);
  const tiles = layoutSlots(table.tileSlots, slots.bytes, gapBytes);
  const shapes = plan.outputs.map(({ shape }) => Object.freeze(shape.map(value)));
  return {
    words: table.words,
    fixed: table.fixed.result(),
    varying: table.varying.result(),
    arenaBytes: tiles.bytes,
    slotOffsets: slots.offsets,
    tileOffsets: tiles.offsets,
    gaps: gapBytes === 0 ? noGaps : [...slots.gaps, ...tiles.gaps],
    bufferBytes,
    outputShapes: shapes,
    outputBytes: plan.outputs.map(({ dtype }, i) => byteCount(shapes[i]!.reduce((product, extent) => product * extent, 1), dtypes[dtype].bytes, 'output')),
  };
}

/** A loop's record, which later steps with the same kernel, extents and strides copy. */
interface KnownRecord {
  readonly step: LoopStep;
  readonly tiling: Tiling;
  readonly at: number;
  /** The axis of the record that begins with the outermost of the step. */
  readonly outer: number;
}

/** A repeat whose steps are being written. */
interface OpenRepeat {
  readonly counter: string;
  /** Word of the table where its header begins. */
  readonly header: number;
  readonly entries: number[];
}

class TableWriter {
  readonly words: Int32Array;
  readonly fixed: PatchList = new PatchList();
  readonly varying: PatchList = new PatchList();
  readonly #plan: Plan;
  /** Per record, its element of the function table. */
  readonly #elements: readonly number[];
  #nextElement = 0;
  readonly #repeats: OpenRepeat[] = [];
  readonly #limits: TileLimits;
  readonly #value: DimValue;
  /** Bytes of each slot of tile steps. */
  readonly tileSlots: number[] = [];
  readonly #known = new Map<LoopKernel, KnownRecord>();
  #at = 0;

  constructor(plan: Plan, elements: readonly number[], limits: TileLimits, value: DimValue) {
    this.#plan = plan;
    this.#elements = elements;
    this.#limits = limits;
    this.#value = value;
    this.words = new Int32Array(tableWords(plan));
  }

  end(): void {
    this.words[this.#at + functionWord] = builtins.end;
  }

  steps(steps: readonly Step[]): void {
    for (const step of steps) this.#step(step, this.#elements[this.#nextElement++]!);
  }

  #step(step: Step, element: number): void {
    switch (step.kind) {
      case 'loop':
        this.#loop(step, element);
        return;
      case 'contract':
        this.#contract(step, element);
        return;
      case 'copy':
        this.#copy(step);
        return;
      case 'size':
        this.#size(step);
        return;
      case 'scan':
        this.#scan(step, element);
        return;
      case 'sort':
        this.#sort(step, element);
        return;
      case 'iota':
        this.#iota(step, element);
        return;
      case 'extent':
        this.#begin(builtins.end, extentRecord.words);
        this.#at += extentRecord.words;
        return;
      case 'gather':
      case 'scatter':
        this.#indexed(step, element);
        return;
      case 'tile':
        this.#tile(step, element);
        return;
      case 'repeat':
        this.#repeat(step, element);
        return;
      case 'while':
        this.#while(step, element);
        return;
      case 'branch':
        this.#branch(step, element);
    }
  }

  /** The record for all rows, or for those of one tile. */
  #loop(step: LoopStep, element: number, tiling: Tiling = untiled): KnownRecord {
    const { kernel, reads, writes } = step;
    const words = loopRecord.words(kernel.rank, reads.length + writes.length);
    let known = this.#known.get(kernel);
    if (known !== undefined && known.tiling === tiling && walksAlike(known.step, step)) {
      this.words.copyWithin(this.#at, known.at, known.at + words);
    } else {
      known = { step, tiling, at: this.#at, outer: this.#loopRecord(step, element, tiling) };
      this.#known.set(kernel, known);
    }
    reads.forEach((view, i) => this.#address(loopRecord.address(kernel.rank, i), view));
    writes.forEach((view, i) => this.#address(loopRecord.address(kernel.rank, reads.length + i), view));
    this.#at += words;
    return known;
  }

  /** The header, then the loops for the rows of one tile. */
  #tile(step: TileStep, element: number): void {
    const header = this.#at;
    const headerWords = tileRecord.words(entryCount(step));
    const tiling = tilingOf(this.#plan, step, this.#limits, this.#value);
    addSlots(this.tileSlots, this.#plan, step, tiling, this.#value);
    this.#at += headerWords;
    let entry = header + tileRecord.entry(0);
    const add = (word: number, next: number, toLast: number): void => {
      if (tiling.tiles <= 1) return;
      const values = [4 * (word - header), next, toLast, -(next * (tiling.tiles - 2) + toLast)];
      for (const value of values) this.words[entry++] = value;
    };
    for (const inner of step.steps) {
      const at = this.#at;
      const { rank } = inner.kernel;
      const { outer } = this.#loop(inner, this.#elements[this.#nextElement++]!, tiling);
      const extent = at + loopRecord.extent(outer);
      add(extent, 0, (this.words[extent]! / tiling.tile) * tiling.last - this.words[extent]!);
      [...inner.reads, ...inner.writes].forEach((view, operand) => {
        const further = tileStride(this.#plan, inner, view, tiling, this.#value);
        add(at + loopRecord.address(rank, operand), further, further);
      });
    }
    const isOne = tiling.tiles <= 1;
    this.#header(header, (words) => {
      this.#begin(isOne ? builtins.nothing : element, isOne ? headerWords : words);
      this.#put(tileRecord.tiles, tiling.tiles);
      this.#put(tileRecord.headerBytes, 4 * headerWords);
    });
  }

  /** Goes back to a header when what follows it is written; `write` is told how many words both have. */
  #header(header: number, write: (words: number) => void): void {
    const end = this.#at;
    this.#at = header;
    write(end - header);
    this.#at = end;
  }

  #repeat(step: RepeatStep, element: number): void {
    const header = this.#at;
    const count = counterValue(Math.max(0, this.#value(step.count)));
    const headerWords = repeatRecord.words(movingCount(step));
    const entries: number[] = [];
    this.#at += headerWords;
    this.#repeats.push({ counter: step.counter, header, entries });
    this.steps(step.steps);
    this.#repeats.pop();
    this.#header(header, (words) => {
      this.#begin(count === 0 ? builtins.nothing : element, words);
      this.#put(repeatRecord.count, count);
      this.#put(repeatRecord.headerBytes, 4 * headerWords);
      entries.forEach((word, i) => this.#put(repeatRecord.entry(0) + i, word));
    });
  }

  #while(step: WhileStep, element: number): void {
    const header = this.#at;
    this.#address(whileRecord.holds, step.holds);
    this.#at += whileRecord.words;
    this.steps(step.condition);
    const conditionEnd = this.#at;
    this.steps(step.steps);
    this.#header(header, (words) => {
      this.#begin(element, words);
      this.#put(whileRecord.conditionEnd, 4 * (conditionEnd - header));
    });
  }

  #branch(step: BranchStep, element: number): void {
    const header = this.#at;
    const { branches } = step;
    this.#address(branchRecord.index, step.index);
    this.#at += branchRecord.words(branches.length);
    const bounds = branches.map((steps) => {
      const begin = this.#at;
      this.steps(steps);
      return begin;
    });
    [...bounds, this.#at].forEach((bound, i) => (this.words[header + branchRecord.begin(i)] = 4 * (bound - header)));
    this.#header(header, (words) => {
      this.#begin(element, words);
      this.#put(branchRecord.last, branches.length - 1);
    });
  }

  /** All but the addresses. Gives the axis that begins with the outermost of the step. */
  #loopRecord(step: LoopStep, element: number, tiling: Tiling): number {
    const { rank, reduce } = step.kernel;
    const views = [...step.reads, ...step.writes];
    const extents = step.extents.map(this.#value);
    if (tiling.rows !== tiling.tile) extents[0] = (extents[0]! / tiling.rows) * tiling.tile;
    const written = rank - (reduce?.axes ?? 0);
    const strides = views.map((view, i) => this.#strides(view, i < step.reads.length ? rank : written));
    const axes = extents.map((extent, axis): Axis => ({ extent, strides: strides.map((of) => of[axis] ?? 0) }));
    const merged = mergeAxes(axes.slice(0, written), reduce === undefined);
    const outer = padAxes(merged, written, views.length);
    const folded = padAxes(mergeAxes(axes.slice(written), true), rank - written, views.length);
    const isEmpty = extents.slice(0, written).includes(0);
    this.#begin(isEmpty ? builtins.nothing : element, loopRecord.words(rank, views.length));
    this.#put(loopRecord.foldCount(rank), counterValue(extents.slice(written).reduce((product, extent) => product * extent, 1)));
    const all = [...outer, ...folded];
    all.forEach(({ extent }, axis) => this.#put(loopRecord.extent(axis), counterValue(extent)));
    views.forEach((_, operand) => {
      for (let axis = 0; axis < rank; axis++) this.#put(loopRecord.delta(rank, operand, axis), deltaOf(all, axis, operand));
    });
    return Math.min(written - merged.length, rank - 1);
  }

  #contract(step: ContractStep, element: number): void {
    const record = contractRecord;
    const rank = step.batch.length;
    const [lhs, rhs, out] = [step.lhs, step.rhs, step.out].map((view) => this.#strides(view, rank + 2)) as [number[], number[], number[]];
    const axes = mergeAxes(step.batch.map((extent, axis): Axis => ({ extent: this.#value(extent), strides: [lhs[axis]!, rhs[axis]!, out[axis]!] })), false);
    const sizes = [step.m, step.n, step.k].map((dim) => counterValue(this.#value(dim)));
    const isEmpty = sizes[0] === 0 || sizes[1] === 0 || axes.some(({ extent }) => extent === 0);
    this.#begin(isEmpty ? builtins.nothing : element, record.words(rank));
    [record.m, record.n, record.k].forEach((word, i) => this.#put(word, sizes[i]!));
    [record.lhsM, record.lhsK].forEach((word, i) => this.#put(word, lhs[rank + i]!));
    [record.rhsK, record.rhsN].forEach((word, i) => this.#put(word, rhs[rank + i]!));
    [record.outM, record.outN].forEach((word, i) => this.#put(word, out[rank + i]!));
    this.#address(record.lhs, step.lhs);
    this.#address(record.rhs, step.rhs);
    this.#address(record.out, step.out);
    // The workspace is no buffer of the plan: it takes the number after the last one.
    this.fixed.add(this.#at + record.workspace, this.#plan.buffers.length, 0);
    this.#odometer(record, axes, axes.length);
    this.#at += record.words(rank);
  }

  #indexed(step: GatherStep | ScatterStep, element: number): void {
    const record = indexedRecord;
    const [indexed, other] = step.kind === 'gather' ? [step.source, step.out] : [step.target, step.updates];
    const views = [step.indices, indexed, other];
    const rank = step.extents.length;
    const strides = views.map((view) => this.#strides(view, rank));
    const all = step.extents.map((extent, axis): Axis => ({ extent: this.#value(extent), strides: strides.map((of) => of[axis]!) }));
    const axes = padAxes(mergeAxes(all, true), Math.max(1, rank), 3);
    const isEmpty = all.some(({ extent }) => extent === 0);
    this.#begin(isEmpty ? builtins.nothing : element, record.words(Math.max(0, rank - 1)));
    this.#put(record.rows, counterValue(this.#value(step.rows)));
    this.#put(record.rowStride, this.#value(step.rowStride) * dtypes[step.dtype].bytes);
    const inner = axes.at(-1)!;
    this.#put(record.innerExtent, counterValue(inner.extent));
    views.forEach((view, operand) => {
      this.#address(record.address(operand), view);
      this.#put(record.innerStride(operand), inner.strides[operand]!);
    });
    this.#odometer(record, axes, axes.length - 1);
    this.#at += record.words(Math.max(0, rank - 1));
  }

  #copy(step: CopyStep): void {
    const bytes = byteCount(this.#value(step.elements), dtypes[step.dtype].bytes, step.elements);
    this.#begin(bytes === 0 ? builtins.nothing : builtins.copy, copyRecord.words);
    this.#address(copyRecord.from, step.from);
    this.#address(copyRecord.to, step.to);
    this.#put(copyRecord.bytes, bytes);
    this.#at += copyRecord.words;
  }

  #size(step: SizeStep): void {
    const value = this.#value(step.value);
    if (value >= 2 ** 31) throw new TfError('TooLargeError', `cpu-wasm: ${dimText(step.value)} is ${value}, which an int32 cannot hold. Take the extents of single axes and multiply them in float64.`, { engine: 'cpu-wasm', requested: value, maximum: 2 ** 31 - 1 });
    this.#begin(builtins.copy, sizeRecord.words);
    // The table is no buffer of the plan: it takes the second number after the last one.
    this.fixed.add(this.#at + sizeRecord.from, this.#plan.buffers.length + 1, 4 * (this.#at + sizeRecord.value));
    this.#address(sizeRecord.to, step.to);
    this.#put(sizeRecord.bytes, 4);
    this.#put(sizeRecord.value, value);
    this.#at += sizeRecord.words;
  }

  /** As a loop's record, but that deltas of the scanned axis and of one inside it are strides. */
  #scan({ kernel, extents, reads, write }: ScanStep, element: number): void {
    const { rank, columns } = kernel;
    const views = [...reads, write];
    const strides = views.map((view) => this.#strides(view, rank));
    const axes = extents.map((extent, axis): Axis => ({ extent: this.#value(extent), strides: strides.map((of) => of[axis]!) }));
    const outer = axes.slice(0, columns ? rank - 2 : rank - 1);
    this.#begin(axes.some(({ extent }) => extent === 0) ? builtins.nothing : element, loopRecord.words(rank, views.length));
    axes.forEach(({ extent }, axis) => this.#put(loopRecord.extent(axis), counterValue(extent)));
    views.forEach((view, operand) => {
      this.#address(loopRecord.address(rank, operand), view);
      axes.forEach((own, axis) => this.#put(loopRecord.delta(rank, operand, axis), axis < outer.length ? deltaOf(outer, axis, operand) : own.strides[operand]!));
    });
    this.#at += loopRecord.words(rank, views.length);
  }

  #sort(step: SortStep, element: number): void {
    const record = sortRecord;
    const views = [step.from, step.values, step.indices];
    const rank = step.extents.length;
    const strides = views.map((view) => this.#strides(view, rank));
    const extents = step.extents.map(this.#value);
    const axes = mergeAxes(extents.slice(0, -1).map((extent, axis): Axis => ({ extent, strides: strides.map((of) => of[axis]!) })), false);
    this.#begin(extents.includes(0) ? builtins.nothing : element, record.words(rank - 1));
    views.forEach((view, operand) => {
      this.#address(record.address(operand), view);
      this.#put(record.stride(operand), strides[operand]![rank - 1]!);
    });
    this.#address(record.workspace, step.workspace);
    this.#put(record.count, counterValue(extents[rank - 1]!));
    this.#put(record.flip, step.descending ? -1 : 0);
    this.#odometer(record, axes, axes.length);
    this.#at += record.words(rank - 1);
  }

  #iota(step: IotaStep, element: number): void {
    const elements = this.#value(step.elements);
    this.#begin(elements === 0 ? builtins.nothing : element, iotaRecord.words);
    this.#address(iotaRecord.out, step.out);
    this.#put(iotaRecord.elements, counterValue(elements));
    this.#at += iotaRecord.words;
  }

  /** The first `rank` of the axes. */
  #odometer(record: { readonly rank: number; readonly axes: number }, axes: readonly Axis[], rank: number): void {
    this.#put(record.rank, rank);
    for (let axis = 0; axis < rank; axis++) {
      const at = record.axes + axis * axisRecord.words;
      this.#put(at + axisRecord.extent, counterValue(axes[axis]!.extent));
      for (let operand = 0; operand < 3; operand++) this.#put(at + axisRecord.delta(operand), deltaOf(axes, axis, operand));
    }
  }

  #begin(element: number, words: number): void {
    this.#put(functionWord, element);
    this.#put(bytesWord, 4 * words);
  }

  /** Words are taken modulo 2^32, as addresses are. */
  #put(word: number, value: number): void {
    this.words[this.#at + word] = value;
  }

  #address(word: number, { buffer, offset }: Address): void {
    const { dtype, place } = this.#plan.buffers[buffer]!;
    const { bytes } = dtypes[dtype];
    const patches = place.kind === 'input' || place.kind === 'output' ? this.varying : this.fixed;
    const start = this.#repeats.length === 0 ? offset : startOf(offset, this.#repeats.map(({ counter }) => counter));
    patches.add(this.#at + word, buffer, this.#value(start) * bytes);
    for (const { counter, header, entries } of this.#repeats) {
      if (dependsOn(offset, counter)) entries.push(4 * (this.#at + word - header), this.#value(incrementOf(offset, counter)) * bytes);
    }
  }

  /** In bytes. */
  #strides({ buffer, strides }: BufferView, rank: number): number[] {
    const { bytes } = dtypes[this.#plan.buffers[buffer]!.dtype];
    return strides.slice(0, rank).map((stride) => this.#value(stride) * bytes);
  }
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

function counterValue(count: number): number {
  if (count < 2 ** 32) return count;
  throw new TfError('TooLargeError', `cpu-wasm: a loop over ${count} elements exceeds 2^32 − 1. Split the operation.`, { engine: 'cpu-wasm', requested: count, maximum: 2 ** 32 - 1 });
}
