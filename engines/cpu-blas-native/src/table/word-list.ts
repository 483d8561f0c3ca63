/** A growing row of doubles; some hold bits that are none. */
export class WordList {
  #words: Float64Array<ArrayBuffer> = new Float64Array(256);
  #bits: BigInt64Array<ArrayBuffer> = new BigInt64Array(this.#words.buffer);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(...values: readonly number[]): void {
    for (const value of values) {
      this.#grow(1);
      this.#words[this.#length++] = value;
    }
  }

  /** A word whose low bytes are these. */
  pushBits(bits: bigint): void {
    this.#grow(1);
    this.#bits[this.#length++] = bits;
  }

  /** Words that are written later. */
  reserve(count: number): void {
    this.#grow(count);
    this.#length += count;
  }

  get(at: number): number {
    return this.#words[at]!;
  }

  set(at: number, value: number): void {
    this.#words[at] = value;
  }

  /** A copy in memory of its own. */
  result(): Float64Array<ArrayBuffer> {
    return this.#words.slice(0, this.#length);
  }

  #grow(count: number): void {
    if (this.#length + count <= this.#words.length) return;
    const larger = new Float64Array(2 * (this.#words.length + count));
    larger.set(this.#words);
    this.#words = larger;
    this.#bits = new BigInt64Array(larger.buffer);
  }
}
