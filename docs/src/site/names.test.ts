import { readdirSync, readFileSync } from 'node:fs';
import { HostTensor } from '@tf/core';
import { EagerRuntime } from '@tf/eager';
import { createEngine } from '@tf/engine-cpu-wasm';
import { expect, test } from 'vitest';
import { modules } from '../playground/modules.ts';
import { tableNames } from './names.ts';

const docs = new URL('../../', import.meta.url);
const pages = readdirSync(docs).filter((name) => /^from-.*\.md$/.test(name));

test('finds the names of the column that is headed tf, and their owners', () => {
  expect(tableNames('# x\n\n| JAX | tf | r |\n| --- | --- | --- |\n| `a` | `jit(f, { engine })`, `runtime.grad(y)` | `no` |\n\n`neither`')).toEqual([
    { line: 5, owner: undefined, name: 'jit' },
    { line: 5, owner: 'runtime', name: 'grad' },
  ]);
});

test('every name of tf in a table of names exists', async () => {
  const runtime = new EagerRuntime();
  const engine = await createEngine();
  const exported = new Set(Object.values(modules).flatMap((module) => Object.keys(module)));
  const variable = runtime.variable([1]);
  const owners: Readonly<Record<string, readonly object[]>> = { runtime: [runtime], engine: [engine], w: [variable], v: [variable], loss: [variable], x: [new HostTensor(variable.type, { form: 'data', data: Float64Array.of(1) })] };
  const has = (owner: string, name: string): boolean => (owners[owner] ?? []).some((value) => name in value) || (owner === 'x' && name in variable);
  expect(pages).toHaveLength(3);
  for (const page of pages) {
    const names = tableNames(readFileSync(new URL(page, docs), 'utf8'));
    expect(names.length, page).toBeGreaterThan(40);
    expect(names.filter(({ owner, name }) => (owner === undefined ? !exported.has(name) : !has(owner, name))), page).toEqual([]);
  }
});
