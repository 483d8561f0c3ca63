/** How many buffers are alive and how large they are, those included that nobody disposed: a registration for every 64 of them, since one costs as much as a run. */

interface Count {
  buffers: number;
  bytes: number;
}

/** What a group of buffers shares: when the last of them is collected, it is too. */
export interface Lease {
  readonly count: Count;
}

const GROUP = 64;

export class Holdings {
  readonly #total: Count = { buffers: 0, bytes: 0 };
  readonly #registry: FinalizationRegistry<Count>;
  #lease: Lease = { count: { buffers: 0, bytes: 0 } };
  #left = 0;

  constructor() {
    const total = this.#total;
    this.#registry = new FinalizationRegistry((count) => {
      total.buffers -= count.buffers;
      total.bytes -= count.bytes;
    });
  }

  get buffers(): number {
    return this.#total.buffers;
  }

  get bytes(): number {
    return this.#total.bytes;
  }

  add(bytes: number): Lease {
    if (this.#left === 0) this.#newGroup();
    this.#left--;
    change(this.#lease.count, 1, bytes);
    change(this.#total, 1, bytes);
    return this.#lease;
  }

  remove({ count }: Lease, bytes: number): void {
    change(count, -1, -bytes);
    change(this.#total, -1, -bytes);
  }

  #newGroup(): void {
    this.#left = GROUP;
    const count = { buffers: 0, bytes: 0 };
    this.#lease = { count };
    this.#registry.register(this.#lease, count);
  }
}

function change(count: Count, buffers: number, bytes: number): void {
  count.buffers += buffers;
  count.bytes += bytes;
}
