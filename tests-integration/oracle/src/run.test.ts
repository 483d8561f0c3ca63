import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { countRuns, openEngine, type RunCounter } from './engines.ts';
import type { FrontFactory } from './fronts/front.ts';
import type { Verdict } from './judge.ts';
import { countsOf } from './report.ts';
import { fronts, judgeAll } from './run.ts';
import { areasOf, loadSet } from './set.ts';

const dir = fileURLToPath(new URL('../cases', import.meta.url));

/** How many cases of each area must pass: all that are not optional. */
const required = { ops: 222, ad: 46, einsum: 152, fft: 85, linalg: 168 } as const;

describe.each(Object.keys(fronts))('the shared cases on cpu-wasm through %s', (front) => {
  let verdicts: readonly Verdict[];
  let counter: RunCounter;

  beforeAll(async () => {
    const engine = await openEngine('cpu-wasm');
    counter = countRuns(engine);
    const all = await judgeAll(loadSet({ dir, areas: areasOf(dir), prefix: '' }).lines, fronts[front] as FrontFactory, engine);
    verdicts = all.filter(({ optional }) => !optional);
  }, 240_000);

  it('no case fails', () => {
    expect(verdicts.filter(({ status }) => status === 'failed').map(({ id, faults }) => [id, ...faults])).toEqual([]);
  });

  it.each(Object.entries(required))('all cases of %s pass: %i', (area, count) => {
    expect(countsOf(verdicts.filter((verdict) => verdict.area === area))).toEqual({ passed: count, failed: 0, unsupported: 0 });
  });

  it('the engine ran for every case that passed', () => {
    expect(counter.runs).toBeGreaterThanOrEqual(countsOf(verdicts).passed);
  });
});
