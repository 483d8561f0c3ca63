import { isTfError, take, tensor } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { EagerRuntime } from '@tf/eager';
import { createReferenceEngine } from '@tf/testkit';
import { compile, evaluate, grad, input, jit, type TracedTensor } from '@tf/traced';
import { describe, expect, it } from 'vitest';

type F64 = TracedTensor<'float64'>;
interface Resident {
  readonly disposed: boolean;
  dispose(): void;
}
const engines = [await createEngine(), createReferenceEngine()] as const;

function thrown(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}

const saysDonated = (error: unknown): boolean => isTfError(error, 'DisposedError') && error.message.includes('donated');

describe.each(engines.map((engine) => [engine.info.name, engine] as const))('donated arguments on %s', (_, engine) => {
  it('of jit are taken by each call: a training loop holds one set of weights', () => {
    type Net = { readonly w: F64; readonly b: F64 };
    const loss = ({ w, b }: Net, x: F64): F64 => w.mul(x).add(b).mul(w).sum();
    const body = (net: Net, x: F64): Net => {
      const gradient = grad(loss)(net, x);
      return { w: net.w.sub(gradient.w.mul(0.01)), b: net.b.sub(gradient.b.mul(0.01)) };
    };
    const [step, plain] = [jit(body, { engine, donate: [0] }), jit(body, { engine })];
    const x = evaluate(tensor([1, 2, 3]).add(0) as never, engine) as never as F64;
    const start = { w: tensor([1, 1, 1]), b: tensor([0, 0, 0]) };
    let [net, other] = [step(start as never, x), plain(start as never, x)];
    const { liveBuffers } = engine.stats();
    for (let at = 0; at < 10; at++) {
      const before = net;
      net = step(net, x);
      const old = other;
      other = plain(other, x);
      for (const value of [old.w, old.b]) (value as unknown as Resident).dispose();
      for (const gone of [before.w, before.b]) expect([(gone as unknown as Resident).disposed, saysDonated(thrown(() => gone.toArray())), saysDonated(thrown(() => plain({ w: gone, b: net.b } as never, x)))]).toEqual([true, true, true]);
    }
    expect(engine.stats().liveBuffers).toBe(liveBuffers);
    expect([net.w.toArray(), net.b.toArray()]).toEqual([other.w.toArray(), other.b.toArray()]);
    expect(step.stats().misses).toBe(1);
  });

  it('of jit are found among trees, numbers and what is no tensor', () => {
    const f = jit((a: { readonly x: F64; readonly name: string }, rate: F64, b: readonly F64[]) => a.x.mul(rate).add(b[0]!).sub(b[1]!), { engine, donate: [1, 2] });
    const on = (value: number): F64 => evaluate(tensor([value, value]).add(0) as never, engine) as never as F64;
    const [x, first, second] = [on(1), on(2), on(3)];
    expect(f({ x, name: 'a' }, 4, [first, second]).toArray()).toEqual([3, 3]);
    expect([x, first, second].map((value) => (value as unknown as Resident).disposed)).toEqual([false, true, true]);
  });

  it('of compile are named, and stay where the call is refused', () => {
    const [x, y] = [input('x', { shape: ['n'] }), input('y', { shape: ['n'] })];
    const f = compile(x.mul(y), { engine, donate: ['x'] });
    const [a, b] = [evaluate(tensor([1, 2]).add(0) as never, engine), evaluate(tensor([3, 4]).add(0) as never, engine)] as never as [F64, F64];
    expect(thrown(() => f({ x: a as never, y: tensor([1, 2, 3]) }))).toBeDefined();
    expect(f({ x: a as never, y: b as never }).toArray()).toEqual([3, 8]);
    expect(saysDonated(thrown(() => f({ x: a as never, y: b as never })))).toBe(true);
    expect((b as never as { toArray(): unknown }).toArray()).toEqual([3, 4]);
  });
});

describe.each(engines.map((engine) => [engine.info.name, engine] as const))('eager values on %s', (_, engine) => {
  const runtime = new EagerRuntime();
  const step = jit((v: F64) => v.mul(2).add(1), { engine, donate: [0] });
  const x = input('x', { shape: [3] });
  const compiled = compile(x.mul(2).add(1), { engine, donate: ['x'] });

  it.each([['jit', (v: unknown) => step(v as never)], ['compile', (v: unknown) => compiled({ x: v as never })]] as const)('of a variable that nobody else holds are taken by %s, so that assigning the result keeps one buffer', (_name, run) => {
    runtime.session(engine, () => {
      const w = runtime.variable([1, 2, 3], { requiresGrad: false });
      w.add(0).dispose();
      w.assign(run(w) as never);
      const { liveBuffers } = engine.stats();
      for (let at = 0; at < 5; at++) {
        const result = run(w);
        expect(saysDonated(thrown(() => w.toArray()))).toBe(true);
        expect(saysDonated(thrown(() => w.add(1)))).toBe(true);
        expect(String(w)).toBe('f64[3], donated to a run');
        w.assign(result as never);
        expect(engine.stats().liveBuffers).toBe(liveBuffers);
      }
      expect(w.toArray()).toEqual([127, 191, 255]);
    });
  });

  it('that a trace, a gradient or another tensor holds are left', () => {
    runtime.session(engine, () => {
      const w = runtime.variable([1, 2, 3]);
      const loss = w.mul(w).sum();
      const seen = w.detach();
      step(seen as never);
      loss.backward();
      expect([seen.toArray(), w.grad?.toArray()]).toEqual([[1, 2, 3], [2, 4, 6]]);
      const gradient = w.grad!;
      step(gradient as never);
      expect(w.grad?.toArray()).toEqual([2, 4, 6]);
      const c = runtime.constant([1, 2, 3]);
      const product = w.mul(c).sum();
      step(c as never);
      product.backward();
      expect(w.grad?.toArray()).toEqual([3, 6, 9]);
    });
  });
});

it('a list that names nothing is refused', () => {
  const [engine] = engines;
  const x = input('x');
  expect((thrown(() => compile(x.mul(2), { engine, donate: ['z'] })) as Error).message).toMatch(/^compile: donate lists "z", which is no input\. The inputs are x\./);
  expect(isTfError(thrown(() => compile(x.mul(2), { engine, donate: 'x' as never })), 'ArgumentError')).toBe(true);
  expect(isTfError(thrown(() => jit((v: F64) => v, { engine, donate: [-1] })), 'ArgumentError')).toBe(true);
  expect((thrown(() => jit(function step(v: F64, w: F64) { return v.add(w); }, { engine, donate: [0, 2] })(tensor([1]), 1)) as Error).message).toBe('jit(step): donate lists argument 2, but 2 arguments were given. Arguments count from 0: { donate: [0] }.');
  expect(isTfError(thrown(() => jit((v: F64) => take(v, [7]), { engine, donate: [0] })(tensor([1]))), 'IndexError')).toBe(true);
});
