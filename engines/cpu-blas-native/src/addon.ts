/** The library in C: where it lies, and what it exports. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { TfError } from '@tf/core';
import { tableVersion } from './table/words.ts';
import { requireWhole } from './whole-file.ts';

/** What the opened BLAS says of itself. */
export interface LibraryFacts {
  readonly path: string;
  /** The processor whose kernels OpenBLAS took, or empty. */
  readonly core: string;
  readonly config: string;
  readonly threads: number;
  readonly cores: number;
}

/** native/addon.c. Addresses are numbers. */
export interface Addon {
  readonly version: number;
  /** Facts, or why there is none, a line for each candidate. */
  open(path: string | undefined): LibraryFacts | string;
  /** Addresses, or what is wrong. */
  openKernels(path: string, symbols: readonly string[], level: number): readonly number[] | string;
  operations(): readonly string[];
  /** The instruction set at or below this level that the machine has. */
  level(wanted: number): number;
  addressOf(memory: ArrayBuffer): number;
  loopScratch(registers: number, operations: number, operands: number, lanes: number, rank: number, folds: number): number;
  /** Of a contraction's record, by its address. */
  contractScratch(record: number): number;
  /** Whether a table may be walked, whose buffers have so many bytes: 0, or the word of the record that is wrong. Records begin at word `begin`. */
  check(table: number, words: number, begin: number, bytes: number, buffers: number): number;
  run(table: number, start: number, host?: (site: number) => void): number;
  runAsync(table: number, start: number, kept: unknown): Promise<number>;
}

const platform: string = `${process.platform}-${process.arch}`;

/** Where the library may be: the path given alone, else what `pnpm build` made here, which no installed package has, else the platform's package. */
function candidatesOf(path: string | undefined): readonly string[] {
  if (path !== undefined) return [path];
  return [fileURLToPath(new URL('../build/tf.node', import.meta.url)), `@tf/engine-cpu-blas-native-${platform}/tf.node`];
}

/** Throws an `EngineUnavailableError` that lists every place and what is wrong with it. */
export function loadAddon(path: string | undefined): Addon {
  const load = createRequire(import.meta.url);
  const reasons: string[] = [];
  for (const candidate of candidatesOf(path)) {
    try {
      const path = load.resolve(candidate);
      requireWhole(path);
      const addon = load(path) as Partial<Addon>;
      if (addon.version === tableVersion) return addon as Addon;
      reasons.push(`${candidate}: its tables have version ${String(addon.version)}, not ${tableVersion}`);
    } catch (thrown) {
      reasons.push(`${candidate}: ${firstLine(thrown)}`);
    }
  }
  throw unavailable(`its library is not there or cannot be loaded on ${platform}`, reasons, `Install @tf/engine-cpu-blas-native-${platform}, or build it here with a C compiler: pnpm build.`);
}

/** Throws an `EngineUnavailableError` with what to install. */
export function openBlas(addon: Addon, path: string | undefined): LibraryFacts {
  const opened = openWhole(addon, path);
  if (typeof opened !== 'string') return opened;
  throw unavailable('there is no BLAS and LAPACK that it can use', opened.split('\n'), process.platform === 'linux' ? 'Install OpenBLAS (Debian and Ubuntu: apt-get install libopenblas0-pthread), or give createEngine({ library: PATH }).' : 'Install OpenBLAS, or give createEngine({ library: PATH }).');
}

export function unavailable(why: string, reasons: readonly string[], remedy: string): TfError {
  return new TfError('EngineUnavailableError', `cpu-blas-native: ${why}.\n${reasons.map((reason) => `  ${reason}\n`).join('')}${remedy}`, { engine: 'cpu-blas-native', reasons });
}

/** A name without a folder is the loader's to find. */
function openWhole(addon: Addon, path: string | undefined): LibraryFacts | string {
  try {
    if (path !== undefined && existsSync(path)) requireWhole(path);
  } catch (thrown) {
    return `${path!}: ${firstLine(thrown)}`;
  }
  return addon.open(path);
}

function firstLine(thrown: unknown): string {
  return String(thrown instanceof Error ? thrown.message : thrown).split('\n')[0]!;
}
