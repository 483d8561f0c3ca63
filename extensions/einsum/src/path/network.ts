/** Contraction networks and paths: which tensors share which labels, and in which order they are contracted. */
import type { Labels } from '../operations.ts';

/** Tensors by the labels of their axes. A tensor has a label once; every label is in the output or in two tensors. */
export interface Network {
  readonly tensors: readonly Labels[];
  readonly output: Labels;
  /** Per label. */
  readonly sizes: readonly number[];
}

/** Which two tensors a step contracts: the result of step s is tensor `tensors.length + s`. */
export type Pair = readonly [number, number];
export type Path = readonly Pair[];

export interface Step {
  readonly pair: Pair;
  readonly lhs: Labels;
  readonly rhs: Labels;
  readonly out: Labels;
}

/** The number of elements of a tensor with these labels. */
export function countOf(labels: Labels, sizes: readonly number[]): number {
  let count = 1;
  for (const label of labels) count *= sizes[label] as number;
  return count;
}

/** The labels of both, each once. */
export function union(a: Labels, b: Labels): Labels {
  return [...a, ...b.filter((label) => !a.includes(label))];
}

/** How many tensors have each label, while they are contracted; the output counts as one. */
export class Occurrences {
  readonly #counts: Int32Array;

  constructor({ tensors, output, sizes }: Network) {
    this.#counts = new Int32Array(sizes.length);
    for (const labels of [...tensors, output]) for (const label of labels) this.#change(label, 1);
  }

  #change(label: number, by: number): void {
    this.#counts[label] = (this.#counts[label] as number) + by;
  }

  /** Labels of the contraction of two tensors: those that others have, in the order in which a matrix product leaves them. */
  left(lhs: Labels, rhs: Labels): Labels {
    const counts = this.#counts;
    const out: number[] = [];
    for (const label of lhs) if ((counts[label] as number) > 2 && rhs.includes(label)) out.push(label);
    for (const label of lhs) if ((counts[label] as number) > 1 && !rhs.includes(label)) out.push(label);
    for (const label of rhs) if ((counts[label] as number) > 1 && !lhs.includes(label)) out.push(label);
    return out;
  }

  /** Elements of the contraction of two tensors: searches ask for those of far more pairs than they contract. */
  elementsLeft(lhs: Labels, rhs: Labels, sizes: readonly number[]): number {
    const counts = this.#counts;
    let elements = 1;
    for (const label of lhs) if ((counts[label] as number) > (rhs.includes(label) ? 2 : 1)) elements *= sizes[label] as number;
    for (const label of rhs) if ((counts[label] as number) > 1 && !lhs.includes(label)) elements *= sizes[label] as number;
    return elements;
  }

  /** Two tensors go, their contraction comes. */
  replace(lhs: Labels, rhs: Labels, out: Labels): void {
    for (const label of lhs) this.#change(label, -1);
    for (const label of rhs) this.#change(label, -1);
    for (const label of out) this.#change(label, 1);
  }
}

/** The labels of every contraction of a path; those of the last are the output's. */
export function stepsOf(network: Network, path: Path): readonly Step[] {
  const tensors: Labels[] = [...network.tensors];
  const occurrences = new Occurrences(network);
  return path.map((pair, at): Step => {
    const [lhs, rhs] = [tensors[pair[0]] as Labels, tensors[pair[1]] as Labels];
    const out = at === path.length - 1 ? network.output : occurrences.left(lhs, rhs);
    occurrences.replace(lhs, rhs, out);
    tensors.push(out);
    return { pair, lhs, rhs, out };
  });
}

/** Operations of one contraction: a multiplication for each combination of indices, and an addition where some are summed. */
export function flopsOf({ lhs, rhs, out }: Omit<Step, 'pair'>, sizes: readonly number[]): number {
  let flops = countOf(lhs, sizes);
  let labels = lhs.length;
  for (const label of rhs) {
    if (lhs.includes(label)) continue;
    flops *= sizes[label] as number;
    labels++;
  }
  return flops * (labels > out.length ? 2 : 1);
}

export interface PathCost {
  readonly flops: number;
  /** Elements of the largest result of a step, the last one's apart. */
  readonly largest: number;
}

export function costOf(network: Network, path: Path): PathCost {
  let flops = 0;
  let largest = 0;
  stepsOf(network, path).forEach((step, at) => {
    flops += flopsOf(step, network.sizes);
    if (at < path.length - 1) largest = Math.max(largest, countOf(step.out, network.sizes));
  });
  return { flops, largest };
}

/** Whether the first is better: fewer operations; of equal ones, smaller results. */
export function isBetter(a: PathCost, b: PathCost): boolean {
  return a.flops < b.flops || (a.flops === b.flops && a.largest < b.largest);
}
