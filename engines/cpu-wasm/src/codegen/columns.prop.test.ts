/** Rows of results have the trees of single ones, whichever way the driver takes. */
import { type DType, dtypes, loop, type MonoidName, type ScalarExpr, tensorType, type TypedArray } from '@tf/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createEngineSync } from '../index.ts';
import { argumentOf, elementOf, innerOf, planOf, viewOf } from '../testing/plans.ts';
import { firstDifference, randomValues } from '../testing/values.ts';

type ScalarValue = ReturnType<typeof loop.evaluateScalar>;

const engine = createEngineSync();

interface Reduction {
  readonly monoid: MonoidName;
  readonly dtype: DType;
  /** Iteration axes: kept ones, then the folded ones. */
  readonly extents: readonly number[];
  readonly folded: number;
  readonly reads: readonly (readonly number[])[];
  /** One expression per lane. */
  readonly body: readonly ScalarExpr[];
}

const product = (list: readonly number[]): number => list.reduce((all, extent) => all * extent, 1);
const rowMajor = (extents: readonly number[]): number[] => extents.map((_, axis) => product(extents.slice(axis + 1)));

function indices(extents: readonly number[], flat: number): number[] {
  return rowMajor(extents).map((stride, axis) => Math.floor(flat / stride) % extents[axis]!);
}

const dot = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, x, i) => sum + x * b[i]!, 0);

function differenceOf({ monoid, dtype, extents, folded, reads, body }: Reduction): number {
  const kept = extents.slice(0, extents.length - folded);
  const inner = extents.slice(extents.length - folded);
  const sizes = reads.map((strides) => 1 + strides.reduce((last, stride, axis) => last + stride * Math.max(0, extents[axis]! - 1), 0));
  const data = sizes.map((size, i) => randomValues(dtype, size, 11 + i));
  const kernel = { rank: extents.length, reads: reads.map((strides) => ({ dtype, inner: innerOf(strides) })), writes: [{ dtype, inner: 'contiguous' as const }], body, reduce: { monoid, axes: folded } };
  const plan = planOf({
    inputs: sizes.map((size) => tensorType(dtype, [size])),
    outputs: [tensorType(dtype, kept)],
    steps: [{ kind: 'loop', kernel, extents, reads: reads.map((strides, i) => viewOf(i, strides)), writes: [viewOf(reads.length, rowMajor(kept))] }],
  });
  const [out] = engine.compile(plan).run(data.map((values, i) => ({ data: values, shape: [sizes[i]!] })));
  const got = engine.read(out!);
  out!.dispose();
  const { lanes } = dtypes[dtype];
  const combined = loop.combineLanes(monoid, dtype, elementOf(dtype, 0), elementOf(dtype, 1));
  type Element = readonly ScalarValue[];
  const expected = Array.from({ length: product(kept) }, (_, result) => {
    const element = (i: number): Element => {
      const index = [...indices(kept, result), ...indices(inner, i)];
      return loop.evaluateScalars(body, (input, lane) => (data[input] as TypedArray)[lanes * dot(index, reads[input]!) + lane]!);
    };
    return loop.reduceInOrder<Element>(product(inner), element, (a, b) => loop.evaluateScalars(combined, (input, lane) => (input === 0 ? a : b)[lane]!), loop.identityLanes(monoid, dtype));
  });
  return firstDifference(got, expected.flat().map((value) => (typeof value === 'boolean' || (dtype === 'bool' && typeof value === 'number') ? Number(value) : value)));
}

const cases: readonly (readonly [DType, MonoidName])[] = [
  ['float64', 'sum'], ['float32', 'sum'], ['int32', 'sum'], ['float32', 'prod'], ['float64', 'max'], ['int32', 'min'], ['bool', 'max'], ['bool', 'min'],
  ['int64', 'sum'], ['int64', 'prod'], ['int64', 'max'], ['complex64', 'sum'], ['complex128', 'sum'], ['complex64', 'prod'], ['complex128', 'prod'],
];

test.each(cases)('%s %s of columns of any number and length', (dtype, monoid) => {
  const shapes = fc.oneof(fc.tuple(fc.integer({ min: 1, max: 420 }), fc.integer({ min: 1, max: 12 })), fc.tuple(fc.integer({ min: 7, max: 18 }), fc.integer({ min: 0, max: 420 })));
  fc.assert(
    fc.property(shapes, ([width, height]) => {
      expect([width, height, differenceOf({ monoid, dtype, extents: [width, height], folded: 1, reads: [[1, width]], body: elementOf(dtype, 0) })]).toEqual([width, height, -1]);
    }),
    { numRuns: 12, seed: 1 },
  );
});

test('more kept and folded axes, with gaps between rows', () => {
  const x = argumentOf('float64', 0);
  const [outer, width, first, second] = [3, 21, 5, 37];
  // Memory order: outer, first, second, width with 2 elements between rows, so that neither pair of axes is one.
  const row = width + 2;
  const strides = [first * (second + 1) * row, 1, (second + 1) * row, row];
  for (const body of [x, loop.mul(x, x)]) expect(differenceOf({ monoid: 'sum', dtype: 'float64', extents: [outer, width, first, second], folded: 2, reads: [strides], body: [body] })).toBe(-1);
});

test('operands that repeat along the columns, along the rows, along both', () => {
  const [x, y] = [argumentOf('float32', 0), argumentOf('float32', 1)];
  const [width, height] = [19, 150];
  for (const other of [[1, 0], [0, 1], [0, 0], [1, width], [height, 1], [2, 0]]) {
    for (const body of [loop.mul(x, y), loop.sub(y, x)]) {
      expect([other, differenceOf({ monoid: 'sum', dtype: 'float32', extents: [width, height], folded: 1, reads: [[1, width], other], body: [body] })]).toEqual([other, -1]);
    }
  }
});

test('an expression too long to be taken in groups', () => {
  let body = argumentOf('float32', 0);
  for (let i = 0; i < 12; i++) body = loop.sub(loop.mul(body, loop.constant('f32', 1.25 + i)), argumentOf('float32', 0));
  expect(differenceOf({ monoid: 'max', dtype: 'float32', extents: [33, 140], folded: 1, reads: [[1, 33]], body: [body] })).toBe(-1);
});
