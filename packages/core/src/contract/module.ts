/** Execution modules: how one engine, or every CPU engine, runs the kernels of a family. Types only. */
import type { TypedArray } from '../types/dtype.ts';
import type { Contract } from './program.ts';

/**
 * The kernels of a family for one engine: a plain value, given to `createEngine({ modules })` and fixed from then on. Whoever
 * supplies it need not own the engine or the family.
 */
export interface ExecutionModule<K = unknown> {
  readonly contract: Contract;
  /** The family id, with which every symbol begins. */
  readonly family: string;
  readonly package: string;
  readonly version: string;
  /**
   * The version of the family's package whose operations the kernels compute: by default the module's own version where it is of that
   * package. Operations of another version refuse them; without it, a module of another package serves every version.
   */
  readonly familyVersion?: string;
  /** The engine that it is for, by `engine.info.name`; `host`: every engine whose memory JavaScript can see. */
  readonly engine: string;
  /** By symbol (see {@link KernelCall}). */
  readonly kernels: Readonly<Record<string, K>>;
}

/** Kernels in JavaScript. */
export interface HostModule extends ExecutionModule<HostKernel> {
  readonly engine: 'host';
}

/** A kernel on typed arrays. */
export interface HostKernel {
  /** What the kernel needs for these integers (twiddle factors and the like): computed once and kept by the engine, within a bound. */
  readonly tables?: (integers: readonly number[]) => TypedArray | undefined;
  /** Positions of the integers that the tables depend on, so that those of other sizes of a batch are the same; all when absent. */
  readonly tableIntegers?: readonly number[];
  /**
   * Computes the outputs from the inputs. Gives nothing, or the index of the first element of the batch for which there is no
   * result: the run ends with a `KernelError` that names it.
   */
  readonly run: (call: HostCall) => number | void;
  /** What is wrong with an element for which there is no result, for the error: `the matrix is singular`. */
  readonly failure?: string;
  /** The name of that error where its family has one of its own. */
  readonly failureError?: 'KernelError' | 'LinalgError';
}

/**
 * One call of a kernel. The arrays lie in the engine's memory: inputs must not be written, and nothing may be kept after the
 * call. Complex values are pairs, re and im.
 */
export interface HostCall {
  readonly inputs: readonly TypedArray[];
  /** Undefined before; every element must be written. */
  readonly outputs: readonly TypedArray[];
  readonly integers: readonly number[];
  readonly tables: TypedArray | undefined;
  /** Undefined before; begins at a multiple of 16 bytes. */
  readonly workspace: Uint8Array | undefined;
}
