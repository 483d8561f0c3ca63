/** Leaving out what no lane picks changes no value: shared, nested and entangled branches, picked by all, some or no lanes. */
import { loop, type ScalarExpr, type TypedArray } from '@tf/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createEngineSync } from '../index.ts';
import { argumentOf, elementwisePlan } from '../testing/plans.ts';
import { firstDifference, randomValues } from '../testing/values.ts';
import { buildGraph } from './graph.ts';
import { guardsOf } from './guards.ts';

const engine = createEngineSync();
const count = 33;
const inputs: readonly TypedArray[] = [randomValues('float32', count, 5), randomValues('float32', count, 6)];

const number = (value: number): ScalarExpr => loop.constant('f32', value);
const arguments_ = [argumentOf('float32', 0), argumentOf('float32', 1)] as const;

/** Long enough to be guarded; what it meets on the way is shared with whatever else uses it. */
function chain(start: ScalarExpr, others: readonly ScalarExpr[], seed: number, length = 48): ScalarExpr {
  let x = start;
  for (let i = 0; i < length; i++) x = i % 7 === seed % 7 ? loop.add(x, others[(seed + i) % others.length]!) : loop.sub(loop.mul(x, number(0.75)), number((seed + i) % 5));
  return x;
}

function differenceOf(root: ScalarExpr): number {
  const plan = elementwisePlan(['float32', 'float32'], 'float32', [count], root);
  const [out] = engine.compile(plan).run(inputs.map((data) => ({ data, shape: [count] })));
  const got = engine.read(out!);
  out!.dispose();
  const expected = Array.from({ length: count }, (_, i) => loop.evaluateScalar(root, (input) => inputs[input]![i] as number));
  return firstDifference(got, expected);
}

function guardsIn(root: ScalarExpr): number {
  const graph = buildGraph([root]);
  return new Set([...guardsOf(graph, graph.nodes.map(({ expr }) => expr.op === 'constant')).values()].flat()).size;
}

const condition = (bound: number): ScalarExpr => loop.lt(arguments_[0], number(bound));

test('both branches of a select are guarded, whoever picks them', () => {
  const [x, y] = arguments_;
  for (const bound of [-2, -0.9, 0, 0.9, 2, NaN]) {
    const root = loop.select(condition(bound), chain(x, [y], 1), chain(y, [x], 2));
    expect(guardsIn(root)).toBe(2);
    expect([bound, differenceOf(root)]).toEqual([bound, -1]);
  }
});

test('an infinity beside an algorithm is no reason to guard it', () => {
  expect(guardsIn(loop.select(condition(0), chain(arguments_[0], [arguments_[1]], 1), number(Infinity)))).toBe(0);
});

test('a value that others use too is computed before the branch', () => {
  const [x, y] = arguments_;
  const shared = chain(y, [x], 4);
  for (const bound of [-2, 0, 2]) {
    const root = loop.add(loop.select(condition(bound), chain(shared, [x], 1), chain(y, [shared], 2)), shared);
    expect([bound, differenceOf(root)]).toEqual([bound, -1]);
  }
});

test('a select within a branch and one outside it, of one condition', () => {
  const [x, y] = arguments_;
  const inner = loop.lt(y, number(2));
  for (const bound of [-2, 0, 2]) {
    const within = loop.select(inner, chain(x, [y], 1), chain(y, [x], 2));
    const outside = loop.select(inner, chain(y, [x], 3), chain(x, [y], 4));
    const root = loop.add(loop.select(condition(bound), chain(within, [x], 5), chain(y, [y], 6)), outside);
    expect([bound, differenceOf(root)]).toEqual([bound, -1]);
  }
});

test('selects within branches of selects', () => {
  const step = fc.record({ kind: fc.nat(3), bound: fc.constantFrom(-2, 0, 0.5, 2), a: fc.nat(99), b: fc.nat(99), seed: fc.nat(99) });
  fc.assert(
    fc.property(fc.array(step, { minLength: 2, maxLength: 9 }), (list) => {
      const pool: ScalarExpr[] = [...arguments_];
      for (const { kind, bound, a, b, seed } of list) {
        const [first, second] = [pool[a % pool.length]!, pool[b % pool.length]!];
        if (kind === 0) pool.push(loop.add(first, second));
        else pool.push(loop.select(condition(bound), chain(first, pool, seed), kind === 1 ? second : chain(second, pool, seed + 1)));
      }
      const root = pool.reduce((sum, x) => loop.sub(sum, x));
      expect(differenceOf(root)).toBe(-1);
    }),
    { numRuns: 60, seed: 1 },
  );
});
