import { type DType, loop, rowMajorStrides, type ScanKernel, type ScanStep, tensorType } from '@tf/core';
import { describe, expect, test } from 'vitest';
import { createEngineSync } from '../index.ts';
import { planOf, viewOf } from '../testing/plans.ts';
import { firstDifference, randomValues } from '../testing/values.ts';

const engine = createEngineSync();

/** Running sums of a matrix along its rows or, row after row, along its columns. */
function sums(dtype: DType, rows: number, columns: number, along: 'rows' | 'columns', reverse = false): Parameters<typeof engine.compile>[0] {
  const type = loop.scalarTypeOf(dtype);
  const inner = along === 'columns' ? 'contiguous' : 'strided';
  const kernel: ScanKernel = { rank: 2, columns: along === 'columns', reads: [{ dtype, inner }], write: { dtype, inner }, first: [loop.argument(type, 0)], next: [loop.add(loop.argument(type, 1), loop.argument(type, 0))] };
  const own = rowMajorStrides([rows, columns]) as readonly number[];
  const axis = along === 'columns' ? 0 : 1;
  const strides = own.map((stride, at) => (reverse && at === axis ? -stride : stride));
  const offset = reverse ? ([rows, columns][axis]! - 1) * own[axis]! : 0;
  const step: ScanStep = { kind: 'scan', kernel, extents: [rows, columns], reads: [viewOf(0, strides, offset)], write: viewOf(1, strides, offset) };
  return planOf({ inputs: [tensorType(dtype, [rows, columns])], outputs: [tensorType(dtype, [rows, columns])], steps: [step] });
}

/** The same by plain loops. */
function expected(dtype: DType, x: ArrayLike<number>, rows: number, columns: number, along: 'rows' | 'columns', reverse: boolean): readonly number[] {
  const round = dtype === 'float32' ? Math.fround : dtype === 'int32' ? (value: number): number => value | 0 : (value: number): number => value;
  const out = Array.from(x);
  const [outer, length, step, from] = along === 'rows' ? [rows, columns, 1, columns] : [columns, rows, columns, 1];
  for (let line = 0; line < outer; line++) {
    for (let i = 1; i < length; i++) {
      const at = line * from + (reverse ? length - 1 - i : i) * step;
      out[at] = round(out[at + (reverse ? step : -step)]! + x[at]!);
    }
  }
  return out;
}

describe('running sums', () => {
  test.each((['float64', 'float32', 'int32'] as const).flatMap((dtype) => (['rows', 'columns'] as const).flatMap((along) => [false, true].map((reverse) => [dtype, along, reverse] as const))))('%s along %s, from the end: %s', (dtype, along, reverse) => {
    for (const [rows, columns] of [[1, 1], [3, 5], [5, 17], [2, 4099], [4099, 2], [4097, 1]] as const) {
      const x = randomValues(dtype, rows * columns) as Float64Array;
      const got = engine.read(engine.compile(sums(dtype, rows, columns, along, reverse)).run([{ data: x, shape: [rows, columns] }])[0]!);
      expect(firstDifference(got, expected(dtype, x, rows, columns, along, reverse)), `${rows} by ${columns}`).toBe(-1);
    }
  });

  test('of nothing are nothing', () => {
    for (const [rows, columns] of [[0, 3], [3, 0]] as const) for (const along of ['rows', 'columns'] as const) expect(engine.compile(sums('float64', rows, columns, along)).run([{ data: new Float64Array(0), shape: [rows, columns] }])[0]!.shape).toEqual([rows, columns]);
  });

  test('a kernel that reads what it has not is refused', () => {
    const plan = sums('float64', 2, 2, 'rows');
    const step = plan.steps[0] as ScanStep;
    const broken = { ...plan, steps: [{ ...step, kernel: { ...step.kernel, first: step.kernel.next } }] };
    expect(() => engine.compile(broken)).toThrow(/argument 1 of 1 reads/);
  });
});
