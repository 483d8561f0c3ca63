/** A pass takes the quick way only where none of its elements is extreme; the values are those of the expression. */
import { loop, type ScalarExpr } from '@tf/core';
import { expect, test } from 'vitest';
import { createEngineSync } from '../index.ts';
import { argumentOf, elementwisePlan } from '../testing/plans.ts';
import { firstDifference } from '../testing/values.ts';
import { waysOf } from './shortcuts.ts';

// One thread: pieces of a loop have passes of their own, which overlap elsewhere.
const engine = createEngineSync({ threads: 1 });
const number = (value: number): ScalarExpr => loop.constant('f32', value);

function run(root: ScalarExpr, data: Float32Array): Float32Array {
  const [out] = engine.compile(elementwisePlan(['float32'], 'float32', [data.length], root)).run([{ data, shape: [data.length] }]);
  const values = engine.read(out!) as Float32Array;
  out!.dispose();
  return values;
}

const x = argumentOf('float32', 0);
const operands = { inputs: 3, fixed: (input: number) => input === 2 };
const isLarge = loop.gt(x, number(10));

test('an extreme element anywhere in a pass, and no other pass, takes the long way', () => {
  // Not a shortcut that may be written: the two ways differ, so that the way taken is seen.
  const root = loop.shortcut(isLarge, number(1), number(2));
  for (let at = 0; at < 64; at++) {
    const data = new Float32Array(64);
    data[at] = 11;
    const ways = run(root, data);
    expect(ways[at]).toBe(1);
    expect(ways.filter((way) => way === 1).length).toBeLessThanOrEqual(16);
  }
  expect(run(root, new Float32Array(64)).every((way) => way === 2)).toBe(true);
});

test.each([1, 4, 7, 33])('exp of %i elements, ordinary ones beside extreme ones', (count) => {
  const extremes = [NaN, Infinity, -Infinity, 88.8, 88.7, -87.4, -104, -103.2, 87, -87, 1e38, -1e38, 0, -0];
  const root = loop.call('exp', 'f32', x);
  const [expanded] = loop.expandAllCalls([root]);
  const step = count > 10 ? 5 : 1;
  for (let at = 0; at < count; at += step) {
    for (const extreme of extremes) {
      const data = Float32Array.from({ length: count }, (_, i) => (i === at ? extreme : Math.sin(i) * 40));
      const expected = Array.from(data, (value) => loop.evaluateScalar(expanded!, () => value));
      expect([at, extreme, firstDifference(run(root, data), expected)]).toEqual([at, extreme, -1]);
    }
  }
});

test('a shortcut of a shortcut is seen by its own condition', () => {
  const inner = loop.shortcut(isLarge, number(20), x);
  const root = loop.shortcut(loop.gt(inner, number(5)), loop.neg(inner), loop.add(inner, number(1)));
  const { always, quick } = waysOf([root], operands);
  expect(quick!.conditions).toHaveLength(2);
  const read = (value: number) => (): number => value;
  expect([12, 7, 3].map((value) => loop.evaluateScalar(always[0]!, read(value)))).toEqual([-20, -20, -20]);
  expect([12, 7, 3].map((value) => quick!.conditions.map((condition) => loop.evaluateScalar(condition.value, read(value))))).toEqual([[true, true], [false, true], [false, false]]);
  expect(loop.evaluateScalar(quick!.body[0]!, read(3))).toBe(4);
});

test('what conditions and values share is computed once; operands and what does not vary are not put aside', () => {
  const [m, scale] = [argumentOf('float32', 1), argumentOf('float32', 2)];
  const distance = loop.sub(x, loop.mul(loop.neg(m), loop.neg(scale)));
  const { shared, body, conditions } = waysOf([loop.call('exp', 'f32', distance)], operands).quick!;
  expect(shared).toEqual([distance]);
  const inputs = (roots: readonly ScalarExpr[]): ReadonlySet<number> => new Set(loop.nodesInOrder(roots).flatMap((node) => (node.op === 'argument' ? [node.input] : [])));
  expect([inputs(body), inputs(conditions.map(({ value }) => value))]).toEqual([new Set([3]), new Set([3])]);
  expect(conditions.map(({ limit }) => limit)).toEqual([0x42ae0000]);
  expect(waysOf([loop.call('exp', 'f32', x)], operands).quick!.shared).toEqual([]);
  expect(waysOf([loop.call('exp', 'f32', loop.sub(scale, number(1)))], operands).quick!.shared).toEqual([]);
});

/** Lanes of two are those beside a float64. */
test.each(['float32', 'float64'] as const)('two conditions of either kind that share a difference, to %s', (out) => {
  // In what lies behind the lanes of a vector, 0, it exceeds the limit.
  const y = loop.sub(number(40), x);
  const integer = loop.lt(loop.constant('i32', 20), loop.convert('i32', y));
  const floating = loop.gt(loop.mul(y, y), number(1e6));
  const first = loop.shortcut(integer, number(1), loop.add(y, number(2)));
  const root = loop.add(first, loop.shortcut(floating, number(100), loop.mul(y, number(3))));
  const type = loop.scalarTypeOf(out);
  const plan = elementwisePlan(['float32'], out, [36], loop.convert(type, root));
  for (let at = 0; at < 36; at++) {
    for (const [extreme, expected] of [[36, 18], [10, 101], [1541, 101], [-2959, 101]] as const) {
      const data = Float32Array.from({ length: 36 }, (_, i) => (i === at ? extreme : 39 - i / 4));
      const [result] = engine.compile(plan).run([{ data, shape: [36] }]);
      const values = engine.read(result!) as Float32Array | Float64Array;
      result!.dispose();
      expect([at, extreme, values[at]]).toEqual([at, extreme, expected]);
      const others = [...values].filter((value, i) => i !== at && value !== 101);
      expect(others).toEqual([...data].flatMap((value, i) => (i === at || values[i] === 101 ? [] : [4 * (40 - value) + 2])));
      expect(others.length).toBeGreaterThanOrEqual(extreme === 36 ? 35 : 20);
    }
  }
});

test('conditions that take long are not looked at', () => {
  const long = Array.from({ length: 20 }).reduce<ScalarExpr>((value) => loop.mul(value, x), x);
  expect(waysOf([loop.call('exp', 'f32', x)], operands).quick).toBeDefined();
  expect(waysOf([loop.call('exp', 'f32', long)], operands).quick).toBeUndefined();
});
