import type { Block, BlockSource } from './allocator.ts';
import type { MemoryKinds } from './report.ts';

/** What is not a buffer. */
export type HeldKind = Exclude<keyof MemoryKinds, 'buffers'>;

/** The blocks that the engine itself has, counted by what they are for. Not for what comes and goes with every run. */
export class Holdings {
  readonly #allocator: BlockSource;
  readonly #kinds = new Map<Block, HeldKind>();
  readonly #bytes: Record<HeldKind, number> = { arena: 0, constants: 0, code: 0, tables: 0, modules: 0, scratch: 0 };

  constructor(allocator: BlockSource) {
    this.#allocator = allocator;
  }

  allocate(kind: HeldKind, bytes: number): Block {
    const block = this.#allocator.allocate(bytes);
    this.#kinds.set(block, kind);
    this.#bytes[kind] += block.bytes;
    return block;
  }

  free(block: Block): void {
    const kind = this.#kinds.get(block);
    if (kind === undefined) return;
    this.#kinds.delete(block);
    this.#bytes[kind] -= block.bytes;
    this.#allocator.free(block);
  }

  /** What the blocks take; the rest of what is in use are buffers. */
  kinds(): MemoryKinds {
    const held = Object.values(this.#bytes).reduce((sum, bytes) => sum + bytes, 0);
    return { buffers: this.#allocator.bytesInUse - held, ...this.#bytes };
  }
}
