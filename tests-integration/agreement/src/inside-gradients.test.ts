import { fori, isTfError, tensor } from '@tf/core';
import { EagerRuntime, type EagerTensor } from '@tf/eager';
import { createEngine } from '@tf/engine-cpu-wasm';
import { grad, jit, type TracedTensor, vmap } from '@tf/traced';
import { expect, test } from 'vitest';

type T = TracedTensor<'float64'>;
const engine = await createEngine();
const f = (v: T): T => v.mul(v).sum();

test('a traced gradient has no place in a loop over eager tensors, and the error says what to write', () => {
  const runtime = new EagerRuntime();
  const x = runtime.variable(tensor([1, 2]));
  let thrown: unknown;
  try {
    runtime.session(engine, () => fori(2, (_, c: EagerTensor<'float64'>) => grad(f)(c as never) as never, x));
  } catch (error) {
    thrown = error;
  }
  expect(isTfError(thrown, 'ForeignValueError')).toBe(true);
  expect((thrown as Error).message).toMatch(/loop, a branch or vmap runs for eager tensors.*jit the whole/);
});

test('what the errors name works: a gradient in every iteration and of every example, jitted', () => {
  const descend = jit((x: T) => fori(2, (_, v: T) => v.sub(grad(f)(v).mul(0.25)), x), { engine });
  expect(descend(tensor([4, 8])).toArray()).toEqual([1, 2]);
  const each = jit((x: T) => vmap(grad(f))(x.reshape([2, 1])) as T, { engine });
  expect(each(tensor([4, 8])).toArray()).toEqual([[8], [16]]);
});
