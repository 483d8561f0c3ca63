import { execution, type TypedArray } from '@tf/core';
import type { CodeHost } from '../codegen/code-cache.ts';
import { contractWorkspaceBytes } from '../codegen/gemm/contract.ts';
import { SCRATCH_BYTES } from '../codegen/record.ts';
import type { MemoryLimits } from '../encoder/module.ts';
import { CallGate } from '../kernels/gate.ts';
import type { ModuleHost } from '../kernels/instance.ts';
import { Allocator, type Block, blockBytes, type BlockSource } from './allocator.ts';
import { GuardedAllocator } from './guarded-allocator.ts';
import { Heap, type HeapOptions, PAGE } from './heap.ts';
import { type HeldKind, Holdings } from './holdings.ts';
import { MemoryReport } from './report.ts';
import { Pool, type PoolHost, type PoolOptions } from '../threads/pool.ts';
import { Residency, type ResidencyOptions } from './residency.ts';

const oneThread: PoolOptions = Object.freeze({ threads: 1 });

const none: Block = Object.freeze({ address: 0, bytes: 0 });

export interface DeviceOptions extends ResidencyOptions {
  /** Whether memory is guarded: see {@link GuardedAllocator}. */
  readonly guarded?: boolean;
  /** Default: one. */
  readonly pool?: PoolOptions;
}

/** The memory of one engine: buffers, and what plans share because one runs at a time: arena, scratch, workspace. */
export class Device implements CodeHost, ModuleHost, PoolHost, execution.TableHost<Block> {
  readonly heap: Heap;
  readonly allocator: BlockSource;
  /** In debug mode, the allocator. */
  readonly guard: GuardedAllocator | undefined;
  readonly residency: Residency;
  /** The way from generated code to kernels of execution modules, and the tables of these. */
  readonly gate: CallGate = new CallGate();
  readonly tables: execution.TableCache<Block>;
  /** The way to other threads. */
  readonly pool: Pool;
  readonly #holdings: Holdings;
  readonly #scratch: Block;
  #workspace: Block | undefined;
  #arena: Block = none;
  #arenaEpoch = 0;
  #arenaIsNeeded = false;
  readonly #forgottenBlocks: FinalizationRegistry<readonly Block[]>;

  constructor(options: HeapOptions, { guarded = false, pool = oneThread, ...residency }: DeviceOptions = {}) {
    this.heap = new Heap(options);
    const relieve = (): boolean => this.#releaseArena() || this.residency.relieve() || this.tables.relieve();
    this.guard = guarded ? new GuardedAllocator(this.heap, relieve) : undefined;
    this.allocator = this.guard ?? new Allocator(this.heap, relieve);
    this.residency = new Residency(this.heap, this.allocator, residency);
    this.#holdings = new Holdings(this.allocator);
    this.tables = new execution.TableCache(this);
    this.#scratch = this.#holdings.allocate('scratch', SCRATCH_BYTES);
    this.pool = new Pool(this, pool);
    this.#forgottenBlocks = new FinalizationRegistry((blocks) => {
      for (const block of blocks) this.#holdings.free(block);
    });
  }

  get call(): (record: number) => void {
    return this.gate.call;
  }
  get split(): (record: number) => void {
    return this.pool.split;
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
  /** Changes whenever the arena has another address. */
  get arenaEpoch(): number {
    return this.#arenaEpoch;
  }
  get arena(): number {
    return this.#arena.address;
  }

  /** Packed panels of contractions; allocated when the first plan with one is compiled. */
  workspace(): number {
    this.#workspace ??= this.#holdings.allocate('scratch', contractWorkspaceBytes);
    return this.#workspace.address;
  }

  /** Makes the arena at least `bytes` large. Plans find its contents as earlier plans left them: undefined. */
  ensureArena(bytes: number): void {
    if (bytes <= this.#arena.bytes) return;
    this.#releaseArena();
    // All that the block has is the arena's: a plan that needs no more finds it large enough.
    this.#arena = this.#holdings.allocate('arena', blockBytes(bytes));
  }

  placeData(bytes: Uint8Array): Block {
    const block = this.#holdings.allocate('code', bytes.length);
    this.heap.bytes.set(bytes, block.address);
    return block;
  }

  placeTable(data: TypedArray): Block {
    const block = this.#holdings.allocate('tables', data.byteLength);
    this.heap.bytes.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), block.address);
    return block;
  }

  freeTable(block: Block): void {
    this.#holdings.free(block);
  }

  placeStatics(bytes: number): Block {
    const block = this.#holdings.allocate('modules', bytes);
    this.heap.bytes.fill(0, block.address, block.address + bytes);
    return block;
  }

  placeStack(bytes: number): Block {
    return this.#holdings.allocate('scratch', bytes);
  }

  /** What `body` allocates leaves the arena where it is: a plan is in the middle of its run. */
  keepingArena(body: () => void): void {
    this.#arenaIsNeeded = true;
    try {
      body();
    } finally {
      this.#arenaIsNeeded = false;
    }
  }

  /** Room that lasts as long as its holder: see {@link freeWith}. */
  hold(kind: HeldKind, bytes: number): Block {
    return this.#holdings.allocate(kind, bytes);
  }

  /** Frees what was held, which is perhaps to be freed with its holder too. */
  release(block: Block): void {
    this.#holdings.free(block);
  }

  /** Frees the blocks when their holder is collected. */
  freeWith(holder: object, blocks: readonly Block[]): void {
    this.#forgottenBlocks.register(holder, blocks);
  }

  report(): MemoryReport {
    const { heap, allocator, residency } = this;
    return new MemoryReport({
      bytesReserved: heap.size,
      bytesMaximum: heap.maximumBytes,
      bytesInUse: allocator.bytesInUse,
      bytesPeak: allocator.bytesPeak,
      kinds: this.#holdings.kinds(),
      liveBuffers: residency.liveBuffers,
      evictedBuffers: residency.evictedBuffers,
      bytesEvicted: residency.evictedBytes,
      evictions: residency.evictions,
      growths: heap.growths,
    });
  }

  #releaseArena(): boolean {
    if (this.#arena === none || this.#arenaIsNeeded) return false;
    this.#holdings.free(this.#arena);
    this.#arena = none;
    this.#arenaEpoch++;
    return true;
  }
}
