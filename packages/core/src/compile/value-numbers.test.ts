import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Var } from '../contract.ts';
import { ValueNumbers } from './value-numbers.ts';

/** Close together, shared by several values, far off. */
const ids = fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 5000, max: 5040 }), fc.integer({ min: 0, max: 2 ** 40 }));
const valueOf = (id: number): Var => ({ id }) as Var;

it('gives each value its position, whatever numbers the values have themselves, and −1 to others', () => {
  fc.assert(fc.property(fc.array(ids, { maxLength: 60 }), fc.array(ids, { maxLength: 10 }), (own, others) => {
    const values = own.map(valueOf);
    const numbers = new ValueNumbers(values);
    values.forEach((value, at) => expect(numbers.of(value)).toBe(at));
    for (const other of [...own, ...others].map(valueOf)) expect(numbers.of(other)).toBe(-1);
  }), { numRuns: 300, seed: 1 });
});
