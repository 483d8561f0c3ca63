import { AdContext, createCatalog, type Operand, tensor } from '@tf/core';
import { EagerRuntime, type EagerTensor } from '@tf/eager';
import { createEngine } from '@tf/engine-cpu-wasm';
import { evaluate, type TracedTensor, valueAndGrad } from '@tf/traced';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomFunction, shapes, type Step } from './random-function.ts';

const engine = await createEngine();
const context = new AdContext({ catalog: createCatalog() });

/** Bits as text, so that −0 and NaN count. */
type Bits = string;

interface Result {
  readonly value: Bits;
  readonly gradients: readonly (Bits | undefined)[];
}

interface Readable {
  data(): Promise<ArrayBufferView>;
}

async function bitsOf(x: Readable): Promise<Bits> {
  const { buffer, byteOffset, byteLength } = await x.data();
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength).toString('hex');
}

async function allBits(value: Readable, gradients: readonly (Readable | undefined)[]): Promise<Result> {
  return { value: await bitsOf(value), gradients: await Promise.all(gradients.map(async (x) => (x === undefined ? undefined : bitsOf(x)))) };
}

/** Every argument enters the result, so each has a gradient. */
async function traced(f: (...inputs: readonly Operand[]) => Operand, data: readonly Operand[]): Promise<Result> {
  const [value, gradients] = evaluate(valueAndGrad(f as (...inputs: readonly TracedTensor[]) => Operand, { argnums: shapes.map((_, at) => at), context })(...(data as never[])), engine) as unknown as readonly [Readable, readonly Readable[]];
  return allBits(value, gradients);
}

async function eager(runtime: EagerRuntime, f: (...inputs: readonly Operand[]) => Operand, data: readonly Operand[]): Promise<Result> {
  const inputs = data.map((x) => runtime.variable(x));
  const loss = runtime.session(engine, () => {
    const y = f(...inputs) as EagerTensor;
    y.backward();
    return y;
  });
  return allBits(loss, inputs.map((x) => x.grad));
}

function dataFor(seed: number, dtype: 'float32' | 'float64'): readonly Operand[] {
  return shapes.map((shape, at) => {
    const values = Float64Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, index) => 1.5 * Math.sin(seed + index + 10 * at));
    return tensor(dtype === 'float64' ? values : Float32Array.from(values), { shape, dtype }) as Operand;
  });
}

describe.each(['float64', 'float32'] as const)('%s', (dtype) => {
  test('value and gradients of random functions have the same bits in both modes', { timeout: 120_000 }, async () => {
    const runtime = new EagerRuntime({ context });
    const step = fc.tuple(fc.nat(31), fc.nat(99), fc.nat(99), fc.constantFrom(-1, 0, 0.5, 1, 2, 0.3, 1.7));
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), fc.nat(1000), async (steps: readonly Step[], seed) => {
      const f = randomFunction(steps);
      const data = dataFor(seed, dtype);
      expect(await eager(runtime, f, data)).toEqual(await traced(f, data));
    }), { numRuns: 150, seed: 20 });
    expect(runtime.stats().recomputed).toBe(0);
  });
});
