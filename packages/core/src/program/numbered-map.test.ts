import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Atom } from '../contract.ts';
import { tensorType } from '../types/tensor-type.ts';
import { Builder } from './builder.ts';
import { scalarLiteral } from './literal.ts';
import { NumberedMap, ValueMap, ValueSet } from './numbered-map.ts';

interface Numbered {
  readonly number: number;
}

/** Close together, shared by several keys, far apart, negative. */
const numbers = fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: -3, max: 20_000 }), fc.integer({ min: 0, max: 2 ** 40 }));

describe('NumberedMap', () => {
  it('does what a Map does, whatever numbers its keys have', () => {
    fc.assert(fc.property(fc.array(numbers, { minLength: 1, maxLength: 60 }), fc.array(fc.tuple(fc.nat(1000), fc.boolean()), { maxLength: 200 }), (given, actions) => {
      const keys = given.map((number): Numbered => ({ number }));
      const map = new NumberedMap<Numbered, number>(({ number }) => number);
      const twin = new Map<Numbered, number>();
      actions.forEach(([which, writes], at) => {
        const key = keys[which % keys.length] as Numbered;
        if (writes) {
          map.set(key, at);
          twin.set(key, at);
        }
        expect(map.get(key)).toBe(twin.get(key));
        for (const one of keys) expect(map.has(one)).toBe(twin.has(one));
      });
      for (const key of keys) expect(map.get(key)).toBe(twin.get(key));
    }), { numRuns: 300, seed: 1 });
  });

  it('leaves no more places empty than a few per key', () => {
    const map = new NumberedMap<Numbered, number>(({ number }) => number);
    const far = { number: 1e9 };
    map.set(far, 1);
    for (let number = 0; number < 2000; number += 2) map.set({ number }, number);
    expect(map.get(far)).toBe(1);
  });
});

describe('ValueMap and ValueSet', () => {
  it('tell values of two programs apart, and take literals', () => {
    const type = tensorType('float64', [2]);
    const values: readonly Atom[] = [new Builder().input(type), new Builder().input(type), scalarLiteral('float64', 1), scalarLiteral('float64', 1)];
    const map = new ValueMap(values.slice(0, 3).map((value, at) => [value, at] as const));
    const set = new ValueSet(values.slice(0, 3));
    expect(values.map((value) => map.get(value))).toEqual([0, 1, 2, undefined]);
    expect(values.map((value) => set.has(value))).toEqual([true, true, true, false]);
  });
});
