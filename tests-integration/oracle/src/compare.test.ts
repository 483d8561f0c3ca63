import type { DType } from '@tf/core';
import { describe, expect, it } from 'vitest';
import { isFinite, mismatch } from './compare.ts';
import type { HostValue, Tolerance } from './format.ts';

const f64 = (...data: number[]): HostValue => ({ dtype: 'float64', shape: [data.length], data: Float64Array.from(data) });
const c128 = (...data: number[]): HostValue => ({ dtype: 'complex128', shape: [data.length / 2], data: Float64Array.from(data) });
const ints = (dtype: DType, ...data: number[]): HostValue => ({ dtype, shape: [data.length], data: dtype === 'int64' ? BigInt64Array.from(data.map(BigInt)) : Int32Array.from(data) });
const elem: Tolerance = { mode: 'elem', rtol: 0.1, atol: 0 };
const norm: Tolerance = { mode: 'norm', rtol: 0.1, atol: 0 };

describe('mismatch', () => {
  it('shapes and dtypes must be equal', () => {
    expect(mismatch(f64(1), { ...f64(1), shape: [1, 1] }, elem)).toMatch(/shape \[1\] instead of \[1, 1\]/);
    expect(mismatch({ ...f64(1), dtype: 'float32', data: Float32Array.of(1) }, f64(1), elem)).toMatch(/dtype/);
    expect(mismatch(f64(), { ...f64(), shape: [0, 2] }, elem)).toMatch(/shape/);
  });

  it('elem measures each entry by itself, norm by the largest finite one', () => {
    expect(mismatch(f64(10.9, 1.05), f64(10, 1), elem)).toBeUndefined();
    expect(mismatch(f64(10, 1.5), f64(10, 1), elem)).toMatch(/value 1/);
    expect(mismatch(f64(10, 1.5), f64(10, 1), norm)).toBeUndefined();
    expect(mismatch(f64(Infinity, 1.5), f64(Infinity, 1), norm)).toMatch(/value 1/);
    expect(mismatch(f64(0.5), f64(0), { ...elem, atol: 0.5 })).toBeUndefined();
  });

  it('real and imaginary parts are tested separately on the scale of the modulus', () => {
    expect(mismatch(c128(3.4, 0.4, 0, 0), c128(3, 0, 0, 0), elem)).toMatch(/value 0/);
    expect(mismatch(c128(3, 0.25), c128(3, 0), elem)).toBeUndefined();
    expect(mismatch(c128(3, 4.45), c128(3, 4), elem)).toBeUndefined();
    expect(mismatch(c128(3, 4.55), c128(3, 4), elem)).toMatch(/value 1/);
    expect(mismatch(c128(Infinity, 5), c128(Infinity, 1), elem)).toMatch(/value 1/);
  });

  it('NaN matches only NaN and infinities only themselves', () => {
    expect(mismatch(f64(NaN, Infinity, -Infinity), f64(NaN, Infinity, -Infinity), elem)).toBeUndefined();
    for (const [got, want] of [[1, NaN], [NaN, 1], [Infinity, 1], [1, Infinity], [-Infinity, Infinity], [NaN, Infinity]] as const) expect(mismatch(f64(got), f64(want), { ...elem, atol: 1e300 })).toBeDefined();
  });

  it('the sign of zero matters only where it is asked for', () => {
    expect(mismatch(f64(-0), f64(0), elem)).toBeUndefined();
    expect(mismatch(f64(-0), f64(0), elem, true)).toMatch(/-0 instead of 0/);
    expect(mismatch(f64(1e-9), f64(0), { ...elem, atol: 1 }, true)).toBeUndefined();
  });

  it('indices are compared by value whatever integer dtype they have; other integers keep theirs', () => {
    expect(mismatch(ints('int32', 3), ints('int64', 3), elem)).toBeUndefined();
    expect(mismatch(ints('int32', 4), ints('int64', 3), { ...elem, atol: 9 })).toMatch(/4 instead of 3/);
    expect(mismatch(f64(3), ints('int64', 3), elem)).toMatch(/dtype/);
    expect(mismatch(ints('int64', 3), ints('int32', 3), elem)).toMatch(/dtype/);
  });
});

it('finite means every entry', () => {
  expect([isFinite(f64(1, 2)), isFinite(f64(1, NaN)), isFinite(f64(-Infinity)), isFinite(ints('int64', 1)), isFinite(f64())]).toEqual([true, false, false, true, true]);
});
