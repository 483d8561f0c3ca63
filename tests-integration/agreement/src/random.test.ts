import { bernoulli, categorical, foldIn, normal, type Operand, permutation, randint, randomBits, randomKey, splitKey, tensor, uniform } from '@tf/core';
import { EagerRuntime } from '@tf/eager';
import { createEngine } from '@tf/engine-cpu-wasm';
import { createReferenceEngine } from '@tf/testkit';
import { evaluate, jit, type TracedTensor } from '@tf/traced';
import { describe, expect, it } from 'vitest';

const wasm = await createEngine();
const reference = createReferenceEngine();
const logits = tensor([[0, 1, 2], [3, 1, -1]]);

const exact: { readonly [name: string]: (key: Operand) => Operand } = {
  splitKey: (key) => splitKey(key, 3), foldIn: (key) => foldIn(key, 5), randomBits: (key) => randomBits(key, [3, 5]), 'randomBits of 64': (key) => randomBits(key, [7], { dtype: 'int64' }),
  'uniform float32': (key) => uniform(key, [2, 9], { dtype: 'float32' }), 'uniform float64': (key) => uniform(key, [2, 9], { low: -3, high: 4 }), bernoulli: (key) => bernoulli(key, 0.4, [17]),
  randint: (key) => randint(key, [11], -5, 100), permutation: (key) => permutation(key, 13), 'permutation of rows': (key) => permutation(key, logits),
};
const close: { readonly [name: string]: (key: Operand) => Operand } = {
  'normal float32': (key) => normal(key, [19], { dtype: 'float32' }), 'normal float64': (key) => normal(key, [3, 5], { mean: 2, std: 3 }), categorical: (key) => categorical(key, logits),
};

interface Readable {
  readonly type: { readonly dtype: string };
  toArray(): unknown;
  toBigIntArray(): unknown;
}

function flat(x: unknown): readonly number[] {
  const tensor = x as Readable;
  return [tensor.type.dtype === 'int64' ? tensor.toBigIntArray() : tensor.toArray()].flat(9) as number[];
}

/** By a traced host key on either engine, by jit of a key that is an input, and in eager. */
function everywhere(f: (key: Operand) => Operand): readonly (readonly number[])[] {
  const runtime = new EagerRuntime();
  const key = randomKey(2 ** 40 + 77);
  const compiled = jit(f as unknown as (key: TracedTensor<'int32'>) => TracedTensor<'int32'>, { engine: wasm });
  const eager = runtime.session(wasm, () => flat(f(runtime.constant(key) as unknown as Operand)));
  return [flat(evaluate(f(key) as never, reference)), flat(evaluate(f(key) as never, wasm)), flat(compiled(Int32Array.from(key.toArray() as number[]))), eager];
}

describe('random numbers', () => {
  it.each(Object.entries(exact))('%s has the same bits on both engines, compiled and eager', (_, f) => {
    const [first, ...others] = everywhere(f);
    for (const other of others) expect(other).toEqual(first);
  });

  it.each(Object.entries(close))('%s agrees on both engines to the functions’ accuracy, and bit for bit in both front ends', (_, f) => {
    const [first, second, ...others] = everywhere(f);
    first!.forEach((value, at) => expect(Math.abs(value - second![at]!)).toBeLessThanOrEqual(1e-6 * Math.abs(value)));
    for (const other of others) expect(other).toEqual(second);
  });
});
