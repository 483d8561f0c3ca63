import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { exp } from '../primitives/functions.ts';
import { sum } from '../primitives/reduce.ts';
import { tensor } from './create.ts';

describe('a host tensor', () => {
  it('is shown as its text, also inside of objects', () => {
    expect(inspect(tensor([[1, 2], [3, 4]]))).toBe('[[1, 2],\n [3, 4]] float64[2, 2]');
    expect(inspect({ a: tensor([1, 2]) })).toBe('{ a: [1, 2] float64[2] }');
    expect(inspect(exp(tensor([0])))).toBe('[1] float64[1]');
    expect(inspect(sum(tensor([1])))).toBe('float64[], not run yet');
  });
});
