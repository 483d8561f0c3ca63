import { transform } from 'sucrase';

/** The name of the program in stacks. */
const sourceName = 'program.ts';

/** TypeScript without its types, its imports as calls of `require`; lines stay where they are. */
export function stripTypes(code: string): string {
  return transform(code, { transforms: ['typescript', 'imports'], disableESTransforms: true, preserveDynamicImport: true, filePath: sourceName }).code;
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
