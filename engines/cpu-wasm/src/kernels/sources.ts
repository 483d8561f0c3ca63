/** Where the code of execution modules comes from: bytes, files, servers, functions; several are tried in their order. */
import type { CodeSource, WasmModule } from './wasm-module.ts';

/** Why a source gave no code. */
export class Unread {
  readonly where: string;
  readonly why: string;
  readonly cause: unknown;
  /** Whether waiting might help. */
  readonly needsWaiting: boolean;

  constructor(where: URL | string, why: string, { cause, needsWaiting = false }: { readonly cause?: unknown; readonly needsWaiting?: boolean } = {}) {
    this.where = String(where);
    this.why = why;
    this.cause = cause;
    this.needsWaiting = needsWaiting;
  }
}

/** Bytes, with the place they are from. */
export interface Bytes {
  readonly bytes: Uint8Array;
  readonly where: string;
}

/** Reads a file at once where JavaScript can: in Node (from 20.16 on), Deno and Bun. */
type ReadFile = (url: URL) => Uint8Array;

function fileReader(): ReadFile | undefined {
  const { process } = globalThis as { readonly process?: { readonly getBuiltinModule?: (name: string) => { readonly readFileSync: ReadFile } } };
  return process?.getBuiltinModule?.('node:fs').readFileSync;
}

export function isSource(source: unknown): source is CodeSource {
  return source instanceof URL || source instanceof Uint8Array || typeof source === 'function';
}

export function sourcesOf({ code }: WasmModule): readonly CodeSource[] {
  return Array.isArray(code) ? (code as readonly CodeSource[]) : [code as CodeSource];
}

/**
 * The file or address that comes first among the sources of a module's code; undefined where it is bytes or a promise.
 *
 * @example
 * import { codeUrl, type WasmModule } from '@tf/engine-cpu-wasm';
 * const module: WasmModule = { contract: 1, family: 'acme.signal.v1', package: '@acme/signal', version: '1.0.0', engine: 'cpu-wasm', kernels: {}, code: [() => new URL('file:///kernels.wasm')] };
 * console.log(codeUrl(module)?.pathname); // → /kernels.wasm
 */
export function codeUrl(module: WasmModule): URL | undefined {
  const [first] = sourcesOf(module);
  const found = typeof first === 'function' ? first() : first;
  return found instanceof URL ? found : undefined;
}

/** What a source says without waiting: bytes, or a URL that has to be fetched, or a promise. */
function located(source: CodeSource): Bytes | URL | PromiseLike<unknown> | Unread {
  const where = typeof source === 'function' ? 'code()' : 'its code';
  let found: unknown;
  try {
    found = typeof source === 'function' ? source() : source;
  } catch (cause) {
    // Where a bundler takes import.meta.url away, new URL(…) throws.
    return new Unread(where, String(cause), { cause });
  }
  if (found instanceof Uint8Array) return { bytes: found, where };
  if (found instanceof URL) return found.protocol === 'file:' ? readFile(found) : found;
  return typeof (found as Partial<PromiseLike<unknown>> | undefined)?.then === 'function' ? (found as PromiseLike<unknown>) : notBytes;
}

const notBytes: Unread = new Unread('code()', 'it did not resolve to a Uint8Array');

function readFile(url: URL): Bytes | Unread {
  const read = fileReader();
  if (read === undefined) return new Unread(url, 'this JavaScript engine reads no files. Serve it, or give the bytes');
  try {
    return { bytes: read(url), where: url.href };
  } catch (cause) {
    return new Unread(url, String(cause), { cause });
  }
}

/** Bytes without waiting. */
export function readNow(source: CodeSource): Bytes | Unread {
  const found = located(source);
  if (found instanceof URL) return new Unread(found, 'it has to be fetched first', { needsWaiting: true });
  if (!('then' in found)) return found;
  found.then(undefined, () => undefined);
  return new Unread('code()', 'it gives a promise', { needsWaiting: true });
}

/** Bytes, or the URL to fetch them from. */
export async function readLater(source: CodeSource): Promise<Bytes | URL | Unread> {
  const found = located(source);
  if (!('then' in found)) return found;
  try {
    const bytes: unknown = await found;
    return bytes instanceof Uint8Array ? { bytes, where: 'code()' } : notBytes;
  } catch (cause) {
    return new Unread('code()', String(cause), { cause });
  }
}
