import { type Dim, loop, type Plan, type PlanBuffer, type Step, tensorType } from '@tf/core';
import { describe, expect, test } from 'vitest';
import { createEngineSync } from './index.ts';
import { encodeInnerLoop } from './codegen/inner.ts';
import { planModule } from './codegen/plan-module.ts';
import { planRoutines } from './plan/routines.ts';
import { guarded } from './testing/mode.ts';
import { argumentOf, planOf, viewOf } from './testing/plans.ts';

const [y, s] = [argumentOf('float64', 0), argumentOf('float64', 1)];

/** yᵢ₊₁ = yᵢ + yᵢ·sᵢ through two arena slots, with steps that share one kernel object as core makes them. */
function chainPlan(steps: number, elements: Dim, scalars: number): Plan {
  const kernel = { rank: 1, reads: [{ dtype: 'float64', inner: 'contiguous' }, { dtype: 'float64', inner: 'broadcast' }], writes: [{ dtype: 'float64', inner: 'contiguous' }], body: [loop.add(y, loop.mul(y, s))] } as const;
  const [first, second, out] = [scalars + 2, scalars + 3, scalars + 1];
  const list = Array.from({ length: steps }, (_, i): Step => {
    const from = i === 0 ? 0 : i % 2 === 1 ? first : second;
    const to = i === steps - 1 ? out : i % 2 === 0 ? first : second;
    return { kind: 'loop', kernel, extents: [elements], reads: [viewOf(from, [1]), viewOf(1 + (i % scalars), [0])], writes: [viewOf(to, [1])] };
  });
  return planOf({
    inputs: [tensorType('float64', [elements]), ...Array.from({ length: scalars }, () => tensorType('float64', []))],
    outputs: [tensorType('float64', [elements])],
    more: [0, 1].map((slot) => ({ dtype: 'float64', elements, place: { kind: 'arena', slot } })),
    slots: [[4096], [4096]],
    steps: list,
  });
}

function compileTime(plan: Plan): number {
  const engine = createEngineSync();
  const start = performance.now();
  engine.compile(plan);
  const time = performance.now() - start;
  engine.dispose();
  return time;
}

const fastest = (plan: Plan): number => Math.min(...Array.from({ length: 5 }, () => compileTime(plan)));

/** How many times as long the first plan takes: the least of each, in turn, until they are within the bar or long enough. */
function fastestRatio(plan: Plan, reference: Plan, bar: number): number {
  let [own, other] = [Infinity, Infinity];
  for (let round = 0; round < 4 || (round < 20 && own > bar * other); round++) {
    own = Math.min(own, compileTime(plan));
    other = Math.min(other, compileTime(reference));
  }
  return own / other;
}

describe('a long plan', () => {
  test.skipIf(guarded)('compiles in time linear in its scalar inputs', () => {
    // Plans of as many steps: about 3.5 if linear, and beyond 30 if each scalar costs a walk over the others.
    expect(fastestRatio(chainPlan(16_000, 16, 16_000), chainPlan(16_000, 16, 3), 6)).toBeLessThan(8);
  });

  test('of 100 000 steps compiles and runs for the first time in about a second, and is right', () => {
    const plan = chainPlan(100_000, 16, 3);
    expect(fastest(plan)).toBeLessThan(3000);
    const engine = createEngineSync({ threads: 1 });
    const executable = engine.compile(plan);
    expect(engine.compile(chainPlan(100_000, 16, 3))).toBe(executable);
    expect(engine.compile(chainPlan(100_001, 16, 3))).not.toBe(executable);
    const scalars = [1e-5, -2e-5, 3e-5];
    const start = performance.now();
    const [out] = executable.run([{ data: new Float64Array(16).fill(2), shape: [16] }, ...scalars]);
    expect(performance.now() - start).toBeLessThan(2000);
    let expected = 2;
    for (let i = 0; i < 100_000; i++) expected += expected * scalars[i % 3]!;
    expect(engine.read(out!)).toEqual(new Float64Array(16).fill(expected));
  });

  test('has one function for all its equal steps', () => {
    expect(planModule(planRoutines(chainPlan(100_000, 16, 3)).routines, { maximumPages: 65536, shared: true }, () => 0, (_, inner) => encodeInnerLoop(inner, () => 0)).length).toBeLessThan(4096);
  });

  test('follows sizes, strides and extents that differ from step to step', () => {
    const kernel = { rank: 1, reads: [{ dtype: 'float64', inner: 'strided' }], writes: [{ dtype: 'float64', inner: 'strided' }], body: [loop.neg(y)] } as const;
    const view = (buffer: number, stride: number, offset = 0): ReturnType<typeof viewOf> => viewOf(buffer, [stride], offset);
    const steps: readonly Step[] = [
      { kind: 'loop', kernel, extents: [12], reads: [view(0, 1)], writes: [view(1, 1)] },
      { kind: 'loop', kernel, extents: [4], reads: [view(0, 1, 8)], writes: [view(1, 1)] },
      { kind: 'loop', kernel, extents: [4], reads: [view(0, 2)], writes: [view(1, 1, 4)] },
      { kind: 'loop', kernel, extents: [4], reads: [view(0, 2)], writes: [view(1, -1, 11)] },
      { kind: 'loop', kernel, extents: [0], reads: [view(0, 2)], writes: [view(1, -1, 11)] },
      { kind: 'loop', kernel, extents: [1], reads: [view(0, 2)], writes: [view(1, -1)] },
    ];
    const type = tensorType('float64', [12]);
    const engine = createEngineSync();
    const [out] = engine.compile(planOf({ inputs: [type], outputs: [type], steps })).run([{ data: Float64Array.from({ length: 12 }, (_, i) => i + 1), shape: [12] }]);
    expect([...engine.read(out!)]).toEqual([-1, -10, -11, -12, -1, -3, -5, -7, -7, -5, -3, -1]);
  });

  test('of steps that differ in extents alone writes no more than each says', () => {
    const kernel = { rank: 1, reads: [{ dtype: 'float64', inner: 'contiguous' }], writes: [{ dtype: 'float64', inner: 'contiguous' }], body: [loop.neg(y)] } as const;
    const step = (n: number, offset: number): Step => ({ kind: 'loop', kernel, extents: [n], reads: [viewOf(2, [1], offset)], writes: [viewOf(1, [1])] });
    const type = tensorType('float64', [6]);
    const engine = createEngineSync();
    // The input has two buffers.
    const plan = planOf({ inputs: [type], outputs: [type], more: [{ dtype: 'float64', elements: 6, place: { kind: 'input', index: 0 } }], steps: [step(6, 0), step(2, 4)] });
    const [out] = engine.compile({ ...plan, steps: [...plan.steps, { kind: 'copy', dtype: 'float64', elements: 1, from: { buffer: 0, offset: 0 }, to: { buffer: 1, offset: 5 } }] }).run([{ data: Float64Array.of(1, 2, 3, 4, 5, 6), shape: [6] }]);
    expect([...engine.read(out!)]).toEqual([-5, -6, -3, -4, -5, 1]);
  });

  test('is refused when a kernel makes no sense, or a buffer names no input, output or slot', () => {
    const plan = chainPlan(2, 16, 1);
    for (const kind of ['input', 'output'] as const) {
      const buffers = plan.buffers.map((buffer) => (buffer.place.kind === kind ? { ...buffer, place: { kind, index: 7 } } : buffer));
      expect(() => createEngineSync().compile({ ...plan, buffers })).toThrow(expect.objectContaining({ name: 'InvariantError' }));
    }
    const steps = plan.steps.map((step) => (step.kind === 'loop' ? { ...step, kernel: { ...step.kernel, body: [argumentOf('float32', 0)] } } : step));
    const tiles = plan.buffers.map((buffer): PlanBuffer => (buffer.place.kind === 'arena' ? { ...buffer, place: { kind: 'tile', slot: 0 } } : buffer));
    for (const wrong of [{ slots: [] }, { steps }, { buffers: tiles }]) expect(() => createEngineSync().compile({ ...plan, ...wrong })).toThrow(expect.objectContaining({ name: 'InvariantError' }));
  });
});
