import { type HostModule, TfError } from '@tf/core';
import type { WasmModule } from './kernels/wasm-module.ts';

export interface MemoryOptions {
  /** Default 4 MiB; grows as needed. */
  readonly initialBytes?: number;
  /** Default and limit 4 GiB; at least 2 MiB, of which matrix products and folds take 1.3 for themselves. */
  readonly maximumBytes?: number;
  /** Default: shared wherever SharedArrayBuffer exists. */
  readonly shared?: boolean;
}

export interface EngineOptions {
  readonly memory?: MemoryOptions;
  /**
   * Threads that share large steps, this one included; the bits are those of one. Default: one. Workers are started when there is work
   * for them, and do not keep a process alive. Without shared memory there is one thread: `engine.info.oneThread` says why.
   */
  readonly threads?: number;
  /** Kernels of families, fixed from now on: for this engine, or host kernels, which run where it has none of its own. */
  readonly modules?: readonly (HostModule | WasmModule)[];
  /**
   * For finding faults of kernels and of tf, a hundred times slower: the memory grows with every allocation, what is free
   * is filled with NaN, and what lies around each block is checked after every step of a run. What wrote or read where it
   * must not is an `EngineFaultError` that names the step.
   */
  readonly debug?: 'memory';
}

/** What the engine needs beside buffers, with room for some. */
export const LEAST_MAXIMUM_BYTES: number = 2 ** 21;

export const MOST_THREADS = 64;

const engineOptions: readonly string[] = Object.freeze(['memory', 'threads', 'modules', 'debug']);
const memoryOptions: readonly string[] = Object.freeze(['initialBytes', 'maximumBytes', 'shared']);

/** Refuses options of `createEngine` that are no options. */
export function checkOptions(options: unknown): void {
  const { memory, threads, debug } = requireNames('options', options, engineOptions, '{ memory: { maximumBytes } }');
  if (debug !== undefined && debug !== 'memory') throw wrong('debug', "'memory'", debug);
  if (threads !== undefined && !(Number.isInteger(threads) && (threads as number) >= 1 && (threads as number) <= MOST_THREADS)) throw wrong('threads', `a whole number from 1 to ${MOST_THREADS}`, threads);
  if (memory === undefined) return;
  const { initialBytes, maximumBytes, shared } = requireNames('memory', memory, memoryOptions, '{ maximumBytes: 2 ** 30 }');
  requireBytes('memory.initialBytes', initialBytes);
  requireBytes('memory.maximumBytes', maximumBytes);
  if (typeof maximumBytes === 'number' && maximumBytes < LEAST_MAXIMUM_BYTES) {
    throw new TfError('ArgumentError', `createEngine: memory.maximumBytes must be at least ${LEAST_MAXIMUM_BYTES}, of which matrix products and folds take 1.3 MB for themselves, got ${maximumBytes}. Leave it out for the default, 4 GiB: memory grows only as it is needed.`, { op: 'createEngine', argument: 'memory.maximumBytes', minimum: LEAST_MAXIMUM_BYTES, got: maximumBytes });
  }
  if (shared !== undefined && typeof shared !== 'boolean') throw wrong('memory.shared', 'true or false', shared);
}

function wrong(argument: string, wanted: string, value: unknown): TfError {
  const got = typeof value === 'object' || typeof value === 'function' ? (value === null ? 'null' : Array.isArray(value) ? 'an array' : `a value of type ${typeof value}`) : typeof value === 'string' ? JSON.stringify(value) : String(value);
  return new TfError('ArgumentError', `createEngine: ${argument} must be ${wanted}, got ${got}. Leave it out for the default.`, { op: 'createEngine', argument });
}

function requireNames(argument: string, value: unknown, known: readonly string[], example: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong(argument, `an object, e.g. ${example}`, value);
  const unknown = Object.keys(value).filter((name) => !known.includes(name));
  if (unknown.length === 0) return value as Readonly<Record<string, unknown>>;
  throw new TfError('ArgumentError', `createEngine: ${argument} has no option ${unknown.join(', ')}. There are: ${known.join(', ')}.`, { op: 'createEngine', argument, unknown, known });
}

function requireBytes(argument: string, value: unknown): void {
  if (value === undefined || (Number.isInteger(value) && (value as number) > 0)) return;
  throw wrong(argument, 'a positive integer number of bytes', value);
}
