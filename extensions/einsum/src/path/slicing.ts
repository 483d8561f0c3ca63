/** Contractions that do not fit: labels whose values are gone through one after the other (Gray and Kourtis 2021, §3.4). */
import { TfError } from '@tf/core';
import type { Labels } from '../operations.ts';
import { costOf, countOf, type Network, type Path, stepsOf } from './network.ts';

export interface SlicedPath {
  readonly path: Path;
  /** Labels that loops go through, the outermost first. */
  readonly sliced: Labels;
}

/** A network in which some labels have one value. */
export function sliceNetwork({ tensors, output, sizes }: Network, sliced: Labels): Network {
  const rest = (labels: Labels): Labels => labels.filter((label) => !sliced.includes(label));
  return { tensors: tensors.map(rest), output: rest(output), sizes };
}

/**
 * The most elements that intermediate results take at a time: those that are waiting, the operands of a step once more, for a step may
 * need them in another order, and its result. In loops also the result twice: the running sum, and the sum with the next share.
 * `standing` elements are there all the time: operands that were summed or converted before.
 */
export function peakOf(network: Network, path: Path, sliced: Labels, standing: number): number {
  const inner = sliceNetwork(network, sliced);
  const count = inner.tensors.length;
  const steps = stepsOf(inner, path);
  const waiting = new Map<number, number>();
  let held = 0;
  let peak = 0;
  steps.forEach(({ pair, lhs, rhs, out }, at) => {
    const isLast = at === steps.length - 1;
    const own = isLast && sliced.length === 0 ? 0 : countOf(out, inner.sizes);
    peak = Math.max(peak, held + countOf(lhs, inner.sizes) + countOf(rhs, inner.sizes) + own);
    for (const tensor of pair) if (tensor >= count) held -= waiting.get(tensor) as number;
    waiting.set(count + at, own);
    held += own;
  });
  return standing + peak + (sliced.length === 0 ? 0 : 2 * countOf(network.output, network.sizes));
}

/**
 * The path with as few labels sliced as it takes to stay within a number of elements, chosen one after the other by the operations
 * that they add.
 *
 * @throws TooLargeError when slicing every label is not enough.
 */
export function sliceToFit(network: Network, find: (network: Network) => Path, limit: number, standing: number): SlicedPath {
  const sliced: number[] = [];
  for (;;) {
    const path = find(sliceNetwork(network, sliced));
    const peak = peakOf(network, path, sliced, standing);
    if (peak <= limit) return { path, sliced };
    const next = cheapest(network, path, sliced);
    if (next === undefined) throw new TfError('TooLargeError', `einsum: memoryLimit: intermediate results take ${peak} elements at a time even when every label is gone through one by one, ${Math.floor(limit)} are allowed. Allow more.`, { op: 'einsum', argument: 'memoryLimit', elements: peak });
    sliced.push(next);
  }
}

/** The label to slice: of those of the largest tensors in the path, the one that adds the fewest operations. */
function cheapest(network: Network, path: Path, sliced: Labels): number | undefined {
  const inner = sliceNetwork(network, sliced);
  const steps = stepsOf(inner, path);
  const needs = steps.map(({ lhs, rhs, out }) => countOf(lhs, inner.sizes) + countOf(rhs, inner.sizes) + countOf(out, inner.sizes));
  const worst = steps[needs.indexOf(Math.max(...needs))];
  if (worst === undefined) return undefined;
  const candidates = [...new Set([...worst.lhs, ...worst.rhs])].filter((label) => (inner.sizes[label] as number) > 1);
  let best: number | undefined;
  let least = Infinity;
  for (const label of candidates) {
    const { flops } = costOf(sliceNetwork(network, [...sliced, label]), path);
    const total = flops * (inner.sizes[label] as number);
    const rest = peakOf(network, path, [...sliced, label], 0);
    if (total < least || (total === least && best !== undefined && rest < peakOf(network, path, [...sliced, best], 0))) [best, least] = [label, total];
  }
  return best;
}
