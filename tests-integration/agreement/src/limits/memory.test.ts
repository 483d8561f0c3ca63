import { expect, test } from 'vitest';
import { runAlone } from './child.testing.ts';

interface Outcome {
  readonly rss: number;
  readonly buffers: number;
  readonly stats: { readonly preparedDerivatives: object; readonly recomputed: number; readonly slots: number };
}

test.each(['scope', 'plain'])('100 000 synchronous steps on 64 KiB tensors stay within 512 MB: %s', { timeout: 300_000 }, async (mode) => {
  const { rss, buffers, stats } = (await runAlone('memory', [mode, '100000'], 250_000)) as Outcome;
  expect(rss).toBeLessThan(512e6);
  expect(stats).toMatchObject({ preparedDerivatives: { misses: 1, hits: 99_999, entries: 1 }, recomputed: 0, slots: 1 });
  if (mode === 'scope') expect(buffers).toBe(1);
});
