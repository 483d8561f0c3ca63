import { fileURLToPath } from 'node:url';
import type { Engine } from '@tf/core';
import { beforeAll, describe, expect, it } from 'vitest';
import { openEngine } from './engines.ts';
import type { Case } from './format.ts';
import type { Front, FrontFactory } from './fronts/front.ts';
import { judge } from './judge.ts';
import { mutations } from './mutations.ts';
import { operations } from './operations/index.ts';
import { fronts } from './run.ts';
import { loadSet } from './set.ts';

const dir = fileURLToPath(new URL('../cases', import.meta.url));

/** The real front end, asked once: a mutated expectation does not change what it answers. */
function remembering(front: Front): Front {
  const answers = new Map<string, Promise<never>>();
  const once = <T>(key: string, ask: () => Promise<T>): Promise<T> => {
    const answer = answers.get(key) ?? (ask() as Promise<never>);
    answers.set(key, answer);
    return answer;
  };
  return {
    name: front.name,
    outputs: (task) => once('outputs', () => front.outputs(task)),
    vjp: (task, wrt, ...rest) => once(`vjp ${wrt.join()}`, () => front.vjp(task, wrt, ...rest)),
    jvp: (task, ...rest) => once('jvp', () => front.jvp(task, ...rest)),
    hvp: (task, wrt, ...rest) => once(`hvp ${wrt.join()}`, () => front.hvp(task, wrt, ...rest)),
  };
}

interface Tried {
  made: number;
  readonly survivors: string[];
}

describe('a mutated expectation of a real case that passes is caught', () => {
  const tried = new Map<string, Tried>(Object.keys(mutations).map((name) => [name, { made: 0, survivors: [] }]));
  let engine: Engine;

  async function tryAll(test: Case, front: Front): Promise<void> {
    const bench = { front: remembering(front), engine, operations };
    if ((await judge(test, bench)).status !== 'passed') return;
    for (const [name, mutation] of Object.entries(mutations)) {
      const entry = tried.get(name) as Tried;
      for (const mutant of mutation(test)) {
        entry.made++;
        if ((await judge(mutant, bench)).status !== 'failed') entry.survivors.push(test.id);
      }
    }
  }

  beforeAll(async () => {
    engine = await openEngine('cpu-wasm');
    const front = (fronts['traced'] as FrontFactory)(engine);
    for (const line of loadSet({ dir, areas: ['ops', 'ad'], prefix: '' }).lines) if ('test' in line) await tryAll(line.test, front);
  }, 120_000);

  it.each(Object.keys(mutations))('%s', (name) => {
    const { made, survivors } = tried.get(name) as Tried;
    expect(survivors).toEqual([]);
    expect(made).toBeGreaterThan(0);
  });
});
