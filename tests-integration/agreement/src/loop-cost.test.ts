import { add, fori, getAt, less, mul, type Operand, setAt, sin, sum, tensor, whileLoop } from '@tf/core';
import { EagerRuntime } from '@tf/eager';
import { createEngine } from '@tf/engine-cpu-wasm';
import { grad, jit } from '@tf/traced';
import { describe, expect, it } from 'vitest';

const steps = 1000;
type T = Operand;

const loops: { readonly [name: string]: (x: T) => T } = {
  'reads one element of a captured vector': (x) => fori(steps, (i, c: T) => add(c, sin(mul(getAt(x, [i]), getAt(x, [i])))) as T, getAt(x, [0])),
  'writes one element of a carried vector': (x) => sum(fori(steps, (i, c: T) => setAt(c, [add(i, 1)], sin(getAt(c, [i]))) as T, mul(x, 1) as T)) as T,
  'writes one element as long as a condition holds': (x) => sum(whileLoop(([i]: readonly [Operand<never, 'int32'>, T]) => less(i, steps - 10), ([i, c]): readonly [Operand<never, 'int32'>, T] => [add(i, 1) as never, setAt(c, [add(i, 1)], sin(getAt(c, [i]))) as T], [tensor(Int32Array.of(0)).reshape([]) as never, mul(x, 1) as T] as const, { maxSteps: steps })[1]) as T,
};

function vector(size: number): Float64Array {
  return Float64Array.from({ length: size }, (_, at) => Math.cos(at));
}

describe('the gradient of a loop that touches one element in an iteration', () => {
  const engine = createEngine();

  it.each(Object.keys(loops))('takes no longer in proportion to the size: %s', async (name) => {
    const gradient = jit(grad(loops[name] as never), { engine: await engine }) as unknown as (x: unknown) => { dispose(): void };
    const time = (size: number): number => {
      const x = tensor(vector(size));
      gradient(x).dispose();
      const times = Array.from({ length: 7 }, () => {
        const start = performance.now();
        gradient(x).dispose();
        return performance.now() - start;
      });
      return Math.min(...times);
    };
    // Sixteen times the size: had every iteration a whole vector to write, it would take more than ten times as long.
    expect(time(131_072)).toBeLessThan(4 * time(8192) + 2);
  });

  it.each(Object.keys(loops))('is the same to the bit, traced and eager: %s', async (name) => {
    const f = loops[name] as (x: T) => T;
    const traced = (jit(grad(f as never), { engine: await engine }) as unknown as (x: unknown) => { toArray(): unknown })(tensor(vector(1200))).toArray();
    const runtime = new EagerRuntime();
    const eager = runtime.session(await engine, () => {
      const x = runtime.variable(vector(1200));
      (f(x as never) as unknown as { backward(): void }).backward();
      return x.grad?.toArray();
    });
    expect(eager).toEqual(traced);
  });
});
