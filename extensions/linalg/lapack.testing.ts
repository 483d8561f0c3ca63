/** The kernels in WebAssembly, one module after the other without the engine. */
import { existsSync, readFileSync } from 'node:fs';
import type { HostKernel, HostModule } from '@tf/core';
import { codeUrl, type WasmModule } from '@tf/engine-cpu-wasm';
import type { Presence } from '@tf/testkit';
import { Bench, type BenchCall } from './bench.testing.ts';
import { type KernelDType, kernelDTypes } from './kernels.testing.ts';
import { linalgWasm } from './src/modules/cpu-wasm.ts';

/** Whether the kernels in WebAssembly were built, for `reportPresence`. */
export const lapackPresence: Presence = { name: 'linalg-wasm', isPresent: linalgWasm().every((module) => existsSync(codeUrl(module)!)), remedy: 'node scripts/kernels.mjs extensions/linalg builds it, or says what it needs' };

const [pageBytes, stackBytes] = [65536, 2 ** 20];

/** A module's code with a memory. */
class WasmBench extends Bench {
  readonly #memory = new WebAssembly.Memory({ initial: 64 });
  readonly #exports: WebAssembly.Exports;

  constructor(code: WebAssembly.Module) {
    super();
    const stack = pageBytes + staticBytes(code) + stackBytes;
    this.beginAt(stack);
    const env = {
      memory: this.#memory,
      __memory_base: new WebAssembly.Global({ value: 'i32' }, pageBytes),
      __stack_pointer: new WebAssembly.Global({ value: 'i32', mutable: true }, Math.floor(stack / 16) * 16),
      __table_base: new WebAssembly.Global({ value: 'i32' }, 1),
      __indirect_function_table: new WebAssembly.Table({ element: 'anyfunc', initial: 64 }),
    };
    this.#exports = new WebAssembly.Instance(code, { env }).exports;
    (this.#exports['__wasm_apply_data_relocs'] as (() => void) | undefined)?.();
  }

  protected get buffer(): ArrayBuffer {
    return this.#memory.buffer;
  }

  protected reach(end: number): void {
    const { byteLength } = this.#memory.buffer;
    if (end > byteLength) this.#memory.grow(Math.ceil((end - byteLength) / pageBytes));
  }

  protected invoke(name: string, _dtype: KernelDType, { operands, workspace = 0, integers }: BenchCall): number {
    const words = new Uint8Array(Int32Array.from([...operands, workspace, 0, ...integers]).buffer);
    const args = this.place(words.byteLength);
    this.bytes(args, words.byteLength).set(words);
    return (this.#exports[name] as (args: number) => number)(args);
  }
}

/** The first entry of `dylink.0` says how much: its kind and size, then the bytes. */
function staticBytes(code: WebAssembly.Module): number {
  const bytes = new Uint8Array(WebAssembly.Module.customSections(code, 'dylink.0')[0] as ArrayBuffer);
  let value = 0;
  for (let at = 2, scale = 1; ; at++, scale *= 128) {
    value += (bytes[at]! & 0x7f) * scale;
    if (bytes[at]! < 0x80) return value + 64;
  }
}

/** By symbol; empty where the modules were not built. */
export function lapackKernels(): HostModule['kernels'] {
  if (!lapackPresence.isPresent) return {};
  return Object.fromEntries(kernelDTypes.flatMap((dtype) => {
    const [module] = linalgWasm(dtype) as [WasmModule];
    const bench = new WasmBench(new WebAssembly.Module(readFileSync(codeUrl(module)!)));
    return Object.entries(module.kernels).map(([symbol, { export: name, failure }]): [string, HostKernel] => [symbol, { ...(failure !== undefined && { failure }), run: (call) => bench.run(name, dtype, call) }]);
  }));
}
