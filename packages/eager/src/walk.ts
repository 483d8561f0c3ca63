import type { TraceNode, TraceValue } from './trace.ts';
import type { ValueRecord } from './value.ts';

/** A value of a walked trace by numbers: output `index` of operation `place`, or leaf −1 − `place`. */
export interface Wire {
  readonly place: number;
  readonly index: number;
}

/** Where a walk ends: a leaf of the trace, a value that it was cut at, or one too old to matter, whose value may be lost. */
export interface Leaf {
  readonly origin: TraceValue;
  readonly record: ValueRecord | undefined;
}

/** The part of a trace that a derivative goes through. */
export interface Reached {
  /** Recorded operations in ascending order of creation. */
  readonly nodes: readonly TraceNode[];
  /** Leaves in the order in which the operations first use them. */
  readonly leaves: readonly Leaf[];
  readonly outputs: readonly TraceValue[];
  /** The structure as numbers, to which callers append what they ask of it: equal numbers, equal derivative. */
  readonly key: number[];
  /** Valid until the next walk. */
  wireOf(value: TraceValue): Wire;
}

const nothing: readonly never[] = [];

interface Stop {
  readonly leaf: Leaf;
  /** 0 while the leaf has not been used. */
  place: number;
}

/**
 * Collects what `outputs` depend on; `visit` is a number that no walk used before. The walk ends at `cuts` and at operations
 * not younger than `oldest`. Iterative: traces are long.
 */
export function reach(outputs: readonly TraceValue[], visit: number, cuts: readonly Leaf[] = nothing, oldest = -1): Reached {
  const walk = new Walk(outputs, visit, cuts, oldest);
  const { key, nodes } = walk;
  walk.collect();
  key.push(nodes.length, outputs.length);
  for (let at = 0; at < nodes.length; at++) {
    const node = nodes[at] as TraceNode;
    node.position = at;
    key.push((node.recipe as NonNullable<TraceNode['recipe']>).id);
    for (const input of node.inputs) walk.append(input);
  }
  for (const output of outputs) walk.append(output);
  return walk;
}

class Walk implements Reached {
  readonly nodes: TraceNode[] = [];
  readonly outputs: readonly TraceValue[];
  readonly leaves: Leaf[] = [];
  readonly key: number[] = [];
  readonly #visit: number;
  readonly #oldest: number;
  /** Values in the middle of the trace at which the walk ends, by the operation that they come from. */
  readonly #stops: Map<TraceNode, Stop[]> | undefined;

  constructor(outputs: readonly TraceValue[], visit: number, cuts: readonly Leaf[], oldest: number) {
    this.outputs = outputs;
    this.#visit = visit;
    this.#oldest = oldest;
    if (cuts.length === 0 && oldest < 0) return;
    this.#stops = new Map();
    for (const leaf of cuts) this.#stop(leaf);
  }

  /** Finds the operations that the outputs depend on; leaves on the way are marked as not yet placed. */
  collect(): void {
    const { nodes } = this;
    const work: TraceNode[] = [];
    for (const output of this.outputs) this.#enter(output, work);
    for (let node = work.pop(); node !== undefined; node = work.pop()) {
      if (node.recipe === undefined) {
        node.position = 0;
        continue;
      }
      nodes.push(node);
      for (const input of node.inputs) this.#enter(input, work);
    }
    nodes.sort(byNumber);
  }

  wireOf(value: TraceValue): Wire {
    const stop = this.#stops === undefined ? undefined : this.#stopAt(value);
    return stop === undefined ? { place: value.node.position, index: value.index } : { place: stop.place, index: 0 };
  }

  /** Appends where a value comes from; a leaf used for the first time is placed, and its type appended too. */
  append(value: TraceValue): void {
    const { node, index } = value;
    const stop = this.#stops === undefined ? undefined : this.#stopAt(value);
    if (stop !== undefined) {
      if (stop.place !== 0) this.key.push(stop.place, 0);
      else this.key.push((stop.place = this.#place(stop.leaf)), 0, stop.leaf.record?.typeId ?? 0);
    } else if (node.recipe === undefined && node.position === 0) {
      const record = node.retained[0];
      this.key.push((node.position = this.#place({ origin: value, record })), 0, record?.typeId ?? 0);
    } else this.key.push(node.position, index);
  }

  #place(leaf: Leaf): number {
    return -this.leaves.push(leaf);
  }

  #enter(value: TraceValue, work: TraceNode[]): void {
    const { node } = value;
    if (node.visit === this.#visit && this.#stops === undefined) return;
    if (this.#stops !== undefined && this.#isStop(value)) return;
    if (node.visit === this.#visit) return;
    node.visit = this.#visit;
    work.push(node);
  }

  #isStop(value: TraceValue): boolean {
    if (this.#stopAt(value) !== undefined) return true;
    const { node } = value;
    if (node.recipe === undefined || node.number > this.#oldest) return false;
    this.#stop({ origin: value, record: undefined });
    return true;
  }

  #stop(leaf: Leaf): void {
    const { node } = leaf.origin;
    const known = this.#stops?.get(node);
    if (known === undefined) this.#stops?.set(node, [{ leaf, place: 0 }]);
    else known.push({ leaf, place: 0 });
  }

  #stopAt({ node, index }: TraceValue): Stop | undefined {
    const stops = this.#stops?.get(node);
    if (stops === undefined) return undefined;
    for (const stop of stops) if (stop.leaf.origin.index === index) return stop;
    return undefined;
  }
}

function byNumber(a: TraceNode, b: TraceNode): number {
  return a.number - b.number;
}

export function hashKey(key: readonly number[]): number {
  let hash = key.length;
  for (let at = 0; at < key.length; at++) hash = (Math.imul(hash, 31) + (key[at] as number)) | 0;
  return hash;
}
