/**
 * Which instructions run as one loop. Elementwise instructions over one iteration space that feed each other form a group;
 * values that nobody outside needs are never stored. A reduction takes along what only it needs.
 *
 * # Why no circle can arise
 *
 * Every group has a *level*: above that of whatever it reads from memory. An instruction joins groups of its own level
 * only, so along any path from group to group the level rises.
 */
import type { Atom, Instruction, Program, Var } from '../contract.ts';
import { expandAllCalls } from '../loop/functions/catalog.ts';
import { nodesInOrder } from '../loop/order.ts';
import { isLiteral } from '../program/literal.ts';
import { paramsKey } from '../program/print.ts';
import { dimText } from '../types/dim.ts';
import { orderUnits, type Unit } from './unit-order.ts';

/** Beyond these a kernel gains nothing and V8 runs out of registers (contracts.md §8). */
const MAXIMUM_OPERATIONS = 256;
const MAXIMUM_READS = 16;
const MAXIMUM_STORED = 12;

/** The units of a program in an order in which they can run. */
export function fusionUnits(program: Program): readonly Unit[] {
  const uses = new Uses(program);
  const loops = new Grouping(program).groups().flatMap((group) => split(group, uses));
  return orderUnits(program, unitsOf(program, loops, uses));
}

/** Every instruction by itself: what fusion is compared with. */
export function singleUnits(program: Program): readonly Unit[] {
  return program.instructions.map((instruction) => (isElementwise(instruction) ? { members: [instruction], stored: instruction.outputs } : { members: [], root: instruction, stored: [] }));
}

export function isElementwise(instruction: Instruction): boolean {
  return instruction.operation.traits.elementwise !== undefined;
}

/** Whether an instruction moves nothing: another view of its input, or its input itself. */
export function isView({ operation: { traits } }: Instruction): boolean {
  return traits.layout !== undefined || traits.identity === true || traits.barrier === true;
}

// ---------------------------------------------------------------- groups

interface Group {
  readonly space: string;
  readonly level: number;
  members: number[];
  /** The group that this one was joined to. */
  into?: Group;
}

interface Standing {
  readonly level: number;
  readonly group?: Group;
}

class Grouping {
  readonly #program: Program;
  readonly #standing = new Map<Atom, Standing>();
  readonly #groups: Group[] = [];
  #highest = 0;

  constructor(program: Program) {
    this.#program = program;
  }

  /** Member lists in program order. */
  groups(): readonly (readonly Instruction[])[] {
    const { instructions } = this.#program;
    instructions.forEach((instruction, at) => this.#place(instruction, at));
    return this.#groups.filter(({ into }) => into === undefined).map(({ members }) => members.sort((a, b) => a - b).map((at) => instructions[at] as Instruction));
  }

  #place(instruction: Instruction, at: number): void {
    if (isElementwise(instruction)) this.#join(instruction, at);
    else this.#define(instruction, { level: this.#levelOf(instruction) });
  }

  /** Behind a barrier everything is computed anew, after what came before it: joined with nothing earlier. */
  #levelOf(instruction: Instruction): number {
    if (instruction.operation.traits.barrier === true) return this.#highest;
    const below = Math.max(0, ...instruction.inputs.map((input) => this.#of(input).level));
    return isView(instruction) ? below : below + 1;
  }

  #join(instruction: Instruction, at: number): void {
    const space = spaceOf(instruction);
    let level = 1;
    const candidates: Group[] = [];
    for (const input of instruction.inputs) {
      const { level: below, group } = this.#of(input);
      const root = group === undefined ? undefined : representative(group);
      const joins = root !== undefined && root.space === space;
      if (joins) candidates.push(root);
      level = Math.max(level, joins ? below : below + 1);
    }
    const group = this.#union(candidates.filter((candidate) => candidate.level === level), space, level);
    group.members.push(at);
    this.#define(instruction, { level, group });
  }

  #union(groups: readonly Group[], space: string, level: number): Group {
    const [first, ...others] = groups;
    if (first === undefined) {
      const group: Group = { space, level, members: [] };
      this.#groups.push(group);
      return group;
    }
    return others.reduce(joined, first);
  }

  #of(atom: Atom): Standing {
    return this.#standing.get(atom) ?? { level: 0 };
  }

  #define(instruction: Instruction, standing: Standing): void {
    this.#highest = Math.max(this.#highest, standing.level);
    for (const output of instruction.outputs) this.#standing.set(output, standing);
  }
}

/** The smaller list moves: linear times a logarithm in all. */
function joined(a: Group, b: Group): Group {
  if (a === b) return a;
  const [large, small] = a.members.length >= b.members.length ? [a, b] : [b, a];
  for (const member of small.members) large.members.push(member);
  small.members = [];
  small.into = large;
  return large;
}

function representative(group: Group): Group {
  let root = group;
  while (root.into !== undefined) root = root.into;
  if (root !== group) group.into = root;
  return root;
}

function spaceOf(instruction: Instruction): string {
  return (instruction.outputs[0] as Var).type.shape.map(dimText).join();
}

// ---------------------------------------------------------------- uses

/** Who reads a value; a program's outputs count as a reader of their own. */
export class Uses {
  readonly #readers = new Map<Atom, Instruction[]>();
  readonly #outputs: ReadonlySet<Atom>;

  constructor(program: Program) {
    this.#outputs = new Set(program.outputs);
    for (const instruction of program.instructions) {
      for (const input of instruction.inputs) {
        if (isLiteral(input)) continue;
        const readers = this.#readers.get(input);
        if (readers === undefined) this.#readers.set(input, [instruction]);
        else readers.push(instruction);
      }
    }
  }

  readers(value: Atom): readonly Instruction[] {
    return this.#readers.get(value) ?? [];
  }

  isOutput(value: Atom): boolean {
    return this.#outputs.has(value);
  }

  /** Whether someone other than `among` reads it. */
  escapes(value: Atom, among: ReadonlySet<Instruction>): boolean {
    return this.isOutput(value) || this.readers(value).some((reader) => !among.has(reader));
  }
}

// ---------------------------------------------------------------- limits

/** A group in pieces that keep the limits, in program order: a piece reads what earlier ones stored. */
function split(members: readonly Instruction[], uses: Uses): readonly (readonly Instruction[])[] {
  if (members.length === 1) return [members];
  const whole = new Set(members);
  const weigh = weigher();
  const pieces: Instruction[][] = [];
  let piece = new Piece(whole, uses);
  for (const member of members) {
    const weight = weigh(member);
    if (!piece.takes(member, weight)) {
      pieces.push(piece.members);
      piece = new Piece(whole, uses);
    }
    piece.add(member, weight);
  }
  return [...pieces, piece.members];
}

class Piece {
  readonly members: Instruction[] = [];
  readonly #whole: ReadonlySet<Instruction>;
  readonly #uses: Uses;
  readonly #own = new Set<Atom>();
  readonly #reads = new Set<Atom>();
  #operations = 0;
  #stored = 0;

  constructor(whole: ReadonlySet<Instruction>, uses: Uses) {
    this.#whole = whole;
    this.#uses = uses;
  }

  takes(member: Instruction, weight: number): boolean {
    if (this.members.length === 0) return true;
    const reads = this.#reads.size + member.inputs.filter((input) => this.#isNew(input)).length;
    return this.#operations + weight <= MAXIMUM_OPERATIONS && reads <= MAXIMUM_READS && this.#stored + this.#stores(member) <= MAXIMUM_STORED;
  }

  add(member: Instruction, weight: number): void {
    this.members.push(member);
    for (const input of member.inputs) if (this.#isNew(input)) this.#reads.add(input);
    for (const output of member.outputs) this.#own.add(output);
    this.#operations += weight;
    this.#stored += this.#stores(member);
  }

  #isNew(input: Atom): boolean {
    return !this.#own.has(input) && !this.#reads.has(input) && !isLiteral(input);
  }

  #stores(member: Instruction): number {
    return member.outputs.filter((output) => this.#uses.escapes(output, this.#whole)).length;
  }
}

/** Scalar operations of an instruction, functions counted by their definitions. */
function weigher(): (instruction: Instruction) => number {
  const known = new Map<string, number>();
  return ({ operation, params, inputs }) => {
    const dtypes = inputs.map((input) => input.type.dtype);
    const key = `${operation.id}{${paramsKey(params)}}${dtypes.join()}`;
    let weight = known.get(key);
    if (weight === undefined) {
      const body = expandAllCalls((operation.traits.elementwise as NonNullable<typeof operation.traits.elementwise>)(params, dtypes));
      weight = nodesInOrder(body).filter(({ op }) => op !== 'constant' && op !== 'argument').length;
      known.set(key, weight);
    }
    return weight;
  };
}

// ---------------------------------------------------------------- units

function unitsOf(program: Program, loops: readonly (readonly Instruction[])[], uses: Uses): readonly Unit[] {
  const loopOf = new Map<Instruction, number>();
  loops.forEach((members, index) => {
    for (const member of members) loopOf.set(member, index);
  });
  const producers = new Map<Atom, Instruction>();
  for (const members of loops) for (const member of members) for (const output of member.outputs) producers.set(output, member);
  const taken = new Set<Instruction>();
  const roots: Unit[] = [];
  for (const instruction of program.instructions) {
    if (isElementwise(instruction)) continue;
    const members = instruction.operation.traits.reduction === undefined ? [] : feeding(instruction, loops, loopOf, producers, uses, taken);
    for (const member of members) taken.add(member);
    roots.push({ members, root: instruction, stored: [] });
  }
  return [...roots, ...loops.flatMap((members) => remaining(members, taken, uses))];
}

/** The members that only this reduction needs, unless taking them along would store more than it spares. */
function feeding(reduction: Instruction, loops: readonly (readonly Instruction[])[], loopOf: ReadonlyMap<Instruction, number>, producers: ReadonlyMap<Atom, Instruction>, uses: Uses, taken: ReadonlySet<Instruction>): readonly Instruction[] {
  const [input] = reduction.inputs as readonly [Atom];
  const producer = producers.get(input);
  if (producer === undefined || foldsNothing(reduction)) return [];
  const own = new Set<Instruction>([reduction]);
  const members: Instruction[] = [];
  const group = loops[loopOf.get(producer) as number] as readonly Instruction[];
  for (let at = group.length - 1; at >= 0; at--) {
    const member = group[at] as Instruction;
    if (taken.has(member) || member.outputs.some((output) => uses.escapes(output, own))) continue;
    if (!member.outputs.some((output) => uses.readers(output).length > 0)) continue;
    own.add(member);
    members.push(member);
  }
  if (!own.has(producer)) return [];
  return newlyStored(members, own, producers, uses) > 1 ? [] : members.reverse();
}

function foldsNothing(reduction: Instruction): boolean {
  return (reduction.params['axes'] as readonly number[]).length === 0;
}

/** Values that had stayed in the group and now must be stored for the reduction to read. */
function newlyStored(members: readonly Instruction[], own: ReadonlySet<Instruction>, producers: ReadonlyMap<Atom, Instruction>, uses: Uses): number {
  const read = new Set<Atom>();
  for (const { inputs } of members) for (const input of inputs) {
    const producer = producers.get(input);
    if (producer === undefined || own.has(producer)) continue;
    const others = uses.readers(input).filter((reader) => !own.has(reader));
    if (!uses.isOutput(input) && others.every(isElementwise)) read.add(input);
  }
  return read.size;
}

function remaining(members: readonly Instruction[], taken: ReadonlySet<Instruction>, uses: Uses): readonly Unit[] {
  const kept = taken.size === 0 ? members : members.filter((member) => !taken.has(member));
  if (kept.length === 0) return [];
  const own = new Set(kept);
  return [{ members: kept, stored: kept.flatMap(({ outputs }) => outputs.filter((output) => uses.escapes(output, own))) }];
}
