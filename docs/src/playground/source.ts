import { transform } from 'sucrase';

/** The name of the program in stacks. */
const sourceName = 'program.ts';

/** TypeScript without its types, its imports as calls of `require`; lines stay where they are. */
export function stripTypes(code: string): string {
  return transform(code, { transforms: ['typescript', 'imports'], disableESTransforms: true, filePath: sourceName }).code;
}

/** TypeScript without its types and without imports of types alone: a module as browsers read it, lines where they are. */
export function eraseTypes(code: string): string {
  return transform(code, { transforms: ['typescript'], disableESTransforms: true, filePath: sourceName }).code;
}

export interface SourcePlace {
  readonly line: number;
  readonly column: number;
}

type Program = (require: (name: string) => unknown, exports: object, console: object) => Promise<void>;

interface Compiled {
  readonly run: Program;
  /** Where in the program an error was thrown, by its stack. */
  placeOf(error: Error): SourcePlace | undefined;
}

/** A program ready to run; `await` works at its top level. A syntax error is thrown with its place. */
export function compileSource(code: string): Compiled {
  const AsyncFunction = (async () => {}).constructor as new (...parts: readonly string[]) => Program;
  const run = new AsyncFunction('require', 'exports', 'console', `${stripTypes(code)}\n//# sourceURL=${sourceName}`);
  // The engine puts the parameters on lines of their own, before the body.
  const header = new Function('a', 'return 1').toString().split('\n').findIndex((line) => line.includes('return 1'));
  return {
    run,
    placeOf({ stack }) {
      const [, line, column] = /program\.ts:(\d+):(\d+)/.exec(stack ?? '') ?? [];
      if (line === undefined || column === undefined) return undefined;
      return { line: Number(line) - header, column: Number(column) };
    },
  };
}

/** The place that sucrase gives at the end of its message. */
export function placeOfSyntaxError(message: string): SourcePlace | undefined {
  const [, line, column] = /\((\d+):(\d+)\)\s*$/.exec(message) ?? [];
  return line === undefined || column === undefined ? undefined : { line: Number(line), column: Number(column) };
}

/** What of a worker's global object tells where a text that it compiles has its error. */
export interface EarlyErrorScope {
  setTimeout(work: string | (() => void), milliseconds: number): unknown;
  addEventListener(kind: 'error', listener: (event: EarlyErrorEvent) => void): void;
  removeEventListener(kind: 'error', listener: (event: EarlyErrorEvent) => void): void;
}

interface EarlyErrorEvent {
  readonly lineno: number;
  readonly colno: number;
  preventDefault(): void;
}

/**
 * Where a program has an error that only the browser finds before it runs, such as a name that is declared twice. Browsers tell the
 * place of such an error to nobody but the `error` event of a text that they compile by themselves: that of a timer. The text is a
 * function that nobody calls.
 */
export function placeOfEarlyError(code: string, scope: EarlyErrorScope): Promise<SourcePlace | undefined> {
  return new Promise((resolve) => {
    const tell = (event: EarlyErrorEvent): void => {
      event.preventDefault();
      end(event.lineno > 1 ? { line: event.lineno - 1, column: Math.max(1, event.colno) } : undefined);
    };
    const end = (place?: SourcePlace): void => {
      scope.removeEventListener('error', tell);
      resolve(place);
    };
    scope.addEventListener('error', tell);
    scope.setTimeout(`(async function (require, exports, console) {\n${stripTypes(code)}\n})`, 0);
    scope.setTimeout(() => end(), 0);
  });
}
