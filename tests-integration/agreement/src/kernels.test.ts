/** One family in both modes, on engines with its kernel and without: what is compiled for one engine never runs on the other. */
import { AdContext, applyOperation, createCatalog, type Extension, type HostModule, isTfError, mul, type Operand, type Operation, sum, tensor, tensorType } from '@tf/core';
import { EagerRuntime } from '@tf/eager';
import { createEngine, type CpuWasmEngine } from '@tf/engine-cpu-wasm';
import { createReferenceEngine } from '@tf/testkit';
import { compile, grad, input, jit, type TracedTensor } from '@tf/traced';
import { expect, test } from 'vitest';

const family = 'test.twice.v1';
const symbol = `${family}.twice`;
const twice: Operation = {
  id: symbol, family, name: 'twice', package: '@test/twice',
  infer: ([x]) => [tensorType(x!.dtype, x!.shape)],
  traits: { call: () => ({ symbol, integers: [] }) },
  lower: ([x]) => [mul(x!, 2)] as never,
};
/** The same without anything to fall back on. */
const bare: Operation = { ...twice, id: `${family}.bare`, name: 'bare', traits: { call: () => ({ symbol: `${family}.bare`, integers: [] }) }, lower: undefined as never };
const extension: Extension = {
  contract: 1, family, package: '@test/twice', version: '1.0.0', operations: [twice, bare],
  rules: { twice: { kind: 'rule', linear: { inputs: 'all', how: 'together' }, transpose: (ctx, [ct]) => [ctx.apply(ctx.operation, [ct!], ctx.params)[0]] }, bare: { kind: 'none', reason: 'a test' } },
};
const context = new AdContext({ catalog: createCatalog([extension]) });

function counting(): { readonly calls: () => number; readonly module: HostModule } {
  let calls = 0;
  const run: HostModule['kernels'][string]['run'] = ({ inputs: [x], outputs: [y] }) => {
    calls++;
    for (let i = 0; i < x!.length; i++) y![i] = 2 * (x![i] as number);
  };
  return { calls: () => calls, module: { contract: 1, family, package: '@test/twice', version: '1.0.0', engine: 'host', kernels: { [symbol]: { run } } } };
}

const apply = (operation: Operation, x: Operand): Operand => applyOperation(operation, [x], {})[0] as unknown as Operand;
const loss = (x: Operand): Operand => sum(mul(apply(twice, x), apply(twice, x))) as Operand;
const data = [1, 2, 3];
const gradient = [8, 16, 24];

test('eager: one runtime on an engine with the kernel and on one without, by turns', async () => {
  const { calls, module } = counting();
  const [withKernel, without] = [await createEngine({ modules: [module] }), await createEngine()];
  const runtime = new EagerRuntime({ context });
  const on = (engine: CpuWasmEngine): unknown => runtime.session(engine, () => {
    const x = runtime.variable(data);
    return runtime.grad(loss(x), x).toArray();
  });
  for (const [engine, wanted] of [[without, false], [withKernel, true], [without, false], [withKernel, true]] as const) {
    const before = calls();
    expect(on(engine)).toEqual(gradient);
    expect(calls() > before).toBe(wanted);
  }
});

test('traced: compiled and jitted functions take the kernel of their engine', async () => {
  const { calls, module } = counting();
  for (const [engine, wanted] of [[await createEngine({ modules: [module] }), true], [await createEngine(), false], [createReferenceEngine({ modules: [module] }), true], [createReferenceEngine(), false]] as const) {
    const before = calls();
    const f = jit(grad(loss as (x: TracedTensor<'float64'>) => Operand, { context }), { engine, context });
    expect(f(tensor(data)).toArray()).toEqual(gradient);
    const x = input('x', { shape: [3] });
    const compiled = compile(apply(twice, x) as TracedTensor<'float64'>, { engine });
    expect(compiled({ x: tensor(data) }).toArray()).toEqual([2, 4, 6]);
    expect(calls() > before).toBe(wanted);
  }
});

test('a kernel of another version of the package is refused by both versions, wherever it would run', async () => {
  const versioned: Operation = { ...twice, version: '1.0.0' };
  const newer: Operation = { ...twice, version: '2.0.0' };
  const { calls, module } = counting();
  const errorOf = (work: () => unknown): unknown => {
    try {
      return work();
    } catch (thrown) {
      return isTfError(thrown) ? `${thrown.name}: ${thrown.message}` : thrown;
    }
  };
  for (const engine of [await createEngine({ modules: [module] }), createReferenceEngine({ modules: [module] })]) {
    const runtime = new EagerRuntime({ context: new AdContext({ catalog: createCatalog() }) });
    const eager = (operation: Operation) => (): unknown => runtime.session(engine, () => (apply(operation, runtime.constant(data)) as TracedTensor<'float64'>).toArray());
    const traced = (operation: Operation) => (): unknown => jit((x: TracedTensor<'float64'>) => apply(operation, x), { engine })(tensor(data)).toArray();
    for (const run of [eager, traced]) {
      expect(run(versioned)()).toEqual([2, 4, 6]);
      expect(errorOf(run(newer))).toBe(`ExtensionError: ${engine.info.name}: the kernel ${symbol} of @test/twice@1.0.0 is made for @test/twice 1.0.0, and the operation is of @test/twice 2.0.0. Have one version installed: npm ls @test/twice shows where they come from.`);
    }
  }
  expect(calls()).toBe(4);
});

test('without kernel and lowering both modes say the same: which family, which package, and where to register it', async () => {
  const engine = await createEngine();
  const errorOf = (work: () => unknown): object => {
    try {
      return { result: work() };
    } catch (thrown) {
      return isTfError(thrown) ? { name: thrown.name, message: thrown.message, fields: thrown.fields } : { thrown };
    }
  };
  const runtime = new EagerRuntime({ context });
  const eager = errorOf(() => runtime.session(engine, () => apply(bare, runtime.constant(data))));
  const traced = errorOf(() => compile(apply(bare, input('x', { shape: [3] })) as TracedTensor<'float64'>, { engine }));
  expect(eager).toMatchObject({ name: 'UnregisteredFamilyError', fields: { family, role: 'module', package: '@test/twice' } });
  expect(traced).toEqual(eager);
});
