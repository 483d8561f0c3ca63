/** Which path is taken: the optimal one of few tensors, the best of several greedy ones of many. */
import { TfError } from '@tf/core';
import { greedyPath, type Greed } from './greedy.ts';
import { isBetter, type Network, type Path, type PathCost } from './network.ts';
import { EXHAUSTIVE_TENSORS, OPTIMAL_TENSORS, optimalPath } from './optimal.ts';

export type Strategy = 'auto' | 'optimal' | 'greedy';

export interface SearchOptions {
  readonly strategy: Strategy;
  /** How many greedy paths are tried; by default fewer, the more pairs of tensors there are to value. */
  readonly restarts?: number | undefined;
  /** When no further path is begun, by {@link clock}. Without it the path depends on the network and the options alone. */
  readonly deadline?: number | undefined;
  readonly clock?: () => number;
  /** Elements that no result but the last should exceed. */
  readonly largest?: number | undefined;
}

/**
 * Greedy paths are tried by default until this many pairs of tensors were valued, which takes about a tenth of a second on every
 * machine of today: work is counted, not time, so that the path is the same on all of them.
 */
const PAIRS_VALUED = 40_000;
const MOST_RESTARTS = 128;
const LEAST_RESTARTS = 2;

/** The path. Chance is seeded; a clock is asked only where there is a deadline. */
export function findPath(network: Network, options: SearchOptions): Path {
  const { strategy, largest = Infinity } = options;
  const count = network.tensors.length;
  if (count < 2) return [];
  if (count === 2) return [[0, 1]];
  if (strategy === 'optimal' && count > OPTIMAL_TENSORS) throw new TfError('ArgumentError', `einsum: the optimal path of ${count} tensors would take too long to find; there is one for up to ${OPTIMAL_TENSORS}. Write path: 'greedy', or give the path.`, { op: 'einsum', argument: 'path' });
  if (strategy === 'optimal' || (strategy === 'auto' && count <= EXHAUSTIVE_TENSORS)) {
    const found = optimalPath(network, largest) ?? optimalPath(network);
    if (found !== undefined) return found;
  }
  return bestGreedyPath(network, options, largest);
}

function bestGreedyPath(network: Network, options: SearchOptions, largest: number): Path {
  let best: Path = [];
  let least: PathCost | undefined;
  let valued = 0;
  for (let run = 0; run === 0 || isWorthwhile(run, valued, options); run++) {
    // Every path has its own chance, so that it does not depend on where others were given up: more paths are never worse.
    const random = createChance(Math.imul(run + 1, 0x9e3779b9));
    // Nothing that costs more is preferred to a path that fits.
    const found = greedyPath(network, greedOf(run, random), least !== undefined && least.largest <= largest ? least.flops : Infinity);
    valued += found.valued;
    if (found.path !== undefined && (least === undefined || isPreferred(found, least, largest))) [best, least] = [found.path, found];
  }
  return best;
}

/** Whether to try another path. */
function isWorthwhile(run: number, valued: number, { restarts, deadline, clock = Date.now }: SearchOptions): boolean {
  if (deadline !== undefined && clock() >= deadline) return false;
  if (restarts !== undefined) return run < restarts;
  return deadline !== undefined || run < LEAST_RESTARTS || (run < MOST_RESTARTS && valued < PAIRS_VALUED);
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
