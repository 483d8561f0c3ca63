import { type DType, dtypes, isComplex, isInexact, loop, type MonoidName, type ScalarExpr, tensorType, type TypedArray } from '@tf/core';
import { describe, expect, test } from 'vitest';
import { createEngineSync } from '../index.ts';
import { argumentOf, elementOf, planOf, reductionPlan, type ReductionParts, viewOf } from '../testing/plans.ts';
import { firstDifference, randomValues } from '../testing/values.ts';

const engine = createEngineSync();
const counts = [0, 1, 7, 8, 9, 127, 128, 129, 255, 256, 257, 1000, 70000];
const monoids: readonly MonoidName[] = ['sum', 'prod', 'max', 'min'];

type Element = readonly ScalarValue[];
type ScalarValue = ReturnType<typeof loop.evaluateScalar>;

/** a ∘ b through the definition of the loop language. */
function combiner(monoid: MonoidName, dtype: DType): (a: Element, b: Element) => Element {
  const fast: { readonly [M in MonoidName]: (a: number, b: number) => number } = { sum: (a, b) => a + b, prod: (a, b) => a * b, max: Math.max, min: Math.min };
  if (dtype === 'float64') return ([a], [b]) => [fast[monoid](a as number, b as number)];
  if (dtype === 'float32') return ([a], [b]) => [Math.fround(fast[monoid](a as number, b as number))];
  const exprs = loop.combineLanes(monoid, dtype, elementOf(dtype, 0), elementOf(dtype, 1));
  return (a, b) => loop.evaluateScalars(exprs, (input, lane) => (input === 0 ? a : b)[lane]!);
}

/** The tree of core/loop over the elements in logical order, one result per index of the kept axes. */
function expectedOf({ monoid, dtype, shape, order = shape.map((_, axis) => axis), axes }: ReductionParts, data: TypedArray): unknown[] {
  const sizes = shape as readonly number[];
  const strides = sizes.map((_, axis) => sizes.slice(axis + 1).reduce((product, extent) => product * extent, 1));
  const kept = order.slice(0, order.length - axes);
  const folded = order.slice(order.length - axes);
  const count = (list: readonly number[]): number => list.reduce((product, axis) => product * sizes[axis]!, 1);
  const offset = (list: readonly number[], flat: number): number => {
    let rest = flat;
    let sum = 0;
    for (const axis of [...list].reverse()) {
      sum += (rest % sizes[axis]!) * strides[axis]!;
      rest = Math.floor(rest / sizes[axis]!);
    }
    return sum;
  };
  const { lanes } = dtypes[dtype];
  const combine = combiner(monoid, dtype);
  return Array.from({ length: count(kept) }, (_, i) => {
    const base = offset(kept, i);
    const element = (j: number): Element => Array.from({ length: lanes }, (_each, lane) => data[lanes * (base + offset(folded, j)) + lane]!);
    const result = loop.reduceInOrder<Element>(count(folded), element, combine, loop.identityLanes(monoid, dtype));
    return dtype === 'bool' ? result.map(Number) : result;
  }).flat();
}

function run(parts: ReductionParts, data: TypedArray): TypedArray {
  const [out] = engine.compile(reductionPlan(parts)).run([{ data, shape: parts.shape as readonly number[] }]);
  const values = engine.read(out!);
  out!.dispose();
  return values;
}

function nearOne(dtype: DType, count: number): TypedArray {
  const data = randomValues(dtype, count, 3);
  if (!isInexact(dtype)) return data;
  const { lanes } = dtypes[dtype];
  for (let i = 0; i < data.length; i++) data[i] = (i % lanes === 0 ? 1 : 0) + (data[i] as number) / 64;
  return data;
}

describe('reductions follow the fixed tree bit by bit', () => {
  test.each(monoids)('%s of every count and dtype', (monoid) => {
    for (const dtype of engine.info.dtypes) {
      const isFold = monoid === 'sum' || monoid === 'prod';
      if (isFold ? dtype === 'bool' : isComplex(dtype)) continue;
      for (const n of counts) {
        const parts = { monoid, dtype, shape: [n], axes: 1 };
        const data = monoid === 'prod' ? nearOne(dtype, n) : randomValues(dtype, n);
        expect([dtype, n, firstDifference(run(parts, data), expectedOf(parts, data))]).toEqual([dtype, n, -1]);
      }
    }
  });

  test('over several axes, in any memory order', () => {
    const cases: readonly Omit<ReductionParts, 'monoid' | 'dtype'>[] = [
      { shape: [3, 300], axes: 1 },
      { shape: [300, 3], order: [1, 0], axes: 1 },
      { shape: [30, 50], axes: 2 },
      { shape: [30, 50], order: [1, 0], axes: 2 },
      { shape: [7, 11, 13], order: [1, 0, 2], axes: 2 },
      { shape: [7, 11, 13], order: [2, 1, 0], axes: 3 },
      { shape: [4, 9, 5, 6], order: [0, 2, 3, 1], axes: 2 },
      { shape: [3, 1, 200, 1], order: [0, 1, 2, 3], axes: 2 },
      { shape: [2, 3, 4, 5, 6], order: [4, 0, 2, 1, 3], axes: 3 },
      { shape: [4, 0], axes: 1 },
      { shape: [0, 4], axes: 1 },
      { shape: [4, 0, 3], order: [0, 2, 1], axes: 1 },
    ];
    for (const dtype of ['float64', 'float32'] as const) {
      for (const some of cases) {
        const parts = { ...some, monoid: 'sum', dtype } as const;
        const data = randomValues(dtype, (some.shape as number[]).reduce((product, extent) => product * extent, 1));
        expect([some, firstDifference(run(parts, data), expectedOf(parts, data))]).toEqual([some, -1]);
      }
    }
  });

  test('a sum depends on values and counts only, not on how they lie in memory', () => {
    const [rows, columns] = [37, 411];
    const data = randomValues('float64', rows * columns);
    const transposed = Float64Array.from({ length: rows * columns }, (_, i) => data[(i % rows) * columns + Math.floor(i / rows)] as number);
    const straight = run({ monoid: 'sum', dtype: 'float64', shape: [rows, columns], axes: 1 }, data);
    const crossed = run({ monoid: 'sum', dtype: 'float64', shape: [columns, rows], order: [1, 0], axes: 1 }, transposed);
    expect(firstDifference(straight, crossed)).toBe(-1);
  });

  test('an expression is folded as its values would be', () => {
    const body: ScalarExpr = loop.mul(argumentOf('float64', 0), argumentOf('float64', 0));
    const data = randomValues('float64', 1000) as Float64Array;
    const squares = data.map((x) => x * x);
    const parts = { monoid: 'sum', dtype: 'float64', shape: [1000], axes: 1 } as const;
    expect(firstDifference(run({ ...parts, body: [body] }, data), run(parts, squares))).toBe(-1);
  });

  test('NaN passes through max, min and sum; −0 sums to 0; max of −0 and 0 is 0', () => {
    for (const monoid of ['max', 'min', 'sum'] as const) {
      for (const at of [0, 5, 128, 999]) {
        const data = new Float64Array(1000).fill(1);
        data[at] = NaN;
        expect(run({ monoid, dtype: 'float64', shape: [1000], axes: 1 }, data)[0]).toBeNaN();
      }
    }
    const zeros = new Float64Array(20).fill(-0);
    expect(run({ monoid: 'sum', dtype: 'float64', shape: [20], axes: 1 }, zeros)[0]).toBe(0);
    expect(run({ monoid: 'max', dtype: 'float64', shape: [20], axes: 1 }, zeros)[0]).toBe(-0);
    zeros[11] = 0;
    expect(run({ monoid: 'max', dtype: 'float64', shape: [20], axes: 1 }, zeros)[0]).toBe(0);
    expect(run({ monoid: 'min', dtype: 'float64', shape: [20], axes: 1 }, zeros)[0]).toBe(-0);
  });

  test('a broadcast element is folded as often as its axis is long', () => {
    const kernel = { rank: 1, reads: [{ dtype: 'float32', inner: 'broadcast' }], writes: [{ dtype: 'float32', inner: 'contiguous' }], body: [argumentOf('float32', 0)], reduce: { monoid: 'sum', axes: 1 } } as const;
    const plan = planOf({ inputs: [tensorType('float32', [])], outputs: [tensorType('float32', [])], steps: [{ kind: 'loop', kernel, extents: [2 ** 24 + 8], reads: [viewOf(0, [0])], writes: [viewOf(1, [])] }] });
    expect(engine.read(engine.compile(plan).run([1])[0]!)[0]).toBe(2 ** 24 + 8);
  });

  test('several values are folded at once', () => {
    const x = argumentOf('float64', 0);
    const kernel = { rank: 1, reads: [{ dtype: 'float64', inner: 'contiguous' }], writes: [{ dtype: 'float64', inner: 'contiguous' }, { dtype: 'bool', inner: 'contiguous' }], body: [x, loop.gt(x, loop.constant('f64', 0.999))], reduce: { monoid: 'max', axes: 1 } } as const;
    const plan = planOf({ inputs: [tensorType('float64', [1000])], outputs: [tensorType('float64', []), tensorType('bool', [])], steps: [{ kind: 'loop', kernel, extents: [1000], reads: [viewOf(0, [1])], writes: [viewOf(1, []), viewOf(2, [])] }] });
    const data = randomValues('float64', 1000) as Float64Array;
    const [largest, any] = engine.compile(plan).run([{ data, shape: [1000] }]);
    expect([engine.read(largest!)[0], engine.read(any!)[0]]).toEqual([Math.max(...data), Number(data.some((value) => value > 0.999))]);
  });

  test('the comparison would notice another order: left to right, other lanes, other blocks', () => {
    const samples = [1, 2, 3, 4, 5].map((seed) => randomValues('float64', 1000, seed) as Float64Array);
    const lanes = (data: Float64Array, count: number): number => Array.from({ length: count }, (_, j) => data.filter((_x, i) => i % count === j).reduce((a, b) => a + b, 0)).reduce((a, b) => a + b);
    const halves = (data: Float64Array): number => (data.length === 1 ? data[0]! : halves(data.subarray(0, data.length >> 1)) + halves(data.subarray(data.length >> 1)));
    const others: readonly ((data: Float64Array) => number)[] = [(data) => lanes(data, 1), (data) => lanes(data, 4), (data) => lanes(data, 8), halves];
    for (const other of others) {
      const differs = samples.some((data) => other(data) !== run({ monoid: 'sum', dtype: 'float64', shape: [1000], axes: 1 }, data)[0]);
      expect(differs).toBe(true);
    }
  });
});
