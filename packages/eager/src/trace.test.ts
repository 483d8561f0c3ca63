import { add, type Extension, mul, AdContext, createCatalog, applyOperation, type Operation, loop, sum, tensorType } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { describe, expect, test } from 'vitest';
import { EagerRuntime, type EagerTensor } from './index.ts';

const engine = await createEngine();

function chain(runtime: EagerRuntime, x: EagerTensor<'float64'>, steps: number, keep?: EagerTensor[]): EagerTensor<'float64'> {
  let y = x;
  for (let step = 0; step < steps; step++) {
    const small = mul(y, 1e-6);
    y = add(y, small);
    keep?.push(small, y);
  }
  return y;
}

describe('a chain of 200 000 operations', () => {
  test('goes forward, backward and away without overflowing the stack', { timeout: 120_000 }, () => {
    const runtime = new EagerRuntime();
    runtime.session(engine, () => {
      const x = runtime.variable(1);
      const tensors: EagerTensor[] = [];
      const y = chain(runtime, x, 100_000, tensors);
      y.backward();
      expect(x.grad?.item()).toBeCloseTo(Math.pow(1 + 1e-6, 100_000), 9);
      for (const tensor of tensors) tensor.dispose();
    });
  });

  test('gradients of gradients of a long chain do not overflow the stack either', { timeout: 120_000 }, () => {
    const runtime = new EagerRuntime();
    runtime.session(engine, () => {
      const x = runtime.variable(1);
      const steps = 100_000;
      let y: EagerTensor<'float64'> = x;
      for (let step = 0; step < steps; step++) y = mul(y, runtime.constant(1 + 1e-6));
      const square = mul(y, y);
      const first = runtime.grad(square, x);
      const factor = Math.pow(1 + 1e-6, 2 * steps);
      expect(first.item()).toBeCloseTo(2 * factor, 9);
      expect(runtime.grad(first, x).item()).toBeCloseTo(2 * factor, 9);
      expect(runtime.jvp(first, x, 1).item()).toBeCloseTo(2 * factor, 9);
      expect(runtime.stats().recomputed).toBe(0);
      expect(String(first)).toMatch(/^2\.44/);
      // A clone is of what a tensor shows, never of the trace behind it.
      expect(Object.keys(structuredClone(first))).toEqual(Object.keys(first));
    });
  });

  test('disposing the last tensor lets go of a whole trace at once', () => {
    const runtime = new EagerRuntime();
    runtime.session(engine, () => {
      const x = runtime.variable([1, 2]);
      const tensors: EagerTensor[] = [];
      const before = engine.stats().liveBuffers;
      let y: EagerTensor = mul(x, x);
      for (let step = 0; step < 20_000; step++) {
        tensors.push(y);
        y = mul(y, x);
      }
      for (const tensor of tensors) tensor.dispose();
      expect(engine.stats().liveBuffers).toBeGreaterThan(before + 1_000);
      y.dispose();
      expect(engine.stats().liveBuffers).toBeLessThanOrEqual(before + 1);
    });
  });
});

describe('what the trace keeps', () => {
  test('an operation whose derivative reads nothing keeps no value', () => {
    const runtime = new EagerRuntime();
    runtime.session(engine, () => {
      const x = runtime.variable([1, 2]);
      add(x, 1).dispose();
      const before = engine.stats().liveBuffers;
      const y = add(x, 1);
      const z = add(y, 1);
      y.dispose();
      expect(engine.stats().liveBuffers).toBe(before + 1);
      z.backward({ cotangent: runtime.constant([1, 1]) });
      expect(x.grad?.toArray()).toEqual([1, 1]);
      expect(runtime.stats().recomputed).toBe(0);
    });
  });

  test('an operation without a derivative runs, and backward names what is missing', () => {
    const runtime = new EagerRuntime({ context: new AdContext({ catalog: createCatalog([family('test.bare.v1', { kind: 'none', reason: 'a test' })]) }) });
    runtime.session(engine, () => {
      const x = runtime.variable([1, 2]);
      const y = applyOperation(product('test.bare.v1'), [x, x], {})[0] as EagerTensor;
      expect(y.toArray()).toEqual([1, 4]);
      expect(() => sum(y).backward()).toThrow(expect.objectContaining({ name: 'UnsupportedRuleError' }));
      expect(() => sum(y).backward()).toThrow(/test\.bare\.v1\.product.*a test/);
    });
    const unregistered = new EagerRuntime();
    unregistered.session(engine, () => {
      const y = applyOperation(product('test.bare.v1'), [unregistered.variable([1, 2]), unregistered.constant([1, 2])], {})[0] as EagerTensor;
      expect(() => sum(y).backward()).toThrow(expect.objectContaining({ name: 'UnregisteredFamilyError' }));
    });
  });

  test('what a narrower derivative reads besides is computed again, and counted', () => {
    // Its rule reads the output when only the first input is differentiated, the inputs when both are.
    const extension = family('test.moody.v1', {
      kind: 'rule',
      linearize: (ctx, [dx, dy]) => {
        if (dy === undefined) return [mul(dx!, ctx.output(0))];
        const right = mul(dy, ctx.input(0));
        return [dx === undefined ? right : add(mul(dx, ctx.input(1)), right)];
      },
    });
    const runtime = new EagerRuntime({ context: new AdContext({ catalog: createCatalog([extension]) }) });
    runtime.session(engine, () => {
      const [x, y] = [runtime.variable([2, 3]), runtime.variable([5, 7])];
      const loss = sum(applyOperation(product('test.moody.v1'), [x, y], {})[0] as EagerTensor);
      loss.backward();
      expect(runtime.stats().recomputed).toBe(0);
      expect(x.grad?.toArray()).toEqual([5, 7]);
      x.clearGrad();
      loss.backward({ inputs: [x] });
      expect(runtime.stats().recomputed).toBe(1);
      expect(x.grad?.toArray()).toEqual([10, 21]);
    });
  });
});

const products = new Map([['test.bare.v1', defineProduct('test.bare.v1')], ['test.moody.v1', defineProduct('test.moody.v1')]]);

function product(familyId: string): Operation {
  return products.get(familyId) as Operation;
}

function defineProduct(familyId: string): Operation {
  return {
    id: `${familyId}.product`, family: familyId, name: 'product',
    infer: ([x]) => [tensorType(x!.dtype, x!.shape)],
    traits: { elementwise: () => [loop.mul(loop.argument('f64', 0), loop.argument('f64', 1))] },
  };
}

function family(familyId: string, rule: Extension['rules'][string]): Extension {
  return { contract: 1, family: familyId, package: 'test', version: '1.0.0', operations: [product(familyId)], rules: { product: rule } };
}
