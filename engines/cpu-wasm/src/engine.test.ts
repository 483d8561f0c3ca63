import { loop } from '@tf/core';
import { expect, test } from 'vitest';
import { createEngineSync } from './index.ts';
import { argumentOf, contractPlan, copyPlan, elementwisePlan, reductionPlan } from './testing/plans.ts';

test('adds two vectors', () => {
  const engine = createEngineSync();
  const plan = elementwisePlan(['float64', 'float64'], 'float64', [5], loop.add(argumentOf('float64', 0), argumentOf('float64', 1)));
  const x = engine.upload('float64', [5], Float64Array.of(1, 2, 3, 4, 5));
  const [y] = engine.compile(plan).run([x, x]);
  expect([...(engine.read(y!) as Float64Array)]).toEqual([2, 4, 6, 8, 10]);
});

test('sums, copies and multiplies', () => {
  const engine = createEngineSync();
  const data = Float64Array.from({ length: 1000 }, (_, i) => i);
  const x = { data, shape: [1000] };
  expect(engine.read(engine.compile(reductionPlan({ monoid: 'sum', dtype: 'float64', shape: [1000], axes: 1 })).run([x])[0]!)).toEqual(Float64Array.of(499500));
  expect(engine.read(engine.compile(copyPlan('float64', 1000)).run([x])[0]!)).toEqual(data);
  const product = engine.compile(contractPlan({ dtype: 'float64', m: 2, n: 2, k: 2 })).run([{ data: Float64Array.of(1, 2, 3, 4), shape: [2, 2] }, { data: Float64Array.of(1, 0, 1, 1), shape: [2, 2] }]);
  expect(engine.read(product[0]!)).toEqual(Float64Array.of(3, 2, 7, 4));
});
