/** The kernels in WebAssembly as tests of kernels in JavaScript call them: on a memory of their own, with no more working memory than asked for. */
import { existsSync, readFileSync } from 'node:fs';
import type { HostCall, HostKernel, HostModule, TypedArray } from '@tf/core';
import type { Presence } from '@tf/testkit';
import { linalgWasm } from './src/modules/cpu-wasm.ts';
import { workspaceBytes } from './src/workspace.ts';
import { type KernelDType, kernelDTypes } from './kernels.testing.ts';

/** Whether the kernels in WebAssembly were built, for `reportPresence`. */
export const lapackPresence: Presence = { name: 'linalg-wasm', isPresent: linalgWasm().every(({ code }) => existsSync(code as URL)), remedy: 'node scripts/kernels.mjs extensions/linalg builds it, or says what it needs' };

const [pageBytes, stackBytes, canaryBytes] = [65536, 2 ** 20, 64];
const canary = 0xa5;

/** A module's code with a memory, and an allocator that forgets all at once. */
class Bench {
  readonly #memory = new WebAssembly.Memory({ initial: 64 });
  readonly #start: number;
  readonly exports: WebAssembly.Exports;
  #top: number;

  constructor(code: WebAssembly.Module) {
    const statics = staticBytes(code);
    const stack = pageBytes + statics + stackBytes;
    this.#top = this.#start = Math.ceil((stack + 64) / 64) * 64;
    this.#reach(this.#start);
    const env = {
      memory: this.#memory,
      __memory_base: new WebAssembly.Global({ value: 'i32' }, pageBytes),
      __stack_pointer: new WebAssembly.Global({ value: 'i32', mutable: true }, Math.floor(stack / 16) * 16),
      __table_base: new WebAssembly.Global({ value: 'i32' }, 1),
      __indirect_function_table: new WebAssembly.Table({ element: 'anyfunc', initial: 64 }),
    };
    this.exports = new WebAssembly.Instance(code, { env }).exports;
    (this.exports['__wasm_apply_data_relocs'] as (() => void) | undefined)?.();
  }

  #reach(end: number): void {
    const { byteLength } = this.#memory.buffer;
    if (end > byteLength) this.#memory.grow(Math.ceil((end - byteLength) / pageBytes));
  }

  reset(): void {
    this.#top = this.#start;
  }

  /** At a multiple of 16 that is none of 32, so that nothing larger is relied on. */
  place(bytes: number): number {
    const address = this.#top + 16;
    this.#top = Math.ceil((address + bytes + canaryBytes) / 64) * 64;
    this.#reach(this.#top);
    this.bytes(address + bytes, canaryBytes).fill(canary);
    return address;
  }

  bytes(address: number, length: number): Uint8Array {
    return new Uint8Array(this.#memory.buffer, address, length);
  }

  requireCanary(address: number, what: string): void {
    if (this.bytes(address, canaryBytes).some((byte) => byte !== canary)) throw new Error(`${what}: written beyond its end`);
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

const bytesOf = ({ buffer, byteOffset, byteLength }: TypedArray): Uint8Array => new Uint8Array(buffer, byteOffset, byteLength);

function runOn(bench: Bench, name: string, dtype: KernelDType, { inputs, outputs, integers }: HostCall): number | void {
  bench.reset();
  const placed = [...inputs, ...outputs].map((array) => {
    const address = bench.place(array.byteLength);
    bench.bytes(address, array.byteLength).set(bytesOf(array));
    return { array, address };
  });
  const workspace = workspaceBytes(name, dtype, integers) as number | undefined;
  const room = workspace === undefined ? 0 : bench.place(workspace);
  if (workspace !== undefined) bench.bytes(room, workspace).fill(0xff);
  const words = Int32Array.from([...placed.map(({ address }) => address), room, 0, ...integers]);
  const args = bench.place(words.byteLength);
  bench.bytes(args, words.byteLength).set(bytesOf(words));
  const status = (bench.exports[name] as (args: number) => number)(args);
  placed.forEach(({ array, address }, at) => {
    const now = bench.bytes(address, array.byteLength);
    bench.requireCanary(address + array.byteLength, `${name}, operand ${at}`);
    if (at >= inputs.length) bytesOf(array).set(now);
    else if (bytesOf(array).some((byte, k) => byte !== now[k])) throw new Error(`${name}: input ${at} was written`);
  });
  if (workspace !== undefined) bench.requireCanary(room + workspace, `${name}, its workspace of ${workspace} bytes`);
  return status === 0 ? undefined : status - 1;
}

/** By symbol; empty where the modules were not built. */
export function lapackKernels(): HostModule['kernels'] {
  if (!lapackPresence.isPresent) return {};
  return Object.fromEntries(kernelDTypes.flatMap((dtype) => {
    const [{ code, kernels }] = linalgWasm(dtype) as [ReturnType<typeof linalgWasm>[number]];
    const bench = new Bench(new WebAssembly.Module(readFileSync(code as URL)));
    return Object.entries(kernels).map(([symbol, { export: name, failure }]): [string, HostKernel] => [symbol, { ...(failure !== undefined && { failure }), run: (call) => runOn(bench, name, dtype, call) }]);
  }));
}
