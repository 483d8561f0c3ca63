/**
 * Free regions of the heap by address: neighbours merge when one is given back, the smallest that fits is taken (best
 * fit). Meant for large pieces, of which there are few.
 */
export class Regions {
  /** Sorted by address; no two touch. */
  readonly #addresses: number[] = [];
  readonly #sizes: number[] = [];

  /** The address of `size` free bytes, or −1. */
  take(size: number): number {
    let best = -1;
    for (let i = 0; i < this.#sizes.length; i++) {
      const have = this.#sizes[i]!;
      if (have >= size && (best < 0 || have < this.#sizes[best]!)) best = i;
    }
    if (best < 0) return -1;
    const address = this.#addresses[best]!;
    if (this.#sizes[best] === size) {
      this.#addresses.splice(best, 1);
      this.#sizes.splice(best, 1);
    } else {
      this.#addresses[best] = address + size;
      this.#sizes[best]! -= size;
    }
    return address;
  }

  give(address: number, size: number): void {
    const at = this.#position(address);
    const joinsBefore = at > 0 && this.#addresses[at - 1]! + this.#sizes[at - 1]! === address;
    const joinsAfter = at < this.#addresses.length && address + size === this.#addresses[at];
    if (joinsBefore && joinsAfter) {
      this.#sizes[at - 1]! += size + this.#sizes[at]!;
      this.#addresses.splice(at, 1);
      this.#sizes.splice(at, 1);
    } else if (joinsBefore) {
      this.#sizes[at - 1]! += size;
    } else if (joinsAfter) {
      this.#addresses[at] = address;
      this.#sizes[at]! += size;
    } else {
      this.#addresses.splice(at, 0, address);
      this.#sizes.splice(at, 0, size);
    }
  }

  /** Free bytes that end at `end`: what growing the heap need not add. */
  freeBefore(end: number): number {
    const last = this.#addresses.length - 1;
    if (last < 0 || this.#addresses[last]! + this.#sizes[last]! !== end) return 0;
    return this.#sizes[last]!;
  }

  /** The number of regions whose address is below `address`. */
  #position(address: number): number {
    let low = 0;
    let high = this.#addresses.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#addresses[middle]! < address) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
