import type { GradientSlot, TraceNode, TraceValue } from './trace.ts';

/** What one loss was computed from: the part of the trace that backward goes through. */
export interface Reached {
  /** Recorded operations in ascending order of creation. */
  readonly nodes: readonly TraceNode[];
  /** Leaves in the order in which the operations first use them. */
  readonly leaves: readonly TraceNode[];
  /** Which leaves get a gradient, as positions in `leaves`. */
  readonly wanted: readonly number[];
  /** The structure as numbers: equal numbers, equal derivative. */
  readonly key: readonly number[];
}

/** Collects what `loss` depends on; `visit` is a number that no walk used before. Iterative: traces are long. */
export function reach(loss: TraceValue, visit: number, only: ReadonlySet<GradientSlot> | undefined): Reached {
  const nodes = collect(loss.node, visit);
  const leaves: TraceNode[] = [];
  const key: number[] = [];
  for (let at = 0; at < nodes.length; at++) {
    const node = nodes[at] as TraceNode;
    node.position = at;
    key.push((node.recipe as NonNullable<TraceNode['recipe']>).id);
    for (const input of node.inputs) wire(input, leaves, key);
  }
  wire(loss, leaves, key);
  const wanted: number[] = [];
  for (let at = 0; at < leaves.length; at++) {
    const { slot } = leaves[at] as TraceNode;
    if (slot === undefined || (only !== undefined && !only.has(slot))) continue;
    wanted.push(at);
    if (only !== undefined) key.push(at);
  }
  return { nodes, leaves, wanted, key };
}

/** The operations that `root` depends on, ascending; leaves on the way are marked as not yet placed. */
function collect(root: TraceNode, visit: number): TraceNode[] {
  const nodes: TraceNode[] = [];
  const work: TraceNode[] = [root];
  root.visit = visit;
  for (let node = work.pop(); node !== undefined; node = work.pop()) {
    if (node.recipe === undefined) {
      node.position = 0;
      continue;
    }
    nodes.push(node);
    for (const { node: producer } of node.inputs) {
      if (producer.visit === visit) continue;
      producer.visit = visit;
      work.push(producer);
    }
  }
  return nodes.sort(byNumber);
}

function byNumber(a: TraceNode, b: TraceNode): number {
  return a.number - b.number;
}

/** Appends where a value comes from: an operation by its place, a leaf by −1 − its place. */
function wire({ node, index }: TraceValue, leaves: TraceNode[], key: number[]): void {
  if (node.recipe === undefined && node.position === 0) node.position = -leaves.push(node);
  key.push(node.position, index);
}

export function hashKey(key: readonly number[]): number {
  let hash = key.length;
  for (let at = 0; at < key.length; at++) hash = (Math.imul(hash, 31) + (key[at] as number)) | 0;
  return hash;
}
