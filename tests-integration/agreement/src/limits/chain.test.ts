import { expect, test } from 'vitest';
import { runAlone } from './child.testing.ts';

interface Outcome {
  readonly pairs: number;
  /** Least time of a long chain by that of a short one. */
  readonly ratios: Readonly<Record<'forward' | 'backward' | 'disposal', number>>;
}

/** How long to measure where the machine is busy; a quiet one is done after three pairs. */
const budget = 150_000;

test('twice as many chained operations take twice the time: forward, backward, disposal', { timeout: 300_000, retry: 1 }, async () => {
  const { pairs, ratios } = (await runAlone('chain', [String(budget)], 280_000)) as Outcome;
  for (const phase of ['forward', 'backward', 'disposal'] as const) {
    expect(ratios[phase], `${phase}: 100 000 to 50 000, the least of ${pairs} runs`).toBeGreaterThan(1.6);
    expect(ratios[phase], `${phase}: 100 000 to 50 000, the least of ${pairs} runs`).toBeLessThan(2.5);
  }
});
