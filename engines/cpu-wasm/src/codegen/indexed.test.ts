import { type DType, dtypes, rowMajorStrides, type Step, tensorType, type TypedArray } from '@tf/core';
import { describe, expect, test } from 'vitest';
import { createEngineSync } from '../index.ts';
import { planOf, viewOf } from '../testing/plans.ts';
import { firstDifference, randomValues } from '../testing/values.ts';

const engine = createEngineSync();

/** out[i, j] = x[indices[i], j] of a matrix of `rows` rows. */
function rowGather(dtype: DType, rows: number, columns: number, count: number): Parameters<typeof engine.compile>[0] {
  const step: Step = { kind: 'gather', dtype, extents: [count, columns], indices: viewOf(1, [1, 0]), rows, rowStride: columns, source: viewOf(0, [0, 1]), out: viewOf(2, [columns, 1]) };
  return planOf({ inputs: [tensorType(dtype, [rows, columns]), tensorType('int32', [count])], outputs: [tensorType(dtype, [count, columns])], steps: [step] });
}

/** x + updates at rows indices, as core plans it: a copy, then the scatter into it. */
function rowScatter(dtype: DType, rows: number, columns: number, count: number): Parameters<typeof engine.compile>[0] {
  const copy: Step = { kind: 'copy', dtype, elements: rows * columns, from: { buffer: 0, offset: 0 }, to: { buffer: 3, offset: 0 } };
  const step: Step = { kind: 'scatter', combine: 'add', dtype, extents: [count, columns], indices: viewOf(1, [1, 0]), rows, rowStride: columns, updates: viewOf(2, [columns, 1]), target: viewOf(3, [0, 1]) };
  return planOf({ inputs: [tensorType(dtype, [rows, columns]), tensorType('int32', [count]), tensorType(dtype, [count, columns])], outputs: [tensorType(dtype, [rows, columns])], steps: [copy, step] });
}

const host = (data: TypedArray, ...shape: readonly number[]): { readonly data: TypedArray; readonly shape: readonly number[] } => ({ data, shape });

describe('gather', () => {
  test.each(engine.info.dtypes)('%s rows by index, negative ones from the end', (dtype) => {
    const x = randomValues(dtype, 5 * 3);
    const indices = Int32Array.of(4, 0, -1, -5, 2, 2, 1);
    const got = engine.read(engine.compile(rowGather(dtype, 5, 3, 7)).run([host(x, 5, 3), host(indices, 7)])[0]!);
    const row = 3 * dtypes[dtype].lanes;
    const expected = [...indices].flatMap((index) => [...(x.slice(row * ((index + 5) % 5), row * ((index + 5) % 5) + row) as Float64Array)]);
    expect(firstDifference(got, expected)).toBe(-1);
  });

  test('along an axis, each element by its own index, of a transposed source', () => {
    const [rows, columns] = [4, 3];
    const x = randomValues('float64', 12) as Float64Array;
    const indices = Int32Array.of(3, 1, 0, 2, 2, -1);
    const step: Step = { kind: 'gather', dtype: 'float64', extents: [2, columns], indices: viewOf(1, rowMajorStrides([2, columns])), rows, rowStride: 1, source: viewOf(0, [0, rows]), out: viewOf(2, rowMajorStrides([2, columns])) };
    const plan = planOf({ inputs: [tensorType('float64', [columns, rows]), tensorType('int32', [2, columns])], outputs: [tensorType('float64', [2, columns])], steps: [step] });
    const got = engine.read(engine.compile(plan).run([host(x, columns, rows), host(indices, 2, columns)])[0]!);
    expect([...(got as Float64Array)]).toEqual([...indices].map((index, at) => x[(at % columns) * rows + ((index + rows) % rows)]));
  });

  test('a scalar index takes a scalar', () => {
    const step: Step = { kind: 'gather', dtype: 'float64', extents: [], indices: viewOf(1, []), rows: 3, rowStride: 1, source: viewOf(0, []), out: viewOf(2, []) };
    const plan = planOf({ inputs: [tensorType('float64', [3]), tensorType('int32', [])], outputs: [tensorType('float64', [])], steps: [step] });
    expect(engine.read(engine.compile(plan).run([host(Float64Array.of(5, 6, 7), 3), -1])[0]!)).toEqual(Float64Array.of(7));
  });

  test('an index that names no row is an IndexError with index and rows, and the engine works on', () => {
    const executable = engine.compile(rowGather('float64', 5, 3, 1));
    const x = host(randomValues('float64', 15), 5, 3);
    const before = engine.stats();
    for (const index of [5, -6, 2 ** 31 - 1, -(2 ** 31)]) {
      expect(() => executable.run([x, host(Int32Array.of(index), 1)])).toThrow(expect.objectContaining({ name: 'IndexError', fields: { op: 'gather', index, rows: 5 } }));
    }
    expect([engine.stats().liveBuffers, engine.stats().bytesInUse]).toEqual([before.liveBuffers, before.bytesInUse]);
    expect(engine.read(executable.run([x, host(Int32Array.of(0), 1)])[0]!)).toEqual(x.data.slice(0, 3));
  });

  test('no indices give nothing; no rows refuse every index', () => {
    expect(engine.compile(rowGather('float64', 5, 3, 0)).run([host(randomValues('float64', 15), 5, 3), host(new Int32Array(0), 0)])[0]!.shape).toEqual([0, 3]);
    expect(() => engine.compile(rowGather('float64', 0, 3, 1)).run([host(new Float64Array(0), 0, 3), host(Int32Array.of(0), 1)])).toThrow(/^take or takeAlongAxis: index 0 is out of range: there are no rows along that axis\. Check for an empty tensor/);
  });
});

describe('scatter-add', () => {
  test.each(['float64', 'float32', 'int32'] as const)('%s updates accumulate at repeated rows in order, others stay', (dtype) => {
    const [x, updates] = [randomValues(dtype, 12, 3), randomValues(dtype, 21, 5)];
    const indices = Int32Array.of(3, 1, 1, -1, 3, 0, 1);
    const expected = x.slice();
    indices.forEach((index, i) => {
      for (let j = 0; j < 3; j++) {
        const at = 3 * ((index + 4) % 4) + j;
        expected[at] = (expected[at] as number) + (updates[3 * i + j] as number);
      }
    });
    const got = engine.read(engine.compile(rowScatter(dtype, 4, 3, 7)).run([host(x, 4, 3), host(indices, 7), host(updates, 7, 3)])[0]!);
    expect(firstDifference(got, expected)).toBe(-1);
  });

  test('bool is refused', () => {
    expect(() => engine.compile(rowScatter('bool', 2, 2, 2))).toThrow(expect.objectContaining({ name: 'UnsupportedOnEngineError' }));
  });
});
