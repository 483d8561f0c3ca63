import { type Program, printProgram, requireFunction, flattenTree } from '@tf/core';
import { extractProgram } from './extract.ts';
import { escapedTracer } from './leak.ts';
import { resultLeaves } from './run.ts';
import { traceFunction } from './tracing.ts';
import type { TracedTensor } from './traced-tensor.ts';
import type { ArgumentsOf, TensorArgument } from './tree-types.ts';

/** What a function computes, to look at. */
export interface TracedProgram {
  readonly program: Program;
  /** The program as text. */
  toString(): string;
}

/**
 * The program that a function builds for arguments like these: `jit` without an engine, to be printed.
 *
 * @throws TracerLeakError as {@link jit}.
 * @example
 * import { grad, trace } from '@tf/traced';
 * const text = trace(grad((x) => x.mul(x)), 3).toString();
 * if (!text.includes('tf.core.mul')) throw new Error(text);
 */
export function trace(f: (...args: readonly TracedTensor<'float64'>[]) => unknown, ...args: readonly TensorArgument<'float64'>[]): TracedProgram;
export function trace<A extends readonly unknown[]>(f: (...args: A) => unknown, ...args: NoInfer<ArgumentsOf<A>>): TracedProgram;
export function trace(f: (...args: never[]) => unknown, ...args: readonly unknown[]): TracedProgram {
  requireFunction('trace', 'f', f, 'trace((x) => …, 1)');
  const { result, inputs } = traceFunction(f, 'trace', args, undefined);
  const { outputs } = resultLeaves('trace', flattenTree(result).leaves);
  const { program } = extractProgram(outputs, inputs, (leaf) => escapedTracer(leaf, 'trace'));
  return Object.freeze({ program, toString: () => printProgram(program) });
}
