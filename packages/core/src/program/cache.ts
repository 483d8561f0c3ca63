/** What a cache has done: the numbers that `stats()` of front ends and engines report. */
export interface CacheStats {
  readonly entries: number;
  readonly retainedBytes: number;
  readonly hits: number;
  readonly misses: number;
  readonly evictions: number;
  readonly clears: number;
}

export interface CacheOptions<K, V> {
  readonly hash: (key: K) => number;
  /** Decides; the hash only narrows the search. */
  readonly same: (a: K, b: K) => boolean;
  readonly bytes?: (key: K, value: V) => number;
  readonly maximumEntries?: number;
  readonly maximumBytes?: number;
}

interface Entry<K, V> {
  readonly key: K;
  readonly value: V;
  readonly hash: number;
  readonly bytes: number;
}

/** A bounded map with structural keys: least recently used entries leave first. */
export class BoundedCache<K, V> {
  readonly #options: CacheOptions<K, V>;
  readonly #buckets = new Map<number, Entry<K, V>[]>();
  /** Insertion order is the order of use: a hit moves its entry to the end. */
  readonly #order = new Set<Entry<K, V>>();
  #newest: Entry<K, V> | undefined;
  #bytes = 0;
  #hits = 0;
  #misses = 0;
  #evictions = 0;
  #clears = 0;

  constructor(options: CacheOptions<K, V>) {
    this.#options = options;
  }

  /** The value for an equal key, made by `create` when there is none. */
  getOrCreate(key: K, create: () => V): V {
    const hash = this.#options.hash(key);
    const found = this.#buckets.get(hash)?.find((entry) => this.#options.same(entry.key, key));
    if (found !== undefined) {
      this.#hits++;
      this.#use(found);
      return found.value;
    }
    this.#misses++;
    const value = create();
    this.#insert({ key, value, hash, bytes: this.#options.bytes?.(key, value) ?? 0 });
    return value;
  }

  clear(): void {
    this.#buckets.clear();
    this.#order.clear();
    this.#newest = undefined;
    this.#bytes = 0;
    this.#clears++;
  }

  stats(): CacheStats {
    return { entries: this.#order.size, retainedBytes: this.#bytes, hits: this.#hits, misses: this.#misses, evictions: this.#evictions, clears: this.#clears };
  }

  #use(entry: Entry<K, V>): void {
    if (entry === this.#newest) return;
    this.#order.delete(entry);
    this.#order.add(entry);
    this.#newest = entry;
  }

  #insert(entry: Entry<K, V>): void {
    const bucket = this.#buckets.get(entry.hash);
    if (bucket === undefined) this.#buckets.set(entry.hash, [entry]);
    else bucket.push(entry);
    this.#order.add(entry);
    this.#newest = entry;
    this.#bytes += entry.bytes;
    const { maximumEntries = 256, maximumBytes = 64 * 2 ** 20 } = this.#options;
    for (const oldest of this.#order) {
      if (oldest === entry || (this.#order.size <= maximumEntries && this.#bytes <= maximumBytes)) break;
      this.#remove(oldest);
      this.#evictions++;
    }
  }

  #remove(entry: Entry<K, V>): void {
    this.#order.delete(entry);
    this.#bytes -= entry.bytes;
    const rest = (this.#buckets.get(entry.hash) ?? []).filter((other) => other !== entry);
    if (rest.length === 0) this.#buckets.delete(entry.hash);
    else this.#buckets.set(entry.hash, rest);
  }
}
