import { add, checkpoint, compileProgram, cond, exp, fori, greater, less, matmul, mul, planMemory, scan, sin, sum, take, type Step, tanh, tensor, whileLoop, zeros } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { describe, expect, it } from 'vitest';
import { compile } from './compile.ts';
import { evaluate } from './evaluate.ts';
import { grad } from './gradients.ts';
import { input } from './input.ts';
import { jit } from './jit.ts';
import { hvp } from './second-order.ts';
import { trace } from './trace.ts';
import type { TracedTensor } from './traced-tensor.ts';
import { vmap } from './vmap.ts';

type T = TracedTensor<'float64'>;
const engine = await createEngine();
const t = (x: unknown): T => x as T;

/** How many steps of these kinds a plan has, at any depth. */
function count(steps: readonly Step[], kind: Step['kind']): number {
  return steps.reduce((sum, step) => sum + (step.kind === kind ? 1 : 0) + (step.kind === 'repeat' ? count(step.steps, kind) : 0), 0);
}

describe('a value and its gradient', () => {
  const x = input('x', { shape: [2] });
  const stepsOf = (tree: Readonly<Record<string, T>>): readonly Step[] => compile(tree, { engine }).plan.steps;

  it('run a loop once forward and once backward, and one inside it too', () => {
    const [last, all] = scan((c: T, s: T) => [t(sin(c.mul(x).add(s))), c.mul(s)] as const, x, tensor([[1, 2], [3, 4], [5, 6]]));
    const y = t(last).sum().add(t(all).sum());
    const gradient = y.grad(x);
    expect(count(stepsOf({ y }), 'repeat')).toBe(1);
    expect(count(stepsOf({ gradient }), 'repeat')).toBe(2);
    expect(count(stepsOf({ y, gradient }), 'repeat')).toBe(2);
    const nested = t(scan((c: T) => [t(fori(3, (_i, d: T) => t(sin(d.mul(x))), c)), undefined] as const, x, undefined, { length: 4 })[0]).sum();
    expect(count(stepsOf({ nested, gradient: nested.grad(x) }), 'repeat')).toBe(4);
  });

  it('compute what a branch needs in the branch taken, once', () => {
    const y = t(cond(greater(sum(x), 0) as never, (a: T) => t(exp(t(sin(a)))), (a: T) => a.mul(t(sin(a))), x)).sum();
    const branches = stepsOf({ y, gradient: y.grad(x) }).filter(({ kind }) => kind === 'branch');
    // One branch for both, as the same condition chooses the value and the gradient.
    expect(branches.map((step) => JSON.stringify(step).split('"exp"').length - 1)).toEqual([1]);
    const bounded = t(whileLoop((s: T) => less(sum(s), 30) as never, (s: T) => s.mul(t(exp(s.mul(0.1)))), x, { maxSteps: 12 })).sum();
    expect(count(stepsOf({ bounded, gradient: bounded.grad(x) }), 'repeat')).toBe(2);
  });
});

describe('loops and branches over traced values', () => {
  it('gradient descent by a transform inside a loop, itself differentiated', () => {
    const loss = (w: T): T => w.mul(w).sum();
    const descend = (w: T, rate: T): T => fori(5, (_i, v: T) => v.sub(grad(loss)(v).mul(rate)), w);
    const run = jit((w: T, rate: T) => [descend(w, rate), grad((r: T) => descend(w, r).sum())(rate)] as const, { engine });
    const [last, slope] = run(tensor([1, 2]), 0.1);
    expect(last.toArray()).toEqual([0.32768, 0.65536].map((x) => expect.closeTo(x, 15)));
    // d/dr 3·(1 − 2r)⁵ = −30·(1 − 2r)⁴.
    expect(slope.item()).toBeCloseTo(-30 * 0.8 ** 4, 12);
    run(tensor([1, 2]), 0.2);
    expect(run.stats().misses).toBe(1);
  });

  it('a recurrent network: gradients of its weights equal those of the unrolled one', () => {
    const [w, u, xs] = [tensor([[0.3, -0.2], [0.5, 0.1]]), tensor([[0.7], [-0.4]]), tensor([[0.1], [0.9], [-0.5], [0.3]])];
    const step = (a: T, b: T, h: T, x: T): T => t(tanh(t(add(matmul(a, h), matmul(b, x)))));
    const looped = (a: T, b: T): T => scan((h: T, x: T) => [step(a, b, h, x), h] as const, t(zeros([2])), t(xs))[0].sum();
    const unrolled = (a: T, b: T): T => [0, 1, 2, 3].reduce<T>((h, at) => step(a, b, h, t(xs).transpose().transpose().reshape([4, 1]).sum({ axes: [] }).reshape([4]).mul(tensor([0, 1, 2, 3].map((other) => Number(other === at)))).sum().reshape([1])), t(zeros([2]))).sum();
    const both = jit((a: T, b: T) => [grad(looped, { argnums: [0, 1] })(a, b), grad(unrolled, { argnums: [0, 1] })(a, b)] as const, { engine });
    const [found, expected] = both(w, u);
    found.forEach((value, at) => {
      const [left, right] = [value, expected[at]!].map((each) => [each.toArray()].flat(9) as number[]);
      left!.forEach((entry, place) => expect(entry).toBeCloseTo(right![place]!, 14));
    });
  });

  it('10 000 iterations and their gradient: a module whose size does not depend on the count', async () => {
    const own = await createEngine();
    const chain = (length: number) => jit((x: T) => grad((y: T) => scan((s: T) => [t(sin(s)), undefined] as const, y, undefined, { length })[0])(x), { engine: own });
    const [short, long] = [chain(10), chain(10_000)];
    short(0.5);
    const before = own.stats().modulesCompiled;
    let expected = 1;
    for (let i = 0, x = 0.5; i < 10_000; i++, x = Math.sin(x)) expected *= Math.cos(x);
    expect(long(0.5).item() / expected).toBeCloseTo(1, 10);
    expect(own.stats().modulesCompiled).toBe(before);
  });

  it('what is captured may be traced, on the host or a number, and a loop inside a branch', () => {
    const f = (x: T, flag: T): T => cond(greater(flag, 0), (y: T) => fori(3, (i, z: T) => t(add(z.mul(flag), mul(i, x))), y), (y: T) => y.mul(100), x);
    const run = jit((x: T, flag: T) => [f(x, flag), grad((y: T) => f(y, flag).sum())(x)] as const, { engine });
    expect(run(tensor([1, 2]), 2).map((each) => each.toArray())).toEqual([[12, 24], [12, 12]]);
    expect(run(tensor([1, 2]), -1).map((each) => each.toArray())).toEqual([[100, 200], [100, 100]]);
  });

  it('Newton by whileLoop, with tangents, in batches', () => {
    const root = (a: T): T => whileLoop(([x, last]: readonly [T, T]) => greater(x.sub(last).mul(x.sub(last)), 1e-24), ([x]: readonly [T, T]) => [x.add(a.div(x)).mul(0.5), x] as const, [a, a.mul(0)] as const)[0];
    const run = jit((a: T) => [root(a), vmap(root)(tensor([4, 9, 2]) as unknown as T)] as const, { engine });
    const [one, many] = run(2);
    expect(one.item()).toBeCloseTo(Math.SQRT2, 14);
    expect(many.toArray()).toEqual([2, 3, Math.SQRT2].map((x) => expect.closeTo(x, 13)));
  });

  it('second derivatives through a loop, and checkpoints change no bit of the value', () => {
    const f = (every?: number) => (x: T): T => t(sum(scan((s: T, c: T) => [t(sin(t(add(s.mul(x), c)))), s] as const, x, tensor([0.1, 0.2, 0.3, 0.4, 0.5]) as unknown as T, every === undefined ? {} : { checkpointEvery: every })[1]));
    const values = [undefined, 2, 5].map((every) => evaluate([f(every)(t(add(tensor(0.7), 0))), grad(f(every))(tensor(0.7)), hvp(f(every), [tensor(0.7)], [tensor(1)])[0]] as const, engine).map((each) => each.item()));
    expect(values[1]![0]).toBe(values[0]![0]);
    for (const value of values) {
      expect(value[1]).toBeCloseTo(values[0]![1]!, 13);
      expect(value[2]).toBeCloseTo(values[0]![2]!, 12);
    }
  });

  it('in a batch, elements that do not run a branch or an iteration cannot fail or hang it', () => {
    const y = tensor([1, 2, 3]);
    const ints = (...values: readonly number[]): T => tensor(Int32Array.from(values)) as unknown as T;
    const chosen = vmap((n: T) => cond(less(n, 3), (k: T) => t(take(y, k as never, 0)), () => t(add(tensor(-1), 0)), n));
    const loop = vmap((start: T) => t(whileLoop(([i]: readonly [T, T]) => less(i, 3), ([i, s]: readonly [T, T]) => [t(add(i, 1)), t(add(s, take(y, i as never, 0)))] as const, [start, t(add(tensor(0), 0))] as const)[1]));
    const endless = vmap((x: T) => cond(greater(x, 0), (p: T) => whileLoop((s: T) => less(s, 100), (s: T) => s.mul(2), p), (p: T) => p, x));
    const bounded = vmap((n: T) => t(whileLoop(([i]: readonly [T, T]) => less(i, n), ([i, s]: readonly [T, T]) => [t(add(i, 1)), t(add(s, take(y, i as never, 0)))] as const, [t(add(tensor(Int32Array.of(0)).reshape([]), 0)), t(add(tensor(0), 0))] as const, { maxSteps: 10 })[1]));
    expect(evaluate(chosen(ints(0, 2, 7)), engine).toArray()).toEqual([1, 3, -1]);
    expect(evaluate(chosen(ints(7, 8, 9)), engine).toArray()).toEqual([-1, -1, -1]);
    expect(evaluate(loop(ints(0, 3, 3)), engine).toArray()).toEqual([6, 0, 0]);
    expect(evaluate(endless(tensor([1, -1]) as never), engine).toArray()).toEqual([128, -1]);
    expect(evaluate(endless(tensor([-1, -1]) as never), engine).toArray()).toEqual([-1, -1]);
    expect(evaluate(bounded(ints(3, 1, 0)), engine).toArray()).toEqual([6, 1, 0]);
  });

  it('fori in checkpoints, and numbers to start with there', () => {
    const power = (x: T): T => fori(8, (_i, s: T) => s.mul(x), x, { checkpointEvery: 3 });
    expect(evaluate([power(t(add(tensor(1.5), 0))), grad(power)(tensor(1.5))] as const, engine).map((each) => each.item())).toEqual([1.5 ** 9, 9 * 1.5 ** 8].map((x) => expect.closeTo(x, 10)));
    const halves = scan((s: T, v: T) => [s.add(v).mul(0.5), s] as const, 0, t(add(tensor(Int32Array.of(1, 2, 3)), 0)), { checkpointEvery: 2 })[0];
    expect(evaluate(halves, engine).item()).toBe(2.125);
    const grown = whileLoop(([a]: readonly [T, T]) => less(a, 3), ([a, i]: readonly [T, T]) => [a.add(0.5), t(add(i, 1))] as const, [0, t(add(tensor(Int32Array.of(0)).reshape([]), 0))] as const);
    expect(evaluate(grown, engine).map((each) => each.item())).toEqual([3, 6]);
  });

  it('checkpoints bound the memory of 10 000 iterations', () => {
    const bytes = (every?: number): number => {
      const f = (x: T): T => scan((s: T) => [t(sin(s)), undefined] as const, x, undefined, { length: 10_000, ...(every === undefined ? {} : { checkpointEvery: every }) })[0].sum();
      return planMemory(compileProgram(trace(grad(f), tensor(new Float64Array(64))).program)).arenaBytes;
    };
    expect(bytes()).toBeGreaterThan(10_000 * 64 * 8);
    expect(bytes(100)).toBeLessThan(4 * 100 * 64 * 8);
  });

  it('depth 20 of conds, scans and checkpoints costs little more than depth 10', { retry: 3 }, () => {
    const levels: readonly ((f: (x: T) => T) => (x: T) => T)[] = [
      (f) => (x) => cond(greater(x, 0), (y: T) => f(y.mul(1.1)), (y: T) => y.mul(y), x),
      (f) => (x) => scan((s: T) => [f(s.mul(0.9)), undefined] as const, x, undefined, { length: 1 })[0],
      (f) => checkpoint((x: T) => f(x.mul(0.9))),
    ];
    const time = (depth: number): number => {
      const start = performance.now();
      for (const level of levels) trace(grad(Array.from({ length: depth }).reduce<(x: T) => T>((f) => level(f), (x) => t(sin(x)))), 1);
      return performance.now() - start;
    };
    time(10);
    expect(time(20)).toBeLessThan(8 * time(10));
  });

  it('a value of the body used outside says so', () => {
    let kept: T | undefined;
    const run = jit((x: T) => fori(2, (_i, y: T) => (kept = y.mul(2)), x).add(kept as T), { engine });
    expect(() => run(1)).toThrow(/loop or branch/);
  });

  it('a batch of losses through a loop', () => {
    const loss = (w: T, x: T): T => fori(3, (_i, y: T) => t(tanh(y.mul(w))), x).sum();
    const each = evaluate(vmap(grad(loss), { inAxes: [null, 0] })(tensor(0.9) as never, tensor([[0.1, 0.2], [0.5, -0.3]]) as never), engine);
    const alone = evaluate([grad(loss)(tensor(0.9), tensor([0.1, 0.2])), grad(loss)(tensor(0.9), tensor([0.5, -0.3]))] as const, engine);
    (each.toArray() as unknown as readonly number[]).forEach((value, at) => expect(value).toBeCloseTo(alone[at]!.item(), 14));
    expect(less(tensor(1), 2).type.key).toBe('bool[]');
  });
});
