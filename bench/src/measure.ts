import { setImmediate as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Prepared } from './contender.ts';

export interface Timing {
  /** A sample takes at least so many milliseconds, by repetition. */
  readonly sampleMilliseconds: number;
  /** Warm-up goes on for so long, and for at least one run. */
  readonly warmUpMilliseconds: number;
}

export const usualTiming: Timing = { sampleMilliseconds: 10, warmUpMilliseconds: 300 };

/** Milliseconds that so many runs take. */
export async function elapsed(prepared: Prepared, repetitions: number): Promise<number> {
  if (prepared.elapsed !== undefined) return prepared.elapsed(repetitions);
  const from = performance.now();
  for (let at = 0; at < repetitions; at++) {
    const pending = prepared.run();
    if (pending !== undefined) await pending;
  }
  return performance.now() - from;
}

/** Runs until it is warm; gives how many runs make a sample long enough. */
export async function warmUp(prepared: Prepared, { sampleMilliseconds, warmUpMilliseconds }: Timing): Promise<number> {
  const from = performance.now();
  let repetitions = 1;
  for (;;) {
    const taken = await elapsed(prepared, repetitions);
    const done = performance.now() - from >= warmUpMilliseconds;
    if (taken >= sampleMilliseconds && done) return Math.max(1, Math.ceil((1.2 * sampleMilliseconds * repetitions) / taken));
    if (taken < sampleMilliseconds) repetitions *= 2;
  }
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as (options: { readonly type: 'minor' }) => void;

/**
 * Clears up what others left, so that nobody pays for another's garbage: finalizers run when the event loop turns, and
 * young objects are collected. Not old ones: full collections would throw away the code of those who wait for their turn.
 */
export async function settle(): Promise<void> {
  collect({ type: 'minor' });
  await pause();
}
