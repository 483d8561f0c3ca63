import { AdContext, createCatalog, exp, isTfError, mul, sin, tanh, tensor } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { describe, expect, it } from 'vitest';
import { evaluate, grad, hessian, hvp, input, jacobianForward, jit, linearize, type TracedTensor, vjpMany } from './index.ts';

const engine = await createEngine();
type F64 = TracedTensor<'float64'>;
const catalog = createCatalog();

/** The derivatives of powers 1 to 6 at 2, twice. */
function powers(context: AdContext): readonly number[] {
  const slopes = [0, 1].flatMap(() => [1, 2, 3, 4, 5, 6].map((power) => grad((x: F64) => Array.from({ length: power - 1 }).reduce<F64>((y) => mul(y, x), mul(x, 1)), { context })(2)));
  return evaluate(slopes, engine).map((slope) => slope.item());
}

describe('the transform cache of an AdContext', () => {
  const expected = [1, 4, 12, 32, 80, 192, 1, 4, 12, 32, 80, 192];

  it('is hit by equal structures at other leaves, of any transform', () => {
    const context = new AdContext({ catalog });
    const f = (x: F64): F64 => exp(mul(x, x)).sum();
    for (const at of [1, 2, 3]) {
      const x = tensor([at, at + 1]);
      grad(f, { context })(x);
      hvp(f, [x], [x], { context });
      hessian(f, { context })(x);
      jacobianForward(f, { context })(x);
    }
    const { misses, hits } = context.stats();
    // grad, its tangent, and the tangent of f; the first two are shared by grad, hvp and hessian.
    expect(misses).toBe(3);
    expect(hits).toBe(3 * 6 - 3);
  });

  it('decides by equality when all programs have one hash', () => {
    const collided = new AdContext({ catalog, hash: () => 42 });
    expect(powers(collided)).toEqual(expected);
    expect(collided.stats()).toMatchObject({ entries: 6, misses: 6, hits: 6 });
  });

  it('is bounded by entries: what left is found again, and right', () => {
    const context = new AdContext({ catalog, maximumEntries: 2 });
    expect(powers(context)).toEqual(expected);
    expect(context.stats()).toMatchObject({ entries: 2, misses: 12, hits: 0, evictions: 10 });
  });

  it('is bounded by bytes', () => {
    const context = new AdContext({ catalog, maximumBytes: 1 });
    expect(powers(context)).toEqual(expected);
    expect(context.stats().entries).toBe(1);
    expect(context.stats().evictions).toBe(11);
  });

  it('can be cleared', () => {
    const context = new AdContext({ catalog });
    powers(context);
    expect(context.stats().retainedBytes).toBeGreaterThan(0);
    context.clear();
    expect(context.stats()).toMatchObject({ entries: 0, retainedBytes: 0, clears: 1 });
    expect(powers(context)).toEqual(expected);
    expect(context.stats()).toMatchObject({ entries: 6, misses: 12 });
  });

  it('serves functions compiled for other shapes and engines, and one jit after another', async () => {
    const context = new AdContext({ catalog });
    const other = await createEngine();
    const f = (x: F64): F64 => tanh(x).sum();
    for (const on of [engine, other]) expect(jit(grad(f), { engine: on, context })(tensor([0, 0])).toArray()).toEqual([1, 1]);
    expect(context.stats()).toMatchObject({ misses: 1, hits: 1 });
    jit(grad(f), { engine, context })(tensor([0, 0, 0]));
    expect(context.stats()).toMatchObject({ misses: 2, hits: 1 });
    other.dispose();
  });
});

describe('the context of values', () => {
  it('is inherited by derivatives of any kind', () => {
    const context = new AdContext({ catalog });
    const x = input('x', { shape: [2], context });
    const y = sin(x).sum();
    const found = [y.grad(x), ...vjpMany(y, [x, x], 1), hvp(y, x, tensor([1, 2])), hessian(y, x), jacobianForward(mul(x, x), x), linearize((v: F64) => exp(v), x as never)[1](tensor([1, 1]) as never)];
    expect(found.map((value) => value.context === context)).toEqual(found.map(() => true));
    const strange = new AdContext({ catalog });
    let error: unknown;
    try {
      hvp(y, x, tensor([1, 2]), { context: strange });
    } catch (caught) {
      error = caught;
    }
    expect(isTfError(error, 'ContextMismatchError')).toBe(true);
  });
});
