import { abs, AdContext, applyOperation, createCatalog, div, type Extension, mul, type Operand, type Operation, reduceMax, sqrt, sum, tensor, tensorType, type Var } from '@tf/core';
import { EagerRuntime, type EagerTensor } from '@tf/eager';
import { createEngine } from '@tf/engine-cpu-wasm';
import { compile, input, type TracedTensor } from '@tf/traced';
import { beforeEach, describe, expect, test } from 'vitest';

type F64 = TracedTensor<'float64'>;
const family = 'acme.measure.v1';
const engine = await createEngine();

/** How often each operation was made runnable: programs with it were compiled. */
let lowered: string[] = [];
beforeEach(() => void (lowered = []));

/** √Σx², and the same without overflow with x/‖x‖ beside it, which is its derivative. */
const length: Operation = {
  id: `${family}.length`, family, name: 'length', infer: ([x]) => [tensorType(x!.dtype, [])], traits: {},
  lower: ([x]) => {
    lowered.push('length');
    return [sqrt(sum(mul(x!, x!))) as Var];
  },
};
const lengthAndUnit: Operation = {
  id: `${family}.lengthAndUnit`, family, name: 'lengthAndUnit', infer: ([x]) => [tensorType(x!.dtype, []), x!],
  traits: {
    covers: (params) => ({ operation: length, params, outputs: [0], exact: false }),
    prune: (params, [, unit]) => (unit === true ? undefined : { operation: length, params, inputs: [0], outputs: [0, undefined], exact: false }),
  },
  lower: ([x]) => {
    lowered.push('lengthAndUnit');
    const scale = reduceMax(abs(x!));
    const scaled = div(x!, scale);
    const norm = sqrt(sum(mul(scaled, scaled)));
    return [mul(scale, norm) as Var, div(scaled, norm) as Var];
  },
};
const extension: Extension = {
  contract: 1, family, package: '@acme/measure', version: '1.0.0', operations: [length, lengthAndUnit],
  rules: {
    length: { kind: 'rule', residuals: { inputs: [0], outputs: [0] }, vjp: (ctx, [ct]) => [mul(ct!, div(ctx.input(0), ctx.output(0))) as Var], augment: ({ params }) => ({ operation: lengthAndUnit, params, exact: false }) },
    lengthAndUnit: { kind: 'rule', residuals: { outputs: [1] }, vjp: (ctx, [ct]) => [mul(ct!, ctx.output(1)) as Var] },
  },
};
const context = new AdContext({ catalog: createCatalog([extension]) });
const of = <X extends Operand>(x: X): X => applyOperation(length, [x], {})[0] as X;
const data = tensor([0.126, 0.2, -0.7, 1.5]);
const x = input('x', { shape: [4] });

describe('an operation with an augmented form', () => {
  test('runs in that form where its gradient is wanted too, and as itself where not, traced and eager', () => {
    const y = of(x) as F64;
    const gradient = y.grad(x, { context });
    const value = compile({ y }, { engine })({ x: data }).y.item();
    expect(lowered).toEqual(['length']);
    const both = compile({ y, gradient }, { engine })({ x: data });
    expect(lowered).toEqual(['length', 'lengthAndUnit']);
    lowered = [];
    const runtime = new EagerRuntime({ context });
    const w = runtime.variable(data);
    runtime.session(engine, () => {
      const untracked = of(runtime.constant(data) as EagerTensor<'float64'>);
      expect(untracked.item()).toBe(value);
      const tracked = of(w as EagerTensor<'float64'>);
      expect(tracked.item()).toBe(both.y.item());
      tracked.backward();
      expect(w.grad!.toArray()).toEqual(both.gradient.toArray());
    });
    expect(new Set(lowered)).toEqual(new Set(['length', 'lengthAndUnit']));
    expect(runtime.stats().recomputed).toBe(0);
    // The two forms differ in the last digit, so that it is seen which of them ran.
    expect(both.y.item()).not.toBe(value);
    expect(both.y.item()).toBeCloseTo(value, 14);
  });

  test("keeps its own algorithm under prune: 'exact'", () => {
    const y = of(x) as F64;
    const gradient = y.grad(x, { context });
    const exact = compile({ y, gradient }, { engine, prune: 'exact' })({ x: data });
    expect([...lowered].sort()).toEqual(['length', 'lengthAndUnit']);
    expect(exact.y.item()).toBe(compile({ y }, { engine })({ x: data }).y.item());
    expect(() => compile({ y }, { engine, prune: 'fast' as never })).toThrow(/prune is string fast; it takes 'exact'/);
  });

  test('gives way to the smaller one where nobody reads what is further', () => {
    const [norm] = applyOperation(lengthAndUnit, [x], {}) as readonly [F64];
    compile({ norm }, { engine });
    expect(lowered).toEqual(['length']);
    compile({ norm }, { engine, prune: 'exact' });
    expect(lowered).toEqual(['length', 'lengthAndUnit']);
  });
});
