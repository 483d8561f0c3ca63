/** The kernels of one engine: those of its execution modules, ready to be called. */
import { execution, type HostKernel, kernelTables, type RegisteredKernel, type TypedArray } from '@tf/core';
import { instantiate, type ModuleHost, Stack, type WasmFunction } from './instance.ts';
import type { CompiledModule } from './load.ts';
import { isWasmModule, type WasmKernel } from './wasm-module.ts';

/** One kernel: a function of a module's code, or of JavaScript. */
export interface Kernel extends execution.TableOwner {
  readonly registered: RegisteredKernel;
  readonly tables: ((integers: readonly number[]) => TypedArray | undefined) | undefined;
  readonly code: WasmFunction | undefined;
  readonly host: HostKernel | undefined;
}

export class Kernels {
  /** Never changes. */
  readonly symbols: ReadonlySet<string>;
  readonly registered: ReadonlyMap<string, RegisteredKernel>;
  readonly #kernels: ReadonlyMap<string, Kernel>;
  readonly #stack: Stack;

  constructor(registered: ReadonlyMap<string, RegisteredKernel>, compiled: readonly CompiledModule[], host: ModuleHost) {
    this.#stack = new Stack(host);
    const functions = new Map(compiled.map((one) => [one.module as unknown, instantiate(one, host, this.#stack)]));
    this.symbols = new Set(registered.keys());
    this.registered = registered;
    this.#kernels = new Map([...registered].map(([symbol, one]): [string, Kernel] => {
      const { module, kernel } = one;
      if (!isWasmModule(module)) return [symbol, { symbol, registered: one, ...tablesOf(one), code: undefined, host: kernel as HostKernel }];
      return [symbol, { symbol, registered: one, ...tablesOf(one), code: functions.get(module)!.get((kernel as WasmKernel).export)!, host: undefined }];
    }));
  }

  /** Plans were checked: there is one. */
  of(symbol: string): Kernel {
    return this.#kernels.get(symbol)!;
  }

  /** After a trap. */
  resetStack(): void {
    this.#stack.reset();
  }
}

function tablesOf(registered: RegisteredKernel): Pick<Kernel, 'tables' | 'tableIntegers'> {
  const { tables, tableIntegers } = registered.kernel as HostKernel | WasmKernel;
  return { tables: tables === undefined ? undefined : (integers) => kernelTables('cpu-wasm', registered, integers), tableIntegers };
}
