import { AdContext, applyOperation, cond, createCatalog, type DerivativeRule, exp, type Extension, greater, type Kind, mul, type Operand, type Operation, sum, tensor, tensorType, type Var } from '@tf/core';
import { EagerRuntime } from '@tf/eager';
import { createEngine } from '@tf/engine-cpu-wasm';
import { createReferenceEngine, hostValue, interpretProgram, programOf, type VarFunction } from '@tf/testkit';
import { evaluate, grad, jit, type TracedTensor, vmap } from '@tf/traced';
import { describe, expect, test } from 'vitest';

type F64 = TracedTensor<'float64'>;
const family = 'acme.signal.v1';

/** x³ as a family would write it that has no kernel anywhere: by another of its operations, and that by core's. */
const square: Operation = { id: `${family}.square`, family, name: 'square', infer: ([x]) => [tensorType(x!.dtype, x!.shape)], traits: {}, lower: ([x]) => [mul(x!, x!) as Var] };
const cube: Operation = { ...square, id: `${family}.cube`, name: 'cube', lower: ([x]) => [mul(x!, applyOperation(square, [x!], {})[0]!) as Var] };
const rule = (factor: number, lower: (x: Operand) => Operand): DerivativeRule => ({ kind: 'rule', residuals: { inputs: [0] }, vjp: (ctx, [ct]) => [mul(ct!, mul(lower(ctx.input(0)), factor)) as Var] });
const extension: Extension = {
  contract: 1, family, package: '@acme/signal', version: '1.0.0', operations: [square, cube],
  rules: { square: rule(2, (x) => x), cube: rule(3, (x) => applyOperation(square, [x], {})[0]!) },
};
const context = new AdContext({ catalog: createCatalog([extension]) });
const applied = <X extends Operand>(x: X): X => applyOperation(cube, [x], {})[0] as X;
const f = <X extends Operand>(x: X): X => sum(mul(applied(exp(x) as Operand), x)) as never;
const branching = <X extends Operand>(x: X): X => cond(greater(sum(x), 0) as Operand<Kind, 'bool'>, (y: Operand) => applied(y), (y: Operand) => mul(y, 3) as Operand, x) as never;

const data = tensor([0.5, -0.25, 1]);
const [wasm, reference] = [await createEngine(), createReferenceEngine()];

describe('an operation that is lowered', () => {
  test('has the same bits and gradients traced and eager, on both engines', () => {
    const runtime = new EagerRuntime({ context });
    const x = runtime.variable(data);
    const eager = runtime.session(wasm, () => {
      const y = f(x);
      return [y, runtime.grad(y, x), branching(x)].map((value) => (value as typeof y).toArray());
    });
    for (const engine of [wasm, reference]) {
      const traced = evaluate([f(data as unknown as F64), grad(f as (x: F64) => F64, { context })(data), branching(data as unknown as F64)], engine);
      expect(traced.map((value) => value!.toArray())).toEqual(eager);
    }
    const e = [0.5, -0.25, 1].map((at) => [Math.exp(3 * at), at] as const);
    expect(eager[0]).toBeCloseTo(e.reduce((total, [value, at]) => total + value * at, 0), 12);
    (eager[1] as readonly number[]).forEach((value, at) => expect(value).toBeCloseTo(e[at]![0] * (1 + 3 * e[at]![1]), 11));
  });

  test('runs under jit and over a batch, and the interpreter knows it', () => {
    const batch = tensor([[1, 2], [3, -4]]);
    expect(jit(vmap((x: F64) => applied(x), { context }), { engine: wasm })(batch).toArray()).toEqual([[1, 8], [27, -64]]);
    const input = hostValue('float64', [2], [3, -4]);
    const [value] = interpretProgram(programOf(applied as unknown as VarFunction, [input.type]), [input]);
    expect([...value!.data]).toEqual([27, -64]);
  });
});
