/** The steps from the first to the last that touches a buffer. */
export interface Lifetime {
  first: number;
  last: number;
}

/** Lifetimes by buffer, in the order in which they were added: plans have 100 000s of buffers, numbered from 0. */
export class Lifetimes {
  readonly #of: (Lifetime | undefined)[] = [];
  readonly #order: number[] = [];

  get(buffer: number): Lifetime | undefined {
    return this.#of[buffer];
  }

  /** Of a buffer that has none. */
  add(buffer: number, lifetime: Lifetime): void {
    for (let gap = this.#of.length; gap < buffer; gap++) this.#of.push(undefined);
    this.#of[buffer] = lifetime;
    this.#order.push(buffer);
  }

  delete(buffer: number): void {
    this.#of[buffer] = undefined;
  }

  /** Those that have one. */
  buffers(): number[] {
    return this.#order.filter((buffer) => this.#of[buffer] !== undefined);
  }
}
