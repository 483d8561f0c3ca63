import { expect, test } from 'vitest';
import { runAlone } from './child.testing.ts';

interface Outcome {
  readonly rss: number;
  readonly ratio?: number;
  readonly buffers: number;
  readonly stats: { readonly preparedDerivatives: object; readonly recomputed: number; readonly slots: number };
}

test.each(['scope', 'plain'])('100 000 synchronous steps on 64 KiB tensors stay within 512 MB: %s', { timeout: 300_000 }, async (mode) => {
  const { rss, buffers, stats } = (await runAlone('memory', [mode, '100000'], 250_000)) as Outcome;
  expect(rss).toBeLessThan(512e6);
  expect(stats).toMatchObject({ preparedDerivatives: { misses: 1, hits: 99_999, entries: 1 }, recomputed: 0, slots: 1 });
  if (mode === 'scope') expect(buffers).toBe(1);
});

test('steps that dispose of nothing cost at most three times those in a scope', { timeout: 300_000 }, async () => {
  const { rss, ratio } = (await runAlone('memory', ['both', '12000'], 250_000)) as Outcome;
  expect(rss).toBeLessThan(512e6);
  // 2.0 to 2.2; where an eviction clears its copy first and goes through a budget beyond the second cache, 3.0 to 3.9.
  expect(ratio).toBeLessThan(2.75);
});
