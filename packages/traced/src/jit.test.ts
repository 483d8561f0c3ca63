import { add, isTfError, less, matmul, tanh, tensor } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { describe, expect, it } from 'vitest';
import { eagerKey, evaluate, grad, input, jit, type TracedTensor } from './index.ts';

const engine = await createEngine();
type F64 = TracedTensor<'float64'>;

function thrown(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe('jit', () => {
  it('runs the function once per signature', () => {
    let runs = 0;
    const square = jit((x: F64) => {
      runs++;
      return x.mul(x);
    }, { engine });
    expect(square(tensor([1, 2])).toArray()).toEqual([1, 4]);
    expect(square(tensor([3, 4])).toArray()).toEqual([9, 16]);
    expect(square(tensor([3, 4, 5])).toArray()).toEqual([9, 16, 25]);
    expect(square(3).item()).toBe(9);
    expect(runs).toBe(3);
    expect(square.stats()).toMatchObject({ entries: 3, misses: 3, hits: 1 });
  });

  it('compiles nothing when numbers change, for a thousand calls', () => {
    let w = tensor([1, 2, 3]) as Parameters<typeof step>[0];
    const step = jit((weights: F64, rate: F64) => weights.sub(grad((v: F64) => v.mul(v).sum())(weights).mul(rate)), { engine });
    w = step(w, 0.5);
    const before = engine.stats();
    for (let call = 0; call < 1000; call++) w = step(w, 1 / (call + 3));
    const after = engine.stats();
    expect([after.modulesCompiled - before.modulesCompiled, after.plansCompiled - before.plansCompiled]).toEqual([0, 0]);
    expect(step.stats().misses).toBe(1);
  });

  it('keeps numbers weak: they take the dtype of what they meet', () => {
    const scaled = jit((x: TracedTensor<'float32'>, rate: TracedTensor<never>) => x.mul(rate.mul(2)), { engine });
    const result = scaled(tensor(Float32Array.of(1, 2)), 0.25 as never);
    expect(result.type.key).toBe('f32[2]');
    expect(result.toArray()).toEqual([0.5, 1]);
  });

  it('gives results that stay on the engine and feed back without a copy', () => {
    const double = jit((x: F64) => x.mul(2), { engine });
    let x = double(new Float64Array(1000).fill(1));
    const before = engine.stats();
    for (let call = 0; call < 10; call++) {
      const next = double(x);
      x.dispose();
      x = next;
    }
    expect(engine.stats().liveBuffers).toBe(before.liveBuffers);
    expect((x.toArray() as number[])[999]).toBe(2048);
  });

  it('gives results whose rows can be read, and computed with, without compiling anything to take them apart', () => {
    const r = jit((x: F64) => x.mul(2), { engine })(tensor([[1, 2], [3, 4]]));
    const before = engine.stats();
    expect([...r].map((row) => row.toArray())).toEqual([[2, 4], [6, 8]]);
    expect([...r].map((row) => [...row].map((element) => element.item()))).toEqual([[2, 4], [6, 8]]);
    expect(engine.stats().plansCompiled).toBe(before.plansCompiled);
    const [, second] = r;
    expect(evaluate(second!.sum(), engine).item()).toBe(14);
  });

  it('takes and gives trees, and leaves alone what is no tensor', () => {
    type Params = { readonly w: F64; readonly parts: readonly [F64, F64] };
    const f = jit((p: Params, mode: string) => ({ sum: p.w.add(p.parts[0]), mode, parts: [p.parts[1]] as const, count: 3 }), { engine });
    const found = f({ w: tensor([1, 2]), parts: [tensor([10, 20]), 7] }, 'train');
    expect(found.sum.toArray()).toEqual([11, 22]);
    expect(found.parts[0].item()).toBe(7);
    expect([found.mode, found.count]).toEqual(['train', 3]);
    f({ parts: [tensor([10, 20]), 7], w: tensor([1, 2]) }, 'train');
    f({ w: tensor([1, 2]), parts: [tensor([10, 20]), 7] }, 'test');
    expect(f.stats().misses).toBe(2);
  });

  it('returns arguments, constants and one value twice', () => {
    const f = jit((x: F64) => [x, x, x.mul(0).add(5), tensor([9])] as const, { engine });
    const [a, b, c, d] = f(tensor([1, 2]));
    expect([a.toArray(), b.toArray(), c.toArray(), d.toArray()]).toEqual([[1, 2], [1, 2], [5, 5], [9]]);
    a.dispose();
    expect(b.toArray()).toEqual([1, 2]);
  });

  it('captures tensors as constants, large ones and results of other runs too', () => {
    const large = tensor(new Float64Array(100).fill(2));
    const resident = jit((x: F64) => x.add(1), { engine })(new Float64Array(100));
    const f = jit((x: F64) => x.mul(large).add(resident).sum(), { engine });
    expect(f(new Float64Array(100).fill(3)).item()).toBe(700);
    expect(f(new Float64Array(100).fill(4)).item()).toBe(900);
    resident.dispose();
    expect(isTfError(thrown(() => f(new Float64Array(100))), 'DisposedError')).toBe(true);
    expect(f.stats().misses).toBe(1);
  });

  it('is inlined when it is called with traced tensors', () => {
    const square = jit((x: F64) => x.mul(x), { engine });
    const f = jit((x: F64) => square(x).add(square(square(x))), { engine });
    expect(f(3).item()).toBe(90);
    expect(square.stats().misses).toBe(0);
    expect(evaluate(grad((x: F64) => square(x))(3), engine).item()).toBe(6);
  });

  it('is inlined when it captures an argument of the function around it', () => {
    const f = jit((x: F64) => jit((s: F64) => s.mul(x), { engine })(2), { engine });
    expect((f(5) as { item(): unknown }).item()).toBe(10);
  });

  it('is inlined when it captures a value that a transform around it differentiates by', () => {
    expect(evaluate(grad((x: F64) => x.mul(jit((s: F64) => s.mul(x), { engine })(2) as never))(3), engine).item()).toBe(12);
    expect(isTfError(thrown(() => grad((x: F64) => x.mul(evaluate(x, engine)))(3)), 'TracerLeakError')).toBe(true);
    const constant = grad((x: F64) => x.mul(x))(4);
    expect(jit((s: F64) => s.mul(constant), { engine })(2).item()).toBe(16);
  });

  it('keeps at most as many signatures as it is told', () => {
    const f = jit((x: F64) => x.add(1), { engine, maximumEntries: 2 });
    for (const length of [1, 2, 3, 4]) f(new Float64Array(length));
    expect(f.stats()).toMatchObject({ entries: 2, evictions: 2, misses: 4 });
    f.clear();
    expect(f.stats().entries).toBe(0);
  });

  it('takes untracked eager tensors by their buffer and refuses tracked ones', () => {
    const buffer = engine.upload('float64', [2], Float64Array.of(1, 2));
    const eager = (tracked: boolean): never => Object.assign(tensor([1, 2]).add(0), { [eagerKey]: { tracked, buffer, type: tensor([1, 2]).type } }) as never;
    const double = jit((x: F64) => x.mul(2), { engine });
    expect(double(eager(false)).toArray()).toEqual([2, 4]);
    const onHost = Object.assign(tensor([1, 2]).add(0), { [eagerKey]: { tracked: false, buffer: undefined, data: Float64Array.of(3, 4), type: tensor([1, 2]).type } });
    expect(double(onHost as never).toArray()).toEqual([6, 8]);
    expect(evaluate(grad((x: F64) => x.mul(onHost as never).sum())(tensor([1, 2])), engine).toArray()).toEqual([3, 4]);
    const error = thrown(() => double(eager(true)));
    expect(isTfError(error, 'ModeMixError')).toBe(true);
    expect((error as Error).message).toContain('detach()');
    expect(isTfError(thrown(() => evaluate(grad((x: F64) => x.mul(eager(true)).sum())(tensor([1, 2])), engine)), 'ModeMixError')).toBe(true);
  });

  it('trains a small network with one compilation', () => {
    type Net = { readonly first: F64; readonly second: F64 };
    const xs = tensor([[0, 0, 1], [0, 1, 1], [1, 0, 1], [1, 1, 1]]);
    const ys = tensor([[0], [1], [1], [0]]);
    const loss = (net: Net): F64 => {
      const error = tanh(matmul(tanh(matmul(xs, net.first)), net.second)).sub(ys);
      return error.mul(error).sum();
    };
    const step = jit((net: Net, rate: F64) => {
      const gradient = grad(loss)(net);
      return { first: net.first.sub(gradient.first.mul(rate)), second: net.second.sub(gradient.second.mul(rate)) };
    }, { engine });
    const lossOf = jit(loss, { engine });
    let net = step({ first: tensor([[0.5, -0.4, 0.3], [-0.6, 0.7, 0.2], [0.1, -0.2, 0.9]]), second: tensor([[0.8], [-0.5], [0.4]]) }, 0.1);
    for (let at = 0; at < 2000; at++) net = step(net, 0.1);
    expect(lossOf(net).item()).toBeLessThan(0.05);
    expect(step.stats().misses).toBe(1);
  });
});

describe('tracers', () => {
  it('throw when JavaScript needs their value', () => {
    const uses: readonly ((x: TracedTensor) => unknown)[] = [
      (x) => +(x as never),
      (x) => `${x as never}`,
      (x) => (x as never) < 1,
      (x) => [1, 2, 3][x as never],
      (x) => JSON.stringify({ x }),
      (x) => x.item(),
      (x) => x.toArray(),
      (x) => String(x),
      (x) => Math.max(x as never, 1),
    ];
    for (const use of uses) {
      const error = thrown(() => jit((x: F64) => use(x), { engine })(1));
      expect(isTfError(error, 'TracerLeakError')).toBe(true);
      expect((error as Error).message).toMatch(/argument 0.*select\(condition, a, b\).*evaluate/s);
    }
  });

  it('show their type to a debugger', async () => {
    const { inspect } = await import('node:util');
    expect(inspect(input('x', { shape: [3] }))).toBe('Traced f64[3]');
    expect(inspect({ x: input('x', { shape: ['n'] }) })).toBe('{ x: Traced f64[n] }');
  });

  it('kept from a call are refused elsewhere, by the names of function and argument', () => {
    let kept: F64 | undefined;
    jit((x: { readonly rate: F64 }) => (kept = x.rate).mul(2), { engine, name: 'first' })({ rate: 1 });
    const error = thrown(() => jit((y: F64) => y.mul(kept!), { engine, name: 'second' })(3));
    expect(isTfError(error, 'TracerLeakError')).toBe(true);
    expect((error as Error).message).toMatch(/jit\(second\).*argument 0\.rate.*jit\(first\)/s);
    expect(isTfError(thrown(() => evaluate(kept!.mul(2), engine)), 'TracerLeakError')).toBe(true);
  });

  it('of input() are refused where they have no data', () => {
    const x = input('free');
    const error = thrown(() => jit((y: F64) => y.mul(x), { engine })(3));
    expect(isTfError(error, 'TracerLeakError') && error.message.includes('"free"')).toBe(true);
  });
});

describe('bad input to jit', () => {
  const f = jit((x: F64) => x.mul(2), { engine });

  it('refuses disposed and foreign tensors, and works on', async () => {
    const gone = f(1);
    gone.dispose();
    expect(isTfError(thrown(() => f(gone)), 'DisposedError')).toBe(true);
    const other = await createEngine();
    const foreign = jit((x: F64) => x.mul(2), { engine: other })(1);
    const error = thrown(() => f(foreign));
    expect(isTfError(error, 'ForeignValueError') && error.message.includes('argument 0')).toBe(true);
    expect(f(4).item()).toBe(8);
    other.dispose();
  });

  it('refuses what is no data, and asynchronous functions', () => {
    for (const bad of [Symbol('x'), () => 1, new Map(), 10n]) expect(isTfError(thrown(() => f(bad as never)), 'ArgumentError')).toBe(true);
    expect(isTfError(thrown(() => jit(async (x: F64) => x, { engine })(1)), 'AsyncCallbackError')).toBe(true);
  });

  it('passes on errors of operations with their names, and works on', () => {
    const g = jit((x: F64, y: F64) => matmul(x, y), { engine });
    const error = thrown(() => g(tensor([[1, 2]]), tensor([[1, 2]])));
    expect(isTfError(error, 'ShapeError') && error.message.includes('matmul')).toBe(true);
    expect(isTfError(thrown(() => jit((x: F64) => x.sum({ axes: 3 }), { engine })(tensor([1]))), 'AxisError')).toBe(true);
    expect(isTfError(thrown(() => jit((x: F64) => add(less(x, 1), less(x, 2)), { engine })(1)), 'DTypeError')).toBe(true);
    expect(g(tensor([[1, 2]]), tensor([[1], [2]])).toArray()).toEqual([[5]]);
  });

  it('refuses trees that contain themselves', () => {
    const loop: unknown[] = [];
    loop.push(loop);
    expect(isTfError(thrown(() => f(loop as never)), 'ArgumentError')).toBe(true);
  });
});

it('prepare traces and compiles, so that the call finds all there; runAsync does both', async () => {
  const engine = await createEngine();
  const square = jit((x: TracedTensor<'float64'>) => x.mul(x), { engine });
  await square.prepare(tensor([1, 2]));
  expect(square.stats().misses).toBe(1);
  expect(square(tensor([1, 2])).toArray()).toEqual([1, 4]);
  expect((await square.runAsync(tensor([3, 4]))).toArray()).toEqual([9, 16]);
  expect(square.stats().misses).toBe(1);
});
