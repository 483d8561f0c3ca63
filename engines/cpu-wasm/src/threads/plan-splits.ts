import type { PlanCode } from '../codegen/code-cache.ts';
import type { Block } from '../memory/allocator.ts';
import type { Device } from '../memory/device.ts';
import type { Splits } from '../plan/splits.ts';
import { splitWords } from './team.ts';

/** What threads read of the steps of one plan that they share: its words, and room for their copies of records. */
export class PlanSplits {
  readonly #device: Device;
  readonly #code: PlanCode;
  #block: Block | undefined;
  #placed: Splits | undefined;

  constructor(device: Device, code: PlanCode) {
    this.#device = device;
    this.#code = code;
  }

  /** Before anything else of a run is allocated. */
  place(splits: Splits | undefined, table: number): void {
    if (splits === undefined) {
      this.#placed = undefined;
      return;
    }
    const { pool, heap } = this.#device;
    pool.prepare(this.#code, splits.cost);
    if (splits === this.#placed) return;
    const copies = Math.ceil((4 * splits.words.length) / 128) * 128;
    const bytes = copies + pool.members * splits.copyBytes;
    if (this.#block === undefined || this.#block.bytes < bytes) {
      const former = this.#block;
      this.#block = this.#device.hold('code', bytes);
      this.#device.freeWith(this, [this.#block]);
      if (former !== undefined) this.#device.release(former);
    }
    const first = this.#block.address / 4;
    heap.words.set(splits.words, first);
    heap.words[first + splitWords.table] = table;
    heap.words[first + splitWords.copies] = this.#block.address + copies;
    this.#placed = splits;
  }

  begin(): void {
    if (this.#placed !== undefined) this.#device.pool.begin({ code: this.#code, splits: this.#block!.address });
  }
}
