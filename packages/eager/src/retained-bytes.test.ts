import { fori, sin } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { describe, expect, it } from 'vitest';
import { EagerRuntime, type EagerTensor } from './index.ts';

const engine = await createEngine();
type E = EagerTensor<'float64'>;
const sines = (count: number, x: E): E => Array.from({ length: count }).reduce<E>((y) => sin(y) as E, x);

/** What a runtime keeps of the derivatives of these losses of a variable. */
function retained(losses: readonly ((x: E) => E)[], maximumDerivatives = 64): { readonly retainedBytes: number; readonly entries: number } {
  const runtime = new EagerRuntime({ maximumDerivatives });
  const x = runtime.variable([0.5, 1]);
  runtime.session(engine, () => {
    for (const loss of losses) (loss(x).sum() as E).backward();
  });
  return runtime.stats().preparedDerivatives;
}

const chain = (count: number) => (x: E): E => sines(count, x);
const loop = (count: number, body: number) => (x: E): E => fori(count, (_, c: E) => sines(body, c), x);

describe('retainedBytes of prepared derivatives', () => {
  it('is 0 before the first, and grows with the trace by as much for each operation', () => {
    expect(retained([]).retainedBytes).toBe(0);
    const [small, middle, large] = [1, 11, 21].map((count) => retained([chain(count)]).retainedBytes) as [number, number, number];
    expect(middle).toBeGreaterThan(small + 10 * 512);
    expect(large - middle).toBe(middle - small);
  });

  it('grows with the bodies of loops, not with their counts', () => {
    const [small, middle, large] = [1, 11, 21].map((body) => retained([loop(3, body)]).retainedBytes) as [number, number, number];
    expect(middle).toBeGreaterThan(small + 10 * 512);
    expect(large - middle).toBe(middle - small);
    expect(retained([loop(300, 11)]).retainedBytes).toBe(middle);
  });

  it('is the sum over what is kept: a repeated derivative adds nothing, an evicted one leaves', () => {
    const [a, b] = [retained([chain(2)]).retainedBytes, retained([chain(5)]).retainedBytes];
    expect(retained([chain(2), chain(5), chain(2), chain(5)])).toMatchObject({ entries: 2, retainedBytes: a + b });
    expect(retained([chain(2), chain(5)], 1)).toMatchObject({ entries: 1, retainedBytes: b });
  });
});

describe('retainedBytes of operations', () => {
  it('grows by as much for each operation that is new, and not for one that was met before', () => {
    const runtime = new EagerRuntime();
    const bytes = (): number => runtime.stats().operations.retainedBytes;
    runtime.session(engine, () => {
      const x = runtime.constant([1, 2]);
      const steps = [() => x.mul(x), () => x.add(x), () => x.mul(x), () => x.sub(x)].map((step) => (step(), bytes()));
      const one = steps[0]!;
      expect(one).toBeGreaterThan(0);
      expect(steps).toEqual([one, 2 * one, 2 * one, 3 * one]);
    });
  });
});
