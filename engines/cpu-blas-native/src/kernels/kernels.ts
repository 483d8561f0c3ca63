/** The kernels of one engine: those of its execution modules, ready to be called. */
import { fileURLToPath } from 'node:url';
import { type execution, type HostKernel, kernelTables, type RegisteredKernel, TfError, type TypedArray } from '@tf/core';
import type { Addon } from '../addon.ts';
import { requireWhole } from '../whole-file.ts';
import { isNativeModule, type NativeKernel, type NativeModule } from '../native-module.ts';

/** One kernel: a function of a library, or of JavaScript. */
export interface Kernel extends execution.TableOwner {
  readonly registered: RegisteredKernel;
  /** 0 where it runs in JavaScript. */
  readonly address: number;
  readonly host: HostKernel | undefined;
  /** Whether a batch may be parted among threads. */
  readonly isBatched: boolean;
}

export class Kernels {
  readonly registered: ReadonlyMap<string, RegisteredKernel>;
  /** Never changes. */
  readonly symbols: ReadonlySet<string>;
  readonly #kernels: ReadonlyMap<string, Kernel>;

  constructor(registered: ReadonlyMap<string, RegisteredKernel>, addon: Addon, level: number) {
    this.registered = registered;
    this.symbols = new Set(registered.keys());
    const libraries = new Map<NativeModule, ReadonlyMap<string, number>>();
    this.#kernels = new Map([...registered].map(([symbol, one]): [string, Kernel] => {
      if (!isNativeModule(one.module)) return [symbol, { symbol, registered: one, ...tablesOf(one), address: 0, host: one.kernel as HostKernel, isBatched: false }];
      const module = one.module as NativeModule;
      const functions = libraries.get(module) ?? openModule(module, addon, level);
      libraries.set(module, functions);
      return [symbol, { symbol, registered: one, ...tablesOf(one), address: functions.get((one.kernel as NativeKernel).symbol)!, host: undefined, isBatched: (one.kernel as NativeKernel).isBatched === true }];
    }));
  }

  /** Plans were checked: there is one. */
  of(symbol: string): Kernel {
    return this.#kernels.get(symbol)!;
  }
}

function tablesOf(registered: RegisteredKernel): Pick<Kernel, 'tables' | 'tableIntegers'> {
  const { tables, tableIntegers } = registered.kernel as HostKernel | NativeKernel;
  return { tables: tables === undefined ? undefined : (integers): TypedArray | undefined => kernelTables('cpu-blas-native', registered, integers), tableIntegers };
}

/** Addresses, or what is wrong. */
function openWhole(addon: Addon, path: string, symbols: readonly string[], level: number): readonly number[] | string {
  try {
    requireWhole(path);
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown);
  }
  return addon.openKernels(path, symbols, level);
}

function openModule(module: NativeModule, addon: Addon, level: number): ReadonlyMap<string, number> {
  const symbols = [...new Set(Object.values(module.kernels).map(({ symbol }) => symbol))];
  const path = module.library.protocol === 'file:' ? fileURLToPath(module.library) : module.library.href;
  const opened = openWhole(addon, path, symbols, level);
  if (typeof opened !== 'string') return new Map(symbols.map((symbol, i) => [symbol, opened[i]!]));
  const { family, package: owner, version } = module;
  throw new TfError('ModuleNotLoadedError', `createEngine: ${owner}@${version}: the library of its kernels, ${path}, could not be loaded: ${opened}. Build it with a C compiler (pnpm build), or give createEngine the host kernels of ${owner}.`, { engine: 'cpu-blas-native', family, package: owner, version, path });
}
