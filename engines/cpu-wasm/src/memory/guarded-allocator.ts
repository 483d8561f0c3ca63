/**
 * The allocator of debug mode, for finding faults of generated code and of this engine. The memory grows for each block,
 * so that a view from before misses it; around each block lie canaries; what is free, or not written yet, holds a poison
 * that is NaN as float, out of range as index and no boolean. Freed memory serves again only when nothing else is left.
 */
import { TfError } from '@tf/core';
import { ALIGNMENT, Block, blockBytes, type BlockSource, tooLargeError } from './allocator.ts';
import { type Heap, PAGE } from './heap.ts';
import { Regions } from './regions.ts';

/** As float32 and, twice, as float64 a NaN. */
export const poisonWord = 0x7ffbfbfb;
export const canaryByte = 0xca;
const canaryWord = 0xcacacaca | 0;
const GUARD_BYTES = ALIGNMENT;
/** Of what was freed, so much is looked at again with every {@link GuardedAllocator.check}. */
const RECHECKED_BYTES = 16384;
/** Up to so many blocks all are looked at after every step, else those that the plan has. */
const FEW_BLOCKS = 128;
/** Where there are more, all are looked at with one check in so many. */
const CHECKS_APART = 32;
const somebody = (): string => 'something';

interface Guarded {
  /** Where the block begins, behind its canary. */
  readonly address: number;
  /** What was asked for: behind it the second canary begins. */
  readonly requested: number;
  readonly bytes: number;
}

export class GuardedAllocator implements BlockSource {
  readonly #heap: Heap;
  readonly #relieve: () => boolean;
  /** Never handed out, or freed and found as it was left. */
  readonly #regions = new Regions();
  readonly #live = new Map<Block, Guarded>();
  readonly #byAddress = new Map<number, Guarded>();
  /** Poisoned and not handed out again, oldest first. */
  readonly #freed: Guarded[] = [];
  #bytesInUse = 0;
  #bytesPeak = 0;
  #checks = 0;

  constructor(heap: Heap, relieve: () => boolean) {
    this.#heap = heap;
    this.#relieve = relieve;
    this.#regions.give(ALIGNMENT, heap.size - ALIGNMENT);
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
    const start = this.#room(size + 2 * GUARD_BYTES);
    const guarded: Guarded = { address: start + GUARD_BYTES, requested: bytes, bytes: size };
    this.poison(guarded.address, bytes);
    fillCanaries(this.#heap, guarded);
    this.#live.set(block, guarded);
    this.#byAddress.set(guarded.address, guarded);
    block.address = guarded.address;
    block.bytes = size;
    this.#bytesInUse += size;
    this.#bytesPeak = Math.max(this.#bytesPeak, this.#bytesInUse);
    return block;
  }

  free(block: Block): void {
    const guarded = this.#live.get(block);
    if (guarded === undefined) return;
    this.#live.delete(block);
    this.#byAddress.delete(guarded.address);
    block.address = 0;
    this.#bytesInUse -= guarded.bytes;
    this.#freed.push(guarded);
    try {
      this.#checkCanaries(guarded, somebody);
    } finally {
      this.poison(guarded.address, guarded.bytes);
    }
  }

  /** Fills memory with poison: what must be written before it is read. */
  poison(address: number, bytes: number): void {
    this.#heap.words.fill(poisonWord, address / 4, Math.ceil((address + bytes) / 4));
  }

  /** Looks at the canaries of the blocks that begin at these addresses, and of all blocks while they are few. */
  checkSome(addresses: readonly number[], who: () => string, step: number): void {
    if (this.#live.size <= FEW_BLOCKS) {
      for (const guarded of this.#live.values()) this.#checkCanaries(guarded, who, step);
    } else {
      for (const address of addresses) {
        const guarded = this.#byAddress.get(address);
        if (guarded !== undefined) this.#checkCanaries(guarded, who, step);
      }
    }
  }

  /** Throws an `EngineFaultError` where anything wrote outside of its memory; `who` says who was at work. */
  check(who: () => string): void {
    if (this.#live.size <= FEW_BLOCKS || ++this.#checks % CHECKS_APART === 0) {
      for (const guarded of this.#live.values()) this.#checkCanaries(guarded, who);
    }
    let bytes = RECHECKED_BYTES;
    for (let i = this.#freed.length - 1; i >= 0 && bytes > 0; i--) {
      this.#checkPoison(this.#freed[i]!, who);
      bytes -= this.#freed[i]!.bytes;
    }
  }

  /** Whether a block that is not freed begins there and has so many bytes. */
  holds(address: number, bytes: number): boolean {
    const guarded = this.#byAddress.get(address);
    return guarded !== undefined && bytes <= guarded.bytes;
  }

  // ---------------------------------------------------------------- room

  #room(bytes: number): number {
    for (;;) {
      const address = this.#fresh(bytes);
      if (address >= 0) return address;
      if (this.#freed.length > 0) this.#reuse();
      else if (!this.#relieve()) throw tooLargeError(bytes - 2 * GUARD_BYTES, this.#bytesInUse, this.#heap.maximumBytes);
    }
  }

  /** Room that grows the memory, or where that is refused, room that was there and serves for the first time. Or −1. */
  #fresh(bytes: number): number {
    const before = this.#heap.size;
    const added = Math.ceil(bytes / PAGE) * PAGE;
    if (!this.#heap.growTo(before + added)) return this.#regions.take(bytes);
    this.#regions.give(before + bytes, added - bytes);
    return before;
  }

  /** What was freed serves again, if it is as it was left. */
  #reuse(): void {
    const freed = this.#freed.splice(0);
    for (const { address, bytes } of freed) this.#regions.give(address - GUARD_BYTES, bytes + 2 * GUARD_BYTES);
    for (const guarded of freed) this.#checkPoison(guarded, somebody);
  }

  // ---------------------------------------------------------------- checks

  #checkCanaries(guarded: Guarded, who: () => string, step?: number): void {
    const at = brokenCanary(this.#heap, guarded);
    if (at === undefined) return;
    fillCanaries(this.#heap, guarded);
    const { address, requested } = guarded;
    const where = at < address ? `${address - at} bytes before the beginning` : `${at - address - requested} bytes beyond the end`;
    throw fault(`${who()} wrote ${where} of a block of ${requested} bytes`, { step, address, bytes: requested, side: at < address ? 'before' : 'after' });
  }

  #checkPoison(guarded: Guarded, who: () => string): void {
    const { address, bytes, requested } = guarded;
    const { words } = this.#heap;
    const start = address / 4;
    const end = (address + bytes) / 4;
    let word = start;
    while (word < end && words[word] === poisonWord) word++;
    if (word === end) return;
    const at = word - start;
    this.poison(address, bytes);
    throw fault(`${who()} wrote at byte ${4 * at} of a block of ${requested} bytes that had been freed`, { address, bytes: requested, side: 'freed' });
  }
}

/** What debug mode found. */
export function fault(what: string, fields: Readonly<Record<string, unknown>>): TfError {
  return new TfError('EngineFaultError', `cpu-wasm: ${what}. This is a fault of tf or of a kernel that it was given: please report it with this text.`, { engine: 'cpu-wasm', ...fields });
}

/** The first byte of a canary that is none any more. */
function brokenCanary(heap: Heap, { address, requested, bytes }: Guarded): number | undefined {
  return brokenBetween(heap, address - GUARD_BYTES, address) ?? brokenBetween(heap, address + requested, address + bytes + GUARD_BYTES);
}

export function brokenBetween(heap: Heap, start: number, end: number): number | undefined {
  const aligned = Math.min(end, Math.ceil(start / 4) * 4);
  for (let at = start; at < aligned; at++) if (heap.bytes[at] !== canaryByte) return at;
  const words = heap.words;
  for (let word = aligned / 4; word < end / 4; word++) {
    if (words[word] !== canaryWord) for (let at = 4 * word; ; at++) if (heap.bytes[at] !== canaryByte) return at;
  }
  return undefined;
}

function fillCanaries(heap: Heap, { address, requested, bytes }: Guarded): void {
  heap.bytes.fill(canaryByte, address - GUARD_BYTES, address);
  heap.bytes.fill(canaryByte, address + requested, address + bytes + GUARD_BYTES);
}
