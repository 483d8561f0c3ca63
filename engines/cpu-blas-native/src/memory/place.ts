/** Memory that C and JavaScript both see: pieces of ArrayBuffers, which V8 does not move. */
import { TfError } from '@tf/core';
import type { Addon } from '../addon.ts';

export interface Place {
  readonly memory: ArrayBuffer;
  readonly offset: number;
  readonly address: number;
  /** Of its size class: what was asked for, or a little more. */
  readonly bytes: number;
}

const ALIGNMENT = 64;
/** Up to this many bytes a piece shares its ArrayBuffer with others. */
const SMALL_BYTES = 4096;
const CHUNK_BYTES = 65536;
const LARGE_STEP = 4096;
/** What waits to be used again, at most. */
const KEPT_BYTES = 256 * 2 ** 20;

/**
 * Gives memory that nobody has written yet, and takes it back. What is not given back is collected with the last buffer that refers to it: nothing has to be disposed
 * for memory to stay bounded.
 */
export class Places {
  readonly #addon: Addon;
  /** Small pieces by how many times the alignment they take: every eager operation asks for one. */
  readonly #small: readonly Place[][] = Array.from({ length: SMALL_BYTES / ALIGNMENT + 1 }, () => []);
  readonly #large = new Map<number, Place[]>();
  /** What runs in the background read, and whether it was given back meanwhile. */
  readonly #held = new Map<Place, { runs: number; isGiven: boolean }>();
  #kept = 0;
  #chunk: { readonly memory: ArrayBuffer; readonly address: number; used: number } | undefined;

  constructor(addon: Addon) {
    this.#addon = addon;
  }

  /** Bytes that wait to be used again. */
  get keptBytes(): number {
    return this.#kept;
  }

  take(requested: number): Place {
    const bytes = sizeClass(requested);
    const place = this.#listOf(bytes)?.pop();
    if (place !== undefined) {
      this.#kept -= bytes;
      return place;
    }
    return bytes > SMALL_BYTES ? this.fresh(bytes) : this.#ofChunk(bytes);
  }

  /** An ArrayBuffer of its own. */
  fresh(bytes: number): Place {
    const { memory, address } = this.#newMemory(bytes);
    return { memory, offset: address.offset, address: address.value, bytes };
  }

  give(place: Place): void {
    const held = this.#held.size === 0 ? undefined : this.#held.get(place);
    if (held === undefined) this.recycle(place);
    else held.isGiven = true;
  }

  /** Until as many calls of {@link letGo}, what is given back is used for nothing else: another thread reads it. */
  hold(places: readonly Place[]): void {
    for (const place of places) {
      const held = this.#held.get(place);
      if (held === undefined) this.#held.set(place, { runs: 1, isGiven: false });
      else held.runs++;
    }
  }

  letGo(places: readonly Place[]): void {
    for (const place of places) {
      const held = this.#held.get(place)!;
      if (--held.runs > 0) continue;
      this.#held.delete(place);
      if (held.isGiven) this.recycle(place);
    }
  }

  isHeld(place: Place): boolean {
    return this.#held.has(place);
  }

  protected recycle(place: Place): void {
    if (this.#kept + place.bytes > KEPT_BYTES) return;
    this.#kept += place.bytes;
    const list = this.#listOf(place.bytes);
    if (list === undefined) this.#large.set(place.bytes, [place]);
    else list.push(place);
  }

  /** What waits of a size class; undefined where nothing large has waited yet. */
  #listOf(bytes: number): Place[] | undefined {
    return bytes > SMALL_BYTES ? this.#large.get(bytes) : this.#small[bytes / ALIGNMENT];
  }

  #ofChunk(bytes: number): Place {
    let chunk = this.#chunk;
    if (chunk === undefined || chunk.used + bytes > CHUNK_BYTES) {
      const { memory, address } = this.#newMemory(CHUNK_BYTES);
      chunk = this.#chunk = { memory, address: address.value - address.offset, used: address.offset };
    }
    const offset = chunk.used;
    chunk.used += bytes;
    return { memory: chunk.memory, offset, address: chunk.address + offset, bytes };
  }

  /** Aligned, and not filled with zeros. */
  #newMemory(bytes: number): { readonly memory: ArrayBuffer; readonly address: { readonly value: number; readonly offset: number } } {
    const memory = allocate(bytes + ALIGNMENT);
    const start = this.#addon.addressOf(memory);
    const value = Math.ceil(start / ALIGNMENT) * ALIGNMENT;
    return { memory, address: { value, offset: value - start } };
  }
}

/** Throws a `TooLargeError` where there is no memory. */
export function allocate(bytes: number): ArrayBuffer {
  try {
    return Buffer.allocUnsafeSlow(bytes).buffer as ArrayBuffer;
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
    throw new TfError('TooLargeError', `cpu-blas-native: ${bytes} bytes could not be allocated (${thrown.message}). Work in smaller batches, or dispose what is needed no more.`, { engine: 'cpu-blas-native', requested: bytes });
  }
}

function sizeClass(bytes: number): number {
  const step = bytes > SMALL_BYTES ? LARGE_STEP : ALIGNMENT;
  return Math.max(ALIGNMENT, Math.ceil(bytes / step) * step);
}
