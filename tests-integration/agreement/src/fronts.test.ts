import { coreExtension, type Operand, type TypedArray } from '@tf/core';
import { EagerRuntime, type EagerTensor } from '@tf/eager';
import { createEngine } from '@tf/engine-cpu-wasm';
import { createCoreCases, type ExtensionFront, extensionSuite } from '@tf/testkit';
import { evaluate, grad, type TracedTensor } from '@tf/traced';
import { describe, expect, it } from 'vitest';

const engine = await createEngine();
const runtime = new EagerRuntime();

const eager: ExtensionFront = {
  name: 'eager',
  run: (loss, inputs, wrt) => {
    const tensors = runtime.session(engine, () => {
      const operands = inputs.map((input, at): Operand => (wrt.includes(at) ? runtime.variable(input as never) : runtime.constant(input as never)));
      const value = loss(...operands) as EagerTensor;
      return [value, ...wrt.map((at) => runtime.grad(value, operands[at] as Operand, { allowUnused: true }))] as readonly EagerTensor[];
    });
    return Promise.all(tensors.map((tensor): Promise<TypedArray> => tensor.data()));
  },
};

const traced: ExtensionFront = {
  name: 'traced',
  run: (loss, inputs, wrt) => {
    const f = loss as unknown as (...operands: readonly TracedTensor<'float64'>[]) => TracedTensor<'float64'>;
    const given = inputs as readonly TracedTensor<'float64'>[];
    const gradients = wrt.length === 0 ? [] : (grad(f, { argnums: [...wrt], allowUnused: true })(...given) as unknown as readonly TracedTensor<'float64'>[]);
    return Promise.all(evaluate([f(...given), ...gradients], engine).map((tensor) => tensor!.data()));
  },
};

const cases = createCoreCases().filter(({ name }) => /^(scan|cond|exp of a matrix|mul of|matmul|reduceMax)/.test(name)).slice(0, 24);

/** Only what this file is about: the laws of the cases are the test kit's own business. */
const onlyFronts = { describe, it: (name: string, body: () => void | Promise<void>) => (name.startsWith('fronts') ? it(name, body) : undefined) };
extensionSuite(onlyFronts, { extension: coreExtension, cases, fronts: [traced, eager] });

describe('a mode that rounds otherwise', () => {
  it('is rejected by name, and by the place where it does', async () => {
    const failed: string[] = [];
    const off: ExtensionFront = { name: 'off', run: async (...args) => (await traced.run(...args)).map((data, at) => (at === 1 ? data.map((x: number | bigint) => (typeof x === 'number' ? x * (1 + 1e-6) : x) as never) : data)) };
    const pending: Promise<void>[] = [];
    const runner = {
      describe: (_name: string, body: () => void) => body(),
      it: (name: string, body: () => void | Promise<void>) => {
        if (name.startsWith('fronts')) pending.push(Promise.resolve(body()).catch((error: Error) => void failed.push(error.message)));
      },
    };
    extensionSuite(runner, { extension: coreExtension, cases: cases.slice(0, 2), fronts: [traced, off] });
    await Promise.all(pending);
    expect(pending.length).toBeGreaterThan(0);
    expect(failed.length).toBe(pending.length);
    expect(failed[0]).toMatch(/breaks the law "fronts": the gradient by input 0 is .* with off, .* with traced/);
    expect(() => extensionSuite(runner, { extension: coreExtension, cases, fronts: [{}] as never })).toThrow(/fronts is .*a list of modes/);
  });
});
