/**
 * Greedy paths: again and again the two tensors whose contraction pays most (Smith and Gray 2018, opt_einsum), with other weights
 * and chance in repeated runs (Gray and Kourtis 2021, §3.2).
 */
import type { Labels } from '../operations.ts';
import { countOf, flopsOf, type Network, Occurrences, type Pair, type Path, type PathCost } from './network.ts';
import { PriorityQueue } from './priority-queue.ts';

/** How a run of the greedy search values contractions. */
export interface Greed {
  /** How much the elements that go count against those that come. */
  readonly weight: number;
  /** 0: always the best; more: more often another one. */
  readonly temperature: number;
  /** Numbers in [0, 1). */
  readonly random: () => number;
}

/** What a search found, and how much it looked at. */
export interface Found extends PathCost {
  /** Undefined where it was given up, because it cost more than it may. */
  readonly path: Path | undefined;
  /** Pairs of tensors that were valued. */
  readonly valued: number;
}

interface Offer {
  readonly tensor: number;
  readonly other: number;
  readonly value: number;
}

/** A label that more tensors share offers one pair for each, not all: there are quadratically many. */
const MANY_NEIGHBOURS = 8;

/**
 * The path that a greedy search finds: pairs that share a label first, then outer products, the smallest first. A path of more than
 * `mostFlops` operations is not followed to its end.
 */
export function greedyPath(network: Network, greed: Greed, mostFlops: number = Infinity): Found {
  const search = new GreedySearch(network, greed, mostFlops);
  search.contractNeighbours();
  search.contractRest();
  const { path, flops, largest, valued } = search;
  return { path: flops > mostFlops ? undefined : path, flops, largest, valued };
}

class GreedySearch {
  readonly path: Pair[] = [];
  flops = 0;
  largest = 0;
  valued = 0;
  readonly #mostFlops: number;
  readonly #network: Network;
  readonly #greed: Greed;
  readonly #occurrences: Occurrences;
  /** By number of the tensor; contracted ones are gone. */
  readonly #tensors = new Map<number, Labels>();
  readonly #elements: number[] = [];
  readonly #isOutput: readonly boolean[];
  /** Per label: the tensors that have it. */
  readonly #holders = new Map<number, Set<number>>();
  readonly #queue = new PriorityQueue<Offer>();
  #next = 0;

  constructor(network: Network, greed: Greed, mostFlops: number) {
    this.#network = network;
    this.#greed = greed;
    this.#mostFlops = mostFlops;
    this.#isOutput = network.sizes.map((_, label) => network.output.includes(label));
    this.#occurrences = new Occurrences(network);
    for (const labels of network.tensors) this.#add(labels);
  }

  contractNeighbours(): void {
    for (const [tensor] of this.#tensors) this.#offer(tensor, (other) => other > tensor);
    for (let best = this.#queue.pop(); best !== undefined && this.flops <= this.#mostFlops; best = this.#queue.pop()) {
      const { tensor, other } = best;
      if (this.#tensors.has(tensor) && this.#tensors.has(other)) this.#offer(this.#contract(tensor, other), () => true);
    }
  }

  contractRest(): void {
    const queue = new PriorityQueue<number>();
    const put = (tensor: number): void => queue.push(tensor, this.#elements[tensor] as number);
    for (const [tensor] of this.#tensors) put(tensor);
    while (queue.size > 1 && this.flops <= this.#mostFlops) {
      const [a, b] = [queue.pop() as number, queue.pop() as number].sort((x, y) => x - y) as [number, number];
      put(this.#contract(a, b));
    }
  }

  #add(labels: Labels): number {
    const tensor = this.#next++;
    this.#tensors.set(tensor, labels);
    this.#elements.push(countOf(labels, this.#network.sizes));
    for (const label of labels) {
      const holders = this.#holders.get(label);
      if (holders === undefined) this.#holders.set(label, new Set([tensor]));
      else holders.add(tensor);
    }
    return tensor;
  }

  #contract(a: number, b: number): number {
    const [lhs, rhs] = [this.#tensors.get(a) as Labels, this.#tensors.get(b) as Labels];
    const out = this.#occurrences.left(lhs, rhs);
    this.flops += flopsOf({ lhs, rhs, out }, this.#network.sizes);
    for (const [tensor, labels] of [[a, lhs], [b, rhs]] as const) {
      this.#tensors.delete(tensor);
      for (const label of labels) this.#holders.get(label)?.delete(tensor);
    }
    this.#occurrences.replace(lhs, rhs, out);
    this.path.push(a < b ? [a, b] : [b, a]);
    const tensor = this.#add(out);
    if (this.#tensors.size > 1) this.largest = Math.max(this.largest, this.#elements[tensor] as number);
    return tensor;
  }

  /** Puts the contractions of a tensor with its neighbours in the queue; where many share a label, the best of them. */
  #offer(tensor: number, isWanted: (other: number) => boolean): void {
    const own = this.#tensors.get(tensor) as Labels;
    const seen = new Set<number>([tensor]);
    for (const label of own) {
      if (this.#isOutput[label] === true) continue;
      const offers: Offer[] = [];
      for (const other of this.#holders.get(label) as Set<number>) {
        if (isWanted(other) && !seen.has(other)) offers.push({ tensor, other, value: this.#value(tensor, own, other) });
      }
      const best = offers.length > MANY_NEIGHBOURS ? [offers.reduce((least, offer) => (offer.value < least.value ? offer : least))] : offers;
      for (const offer of best) {
        this.#queue.push(offer, offer.value);
        seen.add(offer.other);
      }
    }
  }

  /** Smaller is better: elements of the result, less those of what goes. */
  #value(tensor: number, own: Labels, other: number): number {
    this.valued++;
    const { weight, temperature, random } = this.#greed;
    const elements = this.#occurrences.elementsLeft(own, this.#tensors.get(other) as Labels, this.#network.sizes);
    const change = elements - weight * ((this.#elements[tensor] as number) + (this.#elements[other] as number));
    if (temperature === 0) return change;
    const scaled = Math.sign(change) * Math.log1p(Math.abs(change));
    return scaled + temperature * Math.log(-Math.log(random() + Number.MIN_VALUE));
  }
}
