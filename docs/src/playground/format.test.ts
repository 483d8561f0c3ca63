import { tensor } from '@tf/core';
import { expect, test } from 'vitest';
import { formatAll, formatValue, mostCharacters } from './format.ts';

test('tensors as their own text, strings bare at the top and quoted inside', () => {
  expect(formatAll(['x', tensor([1, 2.5])])).toBe('x [  1, 2.5] float64[2]');
  expect(formatValue({ a: 'b', c: [1, -0, 2n, null, undefined] })).toBe("{ a: 'b', c: [ 1, -0, 2n, null, undefined ] }");
});

test('typed arrays, maps, sets and errors by what they hold', () => {
  expect(formatValue(Float64Array.of(1, 2))).toBe('Float64Array(2) [ 1, 2 ]');
  expect(formatValue(new Map([['a', new Set([1])]]))).toBe("Map(1) { 'a' => Set(1) { 1 } }");
  expect(formatValue(new RangeError('far'))).toBe('RangeError: far');
});

test('dates, expressions, addresses and wrappers by what they say', () => {
  expect(formatAll([new Date(0), new Date(NaN), /a+/gi, new URL('https://a.b/c'), Object(1) as unknown, new ArrayBuffer(3)])).toBe('1970-01-01T00:00:00.000Z Invalid Date /a+/gi https://a.b/c [Number: 1] ArrayBuffer { 3 bytes }');
  expect(formatValue([new Date(0), Symbol('s'), class A {}, () => 1])).toBe('[ 1970-01-01T00:00:00.000Z, Symbol(s), [class A], [Function: (anonymous)] ]');
});

test('an error with its causes', () => {
  const cause = new TypeError('below', { cause: { code: 3 } });
  expect(formatValue(new Error('above', { cause }))).toBe('Error: above\n  [cause]: TypeError: below\n    [cause]: { code: 3 }');
  expect(formatValue(new AggregateError([new Error('a'), 2], 'both'))).toBe('AggregateError: both\n  [errors 0]: Error: a\n  [errors 1]: 2');
});

test('long lists of numbers fill lines, in columns', () => {
  const lines = formatValue(Array.from({ length: 40 }, (_, at) => at - 5)).split('\n');
  expect(lines.length).toBe(5);
  expect(lines[1]).toBe('  -5, -4, -3, -2, -1,  0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10,');
  expect(lines.every((line) => line.length <= 82)).toBe(true);
  expect(formatValue(new Set(Array.from({ length: 30 }, (_, at) => `w${at}`))).split('\n').length).toBe(5);
});

test('what is long item by item stands one below the other', () => {
  expect(formatValue({ first: 'x'.repeat(50), second: 'y'.repeat(50) })).toBe(`{\n  first: '${'x'.repeat(50)}',\n  second: '${'y'.repeat(50)}'\n}`);
});

test('cuts what is long or deep, and ends for what contains itself', () => {
  expect(formatValue(new Array(150).fill(0))).toContain('… 50 more');
  expect(formatValue([[[[[1]]]]])).toBe('[ [ [ [ [Array] ] ] ] ]');
  const ring: unknown[] = [];
  ring.push(ring, { ring });
  expect(formatValue(ring)).toBe('[ [Circular], { ring: [Circular] } ]');
});

test('one print has a greatest size, and says what is missing', () => {
  const text = formatAll(['x'.repeat(20_000_000)]);
  expect(text.length).toBeLessThan(mostCharacters + 200);
  expect(text).toContain('… 19,980,000 characters more are not shown');
  const wide = Array.from({ length: 100 }, () => Array.from({ length: 100 }, () => Array.from({ length: 100 }, () => 'some words')));
  expect(formatValue(wide).length).toBeLessThan(2 * mostCharacters);
  expect(formatValue(wide)).toContain('… The rest is not shown: one print has at most 20,000 characters.');
});

test('objects by their own keys: names quoted where they need it, symbols, no getters run', () => {
  expect(formatValue({ 'a b': 1, [Symbol('s')]: 2, get late(): number { throw new Error('run'); } })).toBe("{ 'a b': 1, late: [Getter], [Symbol(s)]: 2 }");
  expect(formatValue(Object.create(null))).toBe('[Object: null prototype] {}');
});

test('fills in the first string as consoles do', () => {
  expect(formatAll(['%s has %d of %i, %j, %o: 100%% %c!', 'a', '1.5', 2.9, { b: 1 }, [1], 'color: red', 'more'])).toBe('a has 1.5 of 2, {"b":1}, [ 1 ]: 100% ! more');
  expect(formatAll(['100%'])).toBe('100%');
  expect(formatAll(['%s and %s', 1])).toBe('1 and %s');
});
