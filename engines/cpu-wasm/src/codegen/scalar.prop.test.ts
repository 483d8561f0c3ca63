import { type DType, loop, type ScalarExpr, type ScalarType, type TypedArray } from '@tf/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createEngineSync } from '../index.ts';
import { argumentOf, elementwisePlan } from '../testing/plans.ts';
import { firstDifference, special } from '../testing/values.ts';

const reads: readonly DType[] = ['float64', 'float32', 'int32', 'bool'];
const storable: { readonly [T in ScalarType]: DType } = { f32: 'float32', f64: 'float64', i32: 'int32', i64: 'float64', bool: 'bool' };

const inputs: readonly TypedArray[] = [
  Float64Array.from(special),
  Float32Array.from(special.map((_, i) => special[(i * 5 + 3) % special.length]!)),
  Int32Array.from(special.map((x, i) => (i % 3 === 0 ? x | 0 : [2 ** 31 - 1, -(2 ** 31), 7 * i - 50][i % 3]!))),
  Uint8Array.from(special.map((_, i) => (i % 3 === 0 ? 1 : 0))),
];
const count = special.length;

interface Choice {
  readonly op: number;
  readonly a: number;
  readonly b: number;
  readonly c: number;
}

const choices = fc.array(fc.record({ op: fc.nat(999), a: fc.nat(999), b: fc.nat(999), c: fc.nat(999) }), { minLength: 1, maxLength: 40 });

/** Bits and signs of NaN are left open by the specification: they are hidden before bitcast and copysign. */
const withoutNaN = (x: ScalarExpr): ScalarExpr => (loop.isFloat(x.type) ? loop.select(loop.eq(x, x), x, loop.constant(x.type, 0)) : x);

type Build = (pick: (type: ScalarType, from: number) => ScalarExpr, choice: Choice) => ScalarExpr;

const unary = ['neg', 'abs', 'sqrt', 'floor', 'ceil', 'trunc', 'nearest', 'not'] as const;
const binary = ['add', 'sub', 'mul', 'div', 'min', 'max', 'and', 'or', 'xor', 'shl', 'shrS', 'shrU', 'eq', 'ne', 'lt', 'le', 'gt', 'ge'] as const;
const types: readonly ScalarType[] = ['f32', 'f64', 'i32', 'i64', 'bool'];
const partner = { f32: 'i32', i32: 'f32', f64: 'i64', i64: 'f64' } as const;

const builds: readonly Build[] = [
  ...unary.flatMap((op) => loop.operandTypes[op].map((type): Build => (pick, { a }) => loop[op](pick(type, a)))),
  ...binary.flatMap((op) => loop.operandTypes[op].map((type): Build => (pick, { a, b }) => loop[op](pick(type, a), pick(type, b)))),
  ...types.map((type): Build => (pick, { a, b, c }) => loop.select(pick('bool', c), pick(type, a), pick(type, b))),
  ...types.flatMap((to) => types.map((from): Build => (pick, { a }) => loop.convert(to, pick(from, a)))),
  ...(['f32', 'f64', 'i32', 'i64'] as const).map((type): Build => (pick, { a, b }) => loop.lookup(type, [3, -1, 70, 0, 5].slice(b % 5), pick('i32', a))),
  ...(['f32', 'f64', 'i32', 'i64'] as const).map((type): Build => (pick, { a }) => loop.bitcast(partner[type], withoutNaN(pick(type, a)))),
  ...(['f32', 'f64'] as const).map((type): Build => (pick, { a, b }) => loop.copysign(pick(type, a), withoutNaN(pick(type, b)))),
];

function grow(list: readonly Choice[]): readonly ScalarExpr[] {
  const pools: Record<ScalarType, ScalarExpr[]> = { f32: [argumentOf('float32', 1)], f64: [argumentOf('float64', 0)], i32: [argumentOf('int32', 2)], i64: [loop.constant('i64', 5n)], bool: [argumentOf('bool', 3)] };
  const pick = (type: ScalarType, from: number): ScalarExpr => pools[type][from % pools[type].length]!;
  for (const choice of list) {
    const node = builds[choice.op % builds.length]!(pick, choice);
    pools[node.type].push(node);
  }
  return types.map((type) => pools[type].at(-1)!);
}

function expected(root: ScalarExpr): readonly unknown[] {
  const as = loop.convert(root.type === 'i64' ? 'f64' : root.type, root);
  return Array.from({ length: count }, (_, i) => {
    const value = loop.evaluateScalar(as, (input) => (input === 3 ? inputs[3]![i] === 1 : inputs[input]![i]!));
    return typeof value === 'boolean' ? Number(value) : value;
  });
}

describe('scalar code', () => {
  const engine = createEngineSync();

  function run(root: ScalarExpr): ArrayLike<unknown> {
    const dtype = storable[root.type];
    const executable = engine.compile(elementwisePlan(reads, dtype, [count], loop.convert(loop.scalarTypeOf(dtype), root)));
    const [out] = executable.run(inputs.map((data) => ({ data, shape: [count] })));
    const values = engine.read(out!);
    out!.dispose();
    return values;
  }

  test('computes random graphs to the bits of the evaluator', () => {
    fc.assert(
      fc.property(choices, (list) => {
        for (const root of grow(list)) expect([root, firstDifference(run(root), expected(root))]).toEqual([root, -1]);
      }),
      { numRuns: 150, seed: 1 },
    );
  });

  test('computes every operation on every type', () => {
    builds.forEach((build, op) => {
      const pools: Record<ScalarType, ScalarExpr> = { f32: argumentOf('float32', 1), f64: argumentOf('float64', 0), i32: argumentOf('int32', 2), i64: loop.convert('i64', argumentOf('float64', 0)), bool: argumentOf('bool', 3) };
      const shifted = (type: ScalarType, from: number): ScalarExpr => (from === 1 && type === 'f64' ? loop.convert('f64', pools.f32) : from === 1 && type === 'i32' ? loop.constant('i32', 33) : pools[type]);
      const root = build(shifted, { op, a: 0, b: 1, c: 2 });
      expect([op, firstDifference(run(root), expected(root))]).toEqual([op, -1]);
    });
  });

  test('computes the functions of the loop language to the bits of their definitions', () => {
    for (const name of Object.keys(loop.functions)) {
      if (loop.functions[name]!.arity !== 1) continue;
      for (const [type, input] of [['f64', 0], ['f32', 1]] as const) {
        const root = loop.call(name, type, loop.argument(type, input));
        expect([name, type, firstDifference(run(root), expected(loop.expandCalls(root)))]).toEqual([name, type, -1]);
      }
    }
  });

  test('computes a chain of 20 000 operations, and one shared at every step', () => {
    const x = argumentOf('float64', 0);
    let chain = x;
    for (let i = 0; i < 20000; i++) chain = loop.mul(chain, loop.constant('f64', 1 + (i % 2)));
    let shared = x;
    for (let i = 0; i < 200; i++) shared = loop.sub(loop.add(shared, shared), shared);
    for (const root of [chain, shared]) expect(firstDifference(run(root), expected(root))).toBe(-1);
  });

  test('tells a contracted product from a rounded one', () => {
    // (1 + ε)·(1 − ε) − 1 is 0 when the product is rounded and −ε² when it is contracted.
    const e = loop.constant('f64', 2 ** -52);
    const one = loop.select(argumentOf('bool', 3), loop.constant('f64', 1), loop.constant('f64', 1));
    const root = loop.sub(loop.mul(loop.add(one, e), loop.sub(one, e)), one);
    expect([...new Set(Array.from(run(root)))]).toEqual([0]);
  });
});
