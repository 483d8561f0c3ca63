/**
 * Which instructions run as one loop: groups (see groups.ts) within the limits of a kernel, whose values that nobody
 * outside needs are never stored; and reductions, which take along what only they need.
 */
import type { Atom, Instruction } from '../contract.ts';
import { expandAllCalls } from '../loop/functions/catalog.ts';
import { nodesInOrder } from '../loop/order.ts';
import { elementwiseBody } from '../program/elementwise.ts';
import { groupElementwise, isElementwise } from './groups.ts';
import type { ProgramIndex } from './program-index.ts';
import { orderUnits, type Unit } from './unit-order.ts';
import { WordTable } from './word-table.ts';

/** Beyond these a kernel gains nothing and V8 runs out of registers (contracts.md §8). */
const MAXIMUM_OPERATIONS = 256;
const MAXIMUM_READS = 16;
const MAXIMUM_STORED = 12;

/** The units of a program in an order in which they can run. */
export function fusionUnits(index: ProgramIndex): readonly Unit[] {
  return orderUnits(index, new Units(index).all());
}

/** Every instruction by itself: what fusion is compared with. */
export function singleUnits({ instructions, firstOutput }: ProgramIndex): readonly Unit[] {
  return instructions.map((instruction, at) => (isElementwise(instruction) ? { members: [at], stored: instruction.outputs.map((_, output) => (firstOutput[at] as number) + output) } : { members: [], root: at, stored: [] }));
}

class Units {
  readonly #index: ProgramIndex;
  readonly #pieces: readonly (readonly number[])[];
  /** Per instruction: its piece, the reduction that took it along (as −2 − reduction), or −1 for what is no loop. */
  readonly #owner: Int32Array;
  /** Per instruction: the last reduction that it was wanted for, or that it is. */
  readonly #wantedBy: Int32Array;

  constructor(index: ProgramIndex) {
    this.#index = index;
    const weigh = weigher(index);
    const marks = new Marks(index);
    this.#owner = new Int32Array(index.instructions.length).fill(-1);
    this.#wantedBy = new Int32Array(index.instructions.length).fill(-1);
    const groupOf = new Int32Array(index.instructions.length).fill(-1);
    const groups = groupElementwise(index);
    groups.forEach((members, group) => members.forEach((member) => (groupOf[member] = group)));
    this.#pieces = groups.flatMap((members) => (members.length === 1 ? [members] : split(index, members, groupOf, weigh, marks)));
    this.#pieces.forEach((members, piece) => members.forEach((member) => (this.#owner[member] = piece)));
  }

  all(): readonly Unit[] {
    const roots: Unit[] = [];
    this.#index.instructions.forEach((instruction, at) => {
      if (isElementwise(instruction)) return;
      const members = instruction.operation.traits.reduction === undefined || foldsNothing(instruction) ? [] : this.#feeding(at);
      for (const member of members) this.#owner[member] = -2 - at;
      roots.push({ members, root: at, stored: [] });
    });
    return [...roots, ...this.#pieces.flatMap((members, piece) => this.#remaining(members, piece))];
  }

  /** The members that only this reduction needs, unless taking them along would store more than it spares. */
  #feeding(reduction: number): readonly number[] {
    const { producer, inputs, inputStart } = this.#index;
    const source = inputs[inputStart[reduction] as number] as number;
    const last = source < 0 ? -1 : (producer[source] as number);
    const piece = last < 0 ? -1 : (this.#owner[last] as number);
    if (piece < 0) return [];
    this.#wantedBy[reduction] = reduction;
    const members: number[] = [];
    const group = this.#pieces[piece] as readonly number[];
    for (let at = group.indexOf(last); at >= 0; at--) {
      const member = group[at] as number;
      if (this.#owner[member] !== piece || this.#escapes(member, this.#wantedBy, reduction)) continue;
      this.#wantedBy[member] = reduction;
      members.push(member);
    }
    if (this.#wantedBy[last] !== reduction) return [];
    return this.#newlyStored(members, reduction, piece) > 1 ? [] : members.reverse();
  }

  /** Values that had stayed in the piece and now must be stored for the reduction to read. */
  #newlyStored(members: readonly number[], reduction: number, piece: number): number {
    const { producer, inputs, inputStart } = this.#index;
    const stored = new Set<number>();
    for (const member of members) {
      for (let place = inputStart[member] as number; place < (inputStart[member + 1] as number); place++) {
        const from = producer[inputs[place] as number] ?? -1;
        if (from < 0 || this.#wantedBy[from] === reduction || this.#owner[from] !== piece) continue;
        if (!this.#escapes(from, this.#owner, piece)) stored.add(from);
      }
    }
    return stored.size;
  }

  /** Whether someone who is not `own`'s, or the program's caller, needs what an instruction gives. */
  #escapes(instruction: number, owner: Int32Array, own: number): boolean {
    const { firstOutput } = this.#index;
    for (let value = firstOutput[instruction] as number; value < (firstOutput[instruction + 1] as number); value++) if (escapes(this.#index, value, owner, own)) return true;
    return false;
  }

  #remaining(members: readonly number[], piece: number): readonly Unit[] {
    const kept = members.filter((member) => this.#owner[member] === piece);
    if (kept.length === 0) return [];
    const { firstOutput } = this.#index;
    const stored: number[] = [];
    for (const member of kept) {
      for (let value = firstOutput[member] as number; value < (firstOutput[member + 1] as number); value++) if (escapes(this.#index, value, this.#owner, piece)) stored.push(value);
    }
    return [{ members: kept, stored }];
  }
}

function foldsNothing(reduction: Instruction): boolean {
  return (reduction.params['axes'] as readonly number[]).length === 0;
}

/** Whether the program's caller needs a value, or an instruction whose owner is not `own`. */
function escapes({ readerStart, readers, isOutput }: ProgramIndex, value: number, owner: Int32Array, own: number): boolean {
  if (isOutput[value] === 1) return true;
  for (let at = readerStart[value] as number; at < (readerStart[value + 1] as number); at++) if (owner[readers[at] as number] !== own) return true;
  return false;
}

// ---------------------------------------------------------------- limits

/** A group in pieces that keep the limits, in program order: a piece reads what earlier ones stored. */
function split(index: ProgramIndex, members: readonly number[], groupOf: Int32Array, weigh: (instruction: number) => number, marks: Marks): readonly (readonly number[])[] {
  const group = groupOf[members[0] as number] as number;
  const pieces: number[][] = [];
  let piece = new Piece(index, marks);
  for (let at = 0; at < members.length; at++) {
    const member = members[at] as number;
    const weight = weigh(member);
    let stores = 0;
    for (let value = index.firstOutput[member] as number; value < (index.firstOutput[member + 1] as number); value++) if (escapes(index, value, groupOf, group)) stores++;
    if (!piece.takes(member, weight, stores)) {
      pieces.push(piece.members);
      piece = new Piece(index, marks);
    }
    piece.add(member, weight, stores);
  }
  pieces.push(piece.members);
  return pieces;
}

/** Per value: the last piece that computes or reads it. */
class Marks {
  readonly ofValue: Int32Array;
  #pieces = 0;

  constructor({ producer }: ProgramIndex) {
    this.ofValue = new Int32Array(producer.length);
  }

  next(): number {
    return ++this.#pieces;
  }
}

class Piece {
  readonly members: number[] = [];
  readonly #index: ProgramIndex;
  readonly #known: Int32Array;
  readonly #mark: number;
  #reads = 0;
  #operations = 0;
  #stored = 0;

  constructor(index: ProgramIndex, marks: Marks) {
    this.#index = index;
    this.#known = marks.ofValue;
    this.#mark = marks.next();
  }

  takes(member: number, weight: number, stores: number): boolean {
    if (this.members.length === 0) return true;
    return this.#operations + weight <= MAXIMUM_OPERATIONS && this.#stored + stores <= MAXIMUM_STORED && this.#reads + this.#newReads(member) <= MAXIMUM_READS;
  }

  add(member: number, weight: number, stores: number): void {
    const { inputs, inputStart, firstOutput } = this.#index;
    this.members.push(member);
    for (let place = inputStart[member] as number; place < (inputStart[member + 1] as number); place++) {
      const value = inputs[place] as number;
      if (value < 0 || this.#known[value] === this.#mark) continue;
      this.#known[value] = this.#mark;
      this.#reads++;
    }
    for (let value = firstOutput[member] as number; value < (firstOutput[member + 1] as number); value++) this.#known[value] = this.#mark;
    this.#operations += weight;
    this.#stored += stores;
  }

  #newReads(member: number): number {
    const { inputs, inputStart } = this.#index;
    let count = 0;
    for (let place = inputStart[member] as number; place < (inputStart[member + 1] as number); place++) {
      const value = inputs[place] as number;
      if (value >= 0 && this.#known[value] !== this.#mark) count++;
    }
    return count;
  }
}

/** Scalar operations of an instruction, functions counted by their definitions. */
function weigher({ instructions, operations, inputs, inputStart, types, codes }: ProgramIndex): (instruction: number) => number {
  // By operation with parameters and the operands' dtypes.
  const table = new WordTable();
  const words: number[] = [];
  const weights: number[] = [];
  return (at) => {
    const instruction = instructions[at] as Instruction;
    const start = inputStart[at] as number;
    const count = instruction.inputs.length;
    words[0] = operations[at] as number;
    for (let own = 0; own < count; own++) {
      const value = inputs[start + own] as number;
      words[own + 1] = codes.types.dtypes[value < 0 ? codes.types.of((instruction.inputs[own] as Atom).type) : (types[value] as number)] as number;
    }
    const entry = table.entryOf(words, count + 1);
    let weight = weights[entry];
    if (weight === undefined) {
      const body = expandAllCalls(elementwiseBody(instruction));
      weight = nodesInOrder(body).filter(({ op }) => op !== 'constant' && op !== 'argument').length;
      weights.push(weight);
    }
    return weight;
  };
}
