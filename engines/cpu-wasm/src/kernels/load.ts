/** The code of execution modules, checked and compiled. */
import { TfError } from '@tf/core';
import { isWasm, misplaced, withMemory } from './binary.ts';
import { type Bytes, isSource, readLater, readNow, sourcesOf, Unread } from './sources.ts';
import type { WasmModule } from './wasm-module.ts';

/** A module whose code is ready to be instantiated on a memory. */
export interface CompiledModule {
  readonly module: WasmModule;
  readonly code: WebAssembly.Module;
}

/** Refuses what no code can be read from. */
export function requireCode(module: WasmModule): void {
  const sources: readonly unknown[] = sourcesOf(module);
  if (sources.length > 0 && sources.every(isSource)) return;
  throw new TfError('ExtensionError', `createEngine: ${nameOf(module)}: its code must be a URL, a Uint8Array, a function that gives one of them or a promise of bytes, or a list of these.`, fieldsOf(module));
}

/** All at once; what had to be fetched was awaited. `isShared`: the memory that they will have. */
export async function loadModules(modules: readonly WasmModule[], isShared: boolean): Promise<readonly CompiledModule[]> {
  return Promise.all(modules.map(async (module): Promise<CompiledModule> => ({ module, code: await load(module, isShared) })));
}

/** Without waiting: a `ModuleNotLoadedError` where that takes a fetch. */
export function loadModulesSync(modules: readonly WasmModule[], isShared: boolean): readonly CompiledModule[] {
  return modules.map((module) => ({ module, code: loadSync(module, isShared) }));
}

function loadSync(module: WasmModule, isShared: boolean): WebAssembly.Module {
  const unread: Unread[] = [];
  for (const source of sourcesOf(module)) {
    const found = checked(module, readNow(source));
    if (!(found instanceof Unread)) return compileNow(module, found.bytes, isShared);
    unread.push(found);
  }
  throw unread.some(({ needsWaiting }) => needsWaiting) ? notLoaded(module, 'its code has to be fetched first, which takes waiting', unread[0]?.cause) : unreadable(module, unread);
}

function compileNow(module: WasmModule, bytes: Uint8Array, isShared: boolean): WebAssembly.Module {
  try {
    return new WebAssembly.Module(withMemory(bytes, isShared));
  } catch (cause) {
    throw cause instanceof RangeError ? notLoaded(module, `this thread compiles ${bytes.length} bytes of code only without blocking`, cause) : refused(module, cause);
  }
}

/** From the first of its sources that gives a module of WebAssembly. */
async function load(module: WasmModule, isShared: boolean): Promise<WebAssembly.Module> {
  const unread: Unread[] = [];
  for (const source of sourcesOf(module)) {
    const found = await readLater(source);
    const code = found instanceof URL ? await compileFetched(module, found, isShared) : await compile(module, found, isShared);
    if (!(code instanceof Unread)) return code;
    unread.push(code);
  }
  throw unreadable(module, unread);
}

/** Compiled while it arrives where the memory is not shared: else its first bytes are not yet right. */
async function compileFetched(module: WasmModule, url: URL, isShared: boolean): Promise<WebAssembly.Module | Unread> {
  try {
    const response = await fetch(url);
    if (!response.ok) return new Unread(url, `the server answered ${response.status} ${response.statusText}`);
    const streams = !isShared && response.headers.get('content-type') === 'application/wasm' && 'compileStreaming' in WebAssembly;
    const compiling = streams ? WebAssembly.compileStreaming(response.clone()).catch(() => undefined) : undefined;
    const found = checked(module, { bytes: new Uint8Array(await response.arrayBuffer()), where: url.href });
    const code = await compiling;
    return code !== undefined && !(found instanceof Unread) && hasOpenMemory(found.bytes) ? code : await compile(module, found, isShared);
  } catch (cause) {
    if (cause instanceof TfError) throw cause;
    return new Unread(url, String(cause), { cause });
  }
}

/** Whether the bytes import their memory as this engine has it when it is not shared. */
function hasOpenMemory(bytes: Uint8Array): boolean {
  const patched = withMemory(bytes, false);
  return patched.length === bytes.length && patched.every((byte, at) => byte === bytes[at]);
}

async function compile(module: WasmModule, found: Bytes | Unread, isShared: boolean): Promise<WebAssembly.Module | Unread> {
  const bytes = checked(module, found);
  if (bytes instanceof Unread) return bytes;
  try {
    return await WebAssembly.compile(withMemory(bytes.bytes, isShared));
  } catch (cause) {
    throw refused(module, cause);
  }
}

/** What is no WebAssembly at all was not read; what is, but would write where others are, is refused. */
function checked(module: WasmModule, found: Bytes | Unread): Bytes | Unread {
  if (found instanceof Unread) return found;
  const { bytes, where } = found;
  if (!isWasm(bytes)) {
    const first = [...bytes.subarray(0, 8)].map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
    return new Unread(where, `it begins with ${first || 'nothing'} (${JSON.stringify(String.fromCharCode(...bytes.subarray(0, 8)))}), which is no WebAssembly module`);
  }
  const wrong = misplaced(bytes);
  if (wrong === undefined) return found;
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

function unreadable(module: WasmModule, [first, ...others]: readonly Unread[]): TfError {
  const { where, why, cause } = first as Unread;
  const further = others.map((next) => `; nor from ${next.where}: ${next.why}`).join('');
  return new TfError('ModuleNotLoadedError', `createEngine: ${nameOf(module)}: the code of its kernels, ${where}, could not be loaded: ${why}${further}. Its files must lie beside its JavaScript; a bundler must copy what new URL(…, import.meta.url) names.`, { ...fieldsOf(module), url: where }, { cause });
}

function refused(module: WasmModule, cause: unknown): unknown {
  if (cause instanceof TfError) return cause;
  return new TfError('ExtensionError', `createEngine: ${nameOf(module)}: its code is refused: ${String(cause)}. Build it for WebAssembly 2.0 with SIMD.`, fieldsOf(module), { cause });
}
