import { describe, expect, it } from 'vitest';
import type { ScalarExpr, ScalarType } from '../types/loop-language.ts';
import { evaluateScalar, evaluateScalars } from './evaluate.ts';
import * as scalar from './scalar.ts';
import type { ScalarValue } from './scalar.ts';

const c = scalar.constant;
const value = (expr: ScalarExpr): ScalarValue => evaluateScalar(expr, () => 0);
const float = (...values: readonly number[]): ScalarExpr[] => values.map((v) => c('f64', v));

describe('evaluateScalar', () => {
  it('rounds every f32 operation', () => {
    const sum = scalar.add(scalar.add(c('f32', 2 ** 24), c('f32', 1)), c('f32', 1));
    expect(value(sum)).toBe(2 ** 24);
    expect(value(scalar.mul(c('f32', 3e38), c('f32', 2)))).toBe(Infinity);
  });

  it('wraps integers at their width', () => {
    expect(value(scalar.add(c('i32', 2 ** 31 - 1), c('i32', 1)))).toBe(-(2 ** 31));
    expect(value(scalar.mul(c('i32', 123456789), c('i32', 987654321)))).toBe(Number(BigInt.asIntN(32, 123456789n * 987654321n)));
    expect(value(scalar.mul(c('i64', 2n ** 62n), c('i64', 3)))).toBe(-(2n ** 62n));
    expect(value(scalar.abs(c('i32', -(2 ** 31))))).toBe(-(2 ** 31));
    expect(value(scalar.neg(c('i32', 0)))).toBe(0);
  });

  it('orders −0 below +0 and propagates NaN in min and max', () => {
    const [zero, negativeZero, one, nan] = float(0, -0, 1, NaN);
    expect(value(scalar.min(zero!, negativeZero!))).toBe(-0);
    expect(value(scalar.max(negativeZero!, zero!))).toBe(0);
    expect(value(scalar.min(one!, nan!))).toBe(NaN);
    expect(value(scalar.max(nan!, one!))).toBe(NaN);
  });

  it('rounds to nearest with ties to even and keeps the sign of zero', () => {
    const cases = [[0.5, 0], [1.5, 2], [2.5, 2], [-0.5, -0], [-1.5, -2], [0.49999999999999994, 0], [4503599627370497.5, 4503599627370498], [-Infinity, -Infinity], [NaN, NaN], [-0, -0]] as const;
    for (const [x, expected] of cases) expect(value(scalar.nearest(c('f64', x)))).toBe(expected);
  });

  it('takes signs bit by bit: neg, abs and copysign of zeros', () => {
    expect(value(scalar.neg(c('f64', 0)))).toBe(-0);
    expect(value(scalar.abs(c('f64', -0)))).toBe(0);
    expect(value(scalar.copysign(c('f64', 3), c('f64', -0)))).toBe(-3);
    expect(value(scalar.copysign(c('f64', -0), c('f64', 1)))).toBe(0);
  });

  it('shifts within the width, the count modulo the width', () => {
    expect(value(scalar.shrU(c('i32', -1), c('i32', 28)))).toBe(15);
    expect(value(scalar.shrS(c('i32', -8), c('i32', 1)))).toBe(-4);
    expect(value(scalar.shl(c('i32', 1), c('i32', 31)))).toBe(-(2 ** 31));
    expect(value(scalar.shl(c('i32', 1), c('i32', 33)))).toBe(2);
    expect(value(scalar.shrU(c('i64', -1), c('i64', 63)))).toBe(1n);
    expect(value(scalar.shl(c('i64', 5), c('i64', 62)))).toBe(2n ** 62n);
  });

  it('converts by value: truncating, saturating, NaN to 0, bool by ≠ 0', () => {
    const cases: readonly (readonly [ScalarType, ScalarType, ScalarValue, ScalarValue])[] = [
      ['f64', 'i32', -2.9, -2], ['f64', 'i32', 1e10, 2 ** 31 - 1], ['f64', 'i32', -1e10, -(2 ** 31)], ['f64', 'i32', NaN, 0], ['f64', 'i32', -0.5, 0],
      ['f64', 'i64', 1e300, 2n ** 63n - 1n], ['f64', 'i64', -Infinity, -(2n ** 63n)], ['f64', 'i64', -2.5, -2n], ['f64', 'i64', NaN, 0n],
      ['i64', 'i32', 2n ** 32n + 7n, 7], ['i32', 'i64', -3, -3n], ['i64', 'f64', 2n ** 53n + 1n, 2 ** 53],
      ['f64', 'bool', NaN, true], ['f64', 'bool', -0, false], ['i64', 'bool', 2n, true], ['bool', 'f32', true, 1], ['bool', 'i64', true, 1n],
      ['f64', 'f32', 0.1, Math.fround(0.1)],
    ];
    for (const [from, to, input, expected] of cases) expect(value(scalar.convert(to, c(from, input))), `${from} ${input} → ${to}`).toBe(expected);
  });

  it('converts i64 to f32 in one rounding', () => {
    // 2^60 + 2^36 + 1 lies just above a tie of f32; rounding to f64 first would make it the tie, which goes down.
    expect(value(scalar.convert('f32', c('i64', 2n ** 60n + 2n ** 36n + 1n)))).toBe(2 ** 60 + 2 ** 37);
    expect(value(scalar.convert('f32', c('i64', -(2n ** 60n + 2n ** 36n))))).toBe(-(2 ** 60));
  });

  it('moves bits unchanged between types of one width', () => {
    expect(value(scalar.bitcast('i32', c('f32', 1)))).toBe(0x3f800000);
    expect(value(scalar.bitcast('f64', c('i64', 0x3ff8000000000000n)))).toBe(1.5);
    expect(value(scalar.bitcast('i64', scalar.bitcast('f64', c('i64', 1n))))).toBe(1n);
  });

  it('compares NaN as IEEE 754 does', () => {
    const nan = c('f64', NaN);
    expect([scalar.eq, scalar.lt, scalar.ge].map((compare) => value(compare(nan, nan)))).toEqual([false, false, false]);
    expect(value(scalar.ne(nan, nan))).toBe(true);
  });

  it('combines booleans', () => {
    const [yes, no] = [c('bool', true), c('bool', false)];
    expect([scalar.and(yes, no), scalar.or(yes, no), scalar.xor(yes, yes), scalar.not(no), scalar.lt(no, yes)].map(value)).toEqual([false, true, false, true, true]);
  });

  it('reads the entry of a table, the nearest one for an index outside', () => {
    const at = (index: number): ScalarValue => value(scalar.lookup('f64', [1.5, -0, 7], c('i32', index)));
    expect([0, 1, 2, 3, -1, 2 ** 31 - 1, -(2 ** 31)].map(at)).toEqual([1.5, -0, 7, 7, 1.5, 7, 1.5]);
    expect(value(scalar.lookup('i64', [5, 6], c('i32', 1)))).toBe(6n);
  });

  it('reads arguments by input and lane', () => {
    const exprs = [scalar.argument('f64', 3, 1), scalar.argument('i64', 1)];
    expect(evaluateScalars(exprs, (input, lane) => 10 * input + lane)).toEqual([31, 10n]);
  });

  it('computes a shared node once: 200 doublings of one node are 200 additions', () => {
    let expr = c('f64', 1);
    for (let i = 0; i < 200; i++) expr = scalar.add(expr, expr);
    expect(value(expr)).toBe(2 ** 200);
  });

  it('takes a chain of 100 000 operations', () => {
    let expr = scalar.argument('f64', 0);
    for (let i = 0; i < 100_000; i++) expr = scalar.add(expr, c('f64', 1));
    expect(evaluateScalar(expr, () => 0.5)).toBe(100_000.5);
  });

  it('refuses calls, which must be expanded first', () => {
    expect(() => value(scalar.call('exp', 'f64', c('f64', 1)))).toThrow(/expandCalls/);
  });
});
