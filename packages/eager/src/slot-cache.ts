import type { CacheStats } from '@tf/core';

/** Something that a {@link SlotCache} holds. `slot` is its place, −1 once it has been evicted. */
export interface Cached {
  readonly hash: number;
  readonly bytes: number;
  slot: number;
  lastUsed: number;
}

const none: readonly never[] = [];

/**
 * A bounded cache whose entries have small numbers (slots), so that each engine can keep what it compiled for them in an
 * array. Looking up costs one map access and the caller's comparison; the least recently used entry leaves first.
 */
export class SlotCache<E extends Cached> {
  readonly #maximumEntries: number;
  readonly #maximumBytes: number;
  readonly #buckets = new Map<number, E[]>();
  readonly #slots: (E | undefined)[] = [];
  readonly #free: number[] = [];
  #entries = 0;
  #bytes = 0;
  #time = 0;
  #hits = 0;
  #misses = 0;
  #evictions = 0;
  #clears = 0;

  constructor(maximumEntries: number, maximumBytes: number = 64 * 2 ** 20) {
    this.#maximumEntries = maximumEntries;
    this.#maximumBytes = maximumBytes;
  }

  /** Entries among which the caller looks for an equal one. */
  bucket(hash: number): readonly E[] {
    return this.#buckets.get(hash) ?? none;
  }

  hit(entry: E): void {
    this.#hits++;
    entry.lastUsed = ++this.#time;
  }

  add(entry: E): void {
    this.#misses++;
    entry.lastUsed = ++this.#time;
    entry.slot = this.#free.pop() ?? this.#slots.length;
    this.#slots[entry.slot] = entry;
    this.#entries++;
    this.#bytes += entry.bytes;
    const bucket = this.#buckets.get(entry.hash);
    if (bucket === undefined) this.#buckets.set(entry.hash, [entry]);
    else bucket.push(entry);
    while (this.#entries > 1 && (this.#entries > this.#maximumEntries || this.#bytes > this.#maximumBytes)) this.#evictOldest(entry);
  }

  clear(): void {
    for (const entry of this.#slots) if (entry !== undefined) this.#remove(entry);
    this.#clears++;
  }

  stats(): CacheStats {
    return { entries: this.#entries, retainedBytes: this.#bytes, hits: this.#hits, misses: this.#misses, evictions: this.#evictions, clears: this.#clears };
  }

  #evictOldest(keep: E): void {
    let oldest: E | undefined;
    for (const entry of this.#slots) if (entry !== undefined && entry !== keep && (oldest === undefined || entry.lastUsed < oldest.lastUsed)) oldest = entry;
    if (oldest === undefined) return;
    this.#remove(oldest);
    this.#evictions++;
  }

  #remove(entry: E): void {
    this.#slots[entry.slot] = undefined;
    this.#free.push(entry.slot);
    entry.slot = -1;
    this.#entries--;
    this.#bytes -= entry.bytes;
    const rest = (this.#buckets.get(entry.hash) ?? []).filter((other) => other !== entry);
    if (rest.length === 0) this.#buckets.delete(entry.hash);
    else this.#buckets.set(entry.hash, rest);
  }
}
