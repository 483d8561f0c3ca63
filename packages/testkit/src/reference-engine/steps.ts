import { type BranchStep, type BufferView, type ContractStep, type CopyStep, type Dim, type DType, dtypes, evaluateDim, type ExtentStep, type GatherStep, type HostCall, type HostKernel, type IndexedStep, type IotaStep, loop, type LoopStep, type RepeatStep, type ScanStep, type ScatterStep, type SortStep, type Step, tensorType, type TileStep, type TypedArray, type WhileStep } from '@tf/core';
import { type Element, loadElement, monoidCombine, monoidStart, storeElement } from '../interpreter/elements.ts';
import { combineOf, rowOf } from '../interpreter/indexed.ts';
import { dotProduct } from '../interpreter/instructions.ts';
import { stableOrder } from '../interpreter/sort.ts';
import { type ElementEvaluator, prepareBody } from '../interpreter/scalars.ts';
import { positionsOf, walk } from '../interpreter/walk.ts';
import { setLane } from '../values.ts';
import { runCall } from './calls.ts';
import type { Memory } from './memory.ts';
import { type Rows, rowsOf, tilesOf } from './tiles.ts';

/** What an engine does with one kernel: replaced one by one by engines that are wrong on purpose. */
export interface EngineParts {
  readonly prepareBody: (body: LoopStep['kernel']['body']) => ElementEvaluator;
  readonly reduce: <T>(count: number, element: (i: number) => T, combine: (a: T, b: T) => T, start: T) => T;
  /** The rows of a tile step, in pieces. */
  readonly tiles: (rows: number) => readonly Rows[];
  readonly repeat: (step: RepeatStep, count: number, iteration: (counter: number) => void) => void;
  readonly while: (condition: () => boolean, body: () => void) => void;
  /** The branch that runs, of so many. */
  readonly branch: (index: number, count: number) => number;
  readonly call: (kernel: HostKernel, call: HostCall) => number | void;
}

export const referenceParts: EngineParts = {
  prepareBody: (body) => prepareBody(body, 'exact'),
  reduce: loop.reduceInOrder,
  tiles: tilesOf,
  repeat: (_step, count, iteration) => {
    for (let i = 0; i < count; i++) iteration(i);
  },
  while: (condition, body) => {
    while (condition()) body();
  },
  branch: (index, count) => Math.min(count - 1, Math.max(0, index)),
  call: (kernel, call) => kernel.run(call),
};

export function runStep(step: Step, memory: Memory, parts: EngineParts): void {
  switch (step.kind) {
    case 'loop':
      runLoop(step, memory, parts);
      return;
    case 'contract':
      runContract(step, memory);
      return;
    case 'copy':
      runCopy(step, memory);
      return;
    case 'gather':
      runGather(step, memory);
      return;
    case 'scatter':
      runScatter(step, memory);
      return;
    case 'tile':
      runTiles(step, memory, parts);
      return;
    case 'repeat':
      runRepeat(step, memory, parts);
      return;
    case 'while':
      runWhile(step, memory, parts);
      return;
    case 'branch':
      runBranch(step, memory, parts);
      return;
    case 'scan':
      runScan(step, memory, parts);
      return;
    case 'sort':
      runSort(step, memory);
      return;
    case 'iota':
      runIota(step, memory);
      return;
    case 'call':
      runCall(step, memory, parts.call);
      return;
    case 'size':
      writeInt(step.to, evaluateDim(step.value, memory.binding), memory);
      return;
    case 'extent':
      runExtent(step, memory);
  }
}

function runSteps(steps: readonly Step[], memory: Memory, parts: EngineParts): void {
  for (const step of steps) runStep(step, memory, parts);
}

function runRepeat(step: RepeatStep, memory: Memory, parts: EngineParts): void {
  const { counter, count, steps } = step;
  parts.repeat(step, evaluateDim(count, memory.binding), (i) => runSteps(steps, { ...memory, binding: new Map([...memory.binding, [counter, i]]) }, parts));
}

function runWhile({ condition, holds, steps }: WhileStep, memory: Memory, parts: EngineParts): void {
  const isTrue = (): boolean => {
    runSteps(condition, memory, parts);
    return Number(elementOf(holds, memory)) !== 0;
  };
  parts.while(isTrue, () => runSteps(steps, memory, parts));
}

function runBranch({ index, branches }: BranchStep, memory: Memory, parts: EngineParts): void {
  const at = parts.branch(Number(elementOf(index, memory)), branches.length);
  runSteps(branches[at] as readonly Step[], memory, parts);
}

/** The one element of a view without axes. */
function elementOf(view: BufferView, memory: Memory): number | bigint {
  const { data, start } = walkerOf(view, memory);
  return data[start] as number | bigint;
}

/** The place of an int32. */
function placeOf({ buffer, offset }: CopyStep['from'], { arrays, binding }: Memory): { readonly data: TypedArray; readonly at: number } {
  return { data: arrays[buffer] as TypedArray, at: evaluateDim(offset, binding) };
}

function writeInt(to: CopyStep['to'], value: number, memory: Memory): void {
  const { data, at } = placeOf(to, memory);
  data[at] = value as never;
}

/** From here on the symbol is bound. */
function runExtent({ symbol, bound, from, to }: ExtentStep, memory: Memory): void {
  const { data, at } = placeOf(from, memory);
  const value = Math.min(Math.max(Number(data[at]), 0), evaluateDim(bound, memory.binding));
  memory.binding.set(symbol, value);
  writeInt(to, value, memory);
  memory.onExtent(symbol);
}

/** All loops for some rows, then for the next ones. */
function runTiles({ rows, steps }: TileStep, memory: Memory, parts: EngineParts): void {
  const count = evaluateDim(rows, memory.binding);
  const kept = (buffer: number): boolean => memory.buffers[buffer]?.place.kind !== 'tile';
  for (const piece of parts.tiles(count)) {
    for (const step of steps) runLoop(rowsOf(step, count, piece, memory.binding, kept), memory, parts);
  }
}

/** Where a view's elements lie, as numbers. */
interface Walker {
  readonly data: TypedArray;
  readonly start: number;
  readonly strides: readonly number[];
}

function known(dims: readonly Dim[], { binding }: Memory): readonly number[] {
  return dims.map((dim) => evaluateDim(dim, binding));
}

function walkerOf(view: BufferView, memory: Memory): Walker {
  return { data: memory.arrays[view.buffer] as TypedArray, start: evaluateDim(view.offset, memory.binding), strides: known(view.strides, memory) };
}

/** The lanes of all writes for one iteration, cut into elements. */
function elementsOf(values: readonly (number | bigint | boolean)[], writes: readonly DType[]): readonly Element[] {
  let next = 0;
  return writes.map((dtype) => {
    const own = values.slice(next, (next += dtypes[dtype].lanes)).map((value) => (typeof value === 'boolean' ? Number(value) : value));
    return own as unknown as Element;
  });
}

function runLoop(step: LoopStep, memory: Memory, parts: EngineParts): void {
  const { kernel } = step;
  const folded = kernel.reduce?.axes ?? 0;
  const outer = kernel.rank - folded;
  const extents = known(step.extents, memory);
  const [reads, writes] = [step.reads, step.writes].map((views) => views.map((view) => walkerOf(view, memory))) as [Walker[], Walker[]];
  const dtypesOfWrites = kernel.writes.map(({ dtype }) => dtype);
  const lanes = kernel.reads.map(({ dtype }) => dtypes[dtype].lanes);
  const evaluate = parts.prepareBody(kernel.body);
  const at = (positions: readonly number[]): readonly Element[] =>
    elementsOf(evaluate((input, lane) => (reads[input] as Walker).data[(positions[input] as number) * (lanes[input] as number) + lane] as number | bigint), dtypesOfWrites);
  const inner = reads.map(({ strides }) => positionsOf(extents.slice(outer), strides.slice(outer), 0));
  const count = extents.slice(outer).reduce((product, extent) => product * extent, 1);
  const walkers = [...reads, ...writes];
  walk(extents.slice(0, outer), walkers.map(({ strides }) => strides.slice(0, outer)), walkers.map(({ start }) => start), (positions) => {
    const results = kernel.reduce === undefined
      ? at(positions)
      : foldAll(kernel.reduce.monoid, dtypesOfWrites, count, (i) => at(reads.map((_, input) => (positions[input] as number) + (inner[input]?.[i] as number))), parts);
    results.forEach((element, which) => storeElement(dtypesOfWrites[which] as DType, (writes[which] as Walker).data, positions[reads.length + which] as number, element));
  });
}

function foldAll(monoid: NonNullable<LoopStep['kernel']['reduce']>['monoid'], writes: readonly DType[], count: number, element: (i: number) => readonly Element[], parts: EngineParts): readonly Element[] {
  const combine = writes.map((dtype) => monoidCombine(monoid, dtype, 'exact'));
  return parts.reduce<readonly Element[]>(count, element, (a, b) => a.map((left, which) => (combine[which] as (x: Element, y: Element) => Element)(left, b[which] as Element)), writes.map((dtype) => monoidStart(monoid, dtype)));
}

/** Products added from the first to the last, each rounded. */
function runContract(step: ContractStep, memory: Memory): void {
  const { dtype } = step;
  const type = tensorType(dtype, []);
  const [m, n, k] = known([step.m, step.n, step.k], memory) as [number, number, number];
  const batch = known(step.batch, memory);
  const rank = batch.length;
  const [lhs, rhs, out] = [step.lhs, step.rhs, step.out].map((view) => walkerOf(view, memory)) as [Walker, Walker, Walker];
  const at = (walker: Walker, axis: number): number => walker.strides[rank + axis] as number;
  const strides = [[...lhs.strides.slice(0, rank), at(lhs, 0), 0], [...rhs.strides.slice(0, rank), 0, at(rhs, 1)], [...out.strides.slice(0, rank), at(out, 0), at(out, 1)]];
  walk([...batch, m, n], strides, [lhs.start, rhs.start, out.start], ([l, r, o]) => {
    storeElement(dtype, out.data, o as number, dotProduct(type, lhs.data, rhs.data, k, (i) => [(l as number) + i * at(lhs, 1), (r as number) + i * at(rhs, 0)], 'exact'));
  });
}

function runCopy(step: CopyStep, memory: Memory): void {
  const count = evaluateDim(step.elements, memory.binding);
  const [from, to] = [step.from, step.to].map(({ buffer, offset }) => ({ data: memory.arrays[buffer] as TypedArray, start: evaluateDim(offset, memory.binding) }));
  const { lanes } = dtypes[step.dtype];
  for (let at = 0; at < count * lanes; at++) setLane(to!.data, to!.start * lanes + at, from!.data[from!.start * lanes + at] as number | bigint);
}

/** Result after result along the scanned axis, each stored before the next is computed from it. */
function runScan(step: ScanStep, memory: Memory, parts: EngineParts): void {
  const { rank, columns, reads, write, first, next } = step.kernel;
  const axis = columns ? rank - 2 : rank - 1;
  const extents = known(step.extents, memory);
  const walkers = [...step.reads, step.write].map((view) => walkerOf(view, memory));
  const target = walkers[reads.length] as Walker;
  const [begin, follow] = [parts.prepareBody(first), parts.prepareBody(next)];
  const lanes = [...reads, write].map(({ dtype }) => dtypes[dtype].lanes);
  const back = target.strides[axis] as number;
  const others = (list: readonly number[]): readonly number[] => list.filter((_, at) => at !== axis);
  for (let i = 0; i < (extents[axis] as number); i++) {
    walk(others(extents), walkers.map(({ strides }) => others(strides)), walkers.map(({ start, strides }) => start + i * (strides[axis] as number)), (positions) => {
      const place = (input: number): number => (positions[input] as number) - (input === reads.length ? back : 0);
      const values = (i === 0 ? begin : follow)((input, lane) => (walkers[input] as Walker).data[place(input) * (lanes[input] as number) + lane] as number | bigint);
      storeElement(write.dtype, target.data, positions[reads.length] as number, elementsOf(values, [write.dtype])[0] as Element);
    });
  }
}

function runSort({ extents, from, values, indices, descending }: SortStep, memory: Memory): void {
  const sizes = known(extents, memory);
  const [source, target, places] = [from, values, indices].map((view) => walkerOf(view, memory)) as [Walker, Walker, Walker];
  const last = sizes.length - 1;
  const walkers = [source, target, places];
  walk(sizes.slice(0, last), walkers.map(({ strides }) => strides.slice(0, last)), walkers.map(({ start }) => start), (positions) => {
    const at = (which: number, i: number): number => (positions[which] as number) + i * (walkers[which]!.strides[last] as number);
    const element = (i: number): number | bigint => source.data[at(0, i)] as number | bigint;
    stableOrder(sizes[last] as number, element, descending).forEach((own, to) => {
      setLane(target.data, at(1, to), element(own));
      setLane(places.data, at(2, to), own);
    });
  });
}

function runIota({ elements, out }: IotaStep, memory: Memory): void {
  const { data, at } = placeOf(out, memory);
  const count = evaluateDim(elements, memory.binding);
  for (let index = 0; index < count; index++) setLane(data, at + index, index);
}

function runGather(step: GatherStep, memory: Memory): void {
  const [source, out] = [walkerOf(step.source, memory), walkerOf(step.out, memory)];
  visitRows(step, memory, source, out, (from, to) => storeElement(step.dtype, out.data, to, loadElement(step.dtype, source.data, from)));
}

function runScatter(step: ScatterStep, memory: Memory): void {
  const combined = combineOf(step.combine, step.dtype, 'exact');
  const [target, updates] = [walkerOf(step.target, memory), walkerOf(step.updates, memory)];
  visitRows(step, memory, target, updates, (at, from) => storeElement(step.dtype, target.data, at, combined(loadElement(step.dtype, target.data, at), loadElement(step.dtype, updates.data, from))));
}

/** Visits every iteration with the places of the indexed element and of the other operand's. */
function visitRows(step: IndexedStep & { readonly kind: 'gather' | 'scatter' }, memory: Memory, indexed: Walker, other: Walker, each: (at: number, other: number) => void): void {
  const indices = walkerOf(step.indices, memory);
  const [rows, rowStride] = known([step.rows, step.rowStride], memory) as [number, number];
  const walkers = [indexed, indices, other];
  walk(known(step.extents, memory), walkers.map(({ strides }) => strides), walkers.map(({ start }) => start), ([at, index, second]) => {
    each((at as number) + rowOf(step.kind, Number(indices.data[index as number]), rows, step.named) * rowStride, second as number);
  });
}
