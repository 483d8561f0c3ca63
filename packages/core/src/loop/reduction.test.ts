import { describe, expect, it } from 'vitest';
import { dtypes, type DType } from '../types/dtype.ts';
import type { MonoidName, ScalarExpr } from '../types/loop-language.ts';
import { evaluateScalar, evaluateScalars } from './evaluate.ts';
import { BLOCK, LANES, combine, combineLanes, identity, identityLanes, reduceInOrder } from './reduction.ts';
import { argument, constant, scalarTypeOf } from './scalar.ts';

const symbolic = (count: number): string => reduceInOrder(count, (i) => `${i}`, (a, b) => (a === '.' ? b : b === '.' ? a : `(${a} ${b})`), '.');

/** The tree of whole blocks, defined independently: split at the largest power of two below the count. */
function pairedBlocks(from: number, count: number): string {
  if (count === 1) return `b${from}`;
  let half = 1;
  while (2 * half < count) half *= 2;
  return `(${pairedBlocks(from, half)} ${pairedBlocks(from + half, count - half)})`;
}

describe('the reduction tree', () => {
  it('has blocks of 128 and 8 lanes', () => expect([BLOCK, LANES]).toEqual([128, 8]));

  it('folds lanes in halves: spelled out for 1, 3, 8 and 10 elements', () => {
    expect(symbolic(0)).toBe('.');
    expect(symbolic(1)).toBe('0');
    expect(symbolic(3)).toBe('((0 2) 1)');
    expect(symbolic(8)).toBe('(((0 4) (2 6)) ((1 5) (3 7)))');
    expect(symbolic(10)).toBe('((((0 8) 4) (2 6)) (((1 9) 5) (3 7)))');
  });

  it('starts every lane from the identity', () => {
    const text = reduceInOrder(2, (i) => `${i}`, (a, b) => `(${a} ${b})`, '.');
    expect(text).toBe('((((. 0) .) (. .)) (((. 1) .) (. .)))');
    expect(reduceInOrder(1, () => -0, (a, b) => a + b, 0)).toBe(0);
  });

  it('pairs blocks as the recursive split at powers of two does, up to 40 blocks', () => {
    for (let blocks = 1; blocks <= 40; blocks++) {
      // Only the first element of each block is visible: all others are the identity.
      const visible = (i: number): string => (i % BLOCK === 0 ? `b${i / BLOCK}` : '.');
      const text = reduceInOrder((blocks - 1) * BLOCK + 1, visible, (a, b) => (a === '.' ? b : b === '.' ? a : `(${a} ${b})`), '.');
      expect(text).toBe(pairedBlocks(0, blocks));
    }
  });

  it('takes each element once, in order of its index within a lane', () => {
    for (const count of [1, 7, 127, 128, 129, 1000, 1024]) {
      const seen = symbolic(count).match(/\d+/g)!.map(Number);
      expect([...seen].sort((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, i) => i));
    }
  });

  it('sums 1e6 times 0.1 in f32 to within 4 ulp, where one running sum is off by more than 1000', () => {
    const addF32 = (a: number, b: number): number => Math.fround(a + b);
    const tenth = Math.fround(0.1);
    const ulp = 2 ** (16 - 23);
    const total = reduceInOrder(1_000_000, () => tenth, addF32, 0);
    expect(Math.abs(total - tenth * 1e6)).toBeLessThan(4 * ulp);
    let running = 0;
    for (let i = 0; i < 1_000_000; i++) running = addF32(running, tenth);
    expect(Math.abs(running - tenth * 1e6)).toBeGreaterThan(1000 * ulp);
  });
});

describe('monoids', () => {
  const monoids: readonly MonoidName[] = ['sum', 'prod', 'max', 'min'];
  const samples: { readonly [D in DType]: readonly (number | bigint)[] } = {
    float32: [-Infinity, -2.5, 0, 3, Infinity, NaN], float64: [-Infinity, -2.5, 0, 1e300, Infinity, NaN],
    complex64: [2], complex128: [2], int32: [-(2 ** 31), -1, 0, 2 ** 31 - 1], int64: [-(2n ** 63n), 0n, 2n ** 63n - 1n], bool: [0, 1],
  };

  it.each(monoids)('%s leaves every value unchanged when combined with its identity, from both sides', (monoid) => {
    for (const dtype of ['float32', 'float64', 'int32', 'int64', 'bool'] as const) {
      if (dtype === 'bool' && (monoid === 'sum' || monoid === 'prod')) continue;
      const type = scalarTypeOf(dtype);
      const start = constant(type, identity(monoid, dtype));
      for (const sample of samples[dtype]) {
        const x = constant(type, sample);
        const expected = evaluateScalar(x, () => 0);
        expect(evaluateScalar(combine(monoid, type, start, x), () => 0), `${dtype} ${sample}`).toBe(expected);
        expect(evaluateScalar(combine(monoid, type, x, start), () => 0), `${dtype} ${sample}`).toBe(expected);
      }
    }
  });

  it('refuses what has no such monoid: bool sums, complex order, mixed types', () => {
    for (const monoid of ['sum', 'prod'] as const) expect(() => identity(monoid, 'bool')).toThrow(/not defined for bool/);
    for (const monoid of ['max', 'min'] as const) expect(() => identity(monoid, 'complex64')).toThrow(/not defined for complex64/);
    expect(() => combine('sum', 'bool', argument('bool', 0), argument('bool', 1))).toThrow(/not defined for bool/);
    expect(() => combine('sum', 'f64', argument('f64', 0), argument('f32', 1))).toThrow(/are not f64/);
  });

  it('has an identity of the right JavaScript type for every dtype', () => {
    for (const dtype of Object.keys(dtypes) as DType[]) {
      if (dtype !== 'bool') expect(typeof identity('sum', dtype)).toBe(dtype === 'int64' ? 'bigint' : 'number');
    }
    expect(identity('max', 'bool')).toBe(0);
    expect(identity('min', 'int64')).toBe(2n ** 63n - 1n);
  });
});

it('elements of two lanes: sums go apart, products meet, extrema do not exist', () => {
  const z = (input: number): readonly ScalarExpr[] => [argument('f64', input, 0), argument('f64', input, 1)];
  const values = [[2, 3], [5, -7]];
  const of = (monoid: 'sum' | 'prod'): readonly unknown[] => evaluateScalars(combineLanes(monoid, 'complex128', z(0), z(1)), (input, lane) => values[input]![lane]!);
  expect([of('sum'), of('prod')]).toEqual([[7, -4], [31, 1]]);
  expect([identityLanes('sum', 'complex64'), identityLanes('prod', 'complex64'), identityLanes('prod', 'int64')]).toEqual([[0, 0], [1, 0], [1n]]);
  expect(() => combineLanes('max', 'complex64', z(0), z(1))).toThrow(/not defined for complex64/);
});
