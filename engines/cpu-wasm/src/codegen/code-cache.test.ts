import { loop, type ScalarExpr } from '@tf/core';
import { expect, test } from 'vitest';
import { argumentOf, contractPlan, elementwisePlan } from '../testing/plans.ts';
import { Device } from '../memory/device.ts';
import { planRoutines } from '../plan/routines.ts';
import { CodeCache, type PlanCode } from './code-cache.ts';

const cacheWith = (hash?: () => number): CodeCache => new CodeCache(new Device({ shared: false }), hash);
const codeOf = (cache: CodeCache, body: ScalarExpr, n = 3): PlanCode => cache.planCode(planRoutines(elementwisePlan(['float64'], 'float64', [n], body)).routines);

test('equal kernels share code, whatever objects they are made of; sizes do not matter', () => {
  const cache = cacheWith();
  const body = (): ScalarExpr => loop.call('exp', 'f64', loop.neg(argumentOf('float64', 0)));
  expect(codeOf(cache, body(), 3)).toBe(codeOf(cache, body(), 300));
  expect(cache.modulesCompiled).toBe(1);
});

test('a constant hash changes nothing: equality decides', () => {
  const cache = cacheWith(() => 7);
  const [plus, minus] = [loop.add, loop.sub].map((op) => op(argumentOf('float64', 0), loop.constant('f64', 1))) as [ScalarExpr, ScalarExpr];
  expect(codeOf(cache, plus)).not.toBe(codeOf(cache, minus));
  expect(codeOf(cache, plus)).toBe(codeOf(cache, plus));
  expect(cache.modulesCompiled).toBe(2);
});

test('a module that contracts imports the contraction, which is made once and not counted', () => {
  const cache = cacheWith();
  const contraction = planRoutines(contractPlan({ dtype: 'float64', m: 2, n: 3, k: 4 })).routines;
  const other = planRoutines(contractPlan({ dtype: 'float64', m: 20, n: 30, k: 40 })).routines;
  expect(cache.planCode(contraction)).toBe(cache.planCode(other));
  expect(cache.modulesCompiled).toBe(1);
});

test('the cache holds 256 modules', () => {
  const cache = cacheWith();
  const body = (i: number): ScalarExpr => loop.add(argumentOf('float64', 0), loop.constant('f64', i));
  for (let i = 0; i < 257; i++) codeOf(cache, body(i));
  codeOf(cache, body(256));
  expect(cache.modulesCompiled).toBe(257);
  codeOf(cache, body(0));
  expect(cache.modulesCompiled).toBe(258);
});

test('plans that differ elsewhere have the code and the constant data of an equal loop once', () => {
  const placed: Uint8Array[] = [];
  const device = new Device({ shared: false });
  const { memory, limits, call, split } = device;
  const cache = new CodeCache({ memory, limits, call, split, freeWith: (holder, blocks) => device.freeWith(holder, blocks), placeData: (bytes) => (placed.push(bytes), device.placeData(bytes)) });
  const routine = (body: ScalarExpr) => planRoutines(elementwisePlan(['float64'], 'float64', [3], body)).routines[0]!;
  const x = argumentOf('float64', 0);
  const [angle, plus] = [routine(loop.call('sin', 'f64', x)), routine(loop.add(x, loop.constant('f64', 1)))];
  const [alone, first, second] = [[angle], [angle, plus], [plus, angle]].map((routines) => cache.planCode(routines)) as [PlanCode, PlanCode, PlanCode];
  expect(cache.modulesCompiled).toBe(3);
  expect(first.loops[0]).toBe(alone.loops[0]);
  expect(second.loops[1]).toBe(alone.loops[0]);
  expect(second.loops[0]).toBe(first.loops[1]);
  expect(placed.length).toBeGreaterThan(0);
  // Another loop reads the same table.
  cache.planCode([routine(loop.add(loop.call('sin', 'f64', x), loop.constant('f64', 1)))]);
  expect(new Set(placed.map((bytes) => bytes.join())).size).toBe(placed.length);
});
