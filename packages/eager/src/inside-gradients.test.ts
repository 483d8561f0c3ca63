import { checkpoint, cond, fori, greater, isTfError, scan, tensor, whileLoop, less } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { describe, expect, it } from 'vitest';
import { backward, EagerRuntime, type EagerTensor, grad } from './index.ts';

type E = EagerTensor<'float64'>;
const engine = await createEngine();
const runtime = new EagerRuntime();
const x = runtime.variable(tensor([1, 2]));

/** Every way of asking for a gradient of a value that a body computes. */
const asked: { readonly [op: string]: (c: E) => unknown } = {
  'backward': (c) => c.mul(c).sum().backward(),
  'backward, of what was captured': () => x.mul(x).sum().backward(),
  'backward, the function': (c) => backward(c.mul(c).sum()),
  'grad, the function': (c) => grad(c.mul(c).sum(), c),
  'grad, of the runtime': (c) => runtime.grad(c.mul(c).sum(), c),
  'grad, what was accumulated': (c) => c.grad,
  'vjp': (c) => runtime.vjp(c.mul(c), c, c),
  'jvp': (c) => runtime.jvp(c.mul(c), c, c),
  'hvp': (c) => runtime.hvp(c.mul(c).sum(), c, c),
  'gradOptional': (c) => runtime.gradOptional(c.mul(c).sum(), c),
  'retainGrad': (c) => c.retainGrad(),
  'setRequiresGrad': (c) => c.setRequiresGrad(true),
  'clearGrad': (c) => c.clearGrad(),
  'tracksGrad': (c) => c.tracksGrad,
};

const bodies: { readonly [name: string]: (use: (c: E) => unknown) => unknown } = {
  fori: (use) => fori(2, (_, c: E) => (use(c), c), x),
  scan: (use) => scan((c: E, s: E) => (use(s), [c, s] as const), x, tensor([[1, 2], [3, 4]])),
  whileLoop: (use) => whileLoop((c: E) => less(c.sum(), 9), (c: E) => (use(c), c.mul(2)), x),
  cond: (use) => cond(greater(x.sum(), 0), (c: E) => (use(c), c), (c: E) => c, x),
  checkpoint: (use) => checkpoint((c: E) => (use(c), c))(x),
  vmap: (use) => runtime.vmap((c: unknown) => (use(c as E), c))(x),
  'a loop in a loop': (use) => fori(2, (_, c: E) => fori(2, (_i, d: E) => (use(d), d), c), x),
};

function messageOf(run: () => unknown): string {
  try {
    runtime.session(engine, run);
  } catch (error) {
    if (!isTfError(error, 'TracerLeakError')) throw error;
    return error.message;
  }
  return 'nothing was thrown';
}

describe('a gradient asked for inside a function that a loop, a branch or a batch runs', () => {
  it.each(Object.keys(asked))('is refused, and the error names what was called and the remedies: %s', (name) => {
    expect(messageOf(() => bodies['fori']!(asked[name]!))).toMatch(new RegExp(`^${name.split(',')[0]!}: a f64\\[.*\\] inside a function .* Return what is to be differentiated.*@tf/traced, whose grad works inside`));
  });

  it.each(Object.keys(bodies))('is refused in %s', (name) => {
    expect(messageOf(() => bodies[name]!((c) => c.mul(c).sum().backward()))).toMatch(/^backward: a f64\[\] inside a function/);
  });

  it('leaves the runtime usable, and the gradient of the loop is there', () => {
    runtime.session(engine, () => {
      x.clearGrad();
      const last = fori(2, (_, c: E) => c.mul(c), x);
      last.sum().backward();
      expect(x.grad?.toArray()).toEqual([4, 32]);
      x.clearGrad();
    });
  });

  it('detach works there: no gradient flows through it', () => {
    runtime.session(engine, () => {
      const last = fori(1, (_, c: E) => c.mul(c.detach()), x);
      last.sum().backward();
      expect(x.grad?.toArray()).toEqual([1, 2]);
      x.clearGrad();
    });
  });
});
