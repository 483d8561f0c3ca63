import { expect, test } from 'vitest';
import { examples } from './examples.ts';
import { formatAll } from './format.ts';
import { inspectFunction } from './inspect.ts';
import type { ProgramView } from './messages.ts';
import { createFullContext, createFullEngine, modules } from './modules.ts';
import { compileSource } from './source.ts';

interface Outcome {
  readonly lines: readonly string[];
  readonly plots: number;
  readonly views: readonly ProgramView[];
  readonly error: Error | undefined;
}

async function outcomeOf(code: string): Promise<Outcome> {
  const lines: string[] = [];
  const views: ProgramView[] = [];
  let plots = 0;
  const context = createFullContext();
  const playground = {
    createEngine: createFullEngine,
    context,
    show: () => void plots++,
    inspect: async (f: (...args: readonly never[]) => unknown, ...args: readonly unknown[]) => void views.push(...(await inspectFunction(await createFullEngine(), context, f, args))),
  };
  const error = await compileSource(code).run((name) => (name === 'playground' ? playground : modules[name]), {}, { log: (...values: readonly unknown[]) => lines.push(formatAll(values)) }).then(() => undefined, (thrown: unknown) => thrown as Error);
  return { lines, plots, views, error };
}

const codeOf = (name: string): string => examples.find((example) => example.name === name)!.code;

test('every example but the endless one ends, and only the mistake fails', async () => {
  for (const { name, code } of examples.filter(({ name }) => !name.includes('without an end'))) {
    const { error, lines, plots } = await outcomeOf(code);
    expect(error?.name, `${name}: ${error?.message}`).toBe(name.includes('error') ? 'ShapeError' : undefined);
    expect(lines.length + plots > 0 || error !== undefined, name).toBe(true);
  }
});

test('what is inspected is the function and its gradient', async () => {
  const { views } = await outcomeOf(codeOf('Gradient and program'));
  expect(views.map(({ title }) => title)).toEqual(['loss', 'gradient of loss']);
  for (const { text, graph, steps, kernels, wasm, time } of views) {
    expect(text).toContain('tf.core.exp');
    expect(graph.nodes.filter(({ role }) => role === 'output')).toHaveLength(1);
    expect(graph.nodes.length).toBeGreaterThan(graph.nodes.filter(({ role }) => role === 'operation').length);
    expect(graph.edges.every(({ from, to }) => [from, to].every((end) => graph.nodes.some(({ id }) => id === end)))).toBe(true);
    expect(steps.length).toBeGreaterThan(0);
    expect(steps.every((step) => step.time === undefined || step.time.time > 0)).toBe(true);
    expect(kernels.join('\n')).toContain('kernel rank');
    expect(wasm).toMatch(/^\(module/);
    expect(time).toBeGreaterThan(0);
  }
});
