/** Execution modules in the machine's own code, as packages of families make them for this engine. */
import { type ExecutionModule, isFailureError, type TypedArray } from '@tf/core';

/** One function of a module's library: `tf_kernel` of native/tf_native.h. */
export interface NativeKernel {
  /** The name under which the library exports it. */
  readonly symbol: string;
  /** What the kernel needs for these integers, computed once and kept by the engine, within a bound. */
  readonly tables?: (integers: readonly number[]) => TypedArray | undefined;
  /** Positions of the integers that the tables depend on; all when absent. */
  readonly tableIntegers?: readonly number[];
  /**
   * Whether the first integer counts a batch, of which each input and output is a row of as many equal pieces, and each element is computed from its own pieces alone: then the
   * engine may have several threads compute parts of the batch, each in a call with a workspace of its own.
   */
  readonly isBatched?: boolean;
  /** What is wrong with an element for which there is no result, for the error: `the matrix is singular`. */
  readonly failure?: string;
  /** The name of that error where its family has one of its own. */
  readonly failureError?: 'KernelError' | 'LinalgError';
}

/** Kernels of a family in a shared library. */
export interface NativeModule extends ExecutionModule<NativeKernel> {
  readonly engine: 'cpu-blas-native';
  readonly library: URL;
}

export function isNativeKernel(kernel: unknown): kernel is NativeKernel {
  const { symbol, tables, tableIntegers, isBatched, failure, failureError } = (typeof kernel === 'object' && kernel !== null ? kernel : {}) as Partial<Record<keyof NativeKernel, unknown>>;
  return typeof symbol === 'string' && (tables === undefined || typeof tables === 'function') && (tableIntegers === undefined || Array.isArray(tableIntegers)) && (isBatched === undefined || typeof isBatched === 'boolean') && (failure === undefined || typeof failure === 'string') && isFailureError(failureError);
}

export function isNativeModule({ engine }: ExecutionModule): boolean {
  return engine === 'cpu-blas-native';
}
