import { add, clamp, dynamicSlice, type Engine, full, greater, mul, type Operand, pad, pow, reshape, select, setAt, sum, tensor } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { describe, expect, it } from 'vitest';
import { EagerRuntime, type EagerTensor } from './index.ts';

type F64 = EagerTensor<'float64'>;
const numbers = Array.from({ length: 100 }, (_, i) => i + 0.37);
const around = { low: [1, 0], high: [0, 2], interior: [0, 1] };

/** What is compiled while a function takes numbers that change from call to call. */
async function compiled(run: (runtime: EagerRuntime, number: number) => unknown, values: readonly number[] = numbers): Promise<{ readonly modules: number; readonly plans: number }> {
  const engine: Engine = await createEngine();
  const runtime = new EagerRuntime();
  runtime.session(engine, () => values.forEach((number) => runtime.scope(() => void run(runtime, number))));
  const { modulesCompiled, plansCompiled } = engine.stats();
  return { modules: modulesCompiled, plans: plansCompiled };
}

const data = (runtime: EagerRuntime): F64 => runtime.constant([[1, -2], [3, 4]]);

const expressions: readonly (readonly [string, (x: F64, number: number) => Operand])[] = [
  ['what pad puts around', (x, number) => pad(x, { ...around, value: number })],
  ['an arithmetic operand', (x, number) => mul(x, number)],
  ['an exponent', (x, number) => pow(x, number)],
  ['bounds', (x, number) => clamp(x, -number, number)],
  ['a branch of select', (x, number) => select(greater(x, number), number, x)],
  ['what setAt puts in', (x, number) => setAt(x, [0], number)],
  ['where a dynamicSlice starts', (x, number) => dynamicSlice(x, [0, Math.floor(number)], [2, 1])],
  ['what a tensor is full of', (x, number) => add(x, full([2, 2], number))],
];

describe('a number that changes from call to call', () => {
  it.each(expressions)('%s: compiles what one number compiles', async (_, of) => {
    const once = await compiled((runtime, number) => of(data(runtime), number), [0.37]);
    expect(await compiled((runtime, number) => of(data(runtime), number))).toEqual(once);
  });

  it('around a pad is one module and one plan for 100 numbers', async () => {
    expect(await compiled((runtime, number) => pad(data(runtime), { ...around, value: number }))).toEqual({ modules: 1, plans: 1 });
  });

  it('around a pad compiles nothing in gradients either', async () => {
    const step = (runtime: EagerRuntime, number: number): void => {
      const x = runtime.variable([[1, -2], [3, 4]]);
      const padded = pad(x, { ...around, value: number });
      sum(mul(padded, padded)).backward();
      expect(x.grad!.toArray()).toEqual([[2, -4], [6, 8]]);
    };
    expect(await compiled(step)).toEqual(await compiled(step, [0.37]));
  });

  it('around a pad has the bits that it has as program text, in every dtype', async () => {
    const engine = await createEngine();
    const runtime = new EagerRuntime();
    const bits = (y: Operand): readonly unknown[] => Array.from(y.type.dtype === 'int64' ? (y as F64).toBigIntArray() as never : (y as F64).toArray() as never);
    runtime.session(engine, () => {
      for (const number of [0.1, -0, 1e-310, NaN, -Infinity, 2 ** 53 + 2]) {
        expect(bits(pad(runtime.constant([1]), { low: [1], high: [0], value: number }))).toEqual([number, 1]);
        expect(bits(pad(runtime.constant(Float32Array.of(1)), { low: [1], high: [0], value: number }))).toEqual([Math.fround(number), 1]);
      }
      expect(bits(pad(runtime.constant(Int32Array.of(1)), { low: [1], high: [0], value: -7 }))).toEqual([-7, 1]);
      expect(bits(pad(runtime.constant(BigInt64Array.of(1n)), { low: [1], high: [0], value: -7 }))).toEqual([-7n, 1n]);
      expect(bits(pad(greater(runtime.constant([1]), 2), { low: [1], high: [0], value: true }))).toEqual([true, false]);
      expect(bits(pad(runtime.constant(tensor([{ re: 1, im: 2 }])), { low: [1], high: [0], value: 0.5 }))).toEqual([{ re: 0.5, im: 0 }, { re: 1, im: 2 }]);
    });
  });

  it('may be a tensor, whose gradient is the sum over what was put in', async () => {
    const engine = await createEngine();
    const runtime = new EagerRuntime();
    runtime.session(engine, () => {
      const [x, value] = [runtime.variable([[1, -2], [3, 4]]), runtime.variable(0.5)];
      const weights = runtime.constant(reshape(tensor(Array.from({ length: 15 }, (_, i) => i + 1)), [3, 5]));
      sum(mul(pad(x, { ...around, value }), weights)).backward();
      // Rows 1 and 2, columns 0 and 2 hold x.
      expect(x.grad!.toArray()).toEqual([[6, 8], [11, 13]]);
      expect(value.grad!.item()).toBe(120 - 6 - 8 - 11 - 13);
      expect(pad(tensor([1, 2]), { low: [1], high: [0], value }).toArray()).toEqual([0.5, 1, 2]);
    });
  });
});
