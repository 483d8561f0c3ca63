/** Vectors, the elements left after them, and core's evaluator give the same bits, however the operands lie in memory. */
import { allocate, type DType, loop, type ScalarExpr, type ScalarType, tensorType, type TypedArray } from '@tf/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createEngineSync } from '../index.ts';
import { argumentOf, loopStep, planOf, viewOf } from '../testing/plans.ts';
import { firstDifference, randomSequence, special } from '../testing/values.ts';

const engine = createEngineSync();
const reads: readonly DType[] = ['float64', 'float64', 'float32', 'float32', 'int32', 'int32', 'bool', 'bool'];
const storable: { readonly [T in ScalarType]: DType } = { f32: 'float32', f64: 'float64', i32: 'int32', i64: 'int32', bool: 'bool' };
const SIZE = 300;

const edges: readonly number[] = [...special, 2 ** -149, -(2 ** -149), 3e38, -0.5, 2.5, 2 ** 63, -(2 ** 63), 16777217, 1e-40, 2 ** 24 + 1];
const data: readonly TypedArray[] = reads.map((dtype, input) => {
  const next = randomSequence(31 + input);
  const values = Array.from({ length: SIZE }, (_, i) => (next() < 0 ? edges[(i * 7 + 5 * input) % edges.length]! : 1000 * next()));
  if (dtype === 'int32') return Int32Array.from(values, (x, i) => (i % 5 === 0 ? [2 ** 31 - 1, -(2 ** 31), -1, 31, 33][(i / 5) % 5]! : x | 0));
  if (dtype === 'bool') return Uint8Array.from(values, (x) => (x > 0 ? 1 : 0));
  return dtype === 'float32' ? Float32Array.from(values) : Float64Array.from(values);
});

/** Bits and signs of NaN are left open by the specification: they are hidden before bitcast and copysign. */
const withoutNaN = (x: ScalarExpr): ScalarExpr => (loop.isFloat(x.type) ? loop.select(loop.eq(x, x), x, loop.constant(x.type, 0)) : x);

const first: { readonly [T in ScalarType]: number } = { f64: 0, f32: 2, i32: 4, bool: 6, i64: 0 };

/** The `which`-th operand of a type. 64-bit integers are the bits of floats, or small. */
function operand(type: ScalarType, which: 0 | 1): ScalarExpr {
  const input = first[type] + which;
  if (type !== 'i64') return argumentOf(reads[input]!, input);
  const bits = loop.bitcast('i64', withoutNaN(argumentOf('float64', which)));
  return loop.select(argumentOf('bool', 6 + which), bits, loop.convert('i64', argumentOf('int32', 4 + which)));
}

/** All bits of a 64-bit result in 32. */
const visible = (x: ScalarExpr): ScalarExpr => (x.type === 'i64' ? loop.convert('i32', loop.xor(x, loop.shrU(x, loop.constant('i64', 32n)))) : x);

interface Lying {
  readonly count: number;
  /** Of each read, and of the write last. */
  readonly strides: readonly number[];
  readonly offsets: readonly number[];
}

function check(name: string, body: ScalarExpr, { count, strides, offsets }: Lying): void {
  const root = visible(body);
  const dtype = storable[root.type];
  const starts = strides.map((stride, i) => offsets[i]! + (stride < 0 ? -stride * 70 : 0));
  const views = strides.map((stride, i) => viewOf(i, [stride], starts[i]!));
  const fill = loopStep([], dtype, [SIZE], [], viewOf(reads.length, [1]), loop.constant(root.type, 0));
  const plan = planOf({
    inputs: reads.map((read) => tensorType(read, [SIZE])),
    outputs: [tensorType(dtype, [SIZE])],
    steps: [fill, loopStep(reads, dtype, [count], views.slice(0, -1), views.at(-1)!, root)],
  });
  const [out] = engine.compile(plan).run(data.map((values) => ({ data: values, shape: [SIZE] })));
  const got = engine.read(out!);
  out!.dispose();
  const expanded = loop.expandCalls(root);
  const expected = allocate(dtype, SIZE);
  for (let i = 0; i < count; i++) {
    const value = loop.evaluateScalar(expanded, (input) => data[input]![starts[input]! + i * strides[input]!]!);
    expected[starts[reads.length]! + i * strides[reads.length]!] = typeof value === 'boolean' ? Number(value) : (value as number);
  }
  const lying = { count, strides, offsets };
  expect([name, lying, firstDifference(got, expected)]).toEqual([name, lying, -1]);
}

const types: readonly ScalarType[] = ['f32', 'f64', 'i32', 'i64', 'bool'];
const partner = { f32: 'i32', i32: 'f32', f64: 'i64', i64: 'f64' } as const;
const unary = ['neg', 'abs', 'sqrt', 'floor', 'ceil', 'trunc', 'nearest', 'not'] as const;
const binary = ['add', 'sub', 'mul', 'div', 'min', 'max', 'and', 'or', 'xor', 'shl', 'shrS', 'shrU', 'eq', 'ne', 'lt', 'le', 'gt', 'ge'] as const;
const numbers = ['f32', 'f64', 'i32', 'i64'] as const;

const operations: readonly (readonly [string, ScalarExpr])[] = [
  ...unary.flatMap((op) => loop.operandTypes[op].map((type) => [`${op} ${type}`, loop[op](operand(type, 0))] as const)),
  ...binary.flatMap((op) => loop.operandTypes[op].map((type) => [`${op} ${type}`, loop[op](operand(type, 0), operand(type, 1))] as const)),
  ...(['shl', 'shrS', 'shrU'] as const).flatMap((op) => (['i32', 'i64'] as const).flatMap((type) => [0, 5, 31, 37, -1].map((by) => [`${op} ${type} by ${by}`, loop[op](operand(type, 0), loop.constant(type, by))] as const))),
  ...types.map((type) => [`select ${type}`, loop.select(operand('bool', 1), operand(type, 0), operand(type, 1))] as const),
  ...types.flatMap((type) => [[true, 'yes'], [false, 'no']].map(([yes, where]) => [`select ${type} with 0 as ${String(where)}`, yes === true ? loop.select(operand('bool', 1), loop.constant(type, 0), operand(type, 1)) : loop.select(operand('bool', 1), operand(type, 0), loop.constant(type, 0))] as const)),
  ...types.flatMap((to) => types.map((from) => [`convert ${from} to ${to}`, loop.convert(to, operand(from, 0))] as const)),
  ...numbers.map((type) => [`lookup ${type}`, loop.lookup(type, [3, -1, 70, 0, 5], operand('i32', 0))] as const),
  ...numbers.map((type) => [`lookup ${type} by an i64`, loop.lookup(type, [3, -1, 70, 0, 5], loop.convert('i32', operand('i64', 0)))] as const),
  ...numbers.map((type) => [`bitcast ${type}`, loop.bitcast(partner[type], withoutNaN(operand(type, 0)))] as const),
  ...(['f32', 'f64'] as const).map((type) => [`copysign ${type}`, loop.copysign(operand(type, 0), withoutNaN(operand(type, 1)))] as const),
  ...(['f32', 'f64'] as const).flatMap((type) => {
    const [a, b] = [operand(type, 0), operand(type, 1)];
    const picks = [loop.select(loop.lt(a, b), a, b), loop.select(loop.lt(a, b), b, a), loop.select(loop.gt(a, b), a, b), loop.select(loop.gt(a, b), b, a)];
    return picks.map((pick, i) => [`pick ${i} of two ${type}`, pick] as const);
  }),
  ...(['f32', 'i32', 'bool'] as const).map((type) => [`select ${type} where f64 differ`, loop.select(loop.lt(operand('f64', 0), operand('f64', 1)), operand(type, 0), operand(type, 1))] as const),
  ['select bool where booleans differ', loop.select(loop.ne(operand('bool', 0), operand('bool', 1)), operand('bool', 0), loop.not(operand('bool', 1)))],
  ['a constant bool', loop.select(operand('bool', 0), loop.constant('bool', true), operand('bool', 1))],
  ...(['f32', 'i32', 'bool'] as const).map((type) => [`select f64 where ${type} differ`, loop.select(loop.lt(operand(type, 0), operand(type, 1)), operand('f64', 0), operand('f64', 1))] as const),
];

const stride = fc.constantFrom(1, 1, 0, 2, -1, 3);
const lyings: fc.Arbitrary<Lying> = fc.record({
  count: fc.integer({ min: 0, max: 70 }),
  strides: fc.tuple(fc.array(stride, { minLength: reads.length, maxLength: reads.length }), fc.constantFrom(1, 1, 2, -3)).map(([some, write]) => [...some, write]),
  offsets: fc.array(fc.nat(5), { minLength: reads.length + 1, maxLength: reads.length + 1 }),
});

describe('vectors compute the bits of the loop language', () => {
  test.each(operations)('%s', (name, body) => {
    check(name, body, { count: 70, strides: Array.from({ length: reads.length + 1 }, () => 1), offsets: Array.from({ length: reads.length + 1 }, (_, i) => i % 4) });
    fc.assert(fc.property(lyings, (lying) => check(name, body, lying)), { numRuns: 6, seed: 1 });
  });

  test('of every count', () => {
    const ones = Array.from({ length: reads.length + 1 }, () => 1);
    for (const type of types) {
      const body = type === 'bool' ? loop.xor(operand(type, 0), operand(type, 1)) : loop.sub(operand(type, 0), operand(type, 1));
      for (let count = 0; count <= 70; count++) check(`sub ${type}`, body, { count, strides: ones, offsets: ones.map(() => count % 3) });
    }
  });

  test.each(Object.keys(loop.functions))('%s, both as f32 and as f64', (name) => {
    const ones = Array.from({ length: reads.length + 1 }, () => 1);
    for (const type of ['f32', 'f64'] as const) {
      const args = ([0, 1] as const).slice(0, loop.functions[name]!.arity).map((which) => operand(type, which));
      const scaled = args.map((x) => loop.mul(x, loop.constant(type, 0.01)));
      for (const given of [args, scaled]) check(name, loop.call(name, type, ...given), { count: 199, strides: ones, offsets: ones.map(() => 1) });
    }
  });
});
