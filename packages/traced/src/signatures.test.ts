import { treeSignature } from '@tf/core';
import { expect, it } from 'vitest';
import { Signatures } from './signatures.ts';

const text = (leaf: unknown): string => `${typeof leaf} ${String(leaf)}`;

/** Pairs that differ in one thing: in a leaf, in nesting, in a name, in how many there are. */
const calls: readonly (readonly unknown[])[] = [
  [], [1], [2], [1, 1], [[1]], [[1], 1], [[[1]]], [{ a: 1 }], [{ b: 1 }], [{ a: 1, b: 2 }], [{ b: 2, a: 1 }], [{ a: 2, b: 1 }], [{ a: [1], b: undefined }], [{ a: 1, b: undefined }],
  [{}], [[]], [null], [undefined], ['1'], [{ a: { a: 1 } }], [{ a: { b: 1 } }], [Object.create(null, { a: { value: 1, enumerable: true } })], [new Map()],
];

it('the signature and the leaves of a call do not depend on the calls before it', () => {
  for (const [i, first] of calls.entries()) {
    for (const second of calls) {
      const signatures = new Signatures(text);
      // The third of three equal calls is found by comparing.
      for (const args of [first, first, calls[i]!, second, second, second, first]) {
        const leaves: unknown[] = [];
        const plain: unknown[] = [];
        const key = signatures.of(args, leaves);
        expect(key).toBe(treeSignature(args, plain, text));
        expect(leaves).toEqual(plain);
        expect(signatures.hash(key)).toBe(new Signatures(text).hash(key));
      }
    }
  }
});
