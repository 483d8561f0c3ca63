import { mul, sum, tensor } from '@tf/core';
import { EagerRuntime } from '@tf/eager';
import { createEngine } from '@tf/engine-cpu-wasm';
import { evaluate, grad, jit, type TracedTensor } from '@tf/traced';
import { describe, expect, test } from 'vitest';

const engine = await createEngine();

describe('eager tensors in traced code', () => {
  test('a constant enters as its value, wherever that lies and without a session', () => {
    const runtime = new EagerRuntime();
    const fresh = runtime.constant([1, 2, 3]);
    const used = runtime.session(engine, () => mul(runtime.constant([1, 2, 3]), 2));
    const dot = (x: TracedTensor<'float64'>) => sum(mul(mul(x, fresh), used));
    expect(evaluate(grad(dot)(1), engine).item()).toBe(2 + 8 + 18);
    expect(jit((x: TracedTensor<'float64'>) => x.mul(2), { engine })(fresh).toArray()).toEqual([2, 4, 6]);
  });

  test('one that tracks is refused, its detached value taken', () => {
    const runtime = new EagerRuntime();
    const w = runtime.variable([1, 2, 3]);
    const run = (x: typeof w | ReturnType<typeof w.detach>) => evaluate(grad((y: TracedTensor<'float64'>) => sum(mul(y, x)))(1), engine).item();
    expect(() => run(w)).toThrow(expect.objectContaining({ name: 'ModeMixError' }));
    expect(run(w.detach())).toBe(6);
  });

  test('what a compiled function gives enters eager work without a copy', () => {
    const runtime = new EagerRuntime();
    const squares = jit((x: TracedTensor<'float64'>) => x.mul(x), { engine })(tensor([1, 2, 3]));
    const w = runtime.variable(squares);
    runtime.session(engine, () => sum(mul(w, w)).backward());
    expect(w.grad?.toArray()).toEqual([2, 8, 18]);
  });
});
