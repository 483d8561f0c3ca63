import { type DType, loop, type LoopKernel, type ScalarExpr, type ScalarType } from '@tf/core';
import { beforeAll, describe, expect, it } from 'vitest';
import { Harness, type LoopCase } from './harness.testing.ts';
import { withJoined } from './table/joined.ts';
import { bytesOfDType, difference, runLoop, writeValue } from './reference.testing.ts';

const dtypeOf: { readonly [T in ScalarType]: DType } = { f32: 'float32', f64: 'float64', i32: 'int32', i64: 'int64', bool: 'bool' };
const types = Object.keys(dtypeOf) as readonly ScalarType[];

/** Values where operations change their ways: special ones, borders of exponents and of integers, and some between. */
function valuesOf(type: ScalarType): readonly loop.ScalarValue[] {
  if (type === 'bool') return [false, true];
  if (type === 'i64') return [0n, 1n, -1n, 2n, 3n, -7n, 31n, 63n, 64n, 2n ** 31n, -(2n ** 31n), 2n ** 32n + 5n, 2n ** 53n + 1n, 2n ** 62n + 2n ** 38n + 1n, 2n ** 63n - 1n, -(2n ** 63n), 1234567890123n];
  if (type === 'i32') return [0, 1, -1, 2, 3, -7, 31, 32, 33, 65, 2 ** 24 + 1, 2 ** 30, 2 ** 31 - 1, -(2 ** 31), 123456789];
  const magnitudes = [
    0, 5e-324, 1e-310, 2 ** -1022, 1.4e-45, 1e-40, 2 ** -126, 1e-20, 1e-8, 0.1, 0.25, 0.3, 0.4999999999999999, 0.5, 0.7071067811865476, 0.75, 0.9, 0.9999999, 1, 1.0000001, 1.25, 1.5, 1.7,
    2, 2.5, 3, 3.141592653589793, 3.5, 4.5, 5, 6.28, 7.5, 8, 8.5, 9.9, 12, 13.5, 14, 20, 24, 25.3, 40, 86.9, 87.1, 88, 88.8, 89.5, 100, 103.9, 104.1, 127, 128, 170.5, 199.9, 200.5, 355, 700, 707.9,
    708.5, 709.5, 710.5, 745, 746.5, 1000, 1024, 24999.5, 25001, 1e5, 8388607.5, 8388608.5, 16777217, 1e9, 2147483647, 2147483648, 2147483904, 4294967296, 1e15, 4503599627370495.5,
    4503599627370497, 9007199254740993, 9.223372036854775e18, 9.3e18, 1e20, 1e22, 1e30, 3.4e38, 1e39, 1e100, 6381956970095103 * 2 ** 797, 1e300, 1.7976931348623157e308, Infinity,
  ];
  const signed = [...magnitudes, ...magnitudes.map((x) => -x), NaN];
  return type === 'f64' ? signed : [...new Set(signed.map(Math.fround))];
}

/** Pseudo-random floats of all magnitudes that the functions treat differently. */
function randomFloats(count: number): readonly number[] {
  let state = 12345;
  const next = (): number => (state = (Math.imul(state, 1103515245) + 12345) >>> 0) / 2 ** 32;
  return Array.from({ length: count }, () => (next() < 0.5 ? -1 : 1) * next() * 10 ** (next() * 8 - 4));
}

/** All combinations of the operands' values, of the floats of several operands those that matter most. */
function operandValues(operands: readonly ScalarType[]): readonly (readonly loop.ScalarValue[])[] {
  const few = [0, 1e-310, 1e-40, 0.3, 0.5, 1, 1.5, 2, 3, 8.5, 88.5, 1e9, 1e20, 3e38, 1e300, Infinity].flatMap((x) => [x, -x]).concat(NaN);
  const lists = operands.map((type) => (operands.length === 1 || !loop.isFloat(type) ? valuesOf(type) : few.map((x) => (type === 'f32' ? Math.fround(x) : x))));
  const more = operands.length === 1 && loop.isFloat(operands[0]!) ? randomFloats(600).map((x) => [operands[0] === 'f32' ? Math.fround(x) : x]) : [];
  return [...lists.reduce<readonly (readonly loop.ScalarValue[])[]>((rows, values) => rows.flatMap((row) => values.map((value) => [...row, value])), [[]]), ...more];
}

function bufferOf(type: ScalarType, values: readonly loop.ScalarValue[]): Uint8Array {
  const bytes = bytesOfDType(dtypeOf[type]);
  const view = new DataView(new ArrayBuffer(bytes * values.length));
  values.forEach((value, i) => {
    writeValue(view, i * bytes, type, value);
  });
  return new Uint8Array(view.buffer);
}

function caseOf(operands: readonly ScalarType[], make: (args: readonly ScalarExpr[]) => ScalarExpr): LoopCase {
  const body = make(operands.map((type, i) => loop.argument(type, i)));
  const rows = operandValues(operands);
  const access = (type: ScalarType) => ({ dtype: dtypeOf[type], inner: 'contiguous' as const });
  const kernel: LoopKernel = { rank: 1, reads: operands.map(access), writes: [access(body.type)], body: [body] };
  const view = (type: ScalarType, buffer: number) => ({ buffer, offset: 0, strides: [bytesOfDType(dtypeOf[type])] });
  const out = new Uint8Array(rows.length * bytesOfDType(dtypeOf[body.type]));
  return {
    level: 0, kernel, extents: [rows.length], views: [...operands, body.type].map(view),
    buffers: [...operands.map((type, i) => bufferOf(type, rows.map((row) => row[i]!))), out],
  };
}

const unary: { readonly [name: string]: (a: ScalarExpr) => ScalarExpr } = { neg: loop.neg, abs: loop.abs, sqrt: loop.sqrt, floor: loop.floor, ceil: loop.ceil, trunc: loop.trunc, nearest: loop.nearest, not: loop.not };
const binary: { readonly [name: string]: (a: ScalarExpr, b: ScalarExpr) => ScalarExpr } = {
  add: loop.add, sub: loop.sub, mul: loop.mul, div: loop.div, min: loop.min, max: loop.max, copysign: loop.copysign, and: loop.and, or: loop.or, xor: loop.xor,
  shl: loop.shl, shrS: loop.shrS, shrU: loop.shrU, eq: loop.eq, ne: loop.ne, lt: loop.lt, le: loop.le, gt: loop.gt, ge: loop.ge,
};

/** A case for each operation that the loop language has, by the name that the library should have for it. */
function allCases(): ReadonlyMap<string, LoopCase> {
  const cases = new Map<string, LoopCase>();
  const takes = (name: string, type: ScalarType): boolean => loop.operandTypes[name as keyof typeof loop.operandTypes].includes(type);
  for (const type of types) {
    for (const [name, make] of Object.entries(unary)) if (takes(name, type)) cases.set(`${name}.${type}`, caseOf([type], ([a]) => make(a!)));
    for (const [name, make] of Object.entries(binary)) if (takes(name, type)) cases.set(`${name}.${type}`, caseOf([type, type], ([a, b]) => make(a!, b!)));
    for (const to of types) if (to !== type) cases.set(`convert.${type}.${to}`, caseOf([type], ([a]) => loop.convert(to, a!)));
    cases.set(`select.${type}`, caseOf(['bool', type, type], ([c, a, b]) => loop.select(c!, a!, b!)));
    if (type !== 'bool') cases.set(`lookup.${type}`, caseOf(['i32'], ([a]) => loop.lookup(type, [3, 1, 4, 1, 5].map((x) => (type === 'i64' ? BigInt(x) : x)), a!)));
  }
  const notNaN = (a: ScalarExpr): ScalarExpr => loop.select(loop.eq(a, a), a, loop.constant(a.type, 1));
  for (const [from, to] of [['f32', 'i32'], ['f64', 'i64'], ['i32', 'f32'], ['i64', 'f64']] as const) {
    // The bits of a NaN are nobody's promise.
    cases.set(`bitcast.${from}.${to}`, caseOf([from], ([a]) => loop.bitcast(to, loop.isFloat(from) ? notNaN(a!) : a!)));
  }
  for (const type of ['f32', 'f64'] as const) {
    for (const [name, { arity }] of Object.entries(loop.functions)) cases.set(`${name}.${type}`, caseOf(new Array<ScalarType>(arity).fill(type), (args) => loop.call(name, type, ...args)));
  }
  for (const type of ['f32', 'f64'] as const) {
    for (const [name, make] of Object.entries(joined)) cases.set(`${name}.${type}`, caseOf(new Array<ScalarType>(name === 'mulOrZero' ? 2 : 3).fill(type), make));
  }
  return cases;
}

/** What the library does in one operation (table/joined.ts), as the language says it. */
const joined: { readonly [name: string]: (args: readonly ScalarExpr[]) => ScalarExpr } = {
  mulOrZero: ([a, b]) => {
    const [zero, product] = [loop.constant(a!.type, 0), loop.mul(a!, b!)];
    return loop.select(loop.and(loop.or(loop.eq(a!, zero), loop.eq(b!, zero)), loop.ne(product, product)), zero, product);
  },
  mulAdd: ([a, b, c]) => loop.add(c!, loop.mul(a!, b!)),
  mulSub: ([a, b, c]) => loop.sub(loop.mul(a!, b!), c!),
  subMul: ([a, b, c]) => loop.sub(c!, loop.mul(a!, b!)),
  ...Object.fromEntries((['eq', 'ne', 'lt', 'le', 'gt', 'ge'] as const).map((name) => [
    `select${name[0]!.toUpperCase()}${name[1]!}0`, ([a, b, c]: readonly ScalarExpr[]) => loop.select(loop[name](a!, loop.constant(a!.type, 0)), b!, c!),
  ])),
};

/** Numbers that repeat, more than the caches near the core hold: blocks fetch what the next one reads and writes, and functions take them in pieces. */
function farCase(count: number, period: number): LoopCase {
  const numbers = randomFloats(3 * period).map(Math.fround);
  const [x, y, z] = [0, 1, 2].map((input) => loop.argument('f32', input));
  const body = loop.add(loop.mul(loop.call('erfc', 'f32', x!), loop.call('sigmoid', 'f32', y!)), loop.call('exp', 'f32', z!));
  const access = { dtype: 'float32', inner: 'contiguous' } as const;
  const buffers = [0, 1, 2].map((input) => bufferOf('f32', Array.from({ length: count }, (_, i) => numbers[input * period + (i % period)]!)));
  const views = [0, 1, 2, 3].map((buffer) => ({ buffer, offset: 0, strides: [4] }));
  return { level: 0, kernel: { rank: 1, reads: [access, access, access], writes: [access], body: [body] }, extents: [count], views, buffers: [...buffers, new Uint8Array(4 * count)] };
}

/** A function of floats, of the first numbers of a row; the result lies where its first operand does. */
function upon(type: 'f32' | 'f64', count: number): LoopCase {
  const numbers = randomFloats(1024).map((x) => (type === 'f32' ? Math.fround(x) : x));
  const [x, y] = [0, 1].map((input) => loop.argument(type, input));
  const access = { dtype: dtypeOf[type], inner: 'contiguous' } as const;
  const buffers = [0, 512].map((from) => bufferOf(type, numbers.slice(from, from + count)));
  const views = [0, 1, 0].map((buffer) => ({ buffer, offset: 0, strides: [bytesOfDType(dtypeOf[type])] }));
  return { level: 0, kernel: { rank: 1, reads: [access, access], writes: [access], body: [loop.call('atan2', type, x!, y!)] }, extents: [count], views, buffers };
}

describe('operations over blocks', () => {
  let harness: Harness | undefined;
  beforeAll(() => {
    harness = Harness.build();
  }, 600_000);

  it('are those of the loop language and its functions', ({ skip }) => {
    if (harness === undefined) return skip('no C compiler');
    expect([...harness.operations].sort()).toEqual([...allCases().keys()].sort());
  });

  it('give the bits of the evaluator for all special values, with each instruction set', ({ skip }) => {
    if (harness === undefined) return skip('no C compiler');
    const cases = [...allCases()];
    const expected = cases.map(([, one]) => runLoop(one));
    for (let level = 0; level < harness.levels; level++) {
      const results = harness.run(cases.map(([, one]) => ({ ...one, level })));
      const wrong = cases.flatMap(([name, { kernel }], i) => difference(kernel.writes[0]!.dtype, results[i]!.buffers.at(-1)!, expected[i]!.at(-1)!)?.replace(/^/, `${name} at level ${level}, `) ?? []);
      expect(wrong).toEqual([]);
    }
  }, 120_000);

  it.each(Object.entries(joined))('join %s, also where more is made of its parts', (name, make) => {
    const body = make([0, 1, 2].map((input) => loop.argument('f64', input)));
    expect(withJoined([body])[0]).toMatchObject({ op: 'call', name });
    const product = loop.nodesInOrder([body]).find(({ op }) => op === 'mul');
    // A product that something else reads is there anyway.
    if (product !== undefined && name !== 'mulOrZero') expect(withJoined([body, product])).toEqual([body, product]);
  });

  it('take each element once, in blocks of any length, also where the result lies upon an operand', ({ skip }) => {
    if (harness === undefined) return skip('no C compiler');
    const counts = [...Array.from({ length: 100 }, (_, i) => i + 1), 240, 255, 256, 257, 479, 481, 496, 511, 512];
    for (const type of ['f32', 'f64'] as const) {
      const bytes = bytesOfDType(dtypeOf[type]);
      const all = runLoop(upon(type, 512))[0]!;
      for (let level = 0; level < harness.levels; level++) {
        const results = harness.run(counts.map((count) => ({ ...upon(type, count), level })));
        const wrong = counts.filter((count, i) => difference(dtypeOf[type], results[i]!.buffers[0]!, all.subarray(0, count * bytes)) !== undefined);
        expect({ type, level, wrong }).toEqual({ type, level, wrong: [] });
      }
    }
  }, 120_000);

  it('give the same bits where operands are far from the core', ({ skip }) => {
    if (harness === undefined) return skip('no C compiler');
    const [count, period] = [300_007, 1009];
    const once = runLoop(farCase(period, period)).at(-1)!;
    for (let level = 0; level < harness.levels; level++) {
      const far = harness.run([{ ...farCase(count, period), level }])[0]!.buffers.at(-1)!;
      const wrong = Array.from({ length: count }, (_, i) => i).filter((i) => [0, 1, 2, 3].some((byte) => far[4 * i + byte] !== once[4 * (i % period) + byte]));
      expect({ level, wrong: wrong.slice(0, 3) }).toEqual({ level, wrong: [] });
    }
  }, 120_000);
});
