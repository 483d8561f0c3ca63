import { addDims, counterDim, type Dim, type EngineInput, loop, mulDims, type Plan, type PlanBuffer, type Step, subDims, symbolicDim, tensorType, type TypedArray } from '@tf/core';
import { describe, expect, test } from 'vitest';
import { createEngineSync, createTunedEngine } from '../engine.ts';
import { planRoutines } from '../plan/routines.ts';
import { argumentOf, loopStep, planOf, viewOf } from '../testing/plans.ts';
import { randomValues } from '../testing/values.ts';
import { encodeInnerLoop } from './inner.ts';
import { planModule } from './plan-module.ts';

const engine = createEngineSync();
const n = symbolicDim('n');
const [a, b] = [argumentOf('float64', 0), argumentOf('float64', 1)];
const i = counterDim('#i');
const scalar = (place: PlanBuffer['place'], dtype: PlanBuffer['dtype'] = 'float64'): PlanBuffer => ({ dtype, elements: 1, place });
const arena = (slot: number, dtype: PlanBuffer['dtype'] = 'float64'): PlanBuffer => scalar({ kind: 'arena', slot }, dtype);
const host = (data: TypedArray, ...shape: readonly number[]): EngineInput => ({ data, shape });
const numbers = (count: number): Float64Array => Float64Array.from({ length: count }, (_, at) => at + 1);
const results = (plan: Plan, inputs: readonly EngineInput[], on = engine): readonly (readonly number[])[] => on.compile(plan).run(inputs).map((buffer) => [...(on.read(buffer) as Float64Array)]);

/** to = f(…from), all of them single elements. */
function scalarStep(from: readonly (readonly [buffer: number, offset: Dim])[], to: readonly [buffer: number, offset: Dim], body: typeof a, dtypes: { readonly read?: PlanBuffer['dtype']; readonly write?: PlanBuffer['dtype'] } = {}): Step {
  const view = ([buffer, offset]: readonly [number, Dim]): ReturnType<typeof viewOf> => viewOf(buffer, [], offset);
  return loopStep(from.map(() => dtypes.read ?? 'float64'), dtypes.write ?? 'float64', [], from.map(view), view(to), body);
}

const repeat = (counter: string, count: Dim, steps: readonly Step[]): Step => ({ kind: 'repeat', counter, count, steps });
const zero = (buffer: number): Step => scalarStep([], [buffer, 0], loop.constant('f64', 0));

/** Running sums of n numbers: carry in the arena, one slice read and one row written per iteration. */
function runningSums(offset: Dim): Plan {
  const body = [scalarStep([[2, 0], [0, offset]], [2, 0], loop.add(a, b)), { kind: 'copy', dtype: 'float64', elements: 1, from: { buffer: 2, offset: 0 }, to: { buffer: 1, offset } } as const];
  return planOf({ inputs: [tensorType('float64', [n])], outputs: [tensorType('float64', [n])], more: [arena(0)], slots: [[8]], steps: [zero(2), repeat('#i', n, body)] });
}

function sums(data: Float64Array, isReversed: boolean): readonly number[] {
  const of = isReversed ? [...data].reverse() : [...data];
  let total = 0;
  const all = of.map((value) => (total += value));
  return isReversed ? all.reverse() : all;
}

describe('a repeated step', () => {
  test.each([['forward', i, false], ['backward', subDims(subDims(n, 1), i), true]] as const)('carries a value through n iterations, %s; addresses are put back', (_, offset, isReversed) => {
    const plan = runningSums(offset);
    for (const count of [3, 0, 1, 2, 1, 10_000, 5, 5, 5]) {
      const data = randomValues('float64', count, count + 1) as Float64Array;
      expect(results(plan, [host(data, count)])).toEqual([sums(data, isReversed)]);
    }
  });

  test('has one module and one record whatever the count', () => {
    const fresh = createEngineSync();
    const executable = fresh.compile(runningSums(i));
    for (const count of [1, 100, 10_000]) executable.run([host(numbers(count), count)]);
    expect(fresh.stats().modulesCompiled).toBe(1);
    expect(planModule(planRoutines(runningSums(i)).routines, { maximumPages: 65536, shared: true }, () => 0, (_, inner) => encodeInnerLoop(inner, () => 0)).length).toBeLessThan(2048);
  });

  test('three deep: every counter moves what mentions it', () => {
    const [j, k] = [counterDim('#j'), counterDim('#k')];
    const from = addDims(addDims(mulDims(20, i), mulDims(4, subDims(4, j))), k);
    const to = addDims(addDims(mulDims(mulDims(5, n), i), mulDims(n, j)), k);
    const steps = [zero(2), repeat('#i', 3, [
      repeat('#j', 5, [repeat('#k', n, [scalarStep([[2, 0], [0, from]], [2, 0], loop.add(a, b)), scalarStep([[2, 0]], [1, to], a)])]),
      scalarStep([[2, 0], [0, i]], [2, 0], loop.mul(a, b)),
    ])];
    const plan = planOf({ inputs: [tensorType('float64', [60]), tensorType('float64', [n])], outputs: [tensorType('float64', [3, 5, n])], slots: [[8]], steps });
    const shifted: Plan = { ...plan, buffers: [plan.buffers[0]!, plan.buffers[2]!, arena(0), { dtype: 'float64', elements: n, place: { kind: 'input', index: 1 } }] };
    for (const count of [4, 0, 1, 3, 4]) {
      const data = randomValues('float64', 60) as Float64Array;
      let carry = 0;
      const expected: number[] = [];
      for (let x = 0; x < 3; x++) {
        for (let y = 0; y < 5; y++) for (let z = 0; z < count; z++) expected.push((carry += data[20 * x + 4 * (4 - y) + z]!));
        carry *= data[x]!;
      }
      expect(results(shifted, [host(data, 60), host(new Float64Array(count), count)])).toEqual([expected]);
    }
  });

  test('multiplies by one matrix after the other', () => {
    const contract: Step = { kind: 'contract', dtype: 'float64', batch: [], m: 2, n: 1, k: 2, lhs: viewOf(0, [2, 1], mulDims(4, i)), rhs: viewOf(3, [1, 1]), out: viewOf(2, [1, 1], mulDims(2, i)) };
    const back: Step = { kind: 'copy', dtype: 'float64', elements: 2, from: { buffer: 2, offset: mulDims(2, i) }, to: { buffer: 3, offset: 0 } };
    const first: Step = { kind: 'copy', dtype: 'float64', elements: 2, from: { buffer: 1, offset: 0 }, to: { buffer: 3, offset: 0 } };
    const plan = planOf({ inputs: [tensorType('float64', [n, 2, 2]), tensorType('float64', [2])], outputs: [tensorType('float64', [n, 2])], more: [{ ...arena(0), elements: 2 }], slots: [[16]], steps: [first, repeat('#i', n, [contract, back])] });
    expect(results(plan, [host(Float64Array.of(1, 1, 0, 1, 0, 1, 1, 0, 2, 0, 0, 3), 3, 2, 2), host(Float64Array.of(1, 2), 2)])).toEqual([[3, 2, 2, 3, 4, 9]]);
  });

  test('gathers and scatters by moving indices, of moving rows', () => {
    const indexed = { dtype: 'float64', extents: [2], rows: 3, rowStride: 2 } as const;
    const gather: Step = { kind: 'gather', ...indexed, extents: [2], indices: viewOf(1, [0], i), source: viewOf(0, [1], mulDims(6, i)), out: viewOf(2, [1], mulDims(2, i)) };
    const scatter: Step = { kind: 'scatter', combine: 'add', ...indexed, indices: viewOf(1, [0], i), updates: viewOf(0, [1], mulDims(6, i)), target: viewOf(3, [1]) };
    const fill: Step = loopStep([], 'float64', [6], [], viewOf(3, [1]), loop.constant('f64', 0));
    const plan = planOf({ inputs: [tensorType('float64', [n, 3, 2]), tensorType('int32', [n])], outputs: [tensorType('float64', [n, 2]), tensorType('float64', [3, 2])], steps: [fill, repeat('#i', n, [gather, scatter])] });
    const inputs = [host(numbers(24), 4, 3, 2), host(Int32Array.of(2, 0, -1, 0), 4)];
    for (let run = 0; run < 2; run++) expect(results(plan, inputs)).toEqual([[5, 6, 7, 8, 17, 18, 19, 20], [7 + 19, 8 + 20, 0, 0, 1 + 13, 2 + 14]]);
  });

  test('moves tiles, which put back what they moved themselves', () => {
    // Of each of n matrices of 20 rows: the row's maximum taken off, squares, through a slot of the tile's own.
    const matrix = (buffer: number, of: Dim): ReturnType<typeof viewOf> => viewOf(buffer, [4, 1], of);
    const maxima: Step = { kind: 'loop', kernel: { rank: 2, reads: [{ dtype: 'float64', inner: 'contiguous' }], writes: [{ dtype: 'float64', inner: 'contiguous' }], body: [a], reduce: { monoid: 'max', axes: 1 } }, extents: [20, 4], reads: [matrix(0, mulDims(80, i))], writes: [viewOf(2, [1])] };
    const squares = loopStep(['float64', 'float64'], 'float64', [20, 4], [matrix(0, mulDims(80, i)), viewOf(2, [1, 0])], matrix(1, mulDims(80, i)), loop.mul(loop.sub(a, b), loop.sub(a, b)));
    const plan = planOf({ inputs: [tensorType('float64', [n, 20, 4])], outputs: [tensorType('float64', [n, 20, 4])], more: [{ dtype: 'float64', elements: 20, place: { kind: 'tile', slot: 0 } }], steps: [repeat('#i', n, [{ kind: 'tile', rows: 20, steps: [maxima, squares] as never }])] });
    const data = randomValues('float64', 240) as Float64Array;
    const expected = [...data].map((value, at) => (value - Math.max(...data.slice(at - (at % 4), at - (at % 4) + 4))) ** 2);
    for (const cacheBytes of [1, 300, 2 ** 20]) {
      const tuned = createTunedEngine({}, { tiles: { cacheBytes, minimumBytes: 1 } });
      for (let run = 0; run < 2; run++) expect(results(plan, [host(data, 3, 20, 4)], tuned)).toEqual([expected]);
    }
  });
});

describe('a while step', () => {
  const below = (limit: number): Step => scalarStep([[1, 0]], [2, 0], loop.lt(a, loop.constant('f64', limit)), { write: 'bool' });
  const doubled = scalarStep([[1, 0]], [1, 0], loop.add(a, a));
  const start: Step = { kind: 'copy', dtype: 'float64', elements: 1, from: { buffer: 0, offset: 0 }, to: { buffer: 1, offset: 0 } };
  const doubling: Step = { kind: 'while', condition: [below(1000)], holds: viewOf(2, []), steps: [doubled] };

  test('runs as long as its condition holds, perhaps never', () => {
    const plan = planOf({ inputs: [tensorType('float64', [])], outputs: [tensorType('float64', [])], more: [arena(0, 'bool')], slots: [[1]], steps: [start, doubling] });
    expect([1, 3, 999, 1000, 5000, NaN].map((value) => results(plan, [value])[0]![0])).toEqual([1024, 1536, 1998, 1000, 5000, NaN]);
  });

  test('within a repeated one, with a condition that moves', () => {
    const at = viewOf(2, [], i);
    const own: Step = { kind: 'while', condition: [loopStep(['float64'], 'bool', [], [viewOf(1, [], i)], at, loop.lt(a, loop.constant('f64', 50)))], holds: at, steps: [scalarStep([[1, i], [0, i]], [1, i], loop.add(a, b))] };
    const plan = planOf({ inputs: [tensorType('float64', [n])], outputs: [tensorType('float64', [n])], more: [{ dtype: 'bool', elements: n, place: { kind: 'arena', slot: 0 } }], slots: [[n]], steps: [repeat('#i', n, [{ ...start, from: { buffer: 0, offset: i }, to: { buffer: 1, offset: i } } as Step, own])] });
    for (let run = 0; run < 2; run++) expect(results(plan, [host(Float64Array.of(7, 60, 50, 0.5, 1), 5)])).toEqual([[56, 60, 50, 50, 50]]);
  });
});

describe('a branch step', () => {
  const set = (value: number): Step => scalarStep([], [1, i], loop.constant('f64', value));
  const choice: Step = { kind: 'branch', index: viewOf(0, [], i), branches: [[set(10)], [], [set(0), scalarStep([[1, i]], [1, i], loop.sub(a, loop.constant('f64', 5)))]] };

  test('brings its index into range and runs that branch alone', () => {
    const plan = planOf({ inputs: [tensorType('int32', [n])], outputs: [tensorType('float64', [n])], steps: [repeat('#i', n, [set(1), choice])] });
    for (let run = 0; run < 2; run++) expect(results(plan, [host(Int32Array.of(0, 1, 2, 3, -1, 2 ** 31 - 1, -(2 ** 31), 1), 8)])).toEqual([[10, 1, -5, -5, 10, -5, 10, 1]]);
  });

  test('of one branch has no choice', () => {
    const plan = planOf({ inputs: [tensorType('int32', [])], outputs: [tensorType('float64', [1])], steps: [{ kind: 'branch', index: viewOf(0, []), branches: [[scalarStep([], [1, 0], loop.constant('f64', 4))]] }] });
    expect([-3, 0, 9].map((index) => results(plan, [index])[0])).toEqual([[4], [4], [4]]);
  });
});
