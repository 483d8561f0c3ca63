/** Words of the table that hold addresses: buffer's address + offset. Parallel arrays, read at every run. */
export interface Patches {
  readonly words: Int32Array;
  readonly buffers: Int32Array;
  /** In bytes, modulo 2^32 as addresses are. */
  readonly offsets: Int32Array;
}

export class PatchList {
  #all: Int32Array = new Int32Array(3 * 64);
  #length = 0;

  add(word: number, buffer: number, offset: number): void {
    if (this.#length === this.#all.length) {
      const larger = new Int32Array(2 * this.#length);
      larger.set(this.#all);
      this.#all = larger;
    }
    this.#all[this.#length++] = word;
    this.#all[this.#length++] = buffer;
    this.#all[this.#length++] = offset;
  }

  result(): Patches {
    const column = (first: number): Int32Array => {
      const values = new Int32Array(this.#length / 3);
      for (let i = 0; i < values.length; i++) values[i] = this.#all[3 * i + first]!;
      return values;
    };
    return { words: column(0), buffers: column(1), offsets: column(2) };
  }
}
