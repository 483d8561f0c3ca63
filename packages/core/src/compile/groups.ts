/**
 * Elementwise instructions over one iteration space that feed each other form a group.
 *
 * # Why no circle can arise
 *
 * Every group has a *level*: above that of whatever it reads from memory. An instruction joins groups of its own level
 * only, so along any path from group to group the level rises.
 */
import type { Instruction, Var } from '../contract.ts';
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
  into?: Group;
}

class Grouping {
  readonly #index: ProgramIndex;
  /** Per value: its level, and the group that computes it. */
  readonly #levels: Int32Array;
  readonly #groupOf: (Group | undefined)[];
  readonly #groups: Group[] = [];
  readonly #spaces = new Spaces();
  #highest = 0;

  constructor(index: ProgramIndex) {
    this.#index = index;
    this.#levels = new Int32Array(index.producer.length);
    this.#groupOf = new Array<Group | undefined>(index.producer.length).fill(undefined);
  }

  groups(): readonly (readonly number[])[] {
    this.#index.instructions.forEach((instruction, at) => {
      if (isElementwise(instruction)) this.#join(instruction, at);
      else this.#define(at, this.#levelOf(instruction, at), undefined);
    });
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

  #join(instruction: Instruction, at: number): void {
    const { inputs, inputStart } = this.#index;
    const space = this.#spaces.number((instruction.outputs[0] as Var).type);
    const candidates: Group[] = [];
    let level = 1;
    for (let place = inputStart[at] as number; place < (inputStart[at + 1] as number); place++) {
      const value = inputs[place] as number;
      if (value < 0) continue;
      const below = this.#levels[value] as number;
      const group = representative(this.#groupOf[value]);
      const joins = group?.space === space;
      if (joins) candidates.push(group);
      level = Math.max(level, joins ? below : below + 1);
    }
    const group = this.#union(candidates, space, level);
    group.members.push(at);
    this.#define(at, level, group);
  }

  /** The candidates of this level as one group; a new one where there is none. */
  #union(candidates: readonly Group[], space: number, level: number): Group {
    let union: Group | undefined;
    for (const candidate of candidates) if (candidate.level === level) union = union === undefined ? candidate : joined(union, candidate);
    if (union !== undefined) return union;
    const group: Group = { space, level, members: [] };
    this.#groups.push(group);
    return group;
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
  readonly #ofType = new Map<string, number>();
  readonly #ofShape = new Map<string, number>();

  number({ key, shape }: TensorType): number {
    let number = this.#ofType.get(key);
    if (number === undefined) {
      const text = shape.map(dimText).join();
      number = this.#ofShape.get(text) ?? this.#ofShape.size;
      this.#ofShape.set(text, number);
      this.#ofType.set(key, number);
    }
    return number;
  }
}
