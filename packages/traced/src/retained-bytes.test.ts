import { AdContext, createCatalog, fori, ones, sin, tensor } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { describe, expect, it } from 'vitest';
import { evaluate, grad, jit, type Jitted, type TracedTensor, vmap } from './index.ts';

const engine = await createEngine();
type F64 = TracedTensor<'float64'>;
const vector = (length: number): F64 => tensor(new Float64Array(length)) as unknown as F64;
const bytesOf = (f: Pick<Jitted<readonly unknown[], unknown>, 'stats'>): number => f.stats().retainedBytes;

/** A jitted function after one call. */
function called(f: (x: F64) => F64, x: unknown = 1): number {
  const jitted = jit(f, { engine });
  expect(bytesOf(jitted)).toBe(0);
  jitted(x as F64);
  return bytesOf(jitted);
}

const sines = (count: number) => (x: F64): F64 => Array.from({ length: count }).reduce<F64>((y) => sin(y) as F64, x);

describe('retainedBytes of jit', () => {
  it('has the constants that the function captured, to the byte', () => {
    const [data, more] = [100, 1100].map((length) => tensor(Float64Array.from({ length }, (_, at) => at)));
    const small = called((x) => x.mul(data as never).sum() as F64);
    const large = called((x) => x.mul(more as never).sum() as F64);
    expect(large - small).toBe(8000);
    const single = tensor(Float32Array.from({ length: 1100 }, (_, at) => at));
    expect(called((x) => x.mul(single as never).sum() as unknown as F64)).toBeLessThan(large - 4000);
    const resident = evaluate(more as never, engine);
    expect(called((x) => x.mul(resident as never).sum() as F64)).toBe(large);
  });

  it('grows with the program, by as much for each instruction, those of a loop included', () => {
    const [one, eleven, twentyOne] = [1, 11, 21].map((count) => called(sines(count))) as [number, number, number];
    expect(eleven).toBeGreaterThan(one);
    expect(twentyOne - eleven).toBe(eleven - one);
    const looped = (count: number, body: number): number => called((x) => fori(count, (_, c: F64) => sines(body)(c), x));
    expect(looped(5, 11) - looped(5, 1)).toBe(eleven - one);
    expect(looped(500, 1)).toBe(looped(5, 1));
  });

  it('is the sum over signatures, less what was evicted or cleared', () => {
    const f = jit(sines(3), { engine, maximumEntries: 2 });
    const after = [1, 2, 3].map((length) => (f(vector(length)), bytesOf(f)));
    const each = after[0]!;
    expect(each).toBeGreaterThan(0);
    expect(after).toEqual([each, 2 * each, 2 * each]);
    f(vector(3));
    expect(bytesOf(f)).toBe(2 * each);
    f.clear();
    expect(f.stats()).toMatchObject({ entries: 0, retainedBytes: 0 });
    f(vector(1));
    expect(bytesOf(f)).toBe(each);
  });
});

describe('retainedBytes of a context', () => {
  const retained = (body: number): number => {
    const context = new AdContext({ catalog: createCatalog() });
    jit(grad((x: F64) => fori(4, (_, c: F64) => sines(body)(c), x), { context }), { engine, context })(1);
    return context.stats().retainedBytes;
  };

  it('grows with the bodies of loops', () => {
    const [small, middle, large] = [1, 41, 81].map(retained) as [number, number, number];
    expect(middle).toBeGreaterThan(small + 40 * 256);
    expect(large - middle).toBe(middle - small);
  });

  it('stays below its bound, and counts batches as well', () => {
    const bound = 40_000;
    const context = new AdContext({ catalog: createCatalog(), maximumBytes: bound });
    for (let count = 1; count <= 30; count++) evaluate(vmap(grad((x: F64) => sines(count)(x), { context }))(ones([3]) as never), engine);
    const { evictions, retainedBytes, entries } = context.stats();
    expect(evictions).toBeGreaterThan(0);
    expect(entries).toBeGreaterThan(0);
    expect(retainedBytes).toBeLessThanOrEqual(2 * bound);
  });
});
