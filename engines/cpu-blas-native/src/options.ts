import { type HostModule, TfError } from '@tf/core';
import type { NativeModule } from './native-module.ts';

export interface EngineOptions {
  /** Kernels of families, fixed from now on: for this engine, or host kernels, which run where it has none of its own. */
  readonly modules?: readonly (HostModule | NativeModule)[];
  /** Threads of products and factorisations: by default all cores, four at most, and one in a worker thread. */
  readonly threads?: number;
  /** The path of a library with BLAS and LAPACK, instead of those that the system has. */
  readonly library?: string;
  /** The path of this engine's own library in C, instead of the installed one. */
  readonly addon?: string;
  /** The instruction set to use at most: 0 that of every machine, 1 AVX2, 2 AVX-512. Default: the best there is; no bit of elementwise results depends on it. */
  readonly level?: 0 | 1 | 2;
}

const names: readonly string[] = Object.freeze(['modules', 'threads', 'library', 'addon', 'level']);

/** Refuses options of `createEngine` that are no options. */
export function checkOptions(options: unknown): asserts options is EngineOptions {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) throw wrong('options', 'an object, e.g. { threads: 1 }', options);
  const unknown = Object.keys(options).filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new TfError('ArgumentError', `createEngine: options has no option ${unknown.join(', ')}. There are: ${names.join(', ')}.`, { op: 'createEngine', argument: 'options', unknown, known: names });
  const { threads, library, addon, level } = options as { readonly [Name in keyof EngineOptions]: unknown };
  if (threads !== undefined && !(Number.isInteger(threads) && (threads as number) >= 1 && (threads as number) <= 1024)) throw wrong('threads', 'an integer from 1 to 1024', threads);
  if (library !== undefined && (typeof library !== 'string' || library === '')) throw wrong('library', 'a path', library);
  if (addon !== undefined && (typeof addon !== 'string' || addon === '')) throw wrong('addon', 'a path', addon);
  if (level !== undefined && level !== 0 && level !== 1 && level !== 2) throw wrong('level', '0, 1 or 2', level);
}

function wrong(argument: string, wanted: string, value: unknown): TfError {
  const got = typeof value === 'object' || typeof value === 'function' ? (value === null ? 'null' : Array.isArray(value) ? 'an array' : `a value of type ${typeof value}`) : typeof value === 'string' ? JSON.stringify(value) : String(value);
  return new TfError('ArgumentError', `createEngine: ${argument} must be ${wanted}, got ${got}. Leave it out for the default.`, { op: 'createEngine', argument });
}
