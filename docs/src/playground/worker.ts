/** Runs one program. The page ends this worker after it, or when a person stops it. */
import * as Plot from '@observablehq/plot';
import { isTfError } from '@tf/core';
import { parseHTML } from 'linkedom/worker';
import { formatAll } from './format.ts';
import { inspectFunction } from './inspect.ts';
import type { Failure, RunRequest, WorkerMessage } from './messages.ts';
import { createFullContext, createFullEngine, modules } from './modules.ts';
import { compileSource, placeOfSyntaxError, type SourcePlace } from './source.ts';

const scope = globalThis as unknown as { postMessage(message: WorkerMessage): void; onmessage: ((event: { readonly data: RunRequest }) => void) | null };
const post = (message: WorkerMessage): void => scope.postMessage(message);

/** A program that prints for ever must not stop the page that could stop it. */
const mostLines = 2000;

/** The program's `console`. */
function createConsole(): Readonly<Record<string, (...values: readonly unknown[]) => void>> {
  let lines = 0;
  const printer = (level: 'log' | 'warn' | 'error') => (...values: readonly unknown[]): void => {
    lines++;
    if (lines <= mostLines) post({ kind: 'print', level, text: formatAll(values) });
    else if (lines === mostLines + 1) post({ kind: 'print', level: 'warn', text: `More than ${mostLines} lines: the rest is not shown.` });
  };
  return { log: printer('log'), info: printer('log'), debug: printer('log'), warn: printer('warn'), error: printer('error') };
}

/** What `import … from 'playground'` gives. */
const playground = {
  createEngine: createFullEngine,
  context: createFullContext(),
  /** Draws a plot: the options of `Plot.plot`. */
  show(options: Plot.PlotOptions): void {
    const { document } = parseHTML('<!doctype html><html><body></body></html>');
    const drawn = Plot.plot({ ...options, document: document as unknown as Document });
    // With a title or a legend it is a figure, in which swatches are drawings too: the plot is a child of its own.
    const svg = drawn.tagName.toLowerCase() === 'svg' ? drawn : [...drawn.children].filter(({ tagName }) => tagName.toLowerCase() === 'svg').at(-1);
    if (svg === undefined) return;
    // An image is a document of its own, which says what it is.
    svg.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
    post({ kind: 'plot', svg: svg.outerHTML });
  },
  /** Shows the program of a function for arguments like these, its gradient, and what the engine makes of both. */
  async inspect(f: (...args: readonly never[]) => unknown, ...args: readonly unknown[]): Promise<void> {
    const engine = await createFullEngine();
    for (const view of await inspectFunction(engine, playground.context, f, args)) post({ kind: 'program', view });
    engine.dispose();
  },
};

function requireModule(name: string): unknown {
  if (name === 'playground') return playground;
  const found = Object.hasOwn(modules, name) ? modules[name] : undefined;
  if (found !== undefined) return found;
  throw new Error(`The playground has no package '${name}'. There are: playground, ${Object.keys(modules).join(', ')}.`);
}

function failureOf(thrown: unknown, placeOf: (error: Error) => SourcePlace | undefined): Failure {
  if (!(thrown instanceof Error)) return { name: 'Thrown', message: formatAll([thrown]) };
  return { name: thrown.name, message: thrown.message, ...(isTfError(thrown) ? { code: thrown.code } : {}), ...placeOf(thrown) };
}

async function run(code: string): Promise<void> {
  const start = performance.now();
  let placeOf = ({ message }: Error): SourcePlace | undefined => placeOfSyntaxError(message);
  try {
    const compiled = compileSource(code);
    ({ placeOf } = compiled);
    await compiled.run(requireModule, {}, createConsole());
  } catch (thrown) {
    post({ kind: 'failure', failure: failureOf(thrown, placeOf) });
  }
  post({ kind: 'done', milliseconds: performance.now() - start });
}

scope.onmessage = ({ data }) => void run(data.code);
