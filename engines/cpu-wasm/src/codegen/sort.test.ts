import { allocate, argsort, type Atom, Builder, compileProgram, type DType, type Operand, sort, tensorType, type TypedArray } from '@tf/core';
import { describe, expect, test } from 'vitest';
import { createEngineSync } from '../index.ts';

const engine = createEngineSync();

/** Few different values, the edges of the dtype among them. */
function elements(dtype: DType, count: number): TypedArray {
  const data = allocate(dtype, count);
  let state = 12345 + count;
  for (let i = 0; i < count; i++) {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    const wide = state % 3 === 0 ? state - 2 ** 30 : (state >> 8) % 17 - 8;
    const edges = [NaN, -0, 0, Infinity, -Infinity, 1e-40];
    const value = dtype === 'float64' || dtype === 'float32' ? (state % 11 === 0 ? edges[(state >> 12) % 6]! : wide / 3) : dtype === 'bool' ? (state >> 5) & 1 : wide;
    data[i] = (dtype === 'int64' ? BigInt(value) * 4294967296n : value) as never;
  }
  return data;
}

function compare(a: number | bigint, b: number | bigint): number {
  if (a !== a || b !== b) return Number(a !== a) - Number(b !== b);
  return a < b ? -1 : a > b ? 1 : 0;
}

describe('sort', () => {
  test.each((['float64', 'float32', 'int32', 'int64', 'bool'] as const).flatMap((dtype) => [false, true].map((descending) => [dtype, descending] as const)))('%s, descending: %s: by insertion and by radix, equal elements in their order', (dtype, descending) => {
    for (const count of [1, 2, 39, 40, 41, 300, 20_000]) {
      const builder = new Builder();
      const x = builder.input(tensorType(dtype, [count])) as Operand;
      const plan = compileProgram(builder.build([sort(x, 0, { descending }), argsort(x, 0, { descending })] as unknown as Atom[]));
      const data = elements(dtype, count);
      const [values, indices] = engine.compile(plan).run([{ data, shape: [count] }]).map((buffer) => engine.read(buffer)) as [TypedArray, TypedArray];
      const at = (i: number): number | bigint => data[i] as number | bigint;
      const order = Array.from({ length: count }, (_, i) => i).sort((i, j) => (descending ? compare(at(j), at(i)) : compare(at(i), at(j))));
      expect(order.findIndex((from, to) => from !== indices[to] || !Object.is(at(from), values[to])), `${count} elements`).toBe(-1);
    }
  });

  test.each([4, 64])('a NaN with its sign bit set, as 0/0 gives, is as large as any other: %s elements', (count) => {
    const doubles = new BigInt64Array(count);
    const floats = new Int32Array(count);
    for (let i = 0; i < count; i += 4) [doubles[i], floats[i]] = [-(1n << 51n), -(1 << 22)];
    const expected = Array.from({ length: count }, (_, i) => i).sort((a, b) => Number(a % 4 === 0) - Number(b % 4 === 0));
    for (const [dtype, bits] of [['float64', doubles], ['float32', floats]] as const) {
      const builder = new Builder();
      const plan = compileProgram(builder.build([argsort(builder.input(tensorType(dtype, [count])) as Operand)] as unknown as Atom[]));
      const data = dtype === 'float64' ? new Float64Array(bits.buffer) : new Float32Array(bits.buffer);
      expect([...(engine.read(engine.compile(plan).run([{ data, shape: [count] }])[0]!) as Int32Array)], dtype).toEqual(expected);
    }
  });

  test('along every axis of a tensor that lies in another order', () => {
    const builder = new Builder();
    const x = builder.input(tensorType('float64', [3, 4, 5])) as Operand;
    const plan = compileProgram(builder.build([0, 1, 2].map((axis) => sort(x, axis)) as unknown as Atom[]));
    const data = elements('int32', 60);
    const results = engine.compile(plan).run([{ data: Float64Array.from(data as Int32Array), shape: [3, 4, 5] }]).map((buffer) => engine.read(buffer) as Float64Array);
    [[3, 20], [4, 5], [5, 1]].forEach(([size, stride], axis) => {
      const result = results[axis]!;
      result.forEach((value, at) => {
        if (Math.floor(at / stride!) % size! > 0) expect(result[at - stride!]! <= value, `axis ${axis} at ${at}`).toBe(true);
      });
      expect([...result].sort((a, b) => a - b)).toEqual([...(data as Int32Array)].sort((a, b) => a - b));
    });
  });
});
