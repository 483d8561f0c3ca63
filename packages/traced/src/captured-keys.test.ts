import { add, bernoulli, checkpoint, cond, fori, greater, isTfError, less, mul, normal, type Operand, randomKey, scan, splitKey, take, tensor, uniform, whileLoop, zeros } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { describe, expect, it } from 'vitest';
import { evaluate, jit, type TracedTensor, vmap } from './index.ts';

const engine = await createEngine();
type F64 = TracedTensor<'float64'>;
type Key = TracedTensor<'int32'>;
const key = randomKey(5);
const noise = (k: unknown): F64 => normal(k as Operand<never, 'int32'>, []) as unknown as F64;
const first = (k: unknown): unknown => take(splitKey(k as Key), tensor(Int32Array.of(0)).reshape([]), 0);

function refused(f: (x: F64) => unknown): string | undefined {
  try {
    jit(f as (x: F64) => F64, { engine, name: 'f' })(1);
    return undefined;
  } catch (error) {
    if (!isTfError(error, 'ArgumentError')) throw error;
    return error.message;
  }
}

const captured: { readonly [name: string]: (x: F64) => unknown } = {
  'a key from outside': (x) => x.add(noise(key)),
  'a key made from a seed of its own': (x) => x.add(noise(randomKey(1))),
  'numbers drawn outside, not run': (() => {
    const mask = bernoulli(key, 0.5, [4]);
    return (x: F64) => mul(x, mask as never);
  })(),
  'a split key': (x) => x.add(noise(first(key))),
  'a key on the engine': (() => {
    const there = evaluate(key as never, engine);
    return (x: F64) => x.add(noise(there));
  })(),
  'a key in a loop': (x) => fori(3, (i, c: F64) => add(c, noise(key)) as F64, x),
  'a key that a loop carries': (x) => fori(3, (_, [c, k]: readonly [F64, Key]) => [add(c, noise(k)), first(k)] as unknown as readonly [F64, Key], [x, key] as unknown as readonly [F64, Key])[0],
  'a key in a scan beside the argument': (x) => scan((c: F64, u: F64) => [add(c, mul(u, noise(key))), c] as unknown as readonly [F64, F64], x, zeros([2]) as never)[0],
  'a key in a bounded while': (x) => whileLoop((c: F64) => less(c, 3), (c: F64) => add(c, add(1, noise(key).mul(0))) as F64, x, { maxSteps: 5 }),
  'a key in one branch': (x) => cond(greater(x, 0), (y: F64) => add(y, noise(key)) as F64, (y: F64) => y, x),
  'a key in a checkpoint': (x) => checkpoint((y: F64) => add(y, noise(key)) as F64)(x),
  'a key in a vmap': (x) => vmap((y: F64) => y.add(noise(key)) as F64)(x.reshape([1])),
};

describe('jit refuses random numbers that would be the same in every call', () => {
  it.each(Object.keys(captured))('%s', (name) => {
    expect(refused(captured[name]!)).toMatch(/^jit\(f\): .* Pass the key: .*capturedKeys: 'reuse'/);
  });

  it('but not where that is meant', () => {
    const f = jit((x: F64) => x.add(noise(key)) as F64, { engine, capturedKeys: 'reuse' });
    expect(f(0).item()).toBe(evaluate(noise(key), engine).item());
    expect(f(0).item()).toBe(f(0).item());
    expect(() => jit((x: F64) => x, { engine, capturedKeys: 'allow' as never })).toThrow(/capturedKeys/);
  });
});

describe('jit takes random numbers that a call decides', () => {
  it('by a key that is an argument, or made from a captured one and an argument', () => {
    const draws = jit((k: Key) => uniform(k, [2]) as unknown as F64, { engine });
    expect(draws(Int32Array.of(0, 1)).toArray()).not.toEqual(draws(Int32Array.of(0, 2)).toArray());
    const folded = jit((step: Key) => noise(add(key, step)), { engine });
    expect(folded(tensor(Int32Array.of(1)).reshape([]) as never).item()).not.toBe(folded(tensor(Int32Array.of(2)).reshape([]) as never).item());
  });

  it('by one that a loop carries or that is captured by a body', () => {
    const carried = jit((x: F64, k: Key) => fori(2, (_, [c, own]: readonly [F64, Key]) => [add(c, noise(own)), first(own)] as unknown as readonly [F64, Key], [x, k])[0], { engine });
    const inside = jit((x: F64, k: Key) => fori(2, (_, c: F64) => add(c, noise(k)) as F64, x), { engine });
    const grown = jit((k: Key) => fori(3, (_, [c, own]: readonly [F64, Key]) => [add(c, noise(own)), add(own, k)] as unknown as readonly [F64, Key], [zeros([]), key] as unknown as readonly [F64, Key])[0], { engine });
    for (const f of [(k: Int32Array) => carried(0, k), (k: Int32Array) => inside(0, k), grown]) expect(f(Int32Array.of(0, 1)).item()).not.toBe(f(Int32Array.of(0, 2)).item());
  });

  it('and evaluated numbers, which are data', () => {
    const mask = evaluate(bernoulli(key, 0.5, [4]) as never, engine);
    expect(refused((x) => mul(x, mask))).toBeUndefined();
  });
});
