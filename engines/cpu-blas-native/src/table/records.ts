/** Records of steps, as native/tf_native.h lays them out. */
import { type BranchStep, type BufferView, type CallStep, type ContractStep, type CopyStep, type Dim, dimText, dtypes, execution, type GatherStep, innerSteps, type IotaStep, type LoopStep, type RepeatStep, type ScanStep, type ScatterStep, type SizeStep, type SortStep, type Step, TfError, type TileStep, type WhileStep } from '@tf/core';
import { addressLimit } from '../memory/limit.ts';
import type { TableWriter } from './table-writer.ts';
import { combineCodes, dtypeCodes, kinds } from './words.ts';

export function writeSteps(table: TableWriter, steps: readonly Step[]): void {
  steps.forEach((step) => writeStep(table, step));
}

export function writeStep(table: TableWriter, step: Step): void {
  switch (step.kind) {
    case 'loop':
      return writeLoop(table, step, untiledRows);
    case 'contract':
      return writeContract(table, step);
    case 'copy':
      return writeCopy(table, step);
    case 'iota':
      return writeIota(table, step);
    case 'scan':
      return writeScan(table, step);
    case 'sort':
      return writeSort(table, step);
    case 'gather':
    case 'scatter':
      return writeIndexed(table, step);
    case 'tile':
      return writeTile(table, step);
    case 'repeat':
      return writeRepeat(table, step);
    case 'while':
      return writeWhile(table, step);
    case 'branch':
      return writeBranch(table, step);
    case 'size':
      return writeSize(table, step);
    case 'call':
      return writeCall(table, step);
    case 'extent':
      // JavaScript decides it, and goes on behind this record.
      return table.record(kinds.end, () => undefined);
  }
}

// ---------------------------------------------------------------- loops

const untiledRows = execution.untiled;

function axesOf(table: TableWriter, extents: readonly number[], views: readonly BufferView[], ranks: readonly number[]): readonly execution.Axis[] {
  const strides = views.map((view, i) => table.strides(view, ranks[i]!));
  return extents.map((extent, axis): execution.Axis => ({ extent, strides: strides.map((of) => of[axis] ?? 0) }));
}

function writeViews(table: TableWriter, views: readonly execution.Address[], moves: readonly number[], strides: (view: number) => readonly number[]): void {
  views.forEach((view, i) => {
    table.view(view, moves[i]!);
    table.words.push(...strides(i));
  });
}

function writeLoop(table: TableWriter, step: LoopStep, tiling: execution.Tiling): void {
  const { kernel } = step;
  const views = [...step.reads, ...step.writes];
  const extents = step.extents.map(table.value);
  if (tiling.rows !== tiling.tile) extents[0] = (extents[0]! / tiling.rows) * tiling.tile;
  const kept = kernel.rank - (kernel.reduce?.axes ?? 0);
  if (extents.slice(0, kept).includes(0)) return;
  const all = axesOf(table, extents, views, views.map((_, i) => (i < step.reads.length ? kernel.rank : kept)));
  const outer = execution.mergeAxes(all.slice(0, kept), false);
  const folded = execution.mergeAxes(all.slice(kept), false);
  // A fold of nothing is its identity, and one axis at least is folded.
  const inner = kernel.reduce !== undefined && folded.length === 0 ? [{ extent: extents.slice(kept).reduce((product, extent) => product * extent, 1), strides: views.map(() => 0) }] : folded;
  const axes = [...outer, ...inner];
  const last = outer.length === 0 ? 1 : (outer[0]!.extent / tiling.tile) * tiling.last;
  const moves = table.moves(views);
  table.record(kinds.loop, () => {
    table.words.push(table.kernel(kernel).at, axes.length, inner.length, last, ...axes.map(({ extent }) => extent));
    writeViews(table, views, moves, (view) => axes.map(({ strides }) => strides[view]!));
  });
}

function writeTile(table: TableWriter, step: TileStep): void {
  const tiling = execution.tilingOf(table.plan, step, execution.tileLimits, table.value);
  execution.addSlots(table.tileSlots, table.plan, step, tiling, table.value);
  const move = (loop: LoopStep) => (view: execution.Address): number => execution.tileStride(table.plan, loop, view as BufferView, tiling, table.value);
  table.record(kinds.tile, () => {
    const at = table.words.length;
    table.words.push(0, tiling.tiles);
    for (const inner of step.steps) {
      table.counting(undefined, move(inner), (index) => {
        table.words.set(at, index);
        writeLoop(table, inner, tiling);
      });
    }
  });
}

function writeScan(table: TableWriter, { kernel, extents, reads, write }: ScanStep): void {
  const views = [...reads, write];
  const sizes = extents.map(table.value);
  if (sizes.includes(0)) return;
  const moves = table.moves(views);
  table.record(kinds.scan, () => {
    table.words.push(table.kernel(kernel).at, kernel.rank, kernel.columns ? 1 : 0, ...sizes);
    writeViews(table, views, moves, (view) => table.strides(views[view]!, kernel.rank));
  });
}

// ---------------------------------------------------------------- data

function writeContract(table: TableWriter, step: ContractStep): void {
  const views = [step.lhs, step.rhs, step.out];
  const rank = step.batch.length;
  const sizes = [step.m, step.n, step.k].map(table.value);
  const strides = views.map((view) => table.strides(view, rank + 2));
  const all = step.batch.map((extent, axis): execution.Axis => ({ extent: table.value(extent), strides: strides.map((of) => of[axis]!) }));
  if (all.some(({ extent }) => extent === 0) || sizes[0] === 0 || sizes[1] === 0) return;
  const axes = execution.mergeAxes(all, false);
  const moves = table.moves(views);
  table.contractions.push(table.words.length);
  table.record(kinds.contract, () => {
    table.words.push(dtypeCodes[step.dtype], axes.length, ...sizes, ...axes.map(({ extent }) => extent));
    writeViews(table, views, moves, (view) => [...axes.map((axis) => axis.strides[view]!), ...strides[view]!.slice(rank)]);
  });
}

function writeCopy(table: TableWriter, { dtype, elements, from, to }: CopyStep): void {
  const bytes = execution.byteCount(table.value(elements), dtypes[dtype].bytes, elements, addressLimit);
  if (bytes === 0) return;
  const moves = table.moves([from, to]);
  table.record(kinds.copy, () => {
    table.words.push(bytes);
    writeViews(table, [from, to], moves, noStrides);
    table.words.push(dtypes[dtype].bytes);
  });
}

function writeIota(table: TableWriter, { dtype, elements, out }: IotaStep): void {
  const moves = table.moves([out]);
  table.record(kinds.iota, () => {
    table.words.push(dtypeCodes[dtype], table.value(elements));
    writeViews(table, [out], moves, noStrides);
  });
}

function writeSort(table: TableWriter, step: SortStep): void {
  const views = [step.from, step.values, step.indices];
  const rank = step.extents.length;
  const extents = step.extents.map(table.value);
  if (extents.includes(0)) return;
  const moves = table.moves([...views, step.workspace]);
  table.record(kinds.sort, () => {
    table.words.push(dtypeCodes[step.dtype], step.descending ? 1 : 0, rank, ...extents);
    writeViews(table, views, moves, (view) => table.strides(views[view]!, rank));
    table.view(step.workspace, moves[3]!);
  });
}

function writeIndexed(table: TableWriter, step: GatherStep | ScatterStep): void {
  const views = step.kind === 'gather' ? [step.indices, step.source, step.out] : [step.indices, step.target, step.updates];
  const extents = step.extents.map(table.value);
  if (extents.includes(0)) return;
  const axes = execution.mergeAxes(axesOf(table, extents, views, views.map(() => extents.length)), false);
  const moves = table.moves(views);
  table.indexed.set(table.words.length, step);
  table.record(step.kind === 'gather' ? kinds.gather : kinds.scatter, () => {
    const combine = step.kind === 'gather' ? combineCodes.set : combineCodes[step.combine];
    table.words.push(dtypeCodes[step.dtype], combine, axes.length, table.value(step.rows), table.value(step.rowStride) * dtypes[step.dtype].bytes, ...axes.map(({ extent }) => extent));
    writeViews(table, views, moves, (view) => axes.map(({ strides }) => strides[view]!));
  });
}

function writeSize(table: TableWriter, { value: dim, to }: SizeStep): void {
  const value = table.value(dim);
  if (value >= 2 ** 31) throw new TfError('TooLargeError', `cpu-blas-native: ${dimText(dim)} is ${value}, which an int32 cannot hold. Take the extents of single axes and multiply them in float64.`, { engine: 'cpu-blas-native', requested: value, maximum: 2 ** 31 - 1 });
  const moves = table.moves([to]);
  table.record(kinds.size, () => {
    table.words.push(value);
    writeViews(table, [to], moves, noStrides);
  });
}

const noStrides = (): readonly number[] => [];

// ---------------------------------------------------------------- steps that run others

function writeRepeat(table: TableWriter, step: RepeatStep): void {
  const count = Math.max(0, table.value(step.count));
  const move = ({ buffer, offset }: execution.Address): number => (execution.dependsOn(offset, step.counter) ? table.value(execution.incrementOf(offset, step.counter)) * table.bytesOf(buffer) : 0);
  table.counting(step.counter, move, (index) => {
    table.record(kinds.repeat, () => {
      table.words.push(index, count);
      writeSteps(table, step.steps);
    });
  });
}

function writeWhile(table: TableWriter, step: WhileStep): void {
  const moves = table.moves([step.holds]);
  table.record(kinds.while, () => {
    const at = table.words.length;
    table.words.push(0);
    table.view(step.holds, moves[0]!);
    const begin = table.words.length;
    writeSteps(table, step.condition);
    table.words.set(at, table.words.length - begin);
    writeSteps(table, step.steps);
  });
}

function writeBranch(table: TableWriter, step: BranchStep): void {
  const moves = table.moves([step.index]);
  const record = table.words.length;
  table.record(kinds.branch, () => {
    table.words.push(step.branches.length);
    table.view(step.index, moves[0]!);
    const begins = table.words.length;
    table.words.reserve(step.branches.length + 1);
    step.branches.forEach((steps, i) => {
      table.words.set(begins + i, table.words.length - record);
      writeSteps(table, steps);
    });
    table.words.set(begins + step.branches.length, table.words.length - record);
  });
}

// ---------------------------------------------------------------- calls

/** Of the address that kernels get, in bytes (see `CallStep`). */
const WORKSPACE_ALIGNMENT = 16;

function writeCall(table: TableWriter, step: CallStep): void {
  const operands = [...step.inputs, ...step.outputs, ...(step.workspace === undefined ? [] : [step.workspace])];
  const inputsAndOutputs = step.inputs.length + step.outputs.length;
  const bytes = operands.flatMap(({ elements, dtype }, i) => [i < inputsAndOutputs ? dtypes[dtype].bytes : WORKSPACE_ALIGNMENT, execution.byteCount(table.value(elements), dtypes[dtype].bytes, elements, addressLimit)]);
  const integers = step.integers.map((dim) => integerValue(table, step, dim));
  const isEmpty = step.outputs.every(({ elements }) => table.value(elements) === 0);
  const moves = table.moves(operands);
  const site = table.calls.length;
  table.calls.push(table.words.length);
  // What computes nothing keeps its record, so that records of calls are the plan's calls.
  table.record(isEmpty ? kinds.nothing : kinds.call, () => {
    table.words.push(site, 0, 0, operands.length, step.workspace === undefined ? 0 : 1, 0, integers.length, 0);
    writeViews(table, operands, moves, noStrides);
    table.words.push(...integers, ...bytes);
  });
}

function integerValue(table: TableWriter, { symbol }: CallStep, dim: Dim): number {
  const value = table.value(dim);
  if (Math.abs(value) < 2 ** 31) return value;
  throw new TfError('TooLargeError', `cpu-blas-native: ${symbol} takes ${dimText(dim)}, which is ${value}; an int32 cannot hold it. Work in smaller batches.`, { engine: 'cpu-blas-native', op: symbol, requested: value, maximum: 2 ** 31 - 1 });
}

/** Calls in the order of their records. */
export function callsOf(steps: readonly Step[]): readonly CallStep[] {
  return steps.flatMap((step) => (step.kind === 'call' ? [step] : callsOf(innerSteps(step))));
}

