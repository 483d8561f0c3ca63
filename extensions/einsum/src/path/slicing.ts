/** Contractions that do not fit: labels whose values are gone through one after the other (Gray and Kourtis 2021, §3.4). */
import { TfError } from '@tf/core';
import type { Labels } from '../operations.ts';
import { costOf, countOf, type Network, type Path, stepsOf } from './network.ts';
import { EXHAUSTIVE_TENSORS } from './optimal.ts';

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

/** The bytes that intermediates take at a time. */
export type Peak = (path: Path, sliced: Labels) => number;

/** How many labels' loops are planned before one is chosen. */
const PLANNED_LABELS = 6;

/**
 * The path with as few labels sliced as it takes to stay within a number of bytes, chosen one after the other by the operations that they
 * add for what they save.
 *
 * @throws TooLargeError when no loops are enough.
 */
export function sliceToFit(network: Network, find: (network: Network) => Path, limit: number, peakOf: Peak): SlicedPath {
  let sliced: Labels = [];
  let least = Infinity;
  for (;;) {
    const path = find(sliceNetwork(network, sliced));
    const peak = peakOf(path, sliced);
    least = Math.min(least, peak);
    if (peak <= limit) return { path, sliced: needed(path, sliced, limit, peakOf) };
    const next = cheapest(network, path, sliced, { find, peak, limit, peakOf });
    if (next === undefined) throw new TfError('TooLargeError', `einsum: memoryLimit: intermediate results take ${least} bytes at a time even when labels are gone through one by one, ${limit} are allowed. Allow more.`, { op: 'einsum', argument: 'memoryLimit', bytes: least });
    sliced = loopOrder(network, [...sliced, next]);
  }
}

/** Loops over labels of the result are outside, in its order: then it is stacked as it shall lie, and running sums are small. */
function loopOrder({ output }: Network, sliced: Labels): Labels {
  return [...output.filter((label) => sliced.includes(label)), ...sliced.filter((label) => !output.includes(label))];
}

/** Without the labels that those chosen later made unnecessary. */
function needed(path: Path, sliced: Labels, limit: number, peakOf: Peak): Labels {
  return sliced.reduce<Labels>((left, label) => {
    const rest = left.filter((own) => own !== label);
    return left.length > 1 && peakOf(path, rest) <= limit ? rest : left;
  }, sliced);
}

interface Sought {
  readonly find: (network: Network) => Path;
  /** Without a further label. */
  readonly peak: number;
  readonly limit: number;
  readonly peakOf: Peak;
}

/**
 * The label to slice next: of those that suffice, the one that adds the fewest operations; else the one that adds the fewest, by their
 * logarithm, for what it saves.
 */
function cheapest(network: Network, path: Path, sliced: Labels, { find, peak, limit, peakOf }: Sought): number | undefined {
  const before = costOf(sliceNetwork(network, sliced), path).flops;
  const candidates = [...new Set(network.tensors.flat())].filter((label) => !sliced.includes(label) && (network.sizes[label] as number) > 1).map((label) => {
    const loops = loopOrder(network, [...sliced, label]);
    const inner = sliceNetwork(network, loops);
    // Where finding paths takes long, the path stays until the label is chosen.
    const own = network.tensors.length > EXHAUSTIVE_TENSORS ? path : find(inner);
    return { label, loops, own, flops: costOf(inner, own).flops * (network.sizes[label] as number), elements: elementsOf(inner, own) };
  });
  candidates.sort((a, b) => a.flops * a.elements - b.flops * b.elements || a.elements - b.elements || a.flops - b.flops);
  let best: number | undefined;
  let least = Infinity;
  for (const { label, loops, own, flops } of candidates.slice(0, PLANNED_LABELS)) {
    const after = peakOf(own, loops);
    const work = Math.log(flops / before);
    // A label that suffices comes before all that do not; one that saves nothing by itself may do with others.
    const score = after <= limit ? work - 1e6 : after < peak ? (work + 0.01) / Math.log(peak / after) : 1e6 + work;
    if (score < least) [best, least] = [label, score];
  }
  return best;
}

/** The results of all steps and the tensors that they are made of. */
function elementsOf(network: Network, path: Path): number {
  return stepsOf(network, path).reduce((sum, { lhs, rhs, out }) => sum + countOf(lhs, network.sizes) + countOf(rhs, network.sizes) + countOf(out, network.sizes), 1);
}
