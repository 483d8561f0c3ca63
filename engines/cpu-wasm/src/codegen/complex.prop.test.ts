/** Loops over complex elements compute the bits of the loop language, however the operands lie in memory. */
import { allocate, type DType, dtypes, loop, type ScalarExpr, tensorType } from '@tf/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createEngineSync } from '../index.ts';
import { argumentOf, elementOf, loopStep, planOf, viewOf } from '../testing/plans.ts';
import { firstDifference, randomValues, special } from '../testing/values.ts';

const engine = createEngineSync();
const reads: readonly DType[] = ['complex128', 'complex128', 'complex64', 'complex64', 'float64', 'float32', 'bool', 'int64'];
const SIZE = 300;
const data = reads.map((dtype, input) => {
  const values = randomValues(dtype, SIZE, 41 + input);
  if (dtype !== 'bool' && dtype !== 'int64') for (let i = 0; i < values.length; i += 5) values[i] = special[(i / 5 + input) % special.length]!;
  return values;
});

type Element = readonly ScalarExpr[];
const z = (input: number): Element => elementOf(reads[input]!, input);
const times = ([a, b]: Element, [c, d]: Element): Element => [loop.sub(loop.mul(a!, c!), loop.mul(b!, d!)), loop.add(loop.mul(a!, d!), loop.mul(b!, c!))];
const each = (f: (...lanes: Element) => ScalarExpr, ...elements: readonly Element[]): Element => [0, 1].map((lane) => f(...elements.map((element) => element[lane]!)));
const as = (dtype: DType, element: Element): Element => element.map((lane) => loop.convert(loop.scalarTypeOf(dtype), lane));
const isNumber = (x: ScalarExpr): ScalarExpr => loop.eq(x, x);

const kernels: readonly (readonly [string, DType, Element])[] = (['complex128', 'complex64'] as const).flatMap((dtype) => {
  const [a, b] = dtype === 'complex128' ? [0, 1] : [2, 3];
  const real = argumentOf(dtype === 'complex128' ? 'float64' : 'float32', dtype === 'complex128' ? 4 : 5);
  const zero = loop.constant(real.type, 0);
  return [
    [`${dtype}: a copy`, dtype, z(a)],
    [`${dtype}: a sum`, dtype, each(loop.add, z(a), z(b))],
    [`${dtype}: a difference of a sum`, dtype, each(loop.sub, each(loop.add, z(a), z(b)), z(a))],
    [`${dtype}: lanes that look alike but are exchanged`, dtype, [loop.add(z(a)[1]!, z(b)[0]!), loop.add(z(a)[0]!, z(b)[1]!)]],
    [`${dtype}: a product`, dtype, times(z(a), z(b))],
    [`${dtype}: a square of a product`, dtype, times(times(z(a), z(b)), times(z(a), z(b)))],
    [`${dtype}: a conjugate`, dtype, [z(a)[0]!, loop.neg(z(a)[1]!)]],
    [`${dtype}: a constant`, dtype, [loop.constant(real.type, 2), loop.constant(real.type, -0.5)]],
    [`${dtype}: scaled by a real number`, dtype, each((x) => loop.mul(x, real), z(a))],
    [`${dtype}: made of a real number`, dtype, [real, zero]],
    [`${dtype}: picked by a boolean`, dtype, [0, 1].map((lane) => loop.select(argumentOf('bool', 6), z(a)[lane]!, z(b)[lane]!))],
    [`${dtype}: the real part`, dtype === 'complex128' ? 'float64' : 'float32', [z(a)[0]!]],
    [`${dtype}: the imaginary part`, dtype === 'complex128' ? 'float64' : 'float32', [z(a)[1]!]],
    [`${dtype}: whether equal`, 'bool', [loop.and(loop.eq(z(a)[0]!, z(b)[0]!), loop.eq(z(a)[1]!, z(b)[1]!))]],
    [`${dtype}: whether a number`, 'bool', [loop.and(isNumber(z(a)[0]!), isNumber(z(a)[1]!))]],
    [`${dtype}: as the other precision`, dtype === 'complex128' ? 'complex64' : 'complex128', as(dtype === 'complex128' ? 'complex64' : 'complex128', z(a))],
    [`${dtype}: as int64`, 'int64', [loop.convert('i64', z(a)[0]!)]],
    [`${dtype}: of an int64`, dtype, [loop.convert(real.type, argumentOf('int64', 7)), zero]],
  ] as const;
});

interface Lying {
  readonly count: number;
  /** Of each read, and of the write last. */
  readonly strides: readonly number[];
  readonly offsets: readonly number[];
}

/** The kernel reads what its body uses and nothing else. */
function check(name: string, dtype: DType, body: Element, lying: Lying): void {
  const { count, offsets } = lying;
  const used = [...new Set(loop.nodesInOrder(body).flatMap((node) => (node.op === 'argument' ? [node.input] : [])))].sort((a, b) => a - b);
  const own = used.map((input) => reads[input]!);
  const renamed = loop.rewriteNodes(body, (node) => (node.op === 'argument' ? loop.argument(node.type, used.indexOf(node.input), node.lane) : node));
  const strides = [...used.map((input) => lying.strides[input]!), lying.strides.at(-1)!];
  const starts = strides.map((stride, i) => offsets[i]! + (stride < 0 ? -stride * 70 : 0));
  const views = strides.map((stride, i) => viewOf(i, [stride], starts[i]!));
  const fill = loopStep([], dtype, [SIZE], [], viewOf(own.length, [1]), body.map(({ type }) => loop.constant(type, 0)));
  const plan = planOf({
    inputs: own.map((read) => tensorType(read, [SIZE])),
    outputs: [tensorType(dtype, [SIZE])],
    steps: [fill, loopStep(own, dtype, [count], views.slice(0, -1), views.at(-1)!, renamed)],
  });
  const [out] = engine.compile(plan).run(used.map((input) => ({ data: data[input]!, shape: [SIZE] })));
  const got = engine.read(out!);
  out!.dispose();
  const expected = allocate(dtype, SIZE);
  const { lanes } = dtypes[dtype];
  for (let i = 0; i < count; i++) {
    const values = loop.evaluateScalars(renamed, (input, lane) => data[used[input]!]![dtypes[own[input]!].lanes * (starts[input]! + i * strides[input]!) + lane]!);
    values.forEach((value, lane) => (expected[lanes * (starts[own.length]! + i * strides[own.length]!) + lane] = (typeof value === 'boolean' ? Number(value) : value) as never));
  }
  expect([name, lying, firstDifference(got, expected)]).toEqual([name, lying, -1]);
}

const stride = fc.constantFrom(1, 1, 0, 2, -1, 3);
const lyings: fc.Arbitrary<Lying> = fc.record({
  count: fc.integer({ min: 0, max: 70 }),
  strides: fc.tuple(fc.array(stride, { minLength: reads.length, maxLength: reads.length }), fc.constantFrom(1, 1, 2, -3)).map(([some, write]) => [...some, write]),
  offsets: fc.array(fc.nat(5), { minLength: reads.length + 1, maxLength: reads.length + 1 }),
});

describe('complex vectors compute the bits of the loop language', () => {
  test.each(kernels)('%s', (name, dtype, body) => {
    const ones = Array.from({ length: reads.length + 1 }, () => 1);
    for (const count of [0, 1, 2, 3, 4, 5, 15, 16, 17, 70]) check(name, dtype, body, { count, strides: ones, offsets: ones.map((_, i) => i % 4) });
    fc.assert(fc.property(lyings, (lying) => check(name, dtype, body, lying)), { numRuns: 12, seed: 1 });
  });

  test('one part in a branch that may be left out, the other one outside', () => {
    for (const [dtype, a, b] of [['complex128', 0, 1], ['complex64', 2, 3]] as const) {
      const [[x, y], [u, v]] = [z(a), z(b)] as [Element, Element];
      const number = (value: number): ScalarExpr => loop.constant(x!.type, value);
      let far = x!;
      for (let i = 0; i < 60; i++) far = loop.sub(loop.mul(far, u!), number(1 + i));
      let near = x!;
      for (let i = 0; i < 5; i++) near = loop.add(loop.mul(near, x!), number(2 + i));
      for (const limit of [1e-9, 0.5, 1e9]) {
        const body = [loop.select(loop.lt(loop.abs(x!), number(limit)), far, near), loop.add(v!, y!)];
        check('guarded', dtype, body, { count: 70, strides: [...reads.map(() => 1), 1], offsets: [...reads.map(() => 1), 0] });
      }
    }
  });

  test('a long expression, whose branches are left out where no lane picks them', () => {
    for (const [dtype, a, b] of [['complex128', 0, 1], ['complex64', 2, 3]] as const) {
      const [[x, y], [u]] = [z(a), z(b)] as [Element, Element];
      let far = times(z(a), z(b));
      for (let i = 0; i < 30; i++) far = times(far, z(b));
      const near = times(z(a), z(a));
      const isFar = loop.lt(loop.abs(x!), loop.constant(x!.type, 1e-3));
      // The real part alone inside the branch, both parts outside.
      const body = [0, 1].map((lane) => loop.add(loop.select(isFar, far[lane]!, times(near, near)[lane]!), lane === 0 ? u! : y!));
      for (const spread of [1, 2, -1]) check('guarded', dtype, body, { count: 70, strides: [...reads.map(() => spread), 1], offsets: [...reads.map(() => 1), 0] });
    }
  });
});
