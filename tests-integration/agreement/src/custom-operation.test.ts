import { AdContext, applyOperation, createCatalog, exp, type Extension, loop, mul, type Operand, type Operation, sum, tensor, tensorType } from '@tf/core';
import { EagerRuntime } from '@tf/eager';
import { createEngine } from '@tf/engine-cpu-wasm';
import { evaluate, grad, type TracedTensor } from '@tf/traced';
import { expect, test } from 'vitest';

const engine = await createEngine();

/** Ten times the square, whose author says that it passes cotangents through as they are. */
const straight: Operation = {
  id: 'test.straight.v1.through', family: 'test.straight.v1', name: 'through',
  infer: ([x]) => [tensorType(x!.dtype, x!.shape)],
  traits: { elementwise: () => [loop.mul(loop.constant('f64', 10), loop.mul(loop.argument('f64', 0), loop.argument('f64', 0)))] },
};
const extension: Extension = {
  contract: 1, family: straight.family, package: 'test', version: '1.0.0', operations: [straight],
  rules: { through: { kind: 'rule', residuals: {}, vjp: (_ctx, [ct]) => [ct] } },
};
const context = new AdContext({ catalog: createCatalog([extension]) });

test('an operation whose rule is no derivative of its value has the same gradients in both modes', () => {
  const f = (x: Operand): Operand => sum(mul(exp(x), applyOperation(straight, [x], {})[0] as Operand)) as Operand;
  const data = tensor([0.5, -1, 2]);
  const runtime = new EagerRuntime({ context });
  const x = runtime.variable(data);
  const [first, second, tangent] = runtime.session(engine, () => {
    const y = f(x);
    const g = runtime.grad(y, x);
    return [g, runtime.grad(sum(mul(g, g)), x), runtime.jvp(y, x, [1, 1, 1])] as const;
  });
  const gradient = grad(f as (x: TracedTensor<'float64'>) => Operand, { context });
  const [a, b] = evaluate([gradient(data), grad((z: TracedTensor<'float64'>) => sum(mul(gradient(z), gradient(z))), { context })(data)], engine);
  expect(first.toArray()).toEqual(a!.toArray());
  expect(second.toArray()).toEqual(b!.toArray());
  // The rule, not the value, is what the derivative follows: d/dx = exp(x)·10x² + exp(x)·1.
  const expected = [0.5, -1, 2].map((at) => Math.exp(at) * (10 * at * at + 1));
  (first.toArray() as number[]).forEach((value, at) => expect(value).toBeCloseTo(expected[at]!, 11));
  expect(tangent.item()).toBeCloseTo(expected.reduce((left, right) => left + right), 11);
});
