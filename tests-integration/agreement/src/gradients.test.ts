import { AdContext, createCatalog, type Operand } from '@tf/core';
import { EagerRuntime, type EagerTensor } from '@tf/eager';
import { createEngine } from '@tf/engine-cpu-wasm';
import { evaluate, type TracedTensor, valueAndGrad } from '@tf/traced';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { allBits, dataFor, type Readable, type Result } from './bits.ts';
import { anySteps, randomFunction, shapes } from './random-function.ts';

const engine = await createEngine();
const context = new AdContext({ catalog: createCatalog() });

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

describe.each(['float64', 'float32'] as const)('%s', (dtype) => {
  test('value and gradients of random functions have the same bits in both modes', { timeout: 120_000 }, async () => {
    const runtime = new EagerRuntime({ context });
    await fc.assert(fc.asyncProperty(anySteps(14), fc.nat(1000), async (steps, seed) => {
      const f = randomFunction(steps);
      const data = dataFor(seed, dtype);
      expect(await eager(runtime, f, data)).toEqual(await traced(f, data));
    }), { numRuns: 150, seed: 20 });
    expect(runtime.stats().recomputed).toBe(0);
  });
});
