import { add, mul, ResidentTensor, sum, tensor, zeros } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EagerRuntime, type Session } from './index.ts';

const engine = await createEngine();
const runtime = new EagerRuntime();

let session: Session;
beforeAll(() => {
  session = runtime.open(engine);
});
afterAll(() => session.dispose());

function nameOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return (error as Error).name;
  }
  return 'nothing was thrown';
}

describe('assign', () => {
  test('what was computed before keeps its values, and backward uses them', () => {
    const w = runtime.variable([1, 2, 3]);
    const squares = mul(w, w);
    const loss = sum(squares);
    w.assign([10, 20, 30]);
    expect(squares.toArray()).toEqual([1, 4, 9]);
    expect(w.toArray()).toEqual([10, 20, 30]);
    expect(w.version).toBe(1);
    loss.backward();
    expect(w.grad?.toArray()).toEqual([2, 4, 6]);
    sum(mul(w, w)).backward();
    expect(w.grad?.toArray()).toEqual([22, 44, 66]);
  });

  test('a loss over the values before and after adds both gradients', () => {
    const w = runtime.variable(3);
    const before = mul(w, w);
    w.assign(5);
    add(before, mul(mul(w, w), w)).backward();
    expect(w.grad?.item()).toBe(6 + 75);
  });

  test('no gradient flows through it, and the gradient stays', () => {
    const w = runtime.variable([1, 2]);
    sum(mul(w, w)).backward();
    w.assign(mul(w, 3));
    expect(w.grad?.toArray()).toEqual([2, 4]);
    sum(w).backward();
    expect(w.grad?.toArray()).toEqual([3, 5]);
    w.assign(w);
    expect(w.toArray()).toEqual([3, 6]);
  });

  test('another shape or dtype is refused and changes nothing', () => {
    const w = runtime.variable([1, 2]);
    expect(nameOf(() => w.assign([1, 2, 3]))).toBe('ShapeError');
    expect(nameOf(() => w.assign(new Float32Array([1, 2]) as never))).toBe('DTypeError');
    expect(w.toArray()).toEqual([1, 2]);
    expect(w.version).toBe(0);
  });

  test('the old value outlives its variable for whoever shares it', () => {
    const w = runtime.variable([1, 2]);
    add(w, 0);
    const shared = w.detach();
    w.assign([3, 4]);
    expect(add(shared, 1).toArray()).toEqual([2, 3]);
  });
});

describe('disposal', () => {
  test('a disposed tensor is refused by name, twice is harmless', () => {
    const x = runtime.constant([1, 2]);
    x.dispose();
    x.dispose();
    expect(nameOf(() => add(x, 1))).toBe('DisposedError');
    expect(nameOf(() => x.toArray())).toBe('DisposedError');
    expect(nameOf(() => x.detach())).toBe('DisposedError');
    expect(nameOf(() => runtime.variable(1).assign(x as never))).toBe('DisposedError');
    const y = mul(runtime.variable(2), 3);
    y.dispose();
    expect(nameOf(() => y.backward())).toBe('DisposedError');
    expect(String(x)).toContain('disposed');
  });

  test('what a live trace needs outlives its tensors', () => {
    const x = runtime.variable([1, 2, 3]);
    const y = mul(x, x);
    const z = mul(y, x);
    const loss = sum(z);
    y.dispose();
    z.dispose();
    loss.backward();
    expect(x.grad?.toArray()).toEqual([3, 12, 27]);
    const w = runtime.variable([1, 2]);
    const other = sum(mul(w, w));
    w.dispose();
    other.backward();
    expect(w.grad).toBeUndefined();
  });

  test('gives the memory back at once when nothing needs the value', () => {
    const before = engine.stats().liveBuffers;
    const x = runtime.constant([1, 2, 3]);
    const y = add(x, 1);
    const alias = y.detach();
    y.dispose();
    expect(alias.toArray()).toEqual([2, 3, 4]);
    alias.dispose();
    x.dispose();
    expect(engine.stats().liveBuffers).toBe(before);
  });

  test('a tracked computation gives everything back when its tensors are disposed', () => {
    const x = runtime.variable([1, 2, 3]);
    add(x, 0).dispose();
    const before = engine.stats().liveBuffers;
    const y = mul(x, x);
    const z = mul(y, y);
    const loss = sum(z);
    loss.backward();
    for (const tensor of [y, z, loss]) tensor.dispose();
    x.clearGrad();
    expect(engine.stats().liveBuffers).toBe(before);
  });

  test('using ends with the block', () => {
    let kept;
    {
      using x = runtime.constant([1]);
      kept = x;
    }
    expect(nameOf(() => kept.toArray())).toBe('DisposedError');
  });
});

describe('values', () => {
  test('resident values and eager tensors are shared, not copied', () => {
    const x = add(runtime.constant([1, 2]), 0);
    const live = engine.stats().liveBuffers;
    const v = runtime.variable(x);
    const c = runtime.constant(v);
    expect(engine.stats().liveBuffers).toBe(live);
    x.dispose();
    expect(add(v, c).toArray()).toEqual([2, 4]);
  });

  test('a resident value whose owner disposes it is refused by name', () => {
    const buffer = engine.upload('float64', [2], new Float64Array([1, 2]));
    const shared = runtime.constant(new ResidentTensor(buffer));
    expect(add(shared, 1).toArray()).toEqual([2, 3]);
    const live = engine.stats().liveBuffers;
    shared.dispose();
    expect(engine.stats().liveBuffers).toBe(live);
    const again = runtime.constant(new ResidentTensor(buffer));
    buffer.dispose();
    expect(nameOf(() => add(again, 1))).toBe('DisposedError');
    expect(nameOf(() => again.toArray())).toBe('DisposedError');
  });

  test('host tensors are uploaded once, and operations on them alone run where they are used', () => {
    const host = tensor([1, 2]);
    const x = add(runtime.variable([1, 1]), host);
    const live = engine.stats().liveBuffers;
    expect(add(x, host).toArray()).toEqual([3, 5]);
    expect(engine.stats().liveBuffers).toBe(live + 1);
    expect(add(x, mul(host, 2)).toArray()).toEqual([4, 7]);
    expect(mul(x, zeros([2])).toArray()).toEqual([0, 0]);
  });

  test('typed arrays are copied', () => {
    const data = new Float64Array([1, 2]);
    const x = runtime.constant(data);
    data[0] = 5;
    expect(x.toArray()).toEqual([1, 2]);
  });

  test('reading gives a copy', async () => {
    const x = runtime.constant([1, 2]);
    const data = await x.data();
    data[0] = 7;
    expect(x.toArray()).toEqual([1, 2]);
    expect(runtime.constant(true).item()).toBe(true);
  });

  test('what other front ends see', () => {
    const x = runtime.variable([1, 2]);
    const y = mul(x, 2);
    const facts = (y as unknown as Record<symbol, { tracked: boolean; buffer: { engine: unknown }; type: { key: string } }>)[Symbol.for('tf.eager')];
    expect(facts?.tracked).toBe(true);
    expect(facts?.buffer.engine).toBe(engine);
    expect(facts?.type.key).toBe('f64[2]');
    const host = (runtime.constant([3, 4]) as unknown as Record<symbol, { buffer: unknown; data: unknown }>)[Symbol.for('tf.eager')];
    expect([host?.buffer, host?.data]).toEqual([undefined, new Float64Array([3, 4])]);
  });
});
