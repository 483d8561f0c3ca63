import type { DType } from '@tf/core';
import type { CodeHost } from '../codegen/code-cache.ts';
import { contractWorkspaceBytes } from '../codegen/gemm/contract.ts';
import { SCRATCH_BYTES } from '../codegen/record.ts';
import type { MemoryLimits } from '../encoder/module.ts';
import { Allocator, type Block } from './allocator.ts';
import { type BufferOwner, WasmBuffer } from './buffer.ts';
import { Heap, type HeapOptions, PAGE } from './heap.ts';

const none: Block = Object.freeze({ address: 0, bytes: 0 });

/** The memory of one engine: buffers, and what plans share because one runs at a time: arena, scratch, workspace. */
export class Device implements CodeHost {
  readonly heap: Heap;
  readonly allocator: Allocator;
  readonly #scratch: Block;
  #workspace: Block | undefined;
  #arena: Block = none;
  #arenaEpoch = 0;
  #liveBuffers = 0;
  /** The backstop for buffers that nobody disposes; its callbacks run when the event loop turns. */
  readonly #forgottenBuffers: FinalizationRegistry<Block>;
  readonly #forgottenBlocks: FinalizationRegistry<readonly Block[]>;

  constructor(options: HeapOptions) {
    this.heap = new Heap(options);
    this.allocator = new Allocator(this.heap, () => this.#releaseArena());
    this.#scratch = this.allocator.allocate(SCRATCH_BYTES);
    this.#forgottenBuffers = new FinalizationRegistry((block) => this.#freeBuffer(block));
    this.#forgottenBlocks = new FinalizationRegistry((blocks) => {
      for (const block of blocks) this.allocator.free(block);
    });
  }

  get memory(): WebAssembly.Memory {
    return this.heap.memory;
  }
  get limits(): MemoryLimits {
    return { maximumPages: this.heap.maximumBytes / PAGE, shared: this.heap.shared };
  }
  get scratch(): number {
    return this.#scratch.address;
  }
  get liveBuffers(): number {
    return this.#liveBuffers;
  }
  /** Changes whenever the arena has another address. */
  get arenaEpoch(): number {
    return this.#arenaEpoch;
  }
  get arena(): number {
    return this.#arena.address;
  }

  /** Packed panels of contractions; allocated when the first plan with one is compiled. */
  workspace(): number {
    this.#workspace ??= this.allocator.allocate(contractWorkspaceBytes);
    return this.#workspace.address;
  }

  /** Makes the arena at least `bytes` large. Plans find its contents as earlier plans left them: undefined. */
  ensureArena(bytes: number): void {
    if (bytes <= this.#arena.bytes) return;
    this.#releaseArena();
    this.#arena = this.allocator.allocate(bytes);
  }

  createBuffer(owner: BufferOwner, dtype: DType, shape: readonly number[], block: Block): WasmBuffer {
    const buffer = new WasmBuffer(owner, dtype, shape, block);
    this.#liveBuffers++;
    this.#forgottenBuffers.register(buffer, block, block);
    return buffer;
  }

  releaseBuffer(buffer: WasmBuffer): void {
    if (buffer.block.address === 0) return;
    this.#forgottenBuffers.unregister(buffer.block);
    this.#freeBuffer(buffer.block);
  }

  placeData(bytes: Uint8Array): Block {
    const block = this.allocator.allocate(bytes.length);
    this.heap.bytes.set(bytes, block.address);
    return block;
  }

  /** Frees the blocks when their holder is collected. */
  freeWith(holder: object, blocks: readonly Block[]): void {
    this.#forgottenBlocks.register(holder, blocks);
  }

  #freeBuffer(block: Block): void {
    if (block.address === 0) return;
    this.#liveBuffers--;
    this.allocator.free(block);
  }

  #releaseArena(): boolean {
    if (this.#arena === none) return false;
    this.allocator.free(this.#arena);
    this.#arena = none;
    this.#arenaEpoch++;
    return true;
  }
}
