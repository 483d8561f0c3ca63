/**
 * Which buffers are in the heap. Buffers that nobody disposes are freed when V8 says that they died; but it says so only
 * when the event loop turns, never inside a synchronous loop. So above a budget the oldest slots are *evicted*: copied to
 * ordinary ArrayBuffers that only their buffers hold, whose size V8 knows and which it collects at any time. A live one
 * is copied back when a run takes it.
 */
import type { DType } from '@tf/core';
import type { BlockSource } from './allocator.ts';
import { type BufferOwner, WasmBuffer } from './buffer.ts';
import { chooseCopyOut, type CopyOut } from './copy.ts';
import type { Heap } from './heap.ts';
import { type Lease, Page, PAGE_BYTES, PageQueue, Slot } from './page.ts';

export interface ResidencyOptions {
  /** Bytes of buffers in the heap above which the oldest leave it (small ones count 256); grows with what is really in use. */
  readonly budgetBytes?: number | undefined;
}

/**
 * Small, so that what is copied out is still in the second cache beside what the copies push through it: a loop on 64 KiB
 * takes a third less than with 8 MiB. Programs that keep more in use pay once for what comes back.
 */
const BUDGET_BYTES = 2 ** 19;
/** What a slot counts at least: with few thousand small slots in the heap their objects die young, which is cheap. */
const LEAST_WEIGHT = 256;
/** Of each evicted byte the budget shrinks by this part; each that comes back, or is disposed after all, widens it by one. */
const DECAY = 1 / 16;
const SLOTS_ALONE = PAGE_BYTES / 8;
const SPARE_PAGES = 16;
/**
 * Evicted pages, of one slot or of many, of which the engine learns when they die. It only counts them, and so may lose
 * count: what it keeps in sight survives V8's next collections, where the dead are free of charge.
 */
const EVICTED_ALONE = 64;
const EVICTED_SHARED = 4096;
/**
 * glibc gives freed memory back to the system above a threshold of 128 KiB, and every piece is then paid for with page
 * faults again (a third of the loop). Freeing one large piece raises the threshold, at most to twice 32 MiB (mallopt(3),
 * M_MMAP_THRESHOLD); never written to, it takes no memory.
 */
const THRESHOLD_BYTES = 2 ** 25 - 65536;

export class Residency {
  readonly #heap: Heap;
  readonly #allocator: BlockSource;
  readonly #copy: CopyOut = chooseCopyOut();
  readonly #smallestBudget: number;
  #budget: number;
  /** Of all slots in pages. */
  #weight = 0;
  #slots = 0;
  #evictedSlots = 0;
  #evictedBytes = 0;
  #evictions = 0;
  /** Counts runs, modulo 2^32. What was used at the present time is not evicted. */
  #clock = 0;
  #open: Page = new Page(false);
  readonly #closed: PageQueue = new PageQueue();
  /** Pages all of whose slots were evicted. */
  readonly #evictedAlone: PageQueue = new PageQueue();
  readonly #evictedShared: PageQueue = new PageQueue();
  /** Empty pages with leases that no live buffer has. */
  readonly #spareAlone: Page[] = [];
  readonly #spareShared: Page[] = [];
  /** Closed pages that the registry does not know yet: it learns of them when this job ends, if they are still there. */
  readonly #waiting: Page[] = [];
  #willRegister = false;
  #hasEvicted = false;
  readonly #forgotten: FinalizationRegistry<Page>;

  constructor(heap: Heap, allocator: BlockSource, { budgetBytes = BUDGET_BYTES }: ResidencyOptions) {
    this.#heap = heap;
    this.#allocator = allocator;
    this.#smallestBudget = budgetBytes;
    this.#budget = budgetBytes;
    this.#forgotten = new FinalizationRegistry((page) => this.#freePage(page));
  }

  /** Buffers neither disposed nor known to be dead, evicted ones included. */
  get liveBuffers(): number {
    return this.#slots + this.#evictedSlots;
  }
  /** Those that were evicted, as far as they are counted. */
  get evictedBuffers(): number {
    return this.#evictedSlots;
  }
  get evictedBytes(): number {
    return this.#evictedBytes;
  }
  get evictions(): number {
    return this.#evictions;
  }

  /** A new run: what earlier ones used may leave again. */
  tick(): void {
    this.#clock = (this.#clock + 1) | 0;
  }

  /** Keeps the slot where it is until the next {@link tick}. */
  use(slot: Slot): void {
    slot.lastUse = this.#clock;
  }

  // ---------------------------------------------------------------- buffers come and go

  /** Room for a buffer's value, which belongs to nobody until {@link adopt}. */
  allocate(bytes: number): Slot {
    this.#makeRoom(weightOf(bytes));
    return this.#allocator.allocate(bytes, new Slot());
  }

  /** The buffer of an allocated slot. */
  adopt(owner: BufferOwner, dtype: DType, shape: readonly number[], slot: Slot): WasmBuffer {
    return new WasmBuffer(owner, dtype, shape, slot, this.#enter(slot));
  }

  /** Gives a buffer's memory back; a second time does nothing. */
  release(buffer: WasmBuffer): void {
    const { slot, lease } = buffer;
    const { page } = slot;
    if (page === undefined) return;
    buffer.lease = undefined;
    if (slot.address === 0) {
      slot.copy = undefined;
      // It would have gone anyway: who disposes needs no eviction.
      this.#budget += weightOf(slot.bytes);
      this.#leaveEvicted(page, lease!, slot.bytes);
    } else {
      this.#leave(slot, page);
      if (page.slots.length === 0 && page !== this.#open) this.#settle(page, lease!);
    }
    slot.page = undefined;
  }

  /** The slot of a buffer that was donated, as a new buffer. */
  transfer(buffer: WasmBuffer, dtype: DType, shape: readonly number[]): WasmBuffer {
    const { engine, slot, lease } = buffer;
    buffer.giveUp();
    return new WasmBuffer(engine, dtype, shape, slot, lease!);
  }

  /** Brings an evicted buffer back into the heap. */
  restore(buffer: WasmBuffer): void {
    const { slot } = buffer;
    const copy = slot.copy!;
    const weight = weightOf(slot.bytes);
    this.#budget += weight;
    this.#makeRoom(weight);
    this.#allocator.allocate(slot.bytes, slot);
    this.#heap.doubles.set(copy, slot.address / 8);
    slot.copy = undefined;
    this.#leaveEvicted(slot.page!, buffer.lease!, slot.bytes);
    buffer.lease = this.#enter(slot);
  }

  #enter(slot: Slot): Lease {
    const alone = slot.bytes > SLOTS_ALONE;
    const page = alone ? (this.#spareAlone.pop() ?? new Page(true)) : this.#open;
    const lease = page.lease!;
    slot.lastUse = this.#clock;
    page.add(slot);
    this.#slots++;
    this.#weight += weightOf(slot.bytes);
    if (alone) this.#close(page);
    else if (page.isFull) this.#closeOpen();
    if (!this.#willRegister) this.#registerLater();
    return lease;
  }

  #leave(slot: Slot, page: Page): void {
    page.remove(slot);
    this.#slots--;
    this.#weight -= weightOf(slot.bytes);
    this.#allocator.free(slot);
  }

  #leaveEvicted(page: Page, lease: Lease, bytes: number): void {
    // Nothing counted: the engine has lost sight of the page.
    if (page.evicted === 0) return;
    page.evicted--;
    page.evictedBytes -= bytes;
    this.#evictedSlots--;
    this.#evictedBytes -= bytes;
    if (page.slots.length === 0 && page !== this.#open) this.#settle(page, lease);
  }

  // ---------------------------------------------------------------- pages

  /** No buffer joins any more. */
  #close(page: Page): void {
    this.#closed.append(page, this.#clock);
    if (page.isRegistered) {
      page.lease = undefined;
    } else {
      page.waiting = this.#waiting.length;
      this.#waiting.push(page);
    }
  }

  #closeOpen(): void {
    if (this.#open.slots.length === 0) return;
    this.#close(this.#open);
    this.#open = this.#spareShared.pop() ?? new Page(false);
  }

  /**
   * A page without slots in the heap: if none was evicted either it takes new ones, so that a loop that disposes registers
   * nothing.
   */
  #settle(page: Page, lease: Lease): void {
    const spare = page.isAlone ? this.#spareAlone : this.#spareShared;
    if (page.evicted > 0) {
      this.#keepSight(page);
    } else if (spare.length < SPARE_PAGES) {
      this.#stopWaiting(page);
      page.queue?.remove(page);
      page.lease = lease;
      spare.push(page);
    } else {
      this.#forget(page);
    }
  }

  /** Of a page whose slots were all evicted. */
  #keepSight(page: Page): void {
    const queue = page.isAlone ? this.#evictedAlone : this.#evictedShared;
    if (page.queue !== queue) queue.append(page, this.#clock);
    if (queue.length > (page.isAlone ? EVICTED_ALONE : EVICTED_SHARED)) this.#forget(queue.first!);
  }

  #forget(page: Page): void {
    page.queue?.remove(page);
    this.#evictedSlots -= page.evicted;
    this.#evictedBytes -= page.evictedBytes;
    page.evicted = 0;
    page.evictedBytes = 0;
    this.#stopWaiting(page);
    if (page.isRegistered) this.#forgotten.unregister(page);
    page.isRegistered = false;
  }

  #stopWaiting(page: Page): void {
    if (page.waiting < 0) return;
    const last = this.#waiting.pop()!;
    if (last !== page) {
      this.#waiting[page.waiting] = last;
      last.waiting = page.waiting;
    }
    page.waiting = -1;
  }

  /** The registry can say nothing before this job ends, and what is disposed or evicted until then need not be known. */
  #registerLater(): void {
    this.#willRegister = true;
    queueMicrotask(() => {
      this.#willRegister = false;
      this.#closeOpen();
      for (const page of this.#waiting) {
        page.waiting = -1;
        page.isRegistered = true;
        this.#forgotten.register(page.lease!, page, page);
        page.lease = undefined;
      }
      this.#waiting.length = 0;
    });
  }

  /** All buffers of the page are dead. */
  #freePage(page: Page): void {
    for (let slot = page.slots.at(-1); slot !== undefined; slot = page.slots.at(-1)) this.#leave(slot, page);
    page.isRegistered = false;
    this.#forget(page);
  }

  // ---------------------------------------------------------------- eviction

  /** Evicts the oldest slots that are no longer in use until `weight` more is within the budget, or widens the budget. */
  #makeRoom(weight: number): void {
    if (this.#weight + weight <= this.#budget) return;
    for (let page = this.#closed.first; page !== undefined && page.queued !== this.#clock; page = this.#closed.first) {
      if (!this.#evict(page, false)) break;
      if (this.#weight + weight <= this.#budget) return;
    }
    this.#budget = this.#weight + weight + this.#smallestBudget / 4;
  }

  /** Evicts the oldest page with anything that may leave; false if there is none. For when the heap is full. */
  relieve(): boolean {
    this.#closeOpen();
    const before = this.#slots;
    // What stays goes to the end: each page is looked at once.
    for (let pages = this.#closed.length; pages > 0 && this.#slots === before; pages--) {
      if (!this.#evict(this.#closed.first!, true)) break;
    }
    return this.#slots < before;
  }

  /** What must or should stay goes to the end of the queue. False if the host has no memory for the rest. */
  #evict(page: Page, must: boolean): boolean {
    const residence = (this.#clock - page.queued) >>> 0;
    for (let i = page.slots.length - 1; i >= 0; i--) {
      const slot = page.slots[i]!;
      const age = (this.#clock - slot.lastUse) >>> 0;
      // Used in the second half of its time here: it will be used again.
      const stays = age === 0 || (!must && 2 * age < residence);
      if (!stays && !this.#copyOut(slot, page)) return false;
    }
    if (page.slots.length > 0) this.#closed.append(page, this.#clock);
    else this.#keepSight(page);
    return true;
  }

  #copyOut(slot: Slot, page: Page): boolean {
    try {
      if (!this.#hasEvicted) {
        this.#hasEvicted = true;
        new ArrayBuffer(THRESHOLD_BYTES);
      }
      slot.copy = this.#copy(this.#heap, slot.address, slot.bytes);
    } catch {
      return false;
    }
    this.#budget = Math.max(this.#smallestBudget, this.#budget - DECAY * weightOf(slot.bytes));
    this.#leave(slot, page);
    page.evicted++;
    page.evictedBytes += slot.bytes;
    this.#evictedSlots++;
    this.#evictedBytes += slot.bytes;
    this.#evictions++;
    return true;
  }
}

function weightOf(bytes: number): number {
  return Math.max(bytes, LEAST_WEIGHT);
}
