/** The code of execution modules: read or fetched, checked, compiled. */
import { TfError } from '@tf/core';
import { isWasm, misplaced, withMemory } from './binary.ts';
import type { WasmModule } from './wasm-module.ts';

/** A module whose code is ready to be instantiated on a memory. */
export interface CompiledModule {
  readonly module: WasmModule;
  readonly code: WebAssembly.Module;
}

/** Reads a file at once where JavaScript can: in Node (from 20.16 on), Deno and Bun. */
type ReadFile = (url: URL) => Uint8Array;

function fileReader(): ReadFile | undefined {
  const { process } = globalThis as { readonly process?: { readonly getBuiltinModule?: (name: string) => { readonly readFileSync: ReadFile } } };
  return process?.getBuiltinModule?.('node:fs').readFileSync;
}

/** Refuses what no code can be read from. */
export function requireCode(module: WasmModule): void {
  const code: unknown = module.code;
  if (code instanceof URL || code instanceof Uint8Array || typeof code === 'function') return;
  throw new TfError('ExtensionError', `createEngine: ${nameOf(module)}: its code must be a URL, a Uint8Array, or a function that gives a promise of one.`, fieldsOf(module));
}

/** All at once; what had to be fetched was awaited. `isShared`: the memory that they will have. */
export async function loadModules(modules: readonly WasmModule[], isShared: boolean): Promise<readonly CompiledModule[]> {
  return Promise.all(modules.map(async (module): Promise<CompiledModule> => ({ module, code: await load(module, isShared) })));
}

/** Without waiting: a `ModuleNotLoadedError` where that takes a fetch. */
export function loadModulesSync(modules: readonly WasmModule[], isShared: boolean): readonly CompiledModule[] {
  return modules.map((module) => {
    const bytes = readNow(module);
    if (bytes === undefined) throw notLoaded(module, 'its code has to be fetched first, which takes waiting');
    try {
      return { module, code: new WebAssembly.Module(withMemory(checked(module, bytes), isShared)) };
    } catch (cause) {
      throw cause instanceof RangeError ? notLoaded(module, `this thread compiles ${bytes.length} bytes of code only without blocking`, cause) : refused(module, cause);
    }
  });
}

async function load(module: WasmModule, isShared: boolean): Promise<WebAssembly.Module> {
  const { code } = module;
  const bytes = readNow(module);
  if (bytes === undefined && code instanceof URL && code.protocol !== 'file:') return compileFetched(module, code, isShared);
  return compile(module, bytes ?? (await readLater(module)), isShared);
}

/** Undefined where that takes waiting. */
function readNow(module: WasmModule): Uint8Array | undefined {
  const { code } = module;
  if (code instanceof Uint8Array) return code;
  if (!(code instanceof URL) || code.protocol !== 'file:') return undefined;
  const read = fileReader();
  if (read === undefined) return undefined;
  try {
    return read(code);
  } catch (cause) {
    throw unreadable(module, code, String(cause), cause);
  }
}

async function readLater(module: WasmModule): Promise<Uint8Array> {
  const { code } = module;
  if (typeof code === 'function') {
    const bytes: unknown = await code();
    if (bytes instanceof Uint8Array) return bytes;
    throw unreadable(module, 'code()', 'it did not resolve to a Uint8Array');
  }
  throw unreadable(module, String(code), 'this JavaScript engine reads no files. Serve it, or give the bytes');
}

/** Compiled while it arrives where the memory is not shared: else its first bytes are not yet right. */
async function compileFetched(module: WasmModule, url: URL, isShared: boolean): Promise<WebAssembly.Module> {
  const response = await fetch(url).catch((cause: unknown) => {
    throw unreadable(module, url, String(cause), cause);
  });
  if (!response.ok) throw unreadable(module, url, `the server answered ${response.status} ${response.statusText}`);
  const streams = !isShared && response.headers.get('content-type') === 'application/wasm' && 'compileStreaming' in WebAssembly;
  const compiling = streams ? WebAssembly.compileStreaming(response.clone()).catch(() => undefined) : undefined;
  const bytes = new Uint8Array(await response.arrayBuffer());
  const code = await compiling;
  return code !== undefined && hasOpenMemory(bytes) ? (checked(module, bytes, url), code) : compile(module, bytes, isShared, url);
}

/** Whether the bytes import their memory as this engine has it when it is not shared. */
function hasOpenMemory(bytes: Uint8Array): boolean {
  const patched = withMemory(bytes, false);
  return patched.length === bytes.length && patched.every((byte, at) => byte === bytes[at]);
}

async function compile(module: WasmModule, bytes: Uint8Array, isShared: boolean, from?: URL): Promise<WebAssembly.Module> {
  try {
    return await WebAssembly.compile(withMemory(checked(module, bytes, from), isShared));
  } catch (cause) {
    throw refused(module, cause);
  }
}

function checked(module: WasmModule, bytes: Uint8Array, from?: URL): Uint8Array {
  if (!isWasm(bytes)) {
    const first = [...bytes.subarray(0, 8)].map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
    const where = from ?? (module.code instanceof URL ? module.code : 'its code');
    throw unreadable(module, where, `it begins with ${first || 'nothing'} (${JSON.stringify(String.fromCharCode(...bytes.subarray(0, 8)))}), which is no WebAssembly module`);
  }
  const wrong = misplaced(bytes);
  if (wrong === undefined) return bytes;
  const what = wrong === 'data' ? 'has data at a fixed address' : 'has a stack at a fixed address';
  throw new TfError('ExtensionError', `${nameOf(module)}: its code ${what}, where the engine's memory holds something else. Link it position-independent (-fPIC -shared), or without data and stack.`, fieldsOf(module));
}

export function nameOf({ package: owner, version }: WasmModule): string {
  return `${owner}@${version}`;
}

export function fieldsOf({ family, package: owner, version }: WasmModule): Readonly<Record<string, unknown>> {
  return { engine: 'cpu-wasm', family, package: owner, version };
}

function notLoaded(module: WasmModule, why: string, cause?: unknown): TfError {
  return new TfError('ModuleNotLoadedError', `createEngineSync: ${nameOf(module)}: ${why}. Write: const engine = await createEngine({ modules: [...] }).`, fieldsOf(module), { cause });
}

function unreadable(module: WasmModule, where: URL | string, why: string, cause?: unknown): TfError {
  return new TfError('ModuleNotLoadedError', `createEngine: ${nameOf(module)}: the code of its kernels, ${String(where)}, could not be loaded: ${why}. Its files must lie beside its JavaScript; a bundler must copy what new URL(…, import.meta.url) names.`, { ...fieldsOf(module), url: String(where) }, { cause });
}

function refused(module: WasmModule, cause: unknown): unknown {
  if (cause instanceof TfError) return cause;
  return new TfError('ExtensionError', `createEngine: ${nameOf(module)}: its code is refused: ${String(cause)}. Build it for WebAssembly 2.0 with SIMD.`, fieldsOf(module), { cause });
}
