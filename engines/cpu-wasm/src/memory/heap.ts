import { TfError } from '@tf/core';

export const PAGE = 65536;
/** What memory32 can address. */
export const MAXIMUM_BYTES: number = 65536 * PAGE;
export const addressLimit: { readonly engine: string; readonly maximumBytes: number } = Object.freeze({ engine: 'cpu-wasm', maximumBytes: MAXIMUM_BYTES });

const DEFAULT_PAGES = 64;

export interface HeapOptions {
  readonly initialBytes?: number | undefined;
  readonly maximumBytes?: number | undefined;
  /** Default: wherever SharedArrayBuffer exists. */
  readonly shared?: boolean | undefined;
}

/**
 * The engine's one WebAssembly.Memory. Views are fields of this class, made anew by {@link grow} and nowhere else: read
 * them after the last allocation of a run and keep them in no field of anything else.
 */
export class Heap {
  readonly memory: WebAssembly.Memory;
  readonly shared: boolean;
  readonly maximumBytes: number;
  #growths = 0;
  #bytes: Uint8Array;
  #words: Int32Array;
  #floats: Float32Array;
  #doubles: Float64Array;
  #longs: BigInt64Array | undefined;

  constructor(options: HeapOptions = {}) {
    this.shared = sharesMemory(options.shared);
    const maximum = pagesOf(options.maximumBytes ?? MAXIMUM_BYTES);
    const initial = options.initialBytes === undefined ? Math.min(DEFAULT_PAGES, maximum) : pagesOf(options.initialBytes);
    const { memory, maximumPages } = createMemory(initial, maximum, this.shared);
    this.memory = memory;
    this.maximumBytes = maximumPages * PAGE;
    this.#bytes = new Uint8Array(memory.buffer);
    this.#words = new Int32Array(memory.buffer);
    this.#floats = new Float32Array(memory.buffer);
    this.#doubles = new Float64Array(memory.buffer);
  }

  get bytes(): Uint8Array {
    return this.#bytes;
  }
  get words(): Int32Array {
    return this.#words;
  }
  get floats(): Float32Array {
    return this.#floats;
  }
  get doubles(): Float64Array {
    return this.#doubles;
  }
  /** Made when it is first asked for: where JavaScript has no such arrays, everything else works. */
  get longs(): BigInt64Array {
    return (this.#longs ??= new BigInt64Array(this.memory.buffer));
  }
  get size(): number {
    return this.#bytes.length;
  }
  /** How often it grew. */
  get growths(): number {
    return this.#growths;
  }

  /** Grows to at least `bytes`, by half of the present size if that is more; false where the maximum forbids it. */
  grow(bytes: number): boolean {
    return this.growTo(Math.max(bytes, Math.min(this.maximumBytes, 1.5 * this.size))) || this.growTo(bytes);
  }

  /** Grows to `bytes` and makes the views anew; false where the maximum or the machine forbids it. */
  growTo(bytes: number): boolean {
    if (bytes > this.maximumBytes || !this.#growMemory(bytes)) return false;
    this.#growths++;
    this.#bytes = new Uint8Array(this.memory.buffer);
    this.#words = new Int32Array(this.memory.buffer);
    this.#floats = new Float32Array(this.memory.buffer);
    this.#doubles = new Float64Array(this.memory.buffer);
    this.#longs = undefined;
    return true;
  }

  #growMemory(bytes: number): boolean {
    const pages = pagesOf(bytes) - pagesOf(this.size);
    try {
      this.memory.grow(Math.max(0, pages));
      return true;
    } catch {
      return false;
    }
  }
}

/** Whether a memory is shared, where an option says or does not say so. */
export function sharesMemory(shared: boolean | undefined): boolean {
  return shared ?? typeof SharedArrayBuffer !== 'undefined';
}

function pagesOf(bytes: number): number {
  return Math.ceil(bytes / PAGE);
}

/** A shared memory reserves its maximum: where a small machine refuses that, half of it is tried. */
function createMemory(initial: number, maximum: number, shared: boolean): { memory: WebAssembly.Memory; maximumPages: number } {
  if (!(initial >= 1 && initial <= maximum && maximum <= PAGE)) {
    throw new TfError('ArgumentError', `createEngine: memory needs 1 ≤ initialBytes ≤ maximumBytes ≤ 2^32, got ${initial * PAGE} and ${maximum * PAGE}.`, { op: 'createEngine', argument: 'memory' });
  }
  for (let maximumPages = maximum; ; maximumPages = Math.floor(maximumPages / 2)) {
    try {
      return { memory: new WebAssembly.Memory({ initial, maximum: maximumPages, shared }), maximumPages };
    } catch (cause) {
      if (maximumPages / 2 >= Math.max(initial, 1024)) continue;
      throw new TfError('EngineUnavailableError', `cpu-wasm: this machine refuses a WebAssembly memory of ${initial * PAGE} bytes. Free memory or pass a smaller memory.initialBytes to createEngine.`, { engine: 'cpu-wasm' }, { cause });
    }
  }
}
