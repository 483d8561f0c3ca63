import { add, cond, fori, greater, matmul, mul, scan, sin, sum, tanh, tensor, whileLoop, zeros, less } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { describe, expect, it, vi } from 'vitest';
import { EagerRuntime, type EagerTensor } from './index.ts';

type E = EagerTensor<'float64'>;
const e = (x: unknown): E => x as E;
const engine = await createEngine();

describe('loops and branches over eager tensors', () => {
  it('run at once, and a backward goes through them', () => {
    const runtime = new EagerRuntime();
    runtime.session(engine, () => {
      const w = runtime.variable(tensor([[0.3, -0.2], [0.5, 0.1]]));
      const xs = runtime.constant(tensor([[1, 2], [3, 4], [5, 6]]));
      const [last, all] = scan((h: E, x: E) => {
        const next = e(tanh(e(add(matmul(w, h), x))));
        return [next, next] as const;
      }, runtime.constant(zeros([2])), xs);
      expect(all.type.key).toBe('f64[3, 2]');
      last.sum().backward();
      const looped = w.grad!.toArray();
      w.clearGrad();
      let h = e(runtime.constant(zeros([2])));
      for (const x of [[1, 2], [3, 4], [5, 6]]) h = e(tanh(e(add(matmul(w, h), tensor(x)))));
      expect(last.toArray()).toEqual(h.toArray());
      h.sum().backward();
      (looped as number[][]).flat().forEach((value, at) => expect(value).toBeCloseTo((w.grad!.toArray() as number[][]).flat()[at]!, 15));
    });
  });

  it('run forward once: what the backward reads is kept while they run', () => {
    const runtime = new EagerRuntime();
    const x = runtime.variable(tensor([0.5, -1]));
    const compiled = vi.spyOn(engine, 'compile');
    const loops = (): number => compiled.mock.calls.flatMap(([plan]) => plan.steps).filter(({ kind }) => kind === 'repeat').length;
    const step = (c: E, s: E): readonly [E, E] => [e(sin(c.mul(x).add(s))), e(c.mul(s))];
    runtime.session(engine, () => {
      const [last, all] = scan(step, runtime.constant(zeros([2])), tensor([[1, 2], [3, 4], [5, 6]]));
      expect(loops()).toBe(1);
      e(add(last.sum(), all.sum())).backward();
      expect(loops()).toBe(2);
      expect(runtime.stats().recomputed).toBe(0);
      const first = x.grad!.toArray();
      const [once, twice] = [1, 2].map(() => runtime.grad(e(scan(step, runtime.constant(zeros([2])), tensor([[1, 2], [3, 4], [5, 6]]))[1]).sum(), x));
      expect(once!.toArray()).toEqual(twice!.toArray());
      expect(first).not.toEqual(once!.toArray());
      // A second derivative goes through what was kept, too.
      const second = runtime.grad(e(runtime.grad(e(scan(step, runtime.constant(zeros([2])), tensor([[1, 2], [3, 4], [5, 6]]))[0]).sum(), x)).sum(), x);
      const h = 1e-5;
      const slope = (by: number): number => {
        const moved = runtime.variable(tensor([0.5 + by, -1 + by]));
        const along = (c: E, s: E): readonly [E, E] => [e(sin(c.mul(moved).add(s))), c];
        return (runtime.grad(e(scan(along, runtime.constant(zeros([2])), tensor([[1, 2], [3, 4], [5, 6]]))[0]).sum(), moved).toArray() as number[])[0]!;
      };
      expect((second.toArray() as number[])[0]).toBeCloseTo((slope(h) - slope(-h)) / (2 * h), 6);
    });
    compiled.mockRestore();
  });

  it('methods work inside, numbers start carries, and what is captured gets its gradient', () => {
    const runtime = new EagerRuntime();
    runtime.session(engine, () => {
      const x = runtime.variable(tensor(2));
      const y = scan((s: E, c: E) => [s.mul(x).add(c), undefined] as const, 0, tensor([3, 0, 1]))[0];
      expect(y.item()).toBe(13);
      y.backward();
      expect(x.grad!.item()).toBe(12);
      const z = cond(greater(x, 1), (v: E) => v.mul(v), (v: E) => v.mul(3), x);
      const [g] = [runtime.grad(e(z), x)];
      expect([z.item(), g.item()]).toEqual([4, 4]);
      expect(whileLoop((v: E) => less(v, 100), (v: E) => v.mul(v), x).item()).toBe(256);
      expect(fori(3, (i, v: E) => e(add(v.mul(2), i)), x).item()).toBe(20);
    });
  });

  it('a value inside has no value: using it as one says so', () => {
    const runtime = new EagerRuntime();
    runtime.session(engine, () => {
      const x = runtime.constant(tensor([1, 2]));
      const uses: readonly ((s: E) => unknown)[] = [(s) => Number(s), (s) => `${String(s)}`, (s) => s.item(), (s) => s.toArray(), (s) => JSON.stringify(s), (s) => (s as unknown as number) * 2];
      for (const use of uses) expect(() => fori(2, (_i, s: E) => e(mul(s, use(s) as number)), x)).toThrow(/has no value there/);
      expect(() => runtime.vmap((q: E) => e(mul(q, Number(q))))(x)).toThrow(/has no value there/);
      expect(() => runtime.vmap((async (q: E) => q) as never)(x)).toThrow(/promise/);
      expect(() => fori([2 ** 31 - 3, 2 ** 31 + 2], (_i, s: E) => s, x)).toThrow(/int32/);
    });
  });

  it('a loop is one operation: the same program the second time', () => {
    const runtime = new EagerRuntime();
    const step = (x: E): E => e(sum(e(fori(4, (_i, v: E) => e(sin(e(mul(v, 1.5)))), x))));
    runtime.session(engine, () => {
      const x = runtime.variable(tensor([0.1, 0.2]));
      step(x).backward();
      const before = engine.stats().plansCompiled;
      for (let i = 0; i < 5; i++) step(x).backward();
      expect(engine.stats().plansCompiled).toBe(before);
    });
  });
});
