import { describe, expect, it } from 'vitest';
import { isTfError } from '../errors.ts';
import type { ScalarExpr, ScalarType } from '../types/loop-language.ts';
import * as scalar from './scalar.ts';

const x = scalar.argument('f64', 0);
const n = scalar.argument('i32', 1);
const b = scalar.argument('bool', 2);

function refused(build: () => ScalarExpr): boolean {
  try {
    build();
    return false;
  } catch (error) {
    return isTfError(error, 'InvariantError');
  }
}

describe('scalar builders', () => {
  it('give one lane of a dtype its scalar type', () => {
    const pairs = { bool: 'bool', int32: 'i32', int64: 'i64', float32: 'f32', float64: 'f64', complex64: 'f32', complex128: 'f64' } as const;
    for (const [dtype, type] of Object.entries(pairs)) expect(scalar.scalarTypeOf(dtype as keyof typeof pairs)).toBe(type);
  });

  it('keep the operand type in arithmetic and give bool in comparisons', () => {
    expect(scalar.add(x, x).type).toBe('f64');
    expect(scalar.shl(n, n).type).toBe('i32');
    expect(scalar.lt(n, n).type).toBe('bool');
    expect(scalar.select(b, x, x).type).toBe('f64');
  });

  const wrong: readonly (readonly [string, () => ScalarExpr])[] = [
    ['operands of two types', () => scalar.add(x, n)],
    ['a bool sum', () => scalar.add(b, b)],
    ['an integer division', () => scalar.div(n, n)],
    ['a square root of an integer', () => scalar.sqrt(n)],
    ['bits of a float', () => scalar.and(x, x)],
    ['a shift of a bool', () => scalar.shl(b, b)],
    ['a condition that is not bool', () => scalar.select(n, x, x)],
    ['branches of two types', () => scalar.select(b, x, n)],
    ['a bitcast across widths', () => scalar.bitcast('i32', x)],
    ['a negative argument index', () => scalar.argument('f64', -1)],
    ['a table of bool', () => scalar.lookup('bool', [0, 1], n)],
    ['an empty table', () => scalar.lookup('f64', [], n)],
    ['a table of 65 entries', () => scalar.lookup('f64', new Array<number>(65).fill(1), n)],
    ['a table index that is not i32', () => scalar.lookup('f64', [1], scalar.constant('i64', 0))],
    ['a call without name', () => scalar.call('', 'f64', x)],
  ];
  it.each(wrong)('refuse %s', (_, build) => expect(refused(build)).toBe(true));

  it('bring constants into their type', () => {
    const value = (type: ScalarType, of: scalar.ScalarValue): unknown => {
      const node = scalar.constant(type, of);
      return node.op === 'constant' ? node.value : undefined;
    };
    expect(value('f32', 0.1)).toBe(Math.fround(0.1));
    expect(value('i64', 3)).toBe(3n);
    expect(value('i32', 2n ** 31n)).toBe(-(2 ** 31));
    expect(value('bool', true)).toBe(1);
    expect(value('f64', -0)).toBe(-0);
  });

  it('bring the entries of a table into its type', () => {
    const node = scalar.lookup('f32', [0.1, 1], n);
    expect(node.op === 'lookup' && node.table).toEqual([Math.fround(0.1), 1]);
    const integers = scalar.lookup('i64', [7, -1], n);
    expect(integers.op === 'lookup' && integers.table).toEqual([7n, -1n]);
  });

  it('check the entries of a table made by hand', () => {
    const node: ScalarExpr = { op: 'lookup', type: 'f32', table: [0.1], args: [n] };
    expect(() => scalar.checkNode(node)).toThrow(/0.1 is no f32/);
    expect(() => scalar.checkNode({ ...node, table: [0.5] })).not.toThrow();
    expect(() => scalar.checkNode({ ...node, table: [] })).toThrow(/0 entries/);
  });

  it('convert to the same type is the operand itself', () => {
    expect(scalar.convert('f64', x)).toBe(x);
    expect(scalar.convert('i64', x).type).toBe('i64');
  });
});
