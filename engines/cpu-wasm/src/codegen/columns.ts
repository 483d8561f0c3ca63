/**
 * Reductions of elements that are far apart while the results lie side by side, as sums of a matrix's columns: rows of results
 * instead of one result after the other. Each has its own tree (core/loop/reduction.ts); what that does to an element, an inner
 * loop does to a row of them. Which kernels these are is known by their strides, so at run time.
 */
import { type DType, invariant, type KernelAccess, loop, type LoopKernel, type MonoidName, type ScalarExpr } from '@tf/core';
import { add, advance, call, type Code, copyMemory, doWhile, get, i32, ifElse, instr, least, type Local, mul, set, sub, whileLoop } from '../encoder/code.ts';
import type { ModuleBuilder } from '../encoder/module.ts';
import { buildGraph } from './graph.ts';
import { addInnerLoop } from './inner.ts';
import { Nest } from './nest.ts';
import { loopRecord, SCRATCH_BYTES } from './record.ts';
import { ReducedAxes } from './reduced-axes.ts';
import { storageOf } from './storage.ts';

/** The most bytes of a row of results; scratch holds a row for each of the tree's lanes, then the pairing's stack. */
const ROW_BYTES = 1024;
/** Elements of a lane that one call takes where there are as many: the lane is loaded and stored once for all of them. */
const GROUP = 4;
/** Nodes of an expression that is worth it; beyond, loads and stores of lanes do not count. */
const GROUP_NODES = 16;
/** Results that a row must have to be worth its calls. */
const MINIMUM_WIDTH = 8;

/** Inner loops over rows: (row, count) sets it to the identity, (a, b, out, count) combines two rows. */
export interface RowRoutines {
  readonly fill: number;
  readonly combine: number;
}

export function addRowRoutines(module: ModuleBuilder, monoid: MonoidName, dtype: DType): RowRoutines {
  const row: KernelAccess = { dtype, inner: 'contiguous' };
  const type = loop.scalarTypeOf(dtype);
  return {
    fill: addInnerLoop(module, { reads: [], writes: [row], body: loop.identityLanes(monoid, dtype).map((value) => loop.constant(type, value)) }),
    combine: addInnerLoop(module, { reads: [row, row], writes: [row], body: loop.combineLanes(monoid, dtype, elementOf(dtype, 0), elementOf(dtype, 1)) }),
  };
}

/** The lanes of an operand's element. */
function elementOf(dtype: DType, input: number): readonly ScalarExpr[] {
  const lanes = [0, 1] as const;
  return lanes.slice(0, storageOf(dtype).lanes).map((lane) => loop.argument(loop.scalarTypeOf(dtype), input, lane));
}

/**
 * How the reads step along the results, as far as a kernel's code knows: one that is far apart along the folded axis is taken to
 * lie side by side here, and the other way round. What does not step along the folded axis may do either.
 */
export function columnAccesses({ rank, reads, writes, reduce }: LoopKernel): readonly (readonly KernelAccess[])[] {
  const isCandidate = writes.length === 1 && rank > reduce!.axes && reads.some(({ inner }) => inner === 'strided');
  if (!isCandidate) return [];
  const accesses = (repeated: 'contiguous' | 'broadcast'): readonly KernelAccess[] =>
    reads.map(({ dtype, inner }) => ({ dtype, inner: inner === 'strided' ? 'contiguous' : inner === 'contiguous' ? 'broadcast' : repeated }));
  return reads.some(({ inner }) => inner === 'broadcast') ? [accesses('contiguous'), accesses('broadcast')] : [accesses('contiguous')];
}

/** Whether the operands of the record lie as `accesses` says. */
export function liesInColumns(nest: Nest, accesses: readonly KernelAccess[]): Code {
  const { rank, reads, writes, reduce } = nest.kernel;
  const axis = rank - reduce!.axes - 1;
  const stride = (operand: number, at: number): Code => {
    const own = nest.delta(operand, at);
    return at === rank - 1 ? own : add(own, mul(nest.extent(at + 1), stride(operand, at + 1)));
  };
  const isStep = (access: KernelAccess, actual: Code): Code => instr('i32.eq', actual, i32(access.inner === 'broadcast' ? 0 : storageOf(access.dtype).bytes));
  return [
    instr('i32.ne', nest.word(loopRecord.foldCount(rank)), i32(0)),
    instr('i32.and', instr('i32.ge_u', nest.extent(axis), i32(MINIMUM_WIDTH))),
    accesses.map((access, operand) => instr('i32.and', isStep(access, stride(operand, axis)))),
    // The result does not step along folded axes, so its delta is its stride.
    instr('i32.and', isStep({ ...writes[0]!, inner: 'contiguous' }, nest.delta(reads.length, axis))),
  ];
}

/** Adds the driver for operands that lie as `accesses` says. */
export function addColumns(module: ModuleBuilder, kernel: LoopKernel, accesses: readonly KernelAccess[], rows: RowRoutines): number {
  return new ColumnEmitter(module, kernel, accesses, rows).add();
}

class ColumnEmitter {
  readonly #module: ModuleBuilder;
  readonly #nest: Nest;
  readonly #accesses: readonly KernelAccess[];
  readonly #rows: RowRoutines;
  readonly #axes: ReducedAxes;
  readonly #bytes: number;
  readonly #step: number;
  readonly #groupStep: number | undefined;
  /** Results left along the axis, results in the row, and its bytes. */
  readonly #columns: Local;
  readonly #width: Local;
  readonly #rowBytes: Local;
  /** Elements left of each result and of the block. */
  readonly #remaining: Local;
  readonly #count: Local;
  readonly #lane: Local;
  readonly #block: Local;
  readonly #bits: Local;
  /** The top of the pairing's stack. */
  readonly #top: Local;

  constructor(module: ModuleBuilder, kernel: LoopKernel, accesses: readonly KernelAccess[], rows: RowRoutines) {
    this.#module = module;
    this.#nest = new Nest(kernel);
    this.#accesses = accesses;
    this.#rows = rows;
    this.#axes = new ReducedAxes(this.#nest);
    this.#bytes = storageOf(kernel.writes[0]!.dtype).bytes;
    invariant((loop.LANES + 32) * ROW_BYTES <= SCRATCH_BYTES, 'cpu-wasm: scratch is too small for rows of results');
    this.#step = this.#addStep(1);
    this.#groupStep = buildGraph(kernel.body).nodes.length < GROUP_NODES ? this.#addStep(GROUP) : undefined;
    const names = this.#nest.scope.locals('i32', 9) as [Local, Local, Local, Local, Local, Local, Local, Local, Local];
    [this.#columns, this.#width, this.#rowBytes, this.#remaining, this.#count, this.#lane, this.#block, this.#bits, this.#top] = names;
  }

  add(): number {
    const { rank, reduce } = this.#nest.kernel;
    const axis = rank - reduce!.axes - 1;
    const rowsOfResults = [
      set(this.#columns, this.#nest.extent(axis)),
      doWhile(
        [
          set(this.#width, i32(ROW_BYTES / this.#bytes)),
          set(this.#width, least(get(this.#width), get(this.#columns))),
          set(this.#rowBytes, mul(get(this.#width), i32(this.#bytes))),
          this.#foldRow(),
          copyMemory(get(this.#nest.pointers.at(-1)!), get(this.#lanes), get(this.#rowBytes)),
          this.#nextRow(axis),
          set(this.#columns, sub(get(this.#columns), get(this.#width))),
        ],
        get(this.#columns),
      ),
    ];
    return this.#module.addFunction(this.#nest.scope, [this.#nest.loadPointers(), this.#nest.over(axis, rowsOfResults)]);
  }

  /** (reads of each of `elements` elements, lane, lane, width): lane = lane ∘ element for each in turn, for a row of each. */
  #addStep(elements: number): number {
    const { reads, writes, body, reduce } = this.#nest.kernel;
    const { dtype } = writes[0]!;
    const lane: KernelAccess = { dtype, inner: 'contiguous' };
    let combined = elementOf(dtype, elements * reads.length);
    for (let i = 0; i < elements; i++) {
      const element = loop.rewriteNodes(body, (node) => (node.op === 'argument' ? loop.argument(node.type, i * reads.length + node.input, node.lane) : node));
      combined = loop.combineLanes(reduce!.monoid, dtype, combined, element);
    }
    const accesses = Array.from({ length: elements }, () => this.#accesses).flat();
    return addInnerLoop(this.#module, { reads: [...accesses, lane], writes: [lane], body: combined });
  }

  /** Scratch begins with the rows of the tree's lanes, one after the other. */
  get #lanes(): Local {
    return this.#nest.scratch;
  }

  #laneAt(lane: number): Code {
    return add(get(this.#lanes), mul(get(this.#rowBytes), i32(lane)));
  }

  /** From the end of the folded axes to the next row of results. */
  #nextRow(axis: number): Code {
    const operands = [...this.#accesses, { ...this.#nest.kernel.writes[0]!, inner: 'contiguous' as const }];
    const others = sub(get(this.#width), i32(1));
    const further = operands.map(({ dtype, inner }, operand) => (inner === 'broadcast' ? [] : advance(this.#nest.pointers[operand]!, mul(others, i32(storageOf(dtype).bytes)))));
    return [this.#nest.move(axis), further];
  }

  #foldRow(): Code {
    return [
      this.#axes.start(),
      set(this.#block, i32(0)),
      set(this.#top, add(get(this.#lanes), i32(loop.LANES * ROW_BYTES))),
      set(this.#remaining, this.#nest.word(loopRecord.foldCount(this.#nest.kernel.rank))),
      doWhile(
        [
          set(this.#count, least(get(this.#remaining), i32(loop.BLOCK))),
          set(this.#remaining, sub(get(this.#remaining), get(this.#count))),
          this.#foldElements(),
          this.#foldLanes(),
          this.#pair(),
          set(this.#block, add(get(this.#block), i32(1))),
        ],
        get(this.#remaining),
      ),
      this.#finish(),
    ];
  }

  /** Step 2 of the tree. */
  #foldElements(): Code {
    return [
      call(this.#rows.fill, get(this.#lanes), mul(get(this.#width), i32(loop.LANES))),
      this.#groupStep === undefined ? [] : this.#foldGroups(this.#groupStep),
      set(this.#lane, get(this.#lanes)),
      whileLoop(get(this.#count), [
        this.#foldInto(this.#step, this.#reads.map(get)),
        this.#axes.advance(i32(1)),
        set(this.#count, sub(get(this.#count), i32(1))),
        ifElse(instr('i32.eq', get(this.#lane), this.#laneAt(loop.LANES)), set(this.#lane, get(this.#lanes))),
      ]),
    ];
  }

  /** As long as neither the block nor the innermost axis ends within a group for each lane. */
  #foldGroups(step: number): Code {
    const elements = GROUP * loop.LANES;
    const isEnough = (left: Local): Code => instr('i32.ge_u', get(left), i32(elements));
    const reads = Array.from({ length: GROUP }, (_, i) => this.#reads.map((read, operand) => add(get(read), mul(this.#axes.step(operand), i32(i * loop.LANES))))).flat();
    return whileLoop(instr('i32.and', isEnough(this.#count), isEnough(this.#axes.run)), [
      set(this.#lane, get(this.#lanes)),
      doWhile([this.#foldInto(step, reads), this.#axes.move(i32(1))], instr('i32.ne', get(this.#lane), this.#laneAt(loop.LANES))),
      this.#axes.move(i32(elements - loop.LANES)),
      this.#axes.leave(i32(elements)),
      set(this.#count, sub(get(this.#count), i32(elements))),
    ]);
  }

  /** Folds elements into the present lane and goes on to the next. */
  #foldInto(step: number, reads: readonly Code[]): Code {
    return [call(step, ...reads, get(this.#lane), get(this.#lane), get(this.#width)), advance(this.#lane, get(this.#rowBytes))];
  }

  get #reads(): readonly Local[] {
    return this.#nest.pointers.slice(0, -1);
  }

  /** Step 3: lanes are side by side, so each halving is one call. */
  #foldLanes(): Code {
    return [4, 2, 1].map((half) => call(this.#rows.combine, get(this.#lanes), this.#laneAt(half), get(this.#lanes), mul(get(this.#width), i32(half))));
  }

  /** Step 4. */
  #pair(): Code {
    return [
      set(this.#bits, get(this.#block)),
      whileLoop(instr('i32.and', get(this.#bits), i32(1)), [this.#popAndCombine(), set(this.#bits, instr('i32.shr_u', get(this.#bits), i32(1)))]),
      copyMemory(get(this.#top), get(this.#lanes), get(this.#rowBytes)),
      advance(this.#top, i32(ROW_BYTES)),
    ];
  }

  /** Step 5; the top of the stack is the last block's result, still in the first lane. */
  #finish(): Code {
    const bottom = add(get(this.#lanes), i32(loop.LANES * ROW_BYTES));
    return [advance(this.#top, i32(-ROW_BYTES)), whileLoop(instr('i32.ne', get(this.#top), bottom), this.#popAndCombine())];
  }

  #popAndCombine(): Code {
    return [advance(this.#top, i32(-ROW_BYTES)), call(this.#rows.combine, get(this.#top), get(this.#lanes), get(this.#lanes), get(this.#width))];
  }
}
