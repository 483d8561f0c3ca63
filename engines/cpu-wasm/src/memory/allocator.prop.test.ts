import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Allocator, type Block } from './allocator.ts';
import { Heap, PAGE } from './heap.ts';
import { Regions } from './regions.ts';

interface Piece {
  readonly address: number;
  readonly bytes: number;
}

function overlap(pieces: readonly Piece[]): boolean {
  const sorted = [...pieces].sort((a, b) => a.address - b.address);
  return sorted.some((piece, i) => i > 0 && sorted[i - 1]!.address + sorted[i - 1]!.bytes > piece.address);
}

const sizes = fc.oneof(fc.integer({ min: 0, max: 600 }), fc.integer({ min: 0, max: 9000 }), fc.integer({ min: 8000, max: 300000 }));
const commands = fc.array(fc.oneof(fc.record({ allocate: sizes }), fc.record({ free: fc.nat() })), { maxLength: 120 });

test('blocks are aligned, large enough, inside the heap and never overlap', () => {
  fc.assert(
    fc.property(commands, fc.boolean(), (list, shared) => {
      const heap = new Heap({ initialBytes: PAGE, maximumBytes: 512 * PAGE, shared });
      const allocator = new Allocator(heap, () => false);
      const live: { readonly block: Block; readonly requested: number }[] = [];
      for (const command of list) {
        if ('allocate' in command) live.push({ block: allocator.allocate(command.allocate), requested: command.allocate });
        else if (live.length > 0) allocator.free(live.splice(command.free % live.length, 1)[0]!.block);
        expect(overlap(live.map(({ block }) => block))).toBe(false);
        for (const { block, requested } of live) {
          expect(block.address % 64).toBe(0);
          expect(block.address).toBeGreaterThan(0);
          expect(block.bytes).toBeGreaterThanOrEqual(requested);
          expect(block.address + block.bytes).toBeLessThanOrEqual(heap.size);
        }
        expect(allocator.bytesInUse).toBe(live.reduce((sum, { block }) => sum + block.bytes, 0));
      }
    }),
    { numRuns: 60, seed: 1 },
  );
});

test('what was freed serves again: memory does not grow with the number of allocations', () => {
  const heap = new Heap({ initialBytes: PAGE, maximumBytes: 64 * PAGE });
  const allocator = new Allocator(heap, () => false);
  for (let round = 0; round < 10000; round++) {
    const blocks = [100, 5000, 70000, 200000].map((bytes) => allocator.allocate(bytes));
    for (const block of blocks) allocator.free(block);
  }
  expect(heap.size).toBeLessThan(16 * PAGE);
});

test('freed small pieces serve a large request: slabs go back and regions merge', () => {
  const heap = new Heap({ initialBytes: PAGE, maximumBytes: 64 * PAGE });
  const allocator = new Allocator(heap, () => false);
  const small = Array.from({ length: 3000 }, () => allocator.allocate(1000));
  for (const block of small) allocator.free(block);
  expect(allocator.allocate(55 * PAGE).address).toBeGreaterThan(0);
});

test('small pieces are found to the last line of a full memory, and given back', () => {
  const allocator = new Allocator(new Heap({ initialBytes: 3 * PAGE, maximumBytes: 3 * PAGE }), () => false);
  const large = allocator.allocate(2.5 * PAGE);
  const small: Block[] = [];
  for (;;) {
    try {
      small.push(allocator.allocate(64));
    } catch {
      break;
    }
  }
  expect(small).toHaveLength(PAGE / 2 / 64 - 1);
  for (const block of [large, ...small]) allocator.free(block);
  expect(allocator.allocate(3 * PAGE - 64).bytes).toBe(3 * PAGE - 64);
});

test('a second free does nothing', () => {
  const allocator = new Allocator(new Heap({ initialBytes: PAGE, maximumBytes: 64 * PAGE }), () => false);
  for (const bytes of [64, 100000]) {
    const block = allocator.allocate(bytes);
    allocator.free(block);
    allocator.free(block);
    expect(allocator.bytesInUse).toBe(0);
    const [a, b] = [allocator.allocate(bytes), allocator.allocate(bytes)];
    expect(a.address).not.toBe(b.address);
    allocator.free(a);
    allocator.free(b);
  }
});

test('more than the maximum is a TooLargeError with requested, current and maximum bytes, and work goes on', () => {
  const allocator = new Allocator(new Heap({ initialBytes: PAGE, maximumBytes: 4 * PAGE }), () => false);
  const kept = allocator.allocate(PAGE);
  expect(() => allocator.allocate(4 * PAGE)).toThrow(expect.objectContaining({ name: 'TooLargeError', fields: { engine: 'cpu-wasm', requested: 4 * PAGE, current: PAGE, maximum: 4 * PAGE } }));
  expect(allocator.allocate(PAGE).address).not.toBe(kept.address);
});

test('regions give the smallest piece that fits', () => {
  const regions = new Regions();
  for (const [address, size] of [[0, 100], [200, 30], [300, 50]] as const) regions.give(address, size);
  expect(regions.take(30)).toBe(200);
  expect(regions.take(40)).toBe(300);
  expect(regions.take(101)).toBe(-1);
  regions.give(300, 40);
  expect(regions.take(50)).toBe(300);
});
