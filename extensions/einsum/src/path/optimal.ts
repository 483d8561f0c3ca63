/** The best path, by dynamic programming over subsets of the tensors (Pfeifer, Haegeman, Verstraete 2014, without their cost cap). */
import type { Network, Pair, Path } from './network.ts';

/** Tensors up to which every path is looked at; beyond, paths without outer products of connected tensors. */
export const EXHAUSTIVE_TENSORS = 10;

/** The most tensors that there is an optimal path for: subsets are numbers and there are 2ⁿ of them. */
export const OPTIMAL_TENSORS = 16;

/** Masks of tensors that have each label, and sizes, of the labels that matter. */
interface Masks {
  readonly tensors: readonly number[];
  readonly output: readonly boolean[];
  readonly sizes: readonly number[];
}

function masksOf({ tensors, output, sizes }: Network): Masks {
  const all = [...new Set(tensors.flat())];
  const mask = (label: number): number => tensors.reduce((bits, labels, at) => (labels.includes(label) ? bits | (1 << at) : bits), 0);
  return { tensors: all.map(mask), output: all.map((label) => output.includes(label)), sizes: all.map((label) => sizes[label] as number) };
}

/** Which subsets are worth contracting by themselves: all of them, or those that hang together. */
function connectedSubsets({ tensors: labels }: Masks, count: number): Uint8Array {
  const neighbours = Array.from({ length: count }, (_, at) => labels.reduce((bits, mask) => ((mask >> at) & 1 ? bits | mask : bits), 1 << at));
  const connected = new Uint8Array(1 << count);
  for (let subset = 1; subset < 1 << count; subset++) {
    let reached = subset & -subset;
    let before = 0;
    while (before !== reached) {
      before = reached;
      for (let at = 0; at < count; at++) if ((before >> at) & 1) reached |= (neighbours[at] as number) & subset;
    }
    connected[subset] = reached === subset ? 1 : 0;
  }
  return connected;
}

/**
 * The path with the fewest operations; of equal ones, that with the smallest sum of results. Results of more than `largest` elements
 * are avoided; undefined when there is no such path.
 */
export function optimalPath(network: Network, largest: number = Infinity): Path | undefined {
  const count = network.tensors.length;
  const masks = masksOf(network);
  const full = (1 << count) - 1;
  const search = new Subsets(masks, full, largest);
  const connected = count > EXHAUSTIVE_TENSORS ? connectedSubsets(masks, count) : undefined;
  for (let subset = 1; subset <= full; subset++) {
    if ((subset & (subset - 1)) === 0) search.begin(subset);
    else if (connected === undefined || connected[subset] === 1) search.split(subset);
  }
  if (connected !== undefined && connected[full] !== 1) search.join(componentsOf(connected, full));
  return search.path(count);
}

/** The connected parts of a network. */
function componentsOf(connected: Uint8Array, full: number): readonly number[] {
  const parts: number[] = [];
  for (let rest = full; rest !== 0; ) {
    const first = rest & -rest;
    let part = first;
    // The largest connected subset of what is left with its first tensor.
    for (let subset = rest; subset > 0; subset = (subset - 1) & rest) {
      if ((subset & first) !== 0 && connected[subset] === 1) {
        part = subset;
        break;
      }
    }
    parts.push(part);
    rest &= ~part;
  }
  return parts;
}

/** The best way to contract each subset, as far as it is known. */
class Subsets {
  readonly #masks: Masks;
  readonly #full: number;
  readonly #largest: number;
  readonly #flops: Float64Array;
  readonly #elements: Float64Array;
  /** One half of the best split. */
  readonly #half: Int32Array;

  constructor(masks: Masks, full: number, largest: number) {
    this.#masks = masks;
    this.#full = full;
    this.#largest = largest;
    this.#flops = new Float64Array(full + 1).fill(Infinity);
    this.#elements = new Float64Array(full + 1);
    this.#half = new Int32Array(full + 1);
  }

  begin(tensor: number): void {
    this.#flops[tensor] = 0;
  }

  /** Tries every split of a subset into two that are known. */
  split(subset: number): void {
    if (this.#resultOf(subset) > this.#largest && subset !== this.#full) return;
    const first = subset & -subset;
    const rest = subset & ~first;
    for (let other = rest; other > 0; other = (other - 1) & rest) this.#consider(subset, subset & ~other, other);
  }

  /** Joins parts that share nothing, in every order. */
  join(parts: readonly number[]): void {
    const combined = (bits: number): number => parts.reduce((subset, part, at) => ((bits >> at) & 1 ? subset | part : subset), 0);
    for (let bits = 1; bits < 1 << parts.length; bits++) {
      const first = bits & -bits;
      const rest = bits & ~first;
      for (let other = rest; other > 0; other = (other - 1) & rest) this.#consider(combined(bits), combined(bits & ~other), combined(other));
    }
  }

  #consider(subset: number, a: number, b: number): void {
    const before = (this.#flops[a] as number) + (this.#flops[b] as number);
    if (!(before < (this.#flops[subset] as number))) return;
    const flops = before + this.#stepCost(a, b);
    const elements = (this.#elements[a] as number) + (this.#elements[b] as number);
    const known = this.#flops[subset] as number;
    const rest = elements + this.#resultOf(subset);
    if (flops > known || (flops === known && rest >= (this.#elements[subset] as number))) return;
    this.#flops[subset] = flops;
    this.#elements[subset] = rest;
    this.#half[subset] = a;
  }

  /** Whether the contraction of a subset still has a label. */
  #isOpen(label: number, subset: number): boolean {
    const mask = this.#masks.tensors[label] as number;
    return (mask & subset) !== 0 && (this.#masks.output[label] === true || (mask & ~subset) !== 0);
  }

  #resultOf(subset: number): number {
    let count = 1;
    this.#masks.sizes.forEach((size, label) => {
      if (this.#isOpen(label, subset)) count *= size;
    });
    return count;
  }

  #stepCost(a: number, b: number): number {
    const { sizes } = this.#masks;
    let count = 1;
    let summed = 1;
    for (let label = 0; label < sizes.length; label++) {
      if (!this.#isOpen(label, a) && !this.#isOpen(label, b)) continue;
      count *= sizes[label] as number;
      if (!this.#isOpen(label, a | b)) summed = 2;
    }
    return count * summed;
  }

  path(count: number): Path | undefined {
    if (this.#flops[this.#full] === Infinity) return undefined;
    const pairs: Pair[] = [];
    const build = (subset: number): number => {
      if ((subset & (subset - 1)) === 0) return 31 - Math.clz32(subset);
      const a = build(this.#half[subset] as number);
      const b = build(subset & ~(this.#half[subset] as number));
      pairs.push(a < b ? [a, b] : [b, a]);
      return count + pairs.length - 1;
    };
    build(this.#full);
    return pairs;
  }
}
