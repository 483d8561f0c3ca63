/** A binary heap: the entry of the least priority comes first; of equal ones, the one that came first. */
export class PriorityQueue<T> {
  readonly #entries: { readonly value: T; readonly priority: number; readonly order: number }[] = [];
  #count = 0;

  get size(): number {
    return this.#entries.length;
  }

  push(value: T, priority: number): void {
    const entries = this.#entries;
    let at = entries.push({ value, priority, order: this.#count++ }) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#isBefore(at, parent)) break;
      this.#swap(at, parent);
      at = parent;
    }
  }

  pop(): T | undefined {
    const entries = this.#entries;
    const first = entries[0];
    const last = entries.pop();
    if (first === undefined || last === undefined || entries.length === 0) return first?.value;
    entries[0] = last;
    for (let at = 0; ; ) {
      let least = at;
      for (const child of [2 * at + 1, 2 * at + 2]) if (child < entries.length && this.#isBefore(child, least)) least = child;
      if (least === at) return first.value;
      this.#swap(at, least);
      at = least;
    }
  }

  #isBefore(a: number, b: number): boolean {
    const [x, y] = [this.#entries[a], this.#entries[b]];
    if (x === undefined || y === undefined) return false;
    return x.priority < y.priority || (x.priority === y.priority && x.order < y.order);
  }

  #swap(a: number, b: number): void {
    const entries = this.#entries;
    const kept = entries[a] as (typeof entries)[number];
    entries[a] = entries[b] as (typeof entries)[number];
    entries[b] = kept;
  }
}
