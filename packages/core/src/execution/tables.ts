/** Tables of kernels (twiddle factors and the like) in the engine's memory: bounded, least recently used leave first. */
import { type DType, dtypeOfArray, type TypedArray } from '../types/dtype.ts';

/** Memory that an engine gives for a table. */
export interface TableBlock {
  readonly bytes: number;
}

/** Where tables lie, and what their typed array is. */
export interface Table<B extends TableBlock> {
  readonly block: B;
  readonly dtype: DType;
  /** Of its typed array. */
  readonly length: number;
  readonly bytes: number;
  /** The clock when a run last needed it. */
  lastUse: number;
}

export interface TableHost<B extends TableBlock> {
  placeTable(data: TypedArray): B;
  freeTable(block: B): void;
}

/** Who has tables: a kernel, by its symbol. */
export interface TableOwner {
  readonly symbol: string;
  readonly tables?: ((integers: readonly number[]) => TypedArray | undefined) | undefined;
  /** Positions of the integers that they depend on; all when absent. */
  readonly tableIntegers?: readonly number[] | undefined;
}

const MAXIMUM_BYTES = 64 * 2 ** 20;
const MAXIMUM_ENTRIES = 256;

export class TableCache<B extends TableBlock> {
  readonly #host: TableHost<B>;
  readonly #maximumBytes: number;
  readonly #tables = new Map<string, Table<B>>();
  #bytes = 0;
  #clock = 0;

  constructor(host: TableHost<B>, maximumBytes: number = MAXIMUM_BYTES) {
    this.#host = host;
    this.#maximumBytes = maximumBytes;
  }

  /** A run has ended: what it needed may leave. */
  tick(): void {
    this.#clock++;
  }

  /** Marks tables as needed by this run. */
  use(table: Table<B>): void {
    table.lastUse = this.#clock;
  }

  /** The tables for these integers, which stay at least until this run ends; undefined where the kernel has none. */
  find({ symbol, tables, tableIntegers }: TableOwner, integers: readonly number[]): Table<B> | undefined {
    if (tables === undefined) return undefined;
    const key = `${symbol} ${(tableIntegers?.map((at) => integers[at]) ?? integers).join()}`;
    let table = this.#tables.get(key);
    if (table === undefined) {
      const data = tables(Object.freeze([...integers]));
      if (data === undefined) return undefined;
      table = { block: this.#host.placeTable(data), dtype: dtypeOfArray(data), length: data.length, bytes: data.byteLength, lastUse: this.#clock };
      this.#tables.set(key, table);
      this.#bytes += table.block.bytes;
    }
    this.use(table);
    while ((this.#bytes > this.#maximumBytes || this.#tables.size > MAXIMUM_ENTRIES) && this.relieve());
    return table;
  }

  /** Frees the tables that have not been needed for longest; false where this run needs all there are. */
  relieve(): boolean {
    let oldest: string | undefined;
    let age = 0;
    for (const [key, { lastUse }] of this.#tables) {
      if (this.#clock - lastUse > age) [oldest, age] = [key, this.#clock - lastUse];
    }
    const table = oldest === undefined ? undefined : this.#tables.get(oldest);
    if (table === undefined) return false;
    this.#tables.delete(oldest!);
    this.#bytes -= table.block.bytes;
    this.#host.freeTable(table.block);
    return true;
  }
}
