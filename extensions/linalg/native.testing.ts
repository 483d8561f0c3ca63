/** The kernels in the machine's own code, through the library of the engine without its compiler: a table of one step for each call. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { HostKernel, HostModule } from '@tf/core';
import type { Presence } from '@tf/testkit';
import { Bench, type BenchCall } from './bench.testing.ts';
import type { KernelDType } from './kernels.testing.ts';
import { linalgNative } from './src/modules/cpu-blas-native.ts';

/** What of the engine's library is called here. */
interface Addon {
  readonly version: number;
  open(path: string | undefined): object | string;
  openKernels(path: string, symbols: readonly string[], level: number): readonly number[] | string;
  level(wanted: number): number;
  addressOf(memory: ArrayBuffer): number;
  run(table: number, start: number): number;
}

const addonPath = fileURLToPath(new URL('../../engines/cpu-blas-native/build/tf.node', import.meta.url));
const { library, kernels: own } = linalgNative();

/** The engine's library with a LAPACK, or why there is none. */
function openAddon(): Addon | string {
  if (!existsSync(library)) return 'node scripts/kernels.mjs extensions/linalg builds it, or says what it needs';
  if (!existsSync(addonPath)) return 'node engines/cpu-blas-native/native/build.mjs builds the library of the engine';
  const addon = createRequire(import.meta.url)(addonPath) as Addon;
  const opened = addon.open(undefined);
  return typeof opened === 'string' ? `a library with LAPACK is needed: ${opened}` : addon;
}

const addon = openAddon();

/** Whether the kernels in the machine's own code can run, for `reportPresence`. */
export const nativePresence: Presence = { name: 'linalg-native', isPresent: typeof addon !== 'string', remedy: typeof addon === 'string' ? addon : '' };

/** Words of a table: of its header, of a step that calls a kernel, of a view without strides (tf_native.h). */
const header = { version: 0, words: 1, addresses: 2, counters: 3, threads: 9, isa: 10, length: 16 } as const;
const step = { call: 14, words: 1, function: 3, status: 4, operands: 5, workspace: 6, integers: 8, views: 10 } as const;
const viewWords = 3;

class NativeBench extends Bench {
  readonly #addon: Addon;
  readonly #functions: ReadonlyMap<string, number>;
  #memory = new ArrayBuffer(2 ** 20);

  constructor(addon: Addon, functions: ReadonlyMap<string, number>) {
    super();
    this.#addon = addon;
    this.#functions = functions;
    this.beginAt(0);
  }

  protected get buffer(): ArrayBuffer {
    return this.#memory;
  }

  protected reach(end: number): void {
    if (end <= this.#memory.byteLength) return;
    const longer = new ArrayBuffer(2 * end);
    new Uint8Array(longer).set(new Uint8Array(this.#memory));
    this.#memory = longer;
  }

  protected invoke(name: string, dtype: KernelDType, { operands, workspace, integers }: BenchCall): number {
    const places = workspace === undefined ? operands : [...operands, workspace];
    const start = header.length + 1;
    const length = step.views + viewWords * places.length + integers.length;
    const table = new Float64Array(start + length + 2);
    table[header.version] = this.#addon.version;
    table[header.words] = table.length;
    table[header.addresses] = header.length;
    table[header.counters] = header.length;
    table[header.threads] = 1;
    table[header.isa] = this.#addon.level(2);
    table[header.length] = this.#addon.addressOf(this.#memory);
    const record = table.subarray(start);
    record[0] = step.call;
    record[step.words] = length;
    record[step.function] = this.#functions.get(`${name}_${dtype}`) as number;
    record[step.operands] = places.length;
    record[step.workspace] = workspace === undefined ? 0 : 1;
    record[step.integers] = integers.length;
    places.forEach((place, at) => (record[step.views + viewWords * at + 1] = place));
    record.set(integers, step.views + viewWords * places.length);
    record[length + 1] = 2;
    const status = this.#addon.run(this.#addon.addressOf(table.buffer), start);
    if (status !== 0) throw new Error(`${name}: the table ended with ${status}`);
    return record[step.status] as number;
  }
}

/** By symbol; empty where they cannot run. */
export function nativeKernels(): HostModule['kernels'] {
  if (typeof addon === 'string') return {};
  const entries = Object.entries(own);
  const symbols = entries.map(([, { symbol }]) => symbol);
  const addresses = addon.openKernels(fileURLToPath(library), symbols, addon.level(2));
  if (typeof addresses === 'string') throw new Error(addresses);
  const bench = new NativeBench(addon, new Map(symbols.map((symbol, at) => [symbol, addresses[at] as number])));
  return Object.fromEntries(entries.map(([symbol, { symbol: exported, failure }]): [string, HostKernel] => {
    const [name, dtype] = exported.split('_') as [string, KernelDType];
    return [symbol, { ...(failure !== undefined && { failure }), run: (call) => bench.run(name, dtype, call) }];
  }));
}
