/** The most likely path through a hidden Markov model: a chain of max-plus products, and its gradient. */
import { expandDims, type Operand, reduceMax } from '@tf/core';
import { tropicalMatmul } from './index.ts';

/**
 * The score of the best path (Viterbi 1967): `start[i]` holds the log-probability of state i at time 0, `steps[t][i][j]` that of
 * going from i to j, and of what is seen in j, at time t + 1. Its derivative by `steps[t]` is 1 at the transition that the best
 * path takes, and 0 elsewhere.
 */
export function bestScore<T extends Operand>(start: T, steps: readonly T[]): T {
  let reached = expandDims(start, 0) as Operand;
  for (const step of steps) reached = tropicalMatmul(reached, step) as Operand;
  return reduceMax(reached) as T;
}
