import { type BufferView, counterDim, execution, loop, mulDims, type Plan, type Step, symbolicDim, tensorType } from '@tf/core';
import { describe, expect, test } from 'vitest';
import { argumentOf, constantBuffer, loopStep, planOf, viewOf } from '../testing/plans.ts';

const n = symbolicDim('n');
const matrix = tensorType('float64', [n, 4]);
const vector: BufferView = viewOf(0, [4, 1], mulDims(2, n));

const copy = (from: number): Step => ({ kind: 'copy', dtype: 'float64', elements: n, from: { buffer: 0, offset: from }, to: { buffer: 3, offset: counterDim('#i') } });

/** Every kind of step, place and extent. */
function everyStep(): Plan {
  const body = loop.lookup('f64', [1, -0, NaN], loop.convert('i32', loop.add(argumentOf('float64', 0), loop.constant('f64', 3))));
  const indexed = { dtype: 'float64', extents: [n, 4], indices: viewOf(1, [1, 0]), rows: n, rowStride: 4 } as const;
  return planOf({
    inputs: [matrix, tensorType('int32', [n])],
    outputs: [matrix],
    more: [{ dtype: 'float64', elements: mulDims(4, n), place: { kind: 'arena', slot: 0 } }, { dtype: 'float64', elements: n, place: { kind: 'tile', slot: 0 } }, constantBuffer('float64', Float64Array.of(1, -0))],
    slots: [[mulDims(32, n), 64]],
    steps: [
      loopStep(['float64'], 'float64', [n, 4], [vector], viewOf(2, [4, 1]), body),
      { kind: 'loop', kernel: { rank: 2, reads: [{ dtype: 'float64', inner: 'contiguous' }], writes: [{ dtype: 'float64', inner: 'contiguous' }], body: [argumentOf('float64', 0)], reduce: { monoid: 'sum', axes: 1 } }, extents: [n, 4], reads: [vector], writes: [viewOf(3, [1])] },
      { kind: 'contract', dtype: 'float64', batch: [3], m: n, n: 4, k: 5, lhs: viewOf(0, [1, 2, 3]), rhs: viewOf(0, [1, 2, 3]), out: viewOf(3, [1, 2, 3]) },
      { kind: 'tile', rows: n, steps: [loopStep(['float64'], 'float64', [n, 4], [vector], viewOf(2, [4, 1]), body)] },
      { kind: 'copy', dtype: 'float64', elements: n, from: { buffer: 0, offset: 1 }, to: { buffer: 3, offset: 2 ** 33 } },
      { kind: 'gather', ...indexed, source: vector, out: viewOf(2, [4, 1]) },
      { kind: 'scatter', combine: 'add', ...indexed, updates: vector, target: viewOf(2, [4, 1]) },
      { kind: 'repeat', counter: '#i', count: n, steps: [{ kind: 'while', condition: [copy(0), copy(1)], holds: viewOf(1, []), steps: [copy(2)] }] },
      { kind: 'branch', index: viewOf(1, [], 3), branches: [[copy(0)], [copy(1), copy(2)]] },
    ],
    constraints: [{ left: n, right: 4, reason: 'a reason' }],
  });
}

type Path = readonly (string | number)[];

/** Every number, text and list of a plan; `terms` says what `text` says, the plan's own bytes and contract name no code. */
function pathsOf(value: unknown, path: Path = []): readonly Path[] {
  if (typeof value === 'number' || typeof value === 'string') return [path];
  const own = ArrayBuffer.isView(value) || Array.isArray(value) ? [path] : [];
  const skipped = ['terms', 'intermediateBytes', 'contract', 'key'];
  return [...own, ...Object.entries(value as object).flatMap(([name, of]) => (skipped.includes(name) ? [] : pathsOf(of, [...path, name])))];
}

function changed(value: unknown): unknown {
  if (typeof value === 'number') return Object.is(value, -0) ? 0 : Number.isNaN(value) ? 1 : value + 1;
  if (typeof value === 'string') return `${value}x`;
  if (ArrayBuffer.isView(value)) return Float64Array.of(...(value as Float64Array), 0);
  const list = value as readonly unknown[];
  return list.length === 0 ? [1] : list.slice(0, -1);
}

function changeAt(plan: Plan, path: Path): Plan {
  const copy = structuredClone(plan);
  const parent = path.slice(0, -1).reduce<Record<string, unknown>>((of, name) => of[name] as Record<string, unknown>, copy as unknown as Record<string, unknown>);
  const name = path.at(-1)!;
  parent[name] = changed(parent[name]);
  return copy;
}

/** Expressions must remain such, or they have no text. */
const isWritten = (path: Path): boolean => path.at(-1) !== 'args' && path.at(-1) !== 'op';

describe('the key of a plan', () => {
  test('is the same for an equal plan made of other objects', () => {
    const [a, b] = [execution.planKey(everyStep()), execution.planKey(structuredClone(everyStep()))];
    expect(execution.samePlanKey(a, b)).toBe(true);
    expect(execution.planKeyHash(a)).toBe(execution.planKeyHash(b));
  });

  test('differs when anything in the plan does', () => {
    const plan = everyStep();
    const key = execution.planKey(plan);
    const paths = pathsOf(plan).filter((path) => path.length > 0 && isWritten(path));
    expect(paths.length).toBeGreaterThan(150);
    for (const path of paths) {
      const other = execution.planKey(changeAt(plan, path));
      expect([path, execution.samePlanKey(key, other) || execution.samePlanKey(other, key)]).toEqual([path, false]);
    }
  });

  test('tells a number from a text that looks like it, and lists of other lengths', () => {
    const shaped = (shape: readonly (number | { readonly text: string; readonly terms: readonly [] })[]): Plan => planOf({ inputs: [{ dtype: 'float64', shape, key: '' }], outputs: [], steps: [] });
    const m = { text: 'm', terms: [] as const };
    const shapes = [[1, 2], [1], [], [1, 2, 3], [2 ** 31], [2 ** 32], [-(2 ** 31)], [m], [0], [m, 1], [m, m], [1, m]];
    const keys = shapes.map((shape) => execution.planKey(shaped(shape)));
    keys.forEach((a, i) => keys.forEach((b, j) => expect([i, j, execution.samePlanKey(a, b)]).toEqual([i, j, i === j])));
  });

  test('tells apart what is grouped otherwise, and steps whose kernels are exchanged', () => {
    const slots = (...list: readonly (readonly number[])[]): Plan => planOf({ inputs: [], outputs: [], slots: list, steps: [] });
    const type = tensorType('float64', [4]);
    const step = (body: 'neg' | 'abs'): Plan['steps'][number] => loopStep(['float64'], 'float64', [4], [viewOf(0, [1])], viewOf(1, [1]), loop[body](argumentOf('float64', 0)));
    const steps = (...list: readonly ('neg' | 'abs')[]): Plan => planOf({ inputs: [type], outputs: [type], steps: list.map(step) });
    for (const [a, b] of [[slots([1, 2], [3]), slots([1], [2, 3])], [steps('neg', 'abs', 'neg'), steps('neg', 'abs', 'abs')]] as const) {
      expect(execution.samePlanKey(execution.planKey(a), execution.planKey(b))).toBe(false);
      expect(execution.planKeyHash(execution.planKey(a))).not.toBe(execution.planKeyHash(execution.planKey(b)));
    }
  });
});
