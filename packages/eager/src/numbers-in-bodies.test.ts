import { add, checkpoint, cond, convert, customVjp, fori, less, mul, neg, type Operand, pow, scan, select, sub, sum, tensor, whileLoop } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { describe, expect, it } from 'vitest';
import { EagerRuntime, type EagerTensor } from './index.ts';

type F64 = EagerTensor<'float64'>;
const numbers = Array.from({ length: 50 }, (_, i) => 0.37 + i / 64);

interface Counts {
  readonly modules: number;
  readonly plans: number;
  readonly operations: number;
  readonly derivatives: number;
}

/** What is compiled and prepared while a function's bodies close over numbers that change from call to call. */
async function compiled(run: (runtime: EagerRuntime, number: number) => unknown, values: readonly number[]): Promise<Counts> {
  const engine = await createEngine();
  const runtime = new EagerRuntime();
  runtime.session(engine, () => values.forEach((number) => runtime.scope(() => void run(runtime, number))));
  const { modulesCompiled, plansCompiled } = engine.stats();
  const { operations, preparedDerivatives } = runtime.stats();
  return { modules: modulesCompiled, plans: plansCompiled, operations: operations.entries, derivatives: preparedDerivatives.entries };
}

const halved = (number: number) => customVjp((x: F64) => mul(x, number) as F64, { vjp: ({ inputs: [x] }, ct) => [mul(ct as Operand, mul(x as Operand, number + 1)) as never] });

/** Bodies that close over a number, and what they compute by the same operations without one. */
const bodies: Readonly<Record<string, (x: F64, number: number) => Operand>> = {
  fori: (x, number) => fori(3, (_i, v: F64) => add(mul(v, number), number) as F64, x),
  scan: (x, number) => sum(scan((c: F64, row: F64) => [add(mul(c, number), row) as F64, mul(row, number + 1)] as const, tensor([0, 0]) as never as F64, x)[1] as Operand) as Operand,
  whileLoop: (x, number) => whileLoop((v: F64) => less(sum(v), 40 + number), (v: F64) => add(mul(v, 1.25), number) as F64, x, { maxSteps: 20 }),
  cond: (x, number) => cond(less(sum(x), 100.5), (v: F64) => mul(v, number) as F64, (v: F64) => sub(v, number + 1) as F64, x),
  checkpoint: (x, number) => checkpoint((v: F64) => mul(mul(v, number), v) as F64)(x),
  'a loop in a loop': (x, number) => fori(2, (_i, v: F64) => fori(2, (_j, w: F64) => mul(w, number) as F64, add(v, number + 1) as F64), x),
  'a branch in a loop': (x, number) => fori(3, (i, v: F64) => cond(less(i, 1), (w: F64) => mul(w, number) as F64, (w: F64) => add(w, number) as F64, v), x),
  'int32 numbers': (x, number) => fori(3, (i, v: F64) => mul(v, add(mul(i, 3 + Math.floor(number * 64)), 3)) as F64, x),
  'a number and a captured tensor': (x, number) => fori(3, (_i, v: F64) => mul(v, mul(x, number)) as F64, x),
  'a function with its own gradient': (x, number) => halved(number)(x) as Operand,
  'an exponent beside it': (x, number) => fori(2, (_i, v: F64) => select(less(v, number), pow(v, 3), mul(v, number)) as F64, x),
};

const start = [[1, -2], [3, 4]];

describe('a number inside a body', () => {
  it.each(Object.entries(bodies))('of %s: 50 numbers compile what one does, in values and gradients', async (_, f) => {
    const value = (runtime: EagerRuntime, number: number): unknown => f(runtime.constant(start), number);
    expect(await compiled(value, numbers)).toEqual(await compiled(value, numbers.slice(0, 1)));
    const gradient = (runtime: EagerRuntime, number: number): void => {
      const x = runtime.variable(start);
      (sum(f(x, number)) as F64).backward();
    };
    expect(await compiled(gradient, numbers)).toEqual(await compiled(gradient, numbers.slice(0, 1)));
  });

  it('of vmap: 50 numbers compile what one does, a loop inside included', async () => {
    const mapped = (runtime: EagerRuntime, number: number): unknown => runtime.vmap((row: F64) => fori(2, (_i, v: F64) => mul(v, number) as F64, add(row, number) as F64))(runtime.constant(start));
    expect(await compiled(mapped, numbers)).toEqual(await compiled(mapped, numbers.slice(0, 1)));
    const inside = (runtime: EagerRuntime, number: number): unknown => fori(2, (_i, v: F64) => runtime.vmap((row: F64) => mul(row, number))(v) as F64, runtime.constant(start));
    expect(await compiled(inside, numbers)).toEqual(await compiled(inside, numbers.slice(0, 1)));
  });

  it('gives the bits of the same number as a tensor, and so do gradients', async () => {
    const engine = await createEngine();
    const runtime = new EagerRuntime();
    runtime.session(engine, () => {
      for (const data of [Float64Array.of(1.1, -2.3), Float32Array.of(1.1, -2.3)]) {
        for (const number of [0.1, 1e-3, 1 / 3, 1e300, Infinity]) {
          const run = (factor: number | Operand): readonly unknown[] => {
            const x = runtime.variable(data as Float64Array);
            const y = fori(3, (_i, v: F64) => add(mul(v, factor), factor) as F64, x as F64);
            sum(y).backward();
            return [y.type.key, y.toArray(), x.grad!.toArray()];
          };
          const same = data instanceof Float32Array ? tensor(Float32Array.of(number)) : tensor([number]);
          expect(run(number)).toEqual(run(same as Operand));
        }
      }
    });
  });

  it('keeps several numbers of one body apart, and numbers of different dtypes', async () => {
    const engine = await createEngine();
    const runtime = new EagerRuntime();
    runtime.session(engine, () => {
      const mixed = (_i: unknown, v: F64): F64 => add(add(mul(v, 3), mul(v, 0.25)), add(convert(add(convert(v, 'int32'), 3), 'float64'), mul(v, 3))) as F64;
      // 6.25 v and the whole part of v, plus 3.
      expect(fori(1, mixed, runtime.constant([4, 8])).toArray()).toEqual([6.25 * 4 + 4 + 3, 6.25 * 8 + 8 + 3]);
    });
  });

  it('takes part in captured traces, second derivatives and jvp as a constant', async () => {
    const engine = await createEngine();
    const runtime = new EagerRuntime();
    runtime.session(engine, () => {
      const cubed = (x: F64): F64 => sum(fori(2, (_i, v: F64) => mul(mul(v, x), 1.5) as F64, x)) as F64;
      const x = runtime.variable([2, 3]);
      const y = cubed(x as F64);
      expect((runtime.grad(y, x) as F64).toArray()).toEqual([27, 60.75]);
      expect((runtime.hvp(y, x, [1, 1]) as F64).toArray()).toEqual([27, 40.5]);
      expect(neg(y).item()).toBe(-2.25 * 35);
      const slope = runtime.grad(sum(halved(0.7)(x as F64) as Operand) as F64, x) as F64;
      expect(slope.toArray()).toEqual([2 * 1.7, 3 * 1.7]);
      const c = runtime.constant([2, 3]);
      const [loop, own] = runtime.captureTrace(() => [cubed(c), sum(halved(0.7)(c) as Operand) as F64] as const);
      expect((runtime.grad(loop, c) as F64).toArray()).toEqual([27, 60.75]);
      expect((runtime.grad(own, c) as F64).toArray()).toEqual([2 * 1.7, 3 * 1.7]);
    });
  });
});
