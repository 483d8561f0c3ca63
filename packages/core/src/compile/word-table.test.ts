import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WordTable } from './word-table.ts';

describe('WordTable', () => {
  it('numbers lists in the order in which they come up, equal ones alike', () => {
    fc.assert(fc.property(fc.array(fc.array(fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer()), { maxLength: 5 }), { maxLength: 300 }), (lists) => {
      const table = new WordTable();
      const known = new Map<string, number>();
      for (const list of lists) {
        const key = list.join();
        if (!known.has(key)) known.set(key, known.size);
        expect(table.entryOf(list)).toBe(known.get(key));
      }
    }), { numRuns: 200, seed: 1 });
  });

  it('grows', () => {
    const table = new WordTable();
    for (let at = 0; at < 20_000; at++) expect(table.entryOf([at & 7, at, -at])).toBe(at);
    for (let at = 0; at < 20_000; at += 77) expect(table.entryOf([at & 7, at, -at])).toBe(at);
  });
});
