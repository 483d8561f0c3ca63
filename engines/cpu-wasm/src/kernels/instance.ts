/** Code of execution modules on the engine's memory: placed, linked, and its exports by name. */
import { TfError } from '@tf/core';
import type { Block } from '../memory/allocator.ts';
import { type Needs, needsOf } from './binary.ts';
import { type CompiledModule, fieldsOf, nameOf } from './load.ts';
import type { WasmModule } from './wasm-module.ts';

/** What the engine lends to modules. */
export interface ModuleHost {
  readonly memory: WebAssembly.Memory;
  /** Zeros, for the static data of a module. */
  placeStatics(bytes: number): Block;
  /** The one stack, which grows downwards from its end. */
  placeStack(bytes: number): Block;
}

/** `(args) => status`: args is the address of int32 words. */
export type WasmFunction = (args: number) => number;

/** As kernels of LAPACK's kind need it, whose frames are large. */
const STACK_BYTES = 2 ** 20;

/** The stack pointer, of which all modules have the same. Made when the first module asks for it. */
export class Stack {
  readonly #host: ModuleHost;
  #pointer: WebAssembly.Global | undefined;
  #top = 0;

  constructor(host: ModuleHost) {
    this.#host = host;
  }

  get pointer(): WebAssembly.Global {
    if (this.#pointer === undefined) {
      const { address } = this.#host.placeStack(STACK_BYTES);
      this.#top = address + STACK_BYTES;
      this.#pointer = new WebAssembly.Global({ value: 'i32', mutable: true }, this.#top);
    }
    return this.#pointer;
  }

  /** What a trap left on it is dropped. */
  reset(): void {
    if (this.#pointer !== undefined) this.#pointer.value = this.#top;
  }
}

/** The functions that the module's kernels name, ready to be called. */
export function instantiate({ module, code }: CompiledModule, host: ModuleHost, stack: Stack): ReadonlyMap<string, WasmFunction> {
  const exports = instanceOf(module, code, host, stack);
  return new Map(Object.values(module.kernels).map(({ export: name }): [string, WasmFunction] => {
    const kernel = exports[name];
    if (typeof kernel === 'function') return [name, kernel as WasmFunction];
    throw new TfError('ExtensionError', `createEngine: ${nameOf(module)}: its code exports no function ${name}. It exports ${Object.keys(exports).join(', ') || 'nothing'}.`, { ...fieldsOf(module), export: name });
  }));
}

function instanceOf(module: WasmModule, code: WebAssembly.Module, host: ModuleHost, stack: Stack): WebAssembly.Exports {
  const needs = readNeeds(module, code);
  let base: number | undefined;
  const places: Readonly<Record<string, () => WebAssembly.ImportValue>> = {
    memory: () => host.memory,
    __stack_pointer: () => stack.pointer,
    __memory_base: () => new WebAssembly.Global({ value: 'i32' }, (base ??= placed(module, needs, host))),
    // Place 0 stays empty: what points there is null.
    __table_base: () => new WebAssembly.Global({ value: 'i32' }, 1),
    __indirect_function_table: () => new WebAssembly.Table({ element: 'anyfunc', initial: 1 + (needs?.functions ?? 0) }),
  };
  const env: Record<string, WebAssembly.ImportValue> = {};
  for (const { module: from, name, kind } of WebAssembly.Module.imports(code)) {
    const place = from === 'env' && Object.hasOwn(places, name) ? places[name] : undefined;
    if (place === undefined) throw foreignImport(module, `${from}.${name}`, kind, Object.keys(places));
    env[name] = place();
  }
  try {
    const { exports } = new WebAssembly.Instance(code, { env });
    for (const start of [exports.__wasm_apply_data_relocs, exports._initialize ?? exports.__wasm_call_ctors]) (start as (() => void) | undefined)?.();
    return exports;
  } catch (cause) {
    throw new TfError('ExtensionError', `createEngine: ${nameOf(module)}: its code could not be linked: ${String(cause)}.`, fieldsOf(module), { cause });
  }
}

function readNeeds(module: WasmModule, code: WebAssembly.Module): Needs | undefined {
  try {
    return needsOf(code);
  } catch (cause) {
    throw new TfError('ExtensionError', `createEngine: ${nameOf(module)}: its section dylink.0 cannot be read: ${String(cause)}.`, fieldsOf(module), { cause });
  }
}

/** Where its static data begin. */
function placed(module: WasmModule, needs: Needs | undefined, host: ModuleHost): number {
  if (needs === undefined) throw new TfError('ExtensionError', `createEngine: ${nameOf(module)}: its code imports env.__memory_base and has no section dylink.0 that says how much memory it needs. Link it with -shared.`, fieldsOf(module));
  const { address } = host.placeStatics(needs.bytes + needs.alignment);
  return Math.ceil(address / needs.alignment) * needs.alignment;
}

function foreignImport(module: WasmModule, name: string, kind: string, known: readonly string[]): TfError {
  const hint = name.startsWith('GOT.') ? ' Compile with -fvisibility=hidden, so that nothing is looked up by name.' : ' Link what it needs into it.';
  return new TfError('ExtensionError', `createEngine: ${nameOf(module)}: its code imports the ${kind} ${name}; the engine has ${known.map((own) => `env.${own}`).join(', ')} and nothing else.${hint}`, { ...fieldsOf(module), import: name });
}
