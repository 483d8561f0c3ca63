/** Runs one program. The page ends this worker when the next program begins, or when a person stops it. */
import type { PlotOptions } from '@observablehq/plot';
import { createConsole } from './console.ts';
import { compileOrPlace, createReporter, failureOf, type Origin } from './failures.ts';
import { checkImports, moduleOf } from './imports.ts';
import { inspectFunction } from './inspect.ts';
import type { RunRequest, WorkerMessage } from './messages.ts';
import { createFullContext, createFullEngine, modules } from './modules.ts';
import { plotParts } from './plots.ts';
import type { EarlyErrorScope } from './source.ts';
import { type TimerScope, trackTimers } from './timers.ts';

type Scope = TimerScope & EarlyErrorScope & {
  postMessage(message: WorkerMessage): void;
  onmessage: ((event: { readonly data: RunRequest }) => void) | null;
  onerror: ((message: unknown, file?: string, line?: number, column?: number, error?: unknown) => boolean) | null;
  onunhandledrejection: ((event: { readonly reason: unknown; preventDefault(): void }) => void) | null;
};

const scope = globalThis as unknown as Scope;
const post = (message: WorkerMessage): void => scope.postMessage(message);

/** Pixels that a plot may be wide: the page's own, once it has told them. */
const room = { width: 640 };

/** What `import … from 'playground'` gives. */
const playground = {
  createEngine: createFullEngine,
  context: createFullContext(),
  /** Draws a plot: the options of `Plot.plot`. */
  show(options: PlotOptions): void {
    post({ kind: 'plot', parts: plotParts(options, room.width) });
  },
  /** Shows the program of a function for arguments like these, its gradient, and what the engine makes of both. */
  async inspect(f: (...args: readonly never[]) => unknown, ...args: readonly unknown[]): Promise<void> {
    const engine = await createFullEngine();
    for (const view of await inspectFunction(engine, playground.context, f, args)) post({ kind: 'program', view });
    engine.dispose();
  },
};

const importable = Object.freeze({ playground, ...modules });

async function run({ code, width }: RunRequest): Promise<void> {
  room.width = width;
  const start = performance.now();
  const done = (): void => post({ kind: 'done', milliseconds: performance.now() - start });
  const report = createReporter(post);
  const compiled = await compileOrPlace(code, scope);
  if ('thrown' in compiled) {
    report(compiled.thrown, failureOf(compiled.thrown, { code, modules: importable, placeOf: () => compiled.place }));
    return done();
  }
  const tell = (thrown: unknown, origin: Origin): void => report(thrown, failureOf(thrown, { code, modules: importable, placeOf: compiled.placeOf, origin }));
  // For as long as this worker lives: promises and timers may fail after the program's last line.
  scope.onunhandledrejection = (event) => {
    event.preventDefault();
    tell(event.reason, 'promise');
  };
  scope.onerror = (message, _file, _line, _column, error) => (tell(error ?? new Error(String(message)), 'event'), true);
  const timers = trackTimers(scope);
  try {
    checkImports(code, importable);
    await compiled.run((name) => moduleOf(name, importable), {}, createConsole(post, () => performance.now()));
  } catch (thrown) {
    tell(thrown, 'program');
  }
  await timers.idle();
  done();
}

scope.onmessage = ({ data }) => void run(data);
