import { expect, test } from 'vitest';
import { chooseCopyOut, copyOutAnywhere } from './copy.ts';
import { Heap } from './heap.ts';

test.each([true, false])('a copy has the bytes of the slot and memory of its own: shared heap %s', (shared) => {
  const heap = new Heap({ maximumBytes: 2 ** 21, shared });
  heap.bytes.forEach((_, i) => (heap.bytes[i] = (i * 31) ^ (i >> 7)));
  const inNode = chooseCopyOut();
  expect(inNode).not.toBe(copyOutAnywhere);
  for (const copyOut of [inNode, copyOutAnywhere]) {
    for (const bytes of [64, 4096, 8256, 65536, 2 ** 20]) {
      const copy = copyOut(heap, 640, bytes);
      expect([copy.byteLength, copy.buffer.byteLength, copy.byteOffset]).toEqual([bytes, bytes, 0]);
      expect(Buffer.compare(new Uint8Array(copy.buffer), new Uint8Array(heap.bytes.slice(640, 640 + bytes)))).toBe(0);
    }
  }
});

test('where there is no Node, a Buffer that a bundler brought is not used', () => {
  expect(chooseCopyOut({})).toBe(copyOutAnywhere);
  expect(chooseCopyOut({ process: { versions: {} }, Buffer })).toBe(copyOutAnywhere);
});
