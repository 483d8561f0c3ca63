import { add, mul, sum } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { backward, EagerRuntime, type Session } from './index.ts';

const engine = await createEngine();
const runtime = new EagerRuntime();

function nameOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return (error as Error).name;
  }
  return 'nothing was thrown';
}

let session: Session;
beforeAll(() => {
  session = runtime.open(engine);
});
afterAll(() => session.dispose());

describe('retainGrad', () => {
  test('gives a computed tensor its gradient, which accumulates and clears like a variable’s', () => {
    const x = runtime.variable([1, 2]);
    const h = mul(x, x);
    const loss = sum(mul(h, h));
    expect(h.retainGrad()).toBe(h);
    loss.backward();
    expect(h.grad?.toArray()).toEqual([2, 8]);
    expect(x.grad?.toArray()).toEqual([4, 32]);
    loss.retainGrad().backward();
    expect(h.grad?.toArray()).toEqual([4, 16]);
    expect(loss.grad?.item()).toBe(1);
    h.clearGrad();
    expect(h.grad).toBeUndefined();
    runtime.clearGrads();
    expect([x.grad, loss.grad]).toEqual([undefined, undefined]);
  });

  test('is all its uses together', () => {
    const x = runtime.variable(3);
    const h = mul(x, 2).retainGrad();
    add(mul(h, h), mul(h, 5)).backward();
    expect(h.grad?.item()).toBe(17);
    expect(x.grad?.item()).toBe(34);
  });

  test('restricts backward like a variable, and needs no other', () => {
    const x = runtime.variable([1, 2]);
    const h = mul(x, x).retainGrad();
    sum(mul(h, h)).backward({ inputs: [h] });
    expect(h.grad?.toArray()).toEqual([2, 8]);
    expect(x.grad).toBeUndefined();
    expect(nameOf(() => sum(h).backward({ inputs: [mul(h, 1)] }))).toBe('InactiveGradError');
  });

  test('is refused where no gradient comes, changes nothing on a variable', () => {
    expect(nameOf(() => runtime.constant(1).retainGrad())).toBe('InactiveGradError');
    const x = runtime.variable(2);
    expect(nameOf(() => runtime.noGrad(() => mul(x, x)).retainGrad())).toBe('InactiveGradError');
    mul(x.retainGrad(), x).backward();
    expect(x.grad?.item()).toBe(4);
    const y = mul(x, x);
    y.dispose();
    expect(nameOf(() => y.retainGrad())).toBe('DisposedError');
  });

  test('gives the gradient back with the tensor', () => {
    const x = runtime.variable([1, 2]);
    const before = engine.stats().liveBuffers;
    const h = mul(x, x).retainGrad();
    const loss = sum(h);
    loss.backward();
    x.clearGrad();
    h.dispose();
    loss.dispose();
    expect(engine.stats().liveBuffers).toBeLessThanOrEqual(before + 1);
    expect(h.grad).toBeUndefined();
  });
});

describe('setRequiresGrad', () => {
  test('makes a constant a leaf, and one no longer', () => {
    const c = runtime.constant([1, 2]);
    expect(mul(c, c).tracksGrad).toBe(false);
    expect(c.setRequiresGrad(true)).toBe(c);
    const loss = sum(mul(c, c));
    loss.backward();
    expect(c.grad?.toArray()).toEqual([2, 4]);
    expect(runtime.grad(loss, c).toArray()).toEqual([2, 4]);
    c.setRequiresGrad(false);
    expect([c.tracksGrad, mul(c, c).tracksGrad]).toEqual([false, false]);
    expect(c.grad?.toArray()).toEqual([2, 4]);
    loss.backward();
    expect(c.grad?.toArray()).toEqual([4, 8]);
    c.setRequiresGrad(true).setRequiresGrad(true);
    sum(c).backward();
    expect(c.grad?.toArray()).toEqual([5, 9]);
  });

  test('freezes and thaws a variable, whatever it is assigned', () => {
    const w = runtime.variable([1, 2]);
    w.setRequiresGrad(false);
    w.assign([3, 4]);
    expect(w.tracksGrad).toBe(false);
    expect(nameOf(() => sum(mul(w, w)).backward())).toBe('InactiveGradError');
    w.setRequiresGrad(true);
    sum(mul(w, w)).backward();
    expect(w.grad?.toArray()).toEqual([6, 8]);
    const fixed = runtime.variable(2, { requiresGrad: false });
    fixed.setRequiresGrad(true).assign(3);
    mul(fixed, fixed).backward();
    expect(fixed.grad?.item()).toBe(6);
  });

  test('is refused for integers, and false for what was computed', () => {
    expect(nameOf(() => runtime.constant(new Int32Array([1])).setRequiresGrad(true))).toBe('NotDifferentiableError');
    const y = mul(runtime.variable(2), 3);
    expect(y.setRequiresGrad(true)).toBe(y);
    expect(nameOf(() => y.setRequiresGrad(false))).toBe('ArgumentError');
  });
});

describe('the free function backward', () => {
  test('adds the gradients of several outputs by one derivative', () => {
    const [x, y] = [runtime.variable([1, 2]), runtime.variable([3, 4])];
    const { misses } = runtime.stats().preparedDerivatives;
    backward([mul(x, y), sum(mul(x, x))], [[1, 10], undefined]);
    expect([x.grad?.toArray(), y.grad?.toArray()]).toEqual([[5, 44], [1, 20]]);
    expect(runtime.stats().preparedDerivatives.misses).toBe(misses + 1);
    backward(sum(y));
    backward(y, [1, 1], { inputs: [y] });
    expect(y.grad?.toArray()).toEqual([3, 22]);
    expect(runtime.stats().slots).toBe(1);
  });

  test('refuses an output that tracks nothing, counts that differ, and other runtimes', () => {
    const x = runtime.variable([1, 2]);
    expect(nameOf(() => backward([sum(x), runtime.constant(1)]))).toBe('InactiveGradError');
    expect(nameOf(() => backward([sum(x), sum(x)], [1]))).toBe('ArgumentError');
    const other = new EagerRuntime();
    expect(nameOf(() => backward([sum(x), other.variable(1)]))).toBe('ContextMismatchError');
    expect(nameOf(() => backward(1 as never))).toBe('ArgumentError');
    expect(x.grad).toBeUndefined();
  });
});
