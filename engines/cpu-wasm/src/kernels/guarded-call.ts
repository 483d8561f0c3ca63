import { fault } from '../memory/guarded-allocator.ts';
import type { Heap } from '../memory/heap.ts';

/** Memory that a kernel reads. */
export interface Range {
  readonly what: string;
  readonly address: number;
  readonly bytes: number;
}

/** A call in debug mode: what the kernel only reads must be as it was, and the memory as large. */
export function guardedCall(heap: Heap, symbol: string, ranges: readonly Range[], run: () => number): number {
  const before = ranges.map(({ address, bytes }) => heap.bytes.slice(address, address + bytes));
  const status = run();
  if (heap.memory.buffer.byteLength !== heap.size) throw fault(`the kernel ${symbol} made the memory grow, of which only the engine may decide`, { op: symbol, side: 'grown' });
  ranges.forEach(({ what, address, bytes }, i) => {
    const now = heap.bytes.subarray(address, address + bytes);
    const at = before[i]!.findIndex((byte, offset) => now[offset] !== byte);
    if (at >= 0) throw fault(`the kernel ${symbol} wrote byte ${at} of ${what}, which it may only read`, { op: symbol, what, at, side: 'input' });
  });
  return status;
}
