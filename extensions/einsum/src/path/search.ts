/** Which path is taken: the optimal one of few tensors, the best of several greedy ones of many. */
import { TfError } from '@tf/core';
import { greedyPath, type Greed } from './greedy.ts';
import { costOf, isBetter, type Network, type Path, type PathCost } from './network.ts';
import { EXHAUSTIVE_TENSORS, OPTIMAL_TENSORS, optimalPath } from './optimal.ts';

export type Strategy = 'auto' | 'optimal' | 'greedy';

export interface SearchOptions {
  readonly strategy: Strategy;
  /** How many greedy paths are tried; by default fewer, the more tensors there are. */
  readonly restarts?: number | undefined;
  /** Elements that no result but the last should exceed. */
  readonly largest?: number | undefined;
}

/** Greedy paths for this many tensors in all are tried by default, which takes some tenths of a second. */
const TENSORS_TRIED = 4096;
const MOST_RESTARTS = 128;

/** The path, which depends on the network and the options alone: chance is seeded and no clock is asked. */
export function findPath(network: Network, { strategy, restarts, largest = Infinity }: SearchOptions): Path {
  const count = network.tensors.length;
  if (count < 2) return [];
  if (count === 2) return [[0, 1]];
  if (strategy === 'optimal' && count > OPTIMAL_TENSORS) throw new TfError('ArgumentError', `einsum: the optimal path of ${count} tensors would take too long to find; there is one for up to ${OPTIMAL_TENSORS}. Write path: 'greedy', or give the path.`, { op: 'einsum', argument: 'path' });
  if (strategy === 'optimal' || (strategy === 'auto' && count <= EXHAUSTIVE_TENSORS)) {
    const found = optimalPath(network, largest) ?? optimalPath(network);
    if (found !== undefined) return found;
  }
  return bestGreedyPath(network, restarts ?? Math.max(2, Math.min(MOST_RESTARTS, Math.floor(TENSORS_TRIED / count))), largest);
}

function bestGreedyPath(network: Network, runs: number, largest: number): Path {
  const random = createChance(1);
  let best: Path = [];
  let least: PathCost | undefined;
  for (let run = 0; run < runs; run++) {
    const path = greedyPath(network, greedOf(run, random));
    const cost = costOf(network, path);
    if (least === undefined || isPreferred(cost, least, largest)) [best, least] = [path, cost];
  }
  return best;
}

function isPreferred(a: PathCost, b: PathCost, largest: number): boolean {
  const [fits, fitted] = [a.largest <= largest, b.largest <= largest];
  return fits === fitted ? isBetter(a, b) : fits;
}

/** The first runs are without chance and value what goes in different ways. */
function greedOf(run: number, random: () => number): Greed {
  const plain = [1, 0, 2, 0.5][run];
  return plain === undefined ? { weight: 2 * random(), temperature: 10 ** (-2 + 2.5 * random()), random } : { weight: plain, temperature: 0, random };
}

/** Numbers in [0, 1) that a seed decides (Mulberry32, T. Ettinger 2017, public domain). */
function createChance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let word = Math.imul(state ^ (state >>> 15), 1 | state);
    word = (word + Math.imul(word ^ (word >>> 7), 61 | word)) ^ word;
    return ((word ^ (word >>> 14)) >>> 0) / 2 ** 32;
  };
}
