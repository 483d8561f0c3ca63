import { add, Builder, cumsum, div, equal, floor, fmod, fori, mul, type Operand, reduceMax, select, sub, sum, tensorType } from '@tf/core';
import { type HostValue, hostValue } from '@tf/testkit';
import { describe, expect, test } from 'vitest';
import { spreadOf } from './rounding.ts';

const o = (x: unknown): Operand => x as Operand;

/** How far rounding moves the sum of what `f` gives. */
function spread(f: (x: Operand) => unknown, x: readonly number[]): number {
  const builder = new Builder();
  const program = builder.build([f(o(builder.input(tensorType('float64', [x.length])))) as never]);
  return spreadOf(program, [hostValue('float64', [x.length], x)], (outputs) => Array.from((outputs[0] as HostValue).data as Float64Array).reduce((total, value) => total + value, 0));
}

/** x/3·3 − x: nothing but rounding. */
const cancelled = (x: Operand): Operand => o(sub(mul(o(div(x, 3)), 3), x));

describe('what rounding explains', () => {
  const near = (value: number): boolean => value > 2 ** -55 && value < 2 ** -50;

  test('counts what cancels, at its place and where it is compared, selected and looped over', () => {
    expect(near(spread(cancelled, [1, 2, 3]))).toBe(true);
    // Selecting where the largest one is: moved, nothing would be the largest any more, and nothing be left to move.
    expect(near(spread((x) => select(equal(mul(x, 0.1), o(reduceMax(o(mul(x, 0.1))))), cancelled(x), 0), [1, 2, 3]))).toBe(true);
    expect(near(spread((x) => fori(2, (_i, c: Operand) => cancelled(o(add(c, 1))), x), [1, 2, 3]))).toBe(true);
  });

  test('counts terms of a sum that cancel each other', () => {
    expect(spread((x) => sum(x), [1e10, 1, -1e10])).toBeGreaterThan(1e-7);
    expect(spread((x) => cumsum(x), [1e10, 1, -1e10])).toBeGreaterThan(1e-7);
  });

  test('does not count what is not rounded, nor jumps that rounding does not make', () => {
    expect(spread((x) => select(equal(x, o(reduceMax(x))), x, 0), [1, 2, 3])).toBe(0);
    expect(spread((x) => floor(o(mul(x, 2))), [1, 2, 3])).toBe(0);
    expect(spread((x) => fmod(o(mul(x, 2)), 2), [1, 2, 3])).toBeLessThan(1e-14);
  });
});
