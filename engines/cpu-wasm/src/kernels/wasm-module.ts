/** Execution modules of WebAssembly, as packages of families make them for this engine. */
import { type ExecutionModule, isFailureError, type TypedArray } from '@tf/core';

/** One function of a module's code, `(args: i32) => i32`: see docs/extend/write-an-engine-kernel.md. */
export interface WasmKernel {
  /** The name under which the code exports it. */
  readonly export: string;
  /** What the kernel needs for these integers, computed once and kept in the engine's memory, within a bound. */
  readonly tables?: (integers: readonly number[]) => TypedArray | undefined;
  /** Positions of the integers that the tables depend on; all when absent. */
  readonly tableIntegers?: readonly number[];
  /** What is wrong with an element for which there is no result, for the error: `the matrix is singular`. */
  readonly failure?: string;
  /** The name of that error where its family has one of its own. */
  readonly failureError?: 'KernelError' | 'LinalgError';
}

/** The bytes, the URL of a file or of what has to be fetched, or a function that is called when they are needed. */
export type CodeSource = URL | Uint8Array | (() => URL | Uint8Array | Promise<Uint8Array>);

/** Kernels of a family in WebAssembly, on the engine's own memory. */
export interface WasmModule extends ExecutionModule<WasmKernel> {
  readonly engine: 'cpu-wasm';
  /** Where the code is; of several the first that gives it. What takes waiting needs `createEngine`, not `createEngineSync`. */
  readonly code: CodeSource | readonly CodeSource[];
}

export function isWasmKernel(kernel: unknown): kernel is WasmKernel {
  const { export: name, tables, tableIntegers, failure, failureError } = (typeof kernel === 'object' && kernel !== null ? kernel : {}) as Partial<Record<keyof WasmKernel, unknown>>;
  return typeof name === 'string' && (tables === undefined || typeof tables === 'function') && (tableIntegers === undefined || Array.isArray(tableIntegers)) && (failure === undefined || typeof failure === 'string') && isFailureError(failureError);
}

export function isWasmModule({ engine }: ExecutionModule): boolean {
  return engine === 'cpu-wasm';
}
