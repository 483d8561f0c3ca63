/** Paths that a user gives. */
import { TfError } from '@tf/core';
import type { Pair, Path } from './network.ts';

/**
 * Steps in NumPy's form: each lists places in the list of tensors that are left; those are taken out, their contraction is put at
 * the end. A step of three and more contracts from left to right; one of a single tensor does nothing to it.
 */
export type ListedPath = readonly (readonly number[])[];

/** A path as a tree: operands by position, and what is contracted in brackets, e.g. `[[0, 1], [2, 3]]`. */
export type PathTree = number | readonly PathTree[];

function wrong(argument: string, why: string, remedy: string): TfError {
  return new TfError('ArgumentError', `einsum: ${argument} ${why}. ${remedy}`, { op: 'einsum', argument });
}

class PathBuilder {
  readonly pairs: Pair[] = [];
  readonly #count: number;

  constructor(count: number) {
    this.#count = count;
  }

  contract(tensors: readonly number[]): number {
    return tensors.reduce((left, right) => {
      this.pairs.push(left < right ? [left, right] : [right, left]);
      return this.#count + this.pairs.length - 1;
    });
  }
}

export function pathOfList(steps: ListedPath, count: number): Path {
  const builder = new PathBuilder(count);
  const left = Array.from({ length: count }, (_, at) => at);
  steps.forEach((step, at) => {
    if (!Array.isArray(step) || step.length === 0) throw wrong(`path[${at}]`, 'is no list of places', 'Write a list such as [[0, 1], [0, 1]].');
    for (const place of step) if (!Number.isInteger(place) || place < 0 || place >= left.length) throw wrong(`path[${at}]`, `has the place ${String(place)} in a list of ${left.length} tensors`, `Places run from 0 to ${left.length - 1}; what a step contracts is put at the end of the list.`);
    if (new Set(step).size !== step.length) throw wrong(`path[${at}]`, 'has a place twice', 'A tensor is contracted with others, once.');
    const chosen = step.map((place) => left[place] as number);
    for (const tensor of chosen) left.splice(left.indexOf(tensor), 1);
    left.push(builder.contract(chosen));
  });
  if (left.length !== 1) throw wrong('path', `leaves ${left.length} tensors`, `Contract all ${count} operands: ${count - 1} steps of two.`);
  return builder.pairs;
}

export function pathOfTree(tree: PathTree, count: number): Path {
  const builder = new PathBuilder(count);
  const seen = new Set<number>();
  const visit = (node: PathTree): number => {
    if (typeof node === 'number') {
      if (!Number.isInteger(node) || node < 0 || node >= count) throw wrong('tree', `has operand ${String(node)} of ${count}`, `Operands are numbered from 0 to ${count - 1}.`);
      if (seen.has(node)) throw wrong('tree', `has operand ${node} twice`, 'Each operand is contracted once.');
      seen.add(node);
      return node;
    }
    if (!Array.isArray(node) || node.length === 0) throw wrong('tree', 'has an entry that is neither an operand nor a list', 'Write a tree such as [[0, 1], [2, 3]].');
    return builder.contract((node as readonly PathTree[]).map(visit));
  };
  visit(tree);
  if (seen.size !== count) throw wrong('tree', `has ${seen.size} of ${count} operands`, 'Each operand is contracted once.');
  return builder.pairs;
}

/** The form of {@link ListedPath}, for people and for NumPy. */
export function listOfPath(path: Path, count: number): readonly Pair[] {
  const left = Array.from({ length: count }, (_, at) => at);
  return path.map(([a, b], step) => {
    const places: Pair = [left.indexOf(a), left.indexOf(b)];
    left.splice(Math.max(...places), 1);
    left.splice(Math.min(...places), 1);
    left.push(count + step);
    return places;
  });
}
