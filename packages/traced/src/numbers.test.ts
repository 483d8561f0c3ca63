import { add, clamp, cond, convert, dynamicSlice, type Engine, equal, fori, greater, isLiteral, less, mul, type Operand, pad, select, setAt, sub, sum, tensor } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { describe, expect, it } from 'vitest';
import { compile, evaluate, input, jit, type TracedTensor } from './index.ts';

const x = tensor([[1, -2], [3, 4]]);
/** Too long to be program text. */
const long = tensor(Float64Array.from({ length: 70 }, (_, i) => i / 70));
const numbers = Array.from({ length: 20 }, (_, i) => i + 0.37);

/** How many modules are compiled while a function takes numbers that no program text has. */
async function modules(run: (engine: Engine, number: number) => unknown): Promise<number> {
  const engine = await createEngine();
  run(engine, numbers[0] as number);
  const { plansCompiled } = engine.stats();
  for (const number of numbers) run(engine, number);
  expect(engine.stats().plansCompiled).toBe(plansCompiled);
  return engine.stats().modulesCompiled;
}

const expressions: readonly (readonly [string, (number: number) => Operand])[] = [
  ['an arithmetic operand', (number) => mul(x, number)],
  ['of one operation inside another', (number) => sum(add(mul(x, number), 1 / number))],
  ['a bound', (number) => clamp(x, -number, number)],
  ['a branch of select', (number) => select(greater(x, number), number, x)],
  ['what pad puts around', (number) => pad(x, { low: [1, 0], high: [0, 1], value: number })],
  ['what setAt puts in', (number) => setAt(x, [0], number)],
  ['where a dynamicSlice starts', (number) => dynamicSlice(x, [0, 3 + Math.floor(number * 7)], [2, 1])],
  ['in the body of a loop', (number) => fori(3, (_i, v: Operand) => add(mul(v, number), number), x)],
  ['in the body of a loop that a number starts', (number) => fori(3, (_i, v: Operand) => mul(v, sum(mul(long, number))), 1)],
  ['in a body in a body', (number) => fori(3, (_i, v: Operand) => cond(less(sum(v), 100.5), (w: Operand) => mul(w, number), (w: Operand) => sub(w, number + 1), v), x)],
  ['of float32', (number) => mul(convert(x, 'float32'), number)],
  ['of int32', (number) => mul(convert(x, 'int32'), Math.ceil(number) + 3)],
];

describe('a number that is an operand of a host tensor', () => {
  it.each(expressions)('%s: evaluate compiles nothing when it changes', async (_, of) => {
    expect(await modules((engine, number) => evaluate(of(number), engine))).toBe(1);
  });

  it('compiles nothing when it changes in an argument of a jitted function, or in what such a function captures', async () => {
    type F64 = TracedTensor<'float64'>;
    const engine = await createEngine();
    const double = jit((y: F64) => y.add(y), { engine });
    for (const number of numbers) double(sum(mul(x, number)));
    // The function, and what the argument has to be computed by.
    expect(engine.stats().modulesCompiled).toBe(2);
    expect(await modules((own, number) => jit((y: F64) => y.mul(sum(add(x, number)) as never), { engine: own })(2))).toBe(1);
    expect(await modules((own, number) => compile({ y: mul(input('y'), sum(mul(x, number))) }, { engine: own })({ y: 2 }))).toBe(1);
  });

  it('compiles nothing when it changes in a loop that a number starts around a traced value', async () => {
    const z = input('z');
    const run = (engine: Engine, number: number): unknown => compile({ y: fori(3, (_i, v: Operand) => add(mul(v, number), z), 1) }, { engine })({ z: 2 });
    expect(await modules(run)).toBe(1);
  });

  it('gives the bits of the number', async () => {
    const engine = await createEngine();
    for (const number of [0.1, -0, 1e-310, 2 ** 53 + 2, NaN, -Infinity]) {
      expect((evaluate(add(mul(x, number), 0), engine).toArray() as unknown as number[][])[1]![0]).toBe(3 * number + 0);
      expect(evaluate(mul(tensor(new Float32Array([3])), number), engine).toArray()).toEqual([Math.fround(3 * Math.fround(number))]);
    }
    expect(evaluate(equal(greater(x, 2.5), false), engine).toArray()).toEqual([[true, true], [false, false]]);
    expect(evaluate(mul(convert(tensor([1, 2]), 'complex128'), 2.5), engine).toArray()).toEqual([{ re: 2.5, im: 0 }, { re: 5, im: 0 }]);
    expect(evaluate(add(tensor([1n, 2n]), 5), engine).toBigIntArray()).toEqual([6n, 7n]);
  });

  it('is program text still where it is one that rewrites know, and where it was written as a tensor', async () => {
    const inputsOf = (y: Operand): readonly unknown[] => (add(input('z'), y as never) as TracedTensor & { readonly origin: { readonly inputs: readonly { readonly origin: { readonly inputs: readonly unknown[] } }[] } }).origin.inputs[1]!.origin.inputs;
    expect(isLiteral(inputsOf(mul(sum(x), 2))[1])).toBe(true);
    expect(isLiteral(inputsOf(mul(sum(x), 2.5))[1])).toBe(false);
    expect(isLiteral(inputsOf(mul(sum(x), tensor(2.5)))[1])).toBe(true);
  });
});
