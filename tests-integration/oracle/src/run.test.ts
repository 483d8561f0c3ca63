import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { countRuns, openEngine, type RunCounter } from './engines.ts';
import type { FrontFactory } from './fronts/front.ts';
import type { Verdict } from './judge.ts';
import { countsOf } from './report.ts';
import { fronts, judgeAll } from './run.ts';
import { loadSet } from './set.ts';

const dir = fileURLToPath(new URL('../cases', import.meta.url));

/** What issue 3 asks for at least. */
const floor = { ops: 110, ad: 15 } as const;

describe.each(Object.keys(fronts))('the shared cases on cpu-wasm through %s', (front) => {
  let verdicts: readonly Verdict[];
  let counter: RunCounter;

  beforeAll(async () => {
    const engine = await openEngine('cpu-wasm');
    counter = countRuns(engine);
    const all = await judgeAll(loadSet({ dir, areas: ['ops', 'ad'], prefix: '' }).lines, fronts[front] as FrontFactory, engine);
    verdicts = all.filter(({ optional }) => !optional);
  }, 120_000);

  it('no case fails', () => {
    expect(verdicts.filter(({ status }) => status === 'failed').map(({ id, faults }) => [id, ...faults])).toEqual([]);
  });

  it.each(Object.entries(floor))('enough cases of %s pass', (area, least) => {
    expect(countsOf(verdicts.filter((verdict) => verdict.area === area)).passed).toBeGreaterThanOrEqual(least);
  });

  it('the engine ran for every case that passed', () => {
    expect(counter.runs).toBeGreaterThanOrEqual(countsOf(verdicts).passed);
  });
});

it('what a family that is not there would do is unsupported', async () => {
  const engine = await openEngine('cpu-wasm');
  const { lines } = loadSet({ dir, areas: ['einsum', 'linalg', 'fft'], prefix: '' });
  const verdicts = await judgeAll(lines, fronts['traced'] as FrontFactory, engine);
  const { failed } = countsOf(verdicts.filter(({ optional }) => !optional));
  expect(failed).toBe(0);
});
