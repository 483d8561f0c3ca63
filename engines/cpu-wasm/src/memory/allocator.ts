import { TfError } from '@tf/core';
import type { Heap } from './heap.ts';
import { Regions } from './regions.ts';

/** Every address is a multiple of this: a cache line. */
export const ALIGNMENT = 64;
/** Pieces up to this size come from slabs, larger ones from regions. */
const SMALL_BYTES = 8192;
const SLAB_BYTES = 65536;

/** A piece of the heap; `address` is 0 once it was given back. Eviction may move it: read `address` at each use. */
export class Block {
  address: number = 0;
  /** Reserved bytes: the request rounded up. */
  bytes: number = 0;
}

/** What gives out blocks: {@link Allocator}, or the guarded one of debug mode. */
export interface BlockSource {
  readonly bytesInUse: number;
  /** The largest `bytesInUse` so far. */
  readonly bytesPeak: number;
  /** Room for `bytes`, described by `block`. */
  allocate<B extends Block>(bytes: number, block: B): B;
  allocate(bytes: number): Block;
  /** Gives a block back; a second time does nothing. */
  free(block: Block): void;
}

interface Slab {
  readonly address: number;
  readonly pieceBytes: number;
  readonly free: number[];
  readonly pieces: number;
}

/**
 * A size-classed allocator: classes 2^k·{1, 1¼, 1½, 1¾} up to 8 KiB in slabs of 64 KiB, whole regions above. An empty
 * slab goes back to the regions unless it is the last one with room in its class.
 */
export class Allocator implements BlockSource {
  readonly #heap: Heap;
  readonly #regions = new Regions();
  /** By class size, the slabs with free pieces; the last one serves. */
  readonly #open = new Map<number, Slab[]>();
  /** By address / SLAB_BYTES. Slabs are aligned to their size. */
  readonly #slabs = new Map<number, Slab>();
  readonly #classes: readonly Slab[][];
  /** Frees what the engine can do without; true if that gave anything back. */
  readonly #relieve: () => boolean;
  #bytesInUse = 0;
  #bytesPeak = 0;

  constructor(heap: Heap, relieve: () => boolean) {
    this.#heap = heap;
    this.#relieve = relieve;
    // Address 0 stands for "no memory", so the first line is never handed out.
    this.#regions.give(ALIGNMENT, heap.size - ALIGNMENT);
    this.#classes = Array.from({ length: SMALL_BYTES / ALIGNMENT + 1 }, (_, lines) => this.#openSlabs(classBytes(lines * ALIGNMENT)));
  }

  get bytesInUse(): number {
    return this.#bytesInUse;
  }
  get bytesPeak(): number {
    return this.#bytesPeak;
  }

  allocate<B extends Block>(bytes: number, block: B): B;
  allocate(bytes: number): Block;
  allocate(bytes: number, block: Block = new Block()): Block {
    const size = blockBytes(bytes);
    let address = size <= SMALL_BYTES ? this.#takePiece(size) : this.#findRegion(size);
    while (address < 0) {
      if (!this.#relieve()) throw tooLargeError(size, this.#bytesInUse, this.#heap.maximumBytes);
      address = size <= SMALL_BYTES ? this.#takePiece(size) : this.#findRegion(size);
    }
    block.address = address;
    block.bytes = size;
    this.#bytesInUse += size;
    if (this.#bytesInUse > this.#bytesPeak) this.#bytesPeak = this.#bytesInUse;
    return block;
  }

  free(block: Block): void {
    const { address, bytes } = block;
    if (address === 0) return;
    block.address = 0;
    this.#bytesInUse -= bytes;
    if (bytes > SMALL_BYTES) this.#regions.give(address, bytes);
    else this.#freeSmall(address, bytes);
  }

  #openSlabs(pieceBytes: number): Slab[] {
    let slabs = this.#open.get(pieceBytes);
    if (slabs === undefined) {
      slabs = [];
      this.#open.set(pieceBytes, slabs);
    }
    return slabs;
  }

  /** The address of a piece, or −1. */
  #takePiece(pieceBytes: number): number {
    const slabs = this.#classes[pieceBytes / ALIGNMENT]!;
    let slab = slabs[slabs.length - 1];
    if (slab === undefined) {
      slab = this.#createSlab(pieceBytes);
      // Where no slab fits any more, a piece of its own may.
      if (slab === undefined) return this.#findRegion(pieceBytes);
      slabs.push(slab);
    }
    const address = slab.free.pop()!;
    if (slab.free.length === 0) slabs.pop();
    return address;
  }

  #createSlab(pieceBytes: number): Slab | undefined {
    const address = this.#takeAligned();
    if (address < 0) return undefined;
    const pieces = Math.floor(SLAB_BYTES / pieceBytes);
    const free: number[] = [];
    for (let i = pieces - 1; i >= 0; i--) free.push(address + i * pieceBytes);
    const slab: Slab = { address, pieceBytes, free, pieces };
    this.#slabs.set(address / SLAB_BYTES, slab);
    return slab;
  }

  /** A slab's place: twice its size is taken, and what lies around the aligned part given back. Or −1. */
  #takeAligned(): number {
    const start = this.#findRegion(2 * SLAB_BYTES - ALIGNMENT);
    if (start < 0) return -1;
    const end = start + 2 * SLAB_BYTES - ALIGNMENT;
    const address = Math.ceil(start / SLAB_BYTES) * SLAB_BYTES;
    if (address > start) this.#regions.give(start, address - start);
    if (end > address + SLAB_BYTES) this.#regions.give(address + SLAB_BYTES, end - address - SLAB_BYTES);
    return address;
  }

  #freeSmall(address: number, bytes: number): void {
    const slab = this.#slabs.get(Math.floor(address / SLAB_BYTES));
    if (slab === undefined) {
      this.#regions.give(address, bytes);
      return;
    }
    slab.free.push(address);
    if (slab.free.length === 1) this.#openSlabs(slab.pieceBytes).push(slab);
    else if (slab.free.length === slab.pieces && this.#openSlabs(slab.pieceBytes).length > 1) this.#closeSlab(slab);
  }

  #closeSlab(slab: Slab): void {
    const slabs = this.#openSlabs(slab.pieceBytes);
    slabs.splice(slabs.indexOf(slab), 1);
    this.#slabs.delete(slab.address / SLAB_BYTES);
    this.#regions.give(slab.address, SLAB_BYTES);
  }

  /** True if that gave anything back to the regions. */
  #closeEmptySlabs(): boolean {
    const empty = [...this.#open.values()].flat().filter((slab) => slab.free.length === slab.pieces);
    for (const slab of empty) this.#closeSlab(slab);
    return empty.length > 0;
  }

  /** The address of a free region, grown or cleared of empty slabs if need be, or −1. */
  #findRegion(bytes: number): number {
    for (;;) {
      const address = this.#regions.take(bytes);
      if (address >= 0 || !(this.#grow(bytes) || this.#closeEmptySlabs())) return address;
    }
  }

  #grow(bytes: number): boolean {
    const before = this.#heap.size;
    if (!this.#heap.grow(before - this.#regions.freeBefore(before) + bytes)) return false;
    this.#regions.give(before, this.#heap.size - before);
    return true;
  }
}

export function tooLargeError(requested: number, current: number, maximum: number): TfError {
  return new TfError(
    'TooLargeError',
    `cpu-wasm: ${requested} bytes do not fit: ${current} bytes are in use and the memory can hold ${maximum}. Dispose tensors that are no longer needed, work in smaller batches, or raise memory.maximumBytes (at most 4 GiB) in createEngine.`,
    { engine: 'cpu-wasm', requested, current, maximum },
  );
}

/** What a block of `bytes` takes. */
export function blockBytes(bytes: number): number {
  return bytes <= SMALL_BYTES ? classBytes(bytes) : Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}

/** The smallest class that holds `bytes`: four steps per power of two, multiples of 64. */
function classBytes(bytes: number): number {
  const lines = Math.max(1, Math.ceil(bytes / ALIGNMENT));
  if (lines <= 4) return lines * ALIGNMENT;
  const step = 2 ** (31 - Math.clz32(lines - 1) - 2);
  return Math.ceil(lines / step) * step * ALIGNMENT;
}
