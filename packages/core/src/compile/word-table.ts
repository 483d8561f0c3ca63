/**
 * Numbers lists of small integers in the order in which they come up: equal lists, equal numbers. Open addressing over
 * typed arrays, where a `Map` would need a text or an object per list.
 */
export class WordTable {
  /** Per place: an entry, or −1. A power of two of places, at most half of them taken. */
  #places: Int32Array;
  /** The words of all entries, one after the other. */
  #words: Int32Array;
  /** Where the words of entry i begin; those of the last end at the end. */
  #starts: Int32Array;
  #hashes: Int32Array;
  #entries = 0;

  /** With room for so many lists; it grows. */
  constructor(lists = 512) {
    const room = Math.max(1, lists);
    this.#places = new Int32Array(2 ** (32 - Math.clz32(2 * room - 1))).fill(-1);
    this.#words = new Int32Array(4 * room);
    this.#starts = new Int32Array(room + 1);
    this.#hashes = new Int32Array(room);
  }

  /** The number of the list of the first `count` of these: that of the first equal one, or the count of lists so far. */
  entryOf(words: readonly number[], count: number = words.length): number {
    const hash = hashOf(words, count);
    const mask = this.#places.length - 1;
    let place = hash & mask;
    for (let entry = this.#places[place] as number; entry >= 0; entry = this.#places[place] as number) {
      if (this.#hashes[entry] === hash && this.#isEqual(entry, words, count)) return entry;
      place = (place + 1) & mask;
    }
    return this.#add(words, count, hash, place);
  }

  #isEqual(entry: number, words: readonly number[], count: number): boolean {
    const start = this.#starts[entry] as number;
    if ((this.#starts[entry + 1] as number) - start !== count) return false;
    for (let at = 0; at < count; at++) if (this.#words[start + at] !== words[at]) return false;
    return true;
  }

  #add(words: readonly number[], count: number, hash: number, place: number): number {
    const entry = this.#entries++;
    const start = this.#starts[entry] as number;
    const end = start + count;
    if (end > this.#words.length) this.#words = longer(this.#words, end);
    if (entry === this.#hashes.length) {
      this.#hashes = longer(this.#hashes, entry);
      this.#starts = longer(this.#starts, entry + 1);
    }
    for (let at = 0; at < count; at++) this.#words[start + at] = words[at] as number;
    this.#hashes[entry] = hash;
    this.#starts[entry + 1] = end;
    this.#places[place] = entry;
    if (2 * this.#entries > this.#places.length) this.#grow();
    return entry;
  }

  #grow(): void {
    const places = new Int32Array(2 * this.#places.length).fill(-1);
    const mask = places.length - 1;
    for (let entry = 0; entry < this.#entries; entry++) {
      let place = (this.#hashes[entry] as number) & mask;
      while ((places[place] as number) >= 0) place = (place + 1) & mask;
      places[place] = entry;
    }
    this.#places = places;
  }
}

function longer(words: Int32Array, least: number): Int32Array {
  const all = new Int32Array(2 * least);
  all.set(words);
  return all;
}

/** FNV-1a over words instead of bytes, then mixed so that the low bits depend on all (the finaliser of MurmurHash3, Appleby 2011). */
function hashOf(words: readonly number[], count: number): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < count; at++) hash = Math.imul(hash ^ (words[at] as number), 0x01000193);
  hash ^= hash >>> 16;
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) | 0;
}
