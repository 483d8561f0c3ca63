import { expect, test } from 'vitest';
import { runAlone } from './child.testing.ts';

type Phase = 'forward' | 'backward' | 'disposal';
type Times = Readonly<Record<Phase, number>>;

test('twice as many chained operations take twice the time: forward, backward, disposal', { timeout: 300_000, retry: 2 }, async () => {
  const samples = (await runAlone('chain', [], 250_000)) as readonly { readonly long: Times; readonly short: Times }[];
  const best = (phase: Phase, length: 'long' | 'short'): number => Math.min(...samples.map((sample) => sample[length][phase]));
  for (const phase of ['forward', 'backward', 'disposal'] as const) {
    const ratio = best(phase, 'long') / best(phase, 'short');
    expect(ratio, `${phase}: 100 000 to 50 000`).toBeGreaterThan(1.6);
    expect(ratio, `${phase}: 100 000 to 50 000`).toBeLessThan(2.5);
  }
});
