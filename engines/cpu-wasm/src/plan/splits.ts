/**
 * Which steps of a plan several threads share, and how their records become pieces (threads/team.ts). A step is cut along an
 * axis of its results, so every element is computed as it would be by one thread: bits do not depend on the number of threads.
 *
 * The words of the splits, for all threads to read: their number, the table's address, where the copies of records lie and how
 * many bytes each thread has for them; per split, bytes from the table to the record and the words to its entry; the entries. An entry ends with lists:
 * words of the record that move, with what they gain per unit of the piece's beginning and per unit that it lacks of all; then
 * words that hold an address in a tile's slots, of which each thread has its own.
 */
import { type ContractStep, execution, innerSteps, type LoopStep, type Plan, type Step, type TileStep } from '@tf/core';
import { axisRecord, builtins, bytesWord, contractRecord, functionWord, loopRecord, tileEntry, tileRecord } from '../codegen/record.ts';
import { splitWords } from '../threads/team.ts';
import { productCost, type StepCosts } from './step-cost.ts';
import { headerWords } from './table-words.ts';

export interface SplitLimits {
  readonly threads: number;
  /** Whoever may run pieces: each has memory of its own for the slots of tiles. */
  readonly members: number;
  /** Nanoseconds of a step below which it stays whole, and of a piece. */
  readonly stepCost: number;
  readonly pieceCost: number;
}

/** Waking a thread takes 20 to 100 µs. */
export const splitLimits: Pick<SplitLimits, 'stepCost' | 'pieceCost'> = Object.freeze({ stepCost: 100_000, pieceCost: 25_000 });

export interface Splits {
  /** The addresses of table and copies are still missing. */
  readonly words: Int32Array;
  /** Of the longest record that is cut, with its end. */
  readonly copyBytes: number;
  /** Nanoseconds, about, of what is cut. */
  readonly cost: number;
  readonly hasTiles: boolean;
}

/** Pieces of a loop per thread: a thread that is slow, or late, leaves some of its own to others. */
const LOOP_PIECES = 4;
/** Of a product, where each packs anew what all need. */
const PRODUCT_PIECES = 2;
/** Of a ticket's eight bits, one value says that there are none. */
const MOST_PIECES = 254;
/** Elements side by side that no two threads should write: a cache line of numbers. */
const LINE = 64;
/** Rows or columns of a product, of any micro tile a multiple. */
const PANEL = 24;

/** How a record is cut. */
interface Cut {
  readonly at: number;
  readonly extent: number;
  readonly extentWord: number;
  readonly grain: number;
  readonly pieces: number;
  /** Word of the record, per start, per unit that the piece lacks. */
  readonly moved: readonly (readonly [word: number, start: number, rest: number])[];
  readonly slots: readonly number[];
  readonly workspaceWord: number;
  readonly tileEntries: number;
}

/** Finds the steps worth it and makes their records call the splitter. `slotBytes`: of all slots of tiles. */
export function splitTable(plan: Plan, words: Int32Array, slotBytes: number, costs: StepCosts, limits: SplitLimits): Splits | undefined {
  const splitter = new Splitter(plan, words, costs, limits);
  splitter.steps(plan.steps);
  return splitter.result(slotBytes);
}

class Splitter {
  readonly #plan: Plan;
  readonly #words: Int32Array;
  readonly #costs: StepCosts;
  readonly #limits: SplitLimits;
  readonly #cuts: Cut[] = [];
  #cost = 0;
  #at = 0;

  constructor(plan: Plan, words: Int32Array, costs: StepCosts, limits: SplitLimits) {
    this.#plan = plan;
    this.#words = words;
    this.#costs = costs;
    this.#limits = limits;
  }

  steps(steps: readonly Step[]): void {
    for (const step of steps) this.#step(step);
  }

  #step(step: Step): void {
    const at = this.#at;
    const isWhole = this.#words[at + functionWord] !== builtins.nothing;
    if (step.kind === 'loop') this.#loop(step, at);
    else if (step.kind === 'contract' && isWhole) this.#contract(step, at);
    this.#at += headerWords(step);
    if (step.kind === 'tile' && isWhole) this.#tile(step, at);
    else this.steps(innerSteps(step));
  }

  result(slotBytes: number): Splits | undefined {
    if (this.#cuts.length === 0) return undefined;
    const words = [this.#cuts.length, 0, 0, this.#copyBytes(), ...this.#cuts.flatMap(() => [0, 0])];
    this.#cuts.forEach((cut, i) => {
      words[splitWords.directory + 2 * i] = 4 * cut.at;
      words[splitWords.directory + 2 * i + 1] = words.length;
      const record = this.#words.subarray(cut.at);
      words.push(4 * cut.at, record[functionWord]!, record[bytesWord]!, cut.pieces, cut.grain, cut.extent, cut.extentWord, cut.tileEntries, cut.workspaceWord, cut.moved.length, cut.slots.length, slotBytes, ...cut.moved.flat(), ...cut.slots);
      record[functionWord] = builtins.split;
    });
    return { words: Int32Array.from(words), copyBytes: this.#copyBytes(), cost: this.#cost, hasTiles: this.#cuts.some(({ slots }) => slots.length > 0) };
  }

  /** Of a thread: no two write to one line of the cache. */
  #copyBytes(): number {
    const longest = Math.max(...this.#cuts.map(({ at }) => this.#words[at + bytesWord]!));
    return Math.ceil((longest + 4) / 128) * 128;
  }

  /** Units of a piece, and their number; undefined where one piece is all. */
  #pieces(extent: number, cost: number, perThread: number, unit: number): Pick<Cut, 'grain' | 'pieces'> | undefined {
    if (cost < this.#limits.stepCost) return undefined;
    const wanted = Math.max(2, Math.min(MOST_PIECES, perThread * this.#limits.threads, Math.floor(cost / this.#limits.pieceCost)));
    const granule = extent >= wanted * unit ? unit : 1;
    const grain = Math.ceil(extent / wanted / granule) * granule;
    // The last piece takes what is left over, where that is little.
    const pieces = grain < 4 ? Math.floor(extent / grain) : Math.round(extent / grain);
    return pieces < 2 ? undefined : { grain, pieces };
  }

  #add(cut: Cut, cost: number): void {
    this.#cuts.push(cut);
    this.#cost += cost;
  }

  // -------------------------------------------------------------- loops

  #loop({ kernel, reads, writes }: LoopStep, at: number): void {
    const words = this.#words.subarray(at);
    if (words[functionWord] === builtins.nothing) return;
    const { rank } = kernel;
    const cost = this.#costs.loop(kernel) * loopIterations(words, rank);
    if (cost < this.#limits.stepCost) return;
    const written = rank - (kernel.reduce?.axes ?? 0);
    const extents = Array.from({ length: written }, (_, axis) => words[loopRecord.extent(axis)]! >>> 0);
    const axis = widestAxis(extents, LOOP_PIECES * this.#limits.threads);
    if (axis < 0) return;
    const operands = reads.length + writes.length;
    const strides = Array.from({ length: operands }, (_, operand) => strideAlong(rank, axis, (of) => words[loopRecord.extent(of)]!, (of) => words[loopRecord.delta(rank, operand, of)]!));
    // Every piece must write what no other writes.
    if (strides.slice(reads.length).includes(0)) return;
    const pieces = this.#pieces(extents[axis]!, cost, LOOP_PIECES, axis === written - 1 ? LINE : 1);
    if (pieces === undefined) return;
    const moved = strides.flatMap((stride, operand) => {
      const address = [loopRecord.address(rank, operand), stride, 0] as const;
      return axis === 0 ? [address] : [address, [loopRecord.delta(rank, operand, axis - 1), 0, stride] as const];
    });
    this.#add({ at, extent: extents[axis]!, extentWord: loopRecord.extent(axis), ...pieces, moved, slots: [], workspaceWord: 0, tileEntries: 0 }, cost);
  }

  // -------------------------------------------------------------- tiles

  /** All its loops, for some of the tiles. */
  #tile(step: TileStep, header: number): void {
    const words = this.#words.subarray(header);
    const tiles = words[tileRecord.tiles]!;
    let cost = 0;
    const slots: number[] = [];
    for (const loop of step.steps) {
      const { rank } = loop.kernel;
      const record = this.#at - header;
      cost += tiles * this.#costs.loop(loop.kernel) * loopIterations(words.subarray(record), rank);
      [...loop.reads, ...loop.writes].forEach(({ buffer }, operand) => {
        if (this.#plan.buffers[buffer]!.place.kind === 'tile') slots.push(record + loopRecord.address(rank, operand));
      });
      this.#at += headerWords(loop);
    }
    const pieces = this.#pieces(tiles, cost, LOOP_PIECES, 1);
    // The step's last tile is reached from the one before it.
    if (pieces === undefined || pieces.grain < 2) return;
    const tileEntries = execution.entryCount(step);
    const moved = Array.from({ length: tileEntries }, (_, entry) => {
      const place = tileRecord.entry(entry);
      return [words[place + tileEntry.word]! / 4, words[place + tileEntry.next]!, 0] as const;
    });
    this.#add({ at: header, extent: tiles, extentWord: tileRecord.tiles, ...pieces, moved, slots, workspaceWord: 0, tileEntries }, cost);
  }

  // -------------------------------------------------------------- products

  #contract(step: ContractStep, at: number): void {
    const record = contractRecord;
    const words = this.#words.subarray(at);
    const rank = words[record.rank]!;
    const axisWord = (axis: number, word: number): number => record.axes + axis * axisRecord.words + word;
    const batch = Array.from({ length: rank }, (_, axis) => words[axisWord(axis, axisRecord.extent)]! >>> 0);
    const [m, n, k] = [words[record.m]! >>> 0, words[record.n]! >>> 0, words[record.k]! >>> 0];
    const cost = batch.reduce((product, extent) => product * extent, m * n * k) * productCost(step);
    const common = { at, slots: [], workspaceWord: record.workspace, tileEntries: 0 };
    const addresses = [record.lhs, record.rhs, record.out];
    if (rank > 0 && batch[0]! >= LOOP_PIECES * this.#limits.threads) {
      const pieces = this.#pieces(batch[0]!, cost, LOOP_PIECES, 1);
      if (pieces === undefined) return;
      const strides = addresses.map((_, operand) => strideAlong(rank, 0, (axis) => batch[axis]!, (axis) => words[axisWord(axis, axisRecord.delta(operand))]!));
      this.#add({ ...common, extent: batch[0]!, extentWord: axisWord(0, axisRecord.extent), ...pieces, moved: addresses.map((word, operand) => [word, strides[operand]!, 0]) }, cost);
      return;
    }
    // A product with one row or column has another order of sums, so none may come of one with several.
    const byRows = m >= n;
    const pieces = this.#pieces(byRows ? m : n, cost, PRODUCT_PIECES, PANEL);
    if (pieces === undefined || pieces.grain < 4) return;
    const moved = byRows ? [[record.lhs, words[record.lhsM]!, 0], [record.out, words[record.outM]!, 0]] as const : [[record.rhs, words[record.rhsN]!, 0], [record.out, words[record.outN]!, 0]] as const;
    this.#add({ ...common, extent: byRows ? m : n, extentWord: byRows ? record.m : record.n, ...pieces, moved }, cost);
  }
}

function loopIterations(record: Int32Array, rank: number): number {
  let iterations = 1;
  for (let axis = 0; axis < rank; axis++) iterations *= record[loopRecord.extent(axis)]! >>> 0;
  return iterations;
}

/** The outermost axis that is long enough, else the longest; −1 without axes. */
function widestAxis(extents: readonly number[], enough: number): number {
  const outermost = extents.findIndex((extent) => extent >= enough);
  return outermost >= 0 ? outermost : extents.indexOf(Math.max(...extents));
}

/** Bytes from one index of an axis to the next, from what records hold: modulo 2^32. */
function strideAlong(rank: number, axis: number, extent: (axis: number) => number, delta: (axis: number) => number): number {
  let stride = 0;
  for (let inside = rank - 1; inside >= axis; inside--) stride = (delta(inside) + (inside === rank - 1 ? 0 : Math.imul(extent(inside + 1), stride))) | 0;
  return stride;
}
