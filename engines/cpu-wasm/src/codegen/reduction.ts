/** The driver of a reducing kernel: blocks of elements into scratch, then the fixed tree (core/loop/reduction.ts). */
import { type DType, invariant, type LoopKernel, loop, type MonoidName } from '@tf/core';
import { add, call, type Code, doWhile, get, i32, ifElse, instr, least, load, type Local, mul, set, store, sub, whileLoop } from '../encoder/code.ts';
import type { ModuleBuilder } from '../encoder/module.ts';
import { addColumns, addRowRoutines, columnAccesses, liesInColumns, type RowRoutines } from './columns.ts';
import { addBlockFold, addBlocksFold, blocksAbreast, combineBelow, isExtremum, stackEntry, storeIdentities } from './fold.ts';
import { type AddInnerLoop, type InnerLoop, stridedOperands } from './inner.ts';
import { type Fold, foldDType, foldOf } from './monoid.ts';
import { Nest } from './nest.ts';
import { constantCode } from './scalar-operations.ts';
import { foldScratch, loopRecord, SCRATCH_BYTES } from './record.ts';
import { ReducedAxes } from './reduced-axes.ts';
import { storageOf } from './storage.ts';

/** What reductions of one module share: added once per monoid and type. */
export interface FoldRoutines {
  readonly block: (fold: Fold) => number;
  /** Several whole blocks at once. */
  readonly blocks: (fold: Fold) => number;
  readonly rows: (monoid: MonoidName, dtype: DType) => RowRoutines;
}

export function foldRoutinesOf(module: ModuleBuilder): FoldRoutines {
  const once = (add: (module: ModuleBuilder, fold: Fold) => number): ((fold: Fold) => number) => {
    const added = new Map<string, number>();
    return (fold) => {
      const key = `${fold.monoid} ${fold.type} ${fold.lanes} ${fold.identity.join()}`;
      const index = added.get(key) ?? add(module, fold);
      added.set(key, index);
      return index;
    };
  };
  const rows = new Map<string, RowRoutines>();
  return {
    block: once(addBlockFold),
    blocks: once(addBlocksFold),
    rows: (monoid, dtype) => {
      const key = `${monoid} ${dtype}`;
      const added = rows.get(key) ?? addRowRoutines(module, monoid, dtype);
      rows.set(key, added);
      return added;
    },
  };
}

/** The driver chooses by the operands' strides: rows of results where these lie side by side, else one result after the other. */
export function addReduction(module: ModuleBuilder, kernel: LoopKernel, routines: FoldRoutines, ahead: readonly number[], addInner: AddInnerLoop): number {
  const oneByOne = new ReductionEmitter(module, kernel, routines, ahead).add(addInner);
  const accesses = columnAccesses(kernel);
  if (accesses.length === 0) return oneByOne;
  const rows = routines.rows(kernel.reduce!.monoid, kernel.writes[0]!.dtype);
  const nest = new Nest(kernel);
  const run = (driver: number): Code => call(driver, get(nest.record), get(nest.scratch));
  const choice = accesses.reduceRight((otherwise, lying) => ifElse(liesInColumns(nest, lying), run(addColumns(module, kernel, lying, rows)), otherwise), run(oneByOne));
  return module.addFunction(nest.scope, choice);
}

class ReductionEmitter {
  readonly #module: ModuleBuilder;
  readonly #kernel: LoopKernel;
  readonly #routines: FoldRoutines;
  readonly #nest: Nest;
  readonly #inner: InnerLoop;
  readonly #folds: readonly Fold[];
  /** Per write, its lanes. */
  readonly #results: readonly (readonly Local[])[];
  /** Where each write's scratch begins. */
  readonly #scratchAt: readonly number[];
  readonly #axes: ReducedAxes;
  /** Whole blocks that are folded at once: those of a group of the pairing. */
  readonly #abreast: number;
  /** Elements left of the output element, and of the block. */
  readonly #remaining: Local;
  readonly #count: Local;
  readonly #filled: Local;
  readonly #run: Local;
  readonly #source: Local;
  readonly #block: Local;
  readonly #bits: Local;
  readonly #depth: Local;
  readonly #address: Local;

  constructor(module: ModuleBuilder, kernel: LoopKernel, routines: FoldRoutines, ahead: readonly number[]) {
    const { monoid } = kernel.reduce!;
    this.#module = module;
    this.#kernel = kernel;
    this.#routines = routines;
    this.#nest = new Nest(kernel);
    this.#inner = { ...kernel, ahead, writes: kernel.writes.map(({ dtype }) => ({ dtype: foldDType(dtype), inner: 'contiguous' })) };
    this.#folds = kernel.writes.map(({ dtype }) => foldOf(monoid, dtype));
    this.#scratchAt = this.#folds.map((_, i) => this.#folds.slice(0, i).reduce((sum, { lanes }) => sum + lanes * foldScratch.bytes, 0));
    invariant(2 * kernel.writes.length * foldScratch.bytes <= SCRATCH_BYTES, `cpu-wasm: a reduction of ${kernel.writes.length} values at once`);
    const { scope } = this.#nest;
    this.#results = this.#folds.map(({ type, lanes }) => scope.locals(type, lanes));
    this.#axes = new ReducedAxes(this.#nest);
    this.#abreast = this.#readsInPlace() ? blocksAbreast(this.#folds[0]!) : 1;
    const names = scope.locals('i32', 9) as [Local, Local, Local, Local, Local, Local, Local, Local, Local];
    [this.#remaining, this.#count, this.#filled, this.#run, this.#source, this.#block, this.#bits, this.#depth, this.#address] = names;
  }

  add(addInner: AddInnerLoop): number {
    const { rank, reduce } = this.#kernel;
    const fill = addInner(this.#inner);
    const total = this.#nest.word(loopRecord.foldCount(rank));
    const element = [
      set(this.#remaining, total),
      ifElse(get(this.#remaining), this.#foldElements(fill), this.#results.map((result, i) => result.map((local, lane) => set(local, constantCode(this.#folds[i]!.type, this.#folds[i]!.identity[lane]!))))),
      this.#storeResults(),
    ];
    return this.#module.addFunction(this.#nest.scope, [this.#nest.loadPointers(), this.#nest.over(rank - reduce!.axes, element)]);
  }

  #storeResults(): Code {
    return this.#kernel.writes.map(({ dtype }, i) => {
      const storage = storageOf(dtype);
      return this.#results[i]!.map((result, lane) => store(storage.store, get(this.#writePointer(i)), get(result), lane * storage.laneBytes));
    });
  }

  #writePointer(write: number): Local {
    return this.#nest.pointers[this.#kernel.reads.length + write]!;
  }

  #foldElements(fill: number): Code {
    return [
      set(this.#block, i32(0)),
      set(this.#depth, i32(0)),
      this.#axes.start(),
      doWhile(
        [
          set(this.#count, least(get(this.#remaining), i32(loop.BLOCK))),
          this.#takeMore(),
          this.#fillBlock(fill),
          this.#foldBlock(),
          this.#pair(),
          set(this.#block, add(get(this.#block), this.#abreast === 1 ? i32(1) : instr('select', i32(this.#abreast), i32(1), this.#isAbreast()))),
          set(this.#remaining, sub(get(this.#remaining), get(this.#count))),
        ],
        get(this.#remaining),
      ),
      this.#finish(),
    ];
  }

  /**
   * Where no copy is needed, more than a block at once. An extremum is the same in any order: all that lies side by side is one
   * block. Of other folds as many blocks as go side by side, where the pairing begins with them.
   */
  #takeMore(): Code {
    if (!this.#readsInPlace()) return [];
    if (this.#abreast > 1) {
      const elements = i32(this.#abreast * loop.BLOCK);
      const isEnough = instr('i32.ge_u', least(get(this.#axes.run), get(this.#remaining)), elements);
      const isFirst = instr('i32.eqz', instr('i32.and', get(this.#block), i32(this.#abreast - 1)));
      return ifElse(instr('i32.and', isEnough, isFirst), set(this.#count, elements));
    }
    if (!isExtremum(this.#folds[0]!)) return [];
    const isOneRun = instr('i32.eq', get(this.#axes.run), get(this.#remaining));
    const isLong = instr('i32.gt_u', get(this.#remaining), i32(loop.BLOCK));
    return ifElse(instr('i32.and', isOneRun, isLong), set(this.#count, instr('i32.and', get(this.#remaining), i32(-loop.LANES))));
  }

  /** Whether `count` is several blocks. */
  #isAbreast(): Code {
    return instr('i32.gt_u', get(this.#count), i32(loop.BLOCK));
  }

  /** Evaluates the next `count` elements into scratch, in runs that end where the innermost axis does. */
  #fillBlock(fill: number): Code {
    const rest = sub(get(this.#count), get(this.#filled));
    return [
      set(this.#source, i32(0)),
      set(this.#filled, i32(0)),
      doWhile(
        [
          set(this.#run, rest),
          set(this.#run, least(get(this.#run), get(this.#axes.run))),
          this.#readsInPlace() ? ifElse(this.#isWhole(), set(this.#source, get(this.#nest.pointers[0]!)), this.#callFill(fill)) : this.#callFill(fill),
          this.#axes.advance(get(this.#run)),
          set(this.#filled, add(get(this.#filled), get(this.#run))),
        ],
        instr('i32.lt_u', get(this.#filled), get(this.#count)),
      ),
    ];
  }

  /** A plain sum of contiguous elements needs no copy of them. */
  #readsInPlace(): boolean {
    const { body, reads, writes } = this.#kernel;
    const isPlain = body.every((root, lane) => root.op === 'argument' && root.lane === lane);
    return writes.length === 1 && isPlain && reads.length === 1 && reads[0]!.inner === 'contiguous' && reads[0]!.dtype !== 'bool' && reads[0]!.dtype === writes[0]!.dtype;
  }

  #isWhole(): Code {
    const aligned = instr('i32.eqz', instr('i32.and', get(this.#count), i32(loop.LANES - 1)));
    return instr('i32.and', instr('i32.eq', get(this.#run), get(this.#count)), aligned);
  }

  #callFill(fill: number): Code {
    const axis = this.#kernel.rank - 1;
    const pointers = this.#kernel.reads.map((_, operand) => get(this.#nest.pointers[operand]!));
    const targets = this.#folds.map(({ bytes }, i) => add(add(get(this.#nest.scratch), i32(this.#scratchAt[i]!)), mul(get(this.#filled), i32(bytes))));
    const strides = stridedOperands(this.#inner).map((operand) => this.#nest.delta(operand, axis));
    return call(fill, ...pointers, ...targets, ...strides, get(this.#run));
  }

  #foldBlock(): Code {
    const groups = instr('i32.shr_u', add(get(this.#count), i32(loop.LANES - 1)), i32(3));
    return this.#folds.map((fold, i) => {
      const start = add(get(this.#nest.scratch), i32(this.#scratchAt[i]!));
      const fromScratch = [
        set(this.#source, start),
        set(this.#address, add(get(this.#source), mul(get(this.#count), i32(fold.bytes)))),
        storeIdentities(fold, this.#address),
      ];
      const prepare = this.#readsInPlace() ? ifElse(instr('i32.eqz', get(this.#source)), fromScratch) : fromScratch;
      const one = call(this.#routines.block(fold), get(this.#source), groups);
      const [result] = this.#results[i]!;
      if (this.#abreast > 1) return [prepare, ifElse(this.#isAbreast(), set(result!, call(this.#routines.blocks(fold), get(this.#source))), set(result!, one))];
      return [prepare, one, [...this.#results[i]!].reverse().map((result) => set(result, []))];
    });
  }

  /** Step 4 of the tree: groups of equally many blocks meet. */
  #pair(): Code {
    const trailing = instr('i32.and', get(this.#bits), i32(1));
    return [
      set(this.#bits, this.#abreast === 1 ? get(this.#block) : instr('i32.shr_u', get(this.#block), instr('select', i32(Math.log2(this.#abreast)), i32(0), this.#isAbreast()))),
      whileLoop(trailing, [this.#popAndCombine(), set(this.#bits, instr('i32.shr_u', get(this.#bits), i32(1)))]),
      this.#folds.map((fold, i) => this.#results[i]!.map((result, lane) => store(fold.store, stackEntry(fold, this.#nest.scratch, this.#depth), get(result), this.#stackOffset(i, lane)))),
      set(this.#depth, add(get(this.#depth), i32(1))),
    ];
  }

  /** Step 5: from the top of the stack down; the top is the last block's result, still in `results`. */
  #finish(): Code {
    return [set(this.#depth, sub(get(this.#depth), i32(1))), whileLoop(get(this.#depth), this.#popAndCombine())];
  }

  #popAndCombine(): Code {
    const combine = this.#folds.map((fold, i) => {
      const below = this.#results[i]!.map((_, lane) => load(fold.load, stackEntry(fold, this.#nest.scratch, this.#depth), this.#stackOffset(i, lane)));
      return combineBelow(fold, this.#nest.scope, below, this.#results[i]!);
    });
    return [set(this.#depth, sub(get(this.#depth), i32(1))), combine];
  }

  #stackOffset(write: number, lane: number): number {
    const { lanes, laneBytes } = this.#folds[write]!;
    return this.#scratchAt[write]! + lanes * foldScratch.stack + lane * laneBytes;
  }
}
