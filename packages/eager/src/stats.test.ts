import { add, div, mul, sqrt, sub, sum } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { describe, expect, test } from 'vitest';
import { EagerRuntime } from './index.ts';

const engine = await createEngine();

describe('a training loop of 1000 steps', () => {
  test('prepares one derivative, compiles nothing after step 2 and keeps its counts', () => {
    const runtime = new EagerRuntime();
    const beta = 0.9;
    runtime.session(engine, () => {
      const w = runtime.variable(Float64Array.from({ length: 64 }, (_, index) => index / 64));
      const m = runtime.variable(new Float64Array(64), { requiresGrad: false });
      const c = runtime.constant(Float64Array.from({ length: 64 }, (_, index) => 1 + index));
      let settled: { modules: number; plans: number; entries: number } | undefined;
      for (let t = 1; t <= 1000; t++) {
        const h = mul(w, c);
        sum(mul(h, h)).backward();
        runtime.noGrad(() => {
          m.assign(add(mul(m, beta), mul(w.grad!, 1 - beta)));
          w.assign(sub(w, mul(m, 1e-6 / (1 - beta ** t))));
        });
        w.clearGrad();
        const { modulesCompiled, plansCompiled } = engine.stats();
        const now = { modules: modulesCompiled, plans: plansCompiled, entries: runtime.stats().operations.entries };
        if (t === 2) settled = now;
        if (t > 2) expect(now).toEqual(settled);
      }
      const { preparedDerivatives, recomputed } = runtime.stats();
      expect(preparedDerivatives).toMatchObject({ entries: 1, misses: 1, hits: 999, evictions: 0 });
      expect(recomputed).toBe(0);
      expect(runtime.stats().slots).toBe(1);
    });
  });
});

/** All that is counted but the hits, which grow with every step. */
function counts(value: object): unknown {
  return JSON.parse(JSON.stringify(value, (key, count: unknown) => (key === 'hits' ? undefined : count)));
}

describe('a training loop of 1000 steps, each in a scope', () => {
  test('holds after every step what it held after step 2: stats() of runtime and engine stay the same', async () => {
    const own = await createEngine();
    const runtime = new EagerRuntime();
    runtime.session(own, () => {
      const w = runtime.variable(Float64Array.from({ length: 64 }, (_, index) => index / 64));
      const c = runtime.constant(Float64Array.from({ length: 64 }, (_, index) => 1 + index));
      let settled: unknown;
      for (let t = 1; t <= 1000; t++) {
        runtime.scope(() => {
          const h = mul(w, c);
          sum(mul(h, h)).backward();
          runtime.noGrad(() => w.assign(sub(w, mul(w.grad!, 1e-6 / t))));
          w.clearGrad();
        });
        const { liveBuffers, bytesInUse, modulesCompiled, plansCompiled } = own.stats();
        const now = { runtime: counts(runtime.stats()), engine: { liveBuffers, bytesInUse, modulesCompiled, plansCompiled } };
        if (t === 2) settled = now;
        if (t > 2) expect(now).toEqual(settled);
      }
    });
    expect(runtime.stats()).toMatchObject({ preparedDerivatives: { misses: 1, hits: 999 }, recomputed: 0, slots: 1 });
    own.dispose();
  });
});

describe('1000 steps of Adam written by hand', () => {
  test('compile nothing after step 2, and give the numbers of the same steps in JavaScript', () => {
    const runtime = new EagerRuntime();
    const [beta1, beta2, rate] = [0.9, 0.999, 0.01];
    const target = [0.5, -1, 2];
    const expected = { w: [0, 0, 0], m: [0, 0, 0], v: [0, 0, 0] };
    runtime.session(engine, () => {
      const [w, m, v] = [runtime.variable([0, 0, 0]), runtime.variable([0, 0, 0], { requiresGrad: false }), runtime.variable([0, 0, 0], { requiresGrad: false })];
      const c = runtime.constant(target);
      let settled: unknown;
      for (let t = 1; t <= 1000; t++) {
        const error = sub(w, c);
        sum(mul(error, error)).backward();
        runtime.noGrad(() => {
          const g = w.grad!;
          m.assign(add(mul(m, beta1), mul(g, 1 - beta1)));
          v.assign(add(mul(v, beta2), mul(mul(g, g), 1 - beta2)));
          const step = div(div(m, 1 - beta1 ** t), add(sqrt(div(v, 1 - beta2 ** t)), 1e-8));
          w.assign(sub(w, mul(step, rate)));
        });
        w.clearGrad();
        target.forEach((goal, at) => {
          const g = 2 * (expected.w[at]! - goal);
          expected.m[at] = beta1 * expected.m[at]! + (1 - beta1) * g;
          expected.v[at] = beta2 * expected.v[at]! + (1 - beta2) * g * g;
          expected.w[at]! -= (rate * expected.m[at]) / (1 - beta1 ** t) / (Math.sqrt(expected.v[at] / (1 - beta2 ** t)) + 1e-8);
        });
        const { modulesCompiled, plansCompiled } = engine.stats();
        const now = { modulesCompiled, plansCompiled, operations: runtime.stats().operations.entries, derivatives: runtime.stats().preparedDerivatives.entries };
        if (t === 2) settled = now;
        if (t > 2) expect(now).toEqual(settled);
      }
      (w.toArray() as number[]).forEach((value, at) => expect(value).toBeCloseTo(expected.w[at]!, 10));
    });
  });
});

describe('caches', () => {
  test('are bounded; the least recently used leaves first and works again when it is met again', () => {
    const runtime = new EagerRuntime({ maximumOperations: 8, maximumDerivatives: 4 });
    runtime.session(engine, () => {
      for (let round = 0; round < 2; round++) {
        for (let size = 1; size <= 12; size++) {
          const x = runtime.variable(new Float64Array(size).fill(1));
          sum(mul(x, x)).backward();
          expect(x.grad?.toArray()).toEqual(new Array<number>(size).fill(2));
        }
      }
    });
    const { operations, preparedDerivatives } = runtime.stats();
    expect(operations.entries).toBeLessThanOrEqual(8);
    expect(preparedDerivatives.entries).toBeLessThanOrEqual(4);
    expect(preparedDerivatives.evictions).toBeGreaterThan(0);
  });

  test('an array given as a parameter may change afterwards', () => {
    const runtime = new EagerRuntime();
    runtime.session(engine, () => {
      const x = runtime.constant([1, 2, 3, 4, 5, 6]);
      const shape = [2, 3];
      expect(x.reshape(shape).toArray()).toEqual([[1, 2, 3], [4, 5, 6]]);
      shape[0] = 3;
      shape[1] = 2;
      expect(x.reshape(shape).toArray()).toEqual([[1, 2], [3, 4], [5, 6]]);
      expect(x.reshape([2, 3]).toArray()).toEqual([[1, 2, 3], [4, 5, 6]]);
    });
  });

  test('equality decides, not the hash: derivatives under one hash are told apart', () => {
    const runtime = new EagerRuntime({ derivativeHash: () => 7 });
    runtime.session(engine, () => {
      for (let round = 0; round < 2; round++) {
        const [x, y] = [runtime.variable(3), runtime.variable(5)];
        const product = mul(x, y);
        expect([runtime.grad(product, x), runtime.grad(product, y), runtime.grad(mul(x, x), x), runtime.grad(add(x, y), x), runtime.jvp(product, x, 2), runtime.noGrad(() => runtime.grad(product, x))].map((g) => g.item())).toEqual([5, 3, 6, 1, 10, 5]);
        sub(product, x).backward();
        expect([x.grad?.item(), y.grad?.item()]).toEqual([4, 3]);
        product.backward({ inputs: [y] });
        expect([x.grad?.item(), y.grad?.item()]).toEqual([4, 6]);
      }
      expect(runtime.stats().preparedDerivatives).toMatchObject({ misses: 8, hits: 8, entries: 8 });
    });
  });

  test('functional derivatives are prepared once, second order too', () => {
    const runtime = new EagerRuntime();
    runtime.session(engine, () => {
      const x = runtime.variable([1, 2, 3]);
      let settled: unknown;
      for (let step = 0; step < 50; step++) {
        const y = sum(mul(mul(x, x), x));
        runtime.hvp(y, x, [1, step, 2]);
        runtime.grad(sum(runtime.grad(y, x)), x);
        const { preparedDerivatives: { misses, entries }, operations, recomputed } = runtime.stats();
        const { modulesCompiled } = engine.stats();
        const now = { misses, entries, operations: operations.entries, recomputed, modulesCompiled };
        settled ??= now;
        expect(now).toEqual(settled);
      }
      expect(settled).toMatchObject({ misses: 3, recomputed: 0 });
    });
  });

  test('a scalar is no part of what is compiled', () => {
    const runtime = new EagerRuntime();
    runtime.session(engine, () => {
      const x = runtime.constant([1, 2, 3]);
      mul(x, 0.1);
      const { modulesCompiled } = engine.stats();
      for (let step = 0; step < 100; step++) expect((mul(x, step).toArray() as number[])[1]).toBe(2 * step);
      expect(engine.stats().modulesCompiled).toBe(modulesCompiled);
      expect(runtime.stats().operations.entries).toBe(1);
    });
  });
});
