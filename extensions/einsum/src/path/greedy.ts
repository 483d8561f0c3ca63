/**
 * Greedy paths: again and again the two tensors whose contraction pays most (Smith and Gray 2018, opt_einsum), with other weights
 * and chance in repeated runs (Gray and Kourtis 2021, §3.2).
 */
import type { Labels } from '../operations.ts';
import { countOf, type Network, Occurrences, type Pair, type Path } from './network.ts';
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

interface Candidate {
  readonly pair: Pair;
  readonly out: Labels;
}

/** A label that more tensors share offers one pair for each, not all: there are quadratically many. */
const MANY_NEIGHBOURS = 8;

/** The path that a greedy search finds: pairs that share a label first, then outer products, the smallest first. */
export function greedyPath(network: Network, greed: Greed): Path {
  const search = new GreedySearch(network, greed);
  search.contractNeighbours();
  search.contractRest();
  return search.path;
}

class GreedySearch {
  readonly path: Pair[] = [];
  readonly #network: Network;
  readonly #greed: Greed;
  readonly #occurrences: Occurrences;
  /** By number of the tensor; contracted ones are gone. */
  readonly #tensors = new Map<number, Labels>();
  /** Per label: the tensors that have it. */
  readonly #holders = new Map<number, Set<number>>();
  readonly #queue = new PriorityQueue<Candidate>();
  #next = 0;

  constructor(network: Network, greed: Greed) {
    this.#network = network;
    this.#greed = greed;
    this.#occurrences = new Occurrences(network);
    for (const labels of network.tensors) this.#add(labels);
  }

  contractNeighbours(): void {
    for (const [tensor] of this.#tensors) this.#offer(tensor, (other) => other > tensor);
    for (let best = this.#queue.pop(); best !== undefined; best = this.#queue.pop()) {
      const { pair: [a, b], out } = best;
      if (this.#tensors.has(a) && this.#tensors.has(b)) this.#offer(this.#contract(a, b, out), () => true);
    }
  }

  contractRest(): void {
    const queue = new PriorityQueue<number>();
    const put = (tensor: number): void => queue.push(tensor, countOf(this.#tensors.get(tensor) as Labels, this.#network.sizes));
    for (const [tensor] of this.#tensors) put(tensor);
    while (queue.size > 1) {
      const [a, b] = [queue.pop() as number, queue.pop() as number].sort((x, y) => x - y) as [number, number];
      put(this.#contract(a, b, this.#occurrences.left(this.#tensors.get(a) as Labels, this.#tensors.get(b) as Labels)));
    }
  }

  #add(labels: Labels): number {
    const tensor = this.#next++;
    this.#tensors.set(tensor, labels);
    for (const label of labels) {
      const holders = this.#holders.get(label);
      if (holders === undefined) this.#holders.set(label, new Set([tensor]));
      else holders.add(tensor);
    }
    return tensor;
  }

  #contract(a: number, b: number, out: Labels): number {
    const [lhs, rhs] = [this.#tensors.get(a) as Labels, this.#tensors.get(b) as Labels];
    for (const [tensor, labels] of [[a, lhs], [b, rhs]] as const) {
      this.#tensors.delete(tensor);
      for (const label of labels) this.#holders.get(label)?.delete(tensor);
    }
    this.#occurrences.replace(lhs, rhs, out);
    this.path.push(a < b ? [a, b] : [b, a]);
    return this.#add(out);
  }

  /** Puts the contractions of a tensor with its neighbours in the queue; where many share a label, the best of them. */
  #offer(tensor: number, isWanted: (other: number) => boolean): void {
    const own = this.#tensors.get(tensor) as Labels;
    const seen = new Set<number>([tensor]);
    for (const label of own) {
      if (this.#network.output.includes(label)) continue;
      const others = [...(this.#holders.get(label) as Set<number>)].filter((other) => isWanted(other) && !seen.has(other));
      const offers = others.map((other) => this.#candidate(tensor, own, other));
      const best = offers.length > MANY_NEIGHBOURS ? [offers.reduce((least, offer) => (offer.value < least.value ? offer : least))] : offers;
      for (const offer of best) {
        this.#queue.push(offer, offer.value);
        seen.add(offer.other);
      }
    }
  }

  #candidate(tensor: number, own: Labels, other: number): Candidate & { readonly other: number; readonly value: number } {
    const labels = this.#tensors.get(other) as Labels;
    const out = this.#occurrences.left(own, labels);
    return { pair: [tensor, other], out, other, value: this.#value(own, labels, out) };
  }

  /** Smaller is better: elements of the result, less those of what goes. */
  #value(a: Labels, b: Labels, out: Labels): number {
    const { sizes } = this.#network;
    const { weight, temperature, random } = this.#greed;
    const change = countOf(out, sizes) - weight * (countOf(a, sizes) + countOf(b, sizes));
    if (temperature === 0) return change;
    const scaled = Math.sign(change) * Math.log1p(Math.abs(change));
    return scaled + temperature * Math.log(-Math.log(random() + Number.MIN_VALUE));
  }
}
