import { Block } from './allocator.ts';

/** A page of small slots is full at either. Larger slots have a page each. */
export const PAGE_SLOTS = 64;
export const PAGE_BYTES = 65536;

/** Held by the buffers of a page, and by the engine only while the page takes new ones. */
export class Lease {}

/**
 * Where a buffer's value is: at `address` in the heap, or, once evicted, in `copy`. Neither: it was disposed. While it is
 * in the heap the engine holds the slot by its page; an evicted slot belongs to its buffer alone.
 */
export class Slot extends Block {
  copy: Float64Array<ArrayBuffer> | undefined = undefined;
  /** Undefined before a buffer has the slot, and after its disposal. */
  page: Page | undefined = undefined;
  /** Its position in the page. */
  index: number = 0;
  /** The residency's clock when a run last read or wrote it. */
  lastUse: number = 0;

  get isLive(): boolean {
    return this.address !== 0 || this.copy !== undefined;
  }
}

/**
 * Slots that are registered for collection together: one registration costs 0.7 µs, twice a small run. Its slots are in
 * the heap; of those that were evicted it knows the number.
 */
export class Page {
  readonly slots: Slot[] = [];
  evicted: number = 0;
  evictedBytes: number = 0;
  /** While buffers may join, or while the registry does not know the page yet. */
  lease: Lease | undefined = new Lease();
  /** For one large slot. */
  readonly isAlone: boolean;
  isRegistered: boolean = false;
  /** Its position among the pages that wait to be registered, or −1. */
  waiting: number = -1;
  bytes: number = 0;
  /** The residency's clock when the page last went to the end of its queue. */
  queued: number = 0;
  queue: PageQueue | undefined = undefined;
  previous: Page | undefined = undefined;
  next: Page | undefined = undefined;

  constructor(isAlone: boolean) {
    this.isAlone = isAlone;
  }

  get isFull(): boolean {
    return this.slots.length >= PAGE_SLOTS || this.bytes >= PAGE_BYTES;
  }

  add(slot: Slot): void {
    slot.page = this;
    slot.index = this.slots.length;
    this.slots.push(slot);
    this.bytes += slot.bytes;
  }

  remove(slot: Slot): void {
    const last = this.slots.pop()!;
    if (last !== slot) {
      this.slots[slot.index] = last;
      last.index = slot.index;
    }
    this.bytes -= slot.bytes;
  }
}

/** Pages, oldest first; a page is in one queue at most. */
export class PageQueue {
  #first: Page | undefined = undefined;
  #last: Page | undefined = undefined;
  #length = 0;

  get first(): Page | undefined {
    return this.#first;
  }

  get length(): number {
    return this.#length;
  }

  /** Takes the page out of the queue where it is. */
  append(page: Page, clock: number): void {
    page.queue?.remove(page);
    page.queue = this;
    page.queued = clock;
    page.previous = this.#last;
    page.next = undefined;
    if (this.#last === undefined) this.#first = page;
    else this.#last.next = page;
    this.#last = page;
    this.#length++;
  }

  remove(page: Page): void {
    if (page.previous === undefined) this.#first = page.next;
    else page.previous.next = page.next;
    if (page.next === undefined) this.#last = page.previous;
    else page.next.previous = page.previous;
    page.previous = page.next = page.queue = undefined;
    this.#length--;
  }
}
