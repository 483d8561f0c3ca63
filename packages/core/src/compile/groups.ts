/**
 * Elementwise instructions over one iteration space that feed each other form a group.
 *
 * # Why no circle can arise
 *
 * Every group has a *level*: above that of whatever it reads from memory. An instruction joins groups of its own level
 * only, so along any path from group to group the level rises.
 */
import type { Instruction } from '../contract.ts';
import { dimText } from '../types/dim.ts';
import type { TensorType } from '../types/tensor-type.ts';
import type { ProgramIndex } from './program-index.ts';

export function isElementwise(instruction: Instruction): boolean {
  return instruction.operation.traits.elementwise !== undefined;
}

/** Whether an instruction moves nothing: another view of its input, or its input itself. */
export function isView({ operation: { traits } }: Instruction): boolean {
  return traits.layout !== undefined || traits.identity === true || traits.barrier === true;
}

/** Lists of instructions, each in program order. */
export function groupElementwise(index: ProgramIndex): readonly (readonly number[])[] {
  return new Grouping(index).groups();
}

interface Group {
  readonly space: number;
  readonly level: number;
  members: number[];
  /** The group that this one was joined to. */
  into: Group | undefined;
}

class Grouping {
  readonly #index: ProgramIndex;
  /** Per value: its level, and the group that computes it. */
  readonly #levels: Int32Array;
  readonly #groupOf: (Group | undefined)[];
  readonly #groups: Group[] = [];
  readonly #spaces: Spaces;
  #highest = 0;

  constructor(index: ProgramIndex) {
    this.#index = index;
    this.#spaces = new Spaces(index.codes.types.known);
    this.#levels = new Int32Array(index.producer.length);
    this.#groupOf = new Array<Group | undefined>(index.producer.length).fill(undefined);
  }

  groups(): readonly (readonly number[])[] {
    const { instructions } = this.#index;
    for (let at = 0; at < instructions.length; at++) {
      const instruction = instructions[at] as Instruction;
      if (isElementwise(instruction)) this.#join(at);
      else this.#define(at, this.#levelOf(instruction, at), undefined);
    }
    return this.#groups.filter(({ into }) => into === undefined).map(({ members }) => members.sort((a, b) => a - b));
  }

  /** Behind a barrier everything is computed anew, after what came before it: joined with nothing earlier. */
  #levelOf(instruction: Instruction, at: number): number {
    if (instruction.operation.traits.barrier === true) return this.#highest;
    const { inputs, inputStart } = this.#index;
    let below = 0;
    for (let place = inputStart[at] as number; place < (inputStart[at + 1] as number); place++) below = Math.max(below, this.#levels[inputs[place] as number] ?? 0);
    return isView(instruction) ? below : below + 1;
  }

  #join(at: number): void {
    const { inputs, inputStart, firstOutput, types } = this.#index;
    const space = this.#spaces.of(types[firstOutput[at] as number] as number);
    const [start, end] = [inputStart[at] as number, inputStart[at + 1] as number];
    let level = 1;
    for (let place = start; place < end; place++) {
      const value = inputs[place] as number;
      if (value < 0) continue;
      const below = this.#levels[value] as number;
      level = Math.max(level, this.#groupIn(space, value) === undefined ? below + 1 : below);
    }
    // The groups of this level that it reads become one; a new one where there is none.
    let group: Group | undefined;
    for (let place = start; place < end; place++) {
      const own = this.#groupIn(space, inputs[place] as number);
      if (own?.level === level) group = group === undefined ? own : joined(group, own);
    }
    if (group === undefined) this.#groups.push((group = { space, level, members: [], into: undefined }));
    group.members.push(at);
    this.#define(at, level, group);
  }

  /** The group that computes a value, if it is of this space. */
  #groupIn(space: number, value: number): Group | undefined {
    const group = value < 0 ? undefined : representative(this.#groupOf[value]);
    return group?.space === space ? group : undefined;
  }

  #define(at: number, level: number, group: Group | undefined): void {
    const { firstOutput } = this.#index;
    this.#highest = Math.max(this.#highest, level);
    for (let value = firstOutput[at] as number; value < (firstOutput[at + 1] as number); value++) {
      this.#levels[value] = level;
      this.#groupOf[value] = group;
    }
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

function representative(group: Group | undefined): Group | undefined {
  if (group?.into === undefined) return group;
  let root = group;
  while (root.into !== undefined) root = root.into;
  group.into = root;
  return root;
}

/** A number per iteration space: types of one shape share it, whatever their dtypes. */
class Spaces {
  readonly #types: readonly TensorType[];
  readonly #ofType: number[] = [];
  readonly #ofShape = new Map<string, number>();

  constructor(types: readonly TensorType[]) {
    this.#types = types;
  }

  /** Of a type by its code. */
  of(type: number): number {
    while (this.#ofType.length <= type) this.#ofType.push(this.#number(this.#types[this.#ofType.length] as TensorType));
    return this.#ofType[type] as number;
  }

  #number({ shape }: TensorType): number {
    const text = shape.map(dimText).join();
    const number = this.#ofShape.get(text) ?? this.#ofShape.size;
    this.#ofShape.set(text, number);
    return number;
  }
}
