import { tensor } from '@tf/core';
import { expect, test } from 'vitest';
import { formatAll, formatValue } from './format.ts';

test('tensors as their own text, strings bare at the top and quoted inside', () => {
  expect(formatAll(['x', tensor([1, 2.5])])).toBe('x [  1, 2.5] float64[2]');
  expect(formatValue({ a: 'b', c: [1, -0, 2n, null, undefined] })).toBe("{ a: 'b', c: [ 1, -0, 2n, null, undefined ] }");
});

test('typed arrays, maps, sets and errors by what they hold', () => {
  expect(formatValue(Float64Array.of(1, 2))).toBe('Float64Array(2) [ 1, 2 ]');
  expect(formatValue(new Map([['a', new Set([1])]]))).toBe("Map(1) { 'a' => Set(1) { 1 } }");
  expect(formatValue(new RangeError('far'))).toBe('RangeError: far');
});

test('cuts what is long or deep, and ends for what contains itself', () => {
  expect(formatValue(new Array(150).fill(0))).toContain('… 50 more');
  const ring: unknown[] = [];
  ring.push(ring);
  expect(formatValue(ring)).toBe('[ [ [ [ [Array] ] ] ] ]');
});
