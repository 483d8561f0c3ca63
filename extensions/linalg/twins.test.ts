import { abs, AdContext, applyOperation, convert, createCatalog, type DerivativeRule, type Extension, type HostModule, mul, neg, type Operand, type Operation, slice, stopGradient, type Var } from '@tf/core';
import { brokenExtensionLaws, createReferenceEngine, engineSuite, type ExtensionCase, hostValue } from '@tf/testkit';
import { describe, expect, it } from 'vitest';
import { referenceOperations } from './reference.testing.ts';
import { hermitianPart, times, transposed } from './src/algebra.ts';
import { linalgCases } from './src/cases.ts';
import { unary, values } from './src/cases/matrices.ts';
import { eighOperation, eigvalshOperation } from './src/eigh/operation.ts';
import { eigvalsh, linalgExtension } from './src/index.ts';
import { linalgHost } from './src/modules/host.ts';
import { svdOperation } from './src/svd/operation.ts';

const host = linalgHost();

function ruleOf({ name }: Operation): DerivativeRule {
  return linalgExtension.rules[name] as DerivativeRule;
}

function withRules(rules: Readonly<Record<string, DerivativeRule>>): Extension {
  return { ...linalgExtension, rules: { ...linalgExtension.rules, ...rules } };
}

/** The extension with another operation in the place of one. */
function withOperation(operation: Operation): Extension {
  return { ...linalgExtension, operations: linalgExtension.operations.map((own) => (own.id === operation.id ? operation : own)) };
}

function named(name: string): ExtensionCase {
  const found = linalgCases.filter((given) => given.name === name);
  expect(found.map((given) => given.name)).toEqual([name]);
  return found[0] as ExtensionCase;
}

async function lawsBroken(extension: Extension, given: ExtensionCase, module: HostModule = host): Promise<readonly string[]> {
  const broken = await brokenExtensionLaws({ extension, cases: [given], operations: referenceOperations(extension.operations, module) });
  return [...new Set(broken.map(({ law }) => law))];
}

const [eigh, svd] = [ruleOf(eighOperation), ruleOf(svdOperation)];
const [projector, put] = ['a projector of eigh, complex128 3x3', 'svd put together with other values, complex128 4x2'];
const linearize = (of: DerivativeRule): NonNullable<DerivativeRule['linearize']> => of.linearize as NonNullable<DerivativeRule['linearize']>;
const vjp = (of: DerivativeRule): NonNullable<DerivativeRule['vjp']> => of.vjp as NonNullable<DerivativeRule['vjp']>;
const times2 = (x: Var | undefined): Var => mul(x as Operand, 2) as Var;
let calls = 0;

/** Rules that are wrong in one place, the case that shows it, and the law that must say so. */
const rules: readonly (readonly [string, string, string, Operation, DerivativeRule])[] = [
  ['vectors that turn the other way', projector, 'derivative', eighOperation, { ...eigh, linearize: (ctx, da) => { const [dw, dv] = linearize(eigh)(ctx, da) as readonly [Var, Var]; return [dw, neg(dv) as Var]; } }],
  ['a vjp that is twice what it should be', projector, 'vjp-agreement', eighOperation, { ...eigh, vjp: (ctx, ct) => [times2(vjp(eigh)(ctx, ct)[0])] }],
  ['a vjp alone that forgets to conjugate', projector, 'derivative', eighOperation, { kind: 'rule', residuals: { outputs: [0, 1] }, vjp: (ctx, ct) => [transposed(vjp(eigh)(ctx, ct)[0] as Operand) as Var] }],
  ['a vjp that is not linear', projector, 'linear', eighOperation, { ...eigh, vjp: (ctx, cts) => vjp(eigh)(ctx, cts.map((ct) => mul(ct, abs(ct)) as Var)) }],
  ['a residual that is not declared', projector, 'residuals', eighOperation, { ...eigh, residuals: { outputs: [1] } }],
  ['complex tangents of real values', 'a function of a Hermitian matrix, complex128 3x3', 'types', eighOperation, { ...eigh, linearize: (ctx, da) => { const [dw, dv] = linearize(eigh)(ctx, da) as readonly [Var, Var]; return [convert(dw, 'complex128') as Var, dv]; } }],
  ['a derivative right once and constant afterwards', put, 'second-order', svdOperation, { kind: 'rule', linearize: (ctx, da) => linearize(svd)({ ...ctx, input: (at) => ctx.input(at), output: (at) => stopGradient(ctx.output(at) as Operand) as Var, apply: (...given) => ctx.apply(...given) }, da) }],
  ['a rule that emits other instructions the second time', projector, 'determinism', eighOperation, { ...eigh, linearize: (ctx, [da]) => { const turned = calls++ % 2 === 0 ? hermitianPart(da as Var) : da; return linearize(eigh)(ctx, [turned as Var]); } }],
  ['values taken for those of another matrix where they are differentiated', 'eigvalsh, float64 3x3', 'augment', eigvalshOperation, { ...ruleOf(eigvalshOperation), augment: ({ params }) => ({ operation: eighOperation, params: { ...params, upper: params['upper'] !== true }, exact: false }) }],
  ['a batch of the transposed matrices', projector, 'batch', eighOperation, { ...eigh, batch: (ctx) => applyOperation(ctx.operation, [transposed(ctx.whole(0))], ctx.params) as readonly Var[] }],
];

describe('the laws reject wrong rules and accept the right ones', () => {
  for (const [name, shown, law, operation, rule] of rules) {
    it(`${law}: ${name}`, async () => {
      // The values by one triangle and by the other differ only where the matrix is not Hermitian.
      const given: ExtensionCase = law === 'augment' ? { name: 'one triangle', inputs: [values('float64', [3, 3], 5)], f: unary((a) => eigvalsh(a)) } : named(shown);
      expect(await lawsBroken(withRules({ [operation.name]: rule }), given)).toContain(law);
    });
  }

  it('and accept them as they are', async () => {
    for (const name of [projector, put]) expect(await lawsBroken(linalgExtension, named(name))).toEqual([]);
  });
});

describe('the laws reject wrong operations', () => {
  const matrix = hostValue('float64', [2, 2], [3, 1, 0, 2]);

  it('prune: vectors given for those of the other side', async () => {
    const wrong: Operation = { ...svdOperation, traits: { ...svdOperation.traits, prune: (params, live, inputs, outputs) => { const form = svdOperation.traits.prune?.(params, live, inputs, outputs); return form === undefined || form.operation.name !== 'svdLeft' ? form : { ...form, outputs: [0, undefined, 0] }; } } };
    const given: ExtensionCase = { name: 'pruned', inputs: [matrix], f: (a) => { const [u, s] = applyOperation(wrong, [a as Operand], {}) as readonly [Operand, Operand]; return [times(u, transposed(u)) as Var, s as Var]; } };
    expect(await lawsBroken(withOperation(wrong), given)).toContain('prune');
  });

  it('prune: values of another order', async () => {
    const wrong: Operation = { ...eighOperation, traits: { ...eighOperation.traits, prune: (params, [, vectors]) => (vectors === true ? undefined : { operation: svdOperation, params, inputs: [0], outputs: [1, undefined], exact: false }) } };
    const given: ExtensionCase = { name: 'pruned', inputs: [hostValue('float64', [2, 2], [3, 0, 0, 2])], f: (a) => { const [w, v] = applyOperation(wrong, [a as Operand], {}) as readonly [Operand, Operand]; return [w as Var, abs(v) as Var]; } };
    expect(await lawsBroken(withOperation(wrong), given)).toContain('prune');
  });
});

/** What the suite of engines says about kernels, in one case. */
async function engineSays(module: HostModule, given: ExtensionCase): Promise<readonly string[]> {
  const bodies: (() => unknown)[] = [];
  const runner = { describe: (_name: string, body: () => void) => body(), it: (name: string, body: () => unknown) => { if (name.startsWith('agrees')) bodies.push(body); } };
  engineSuite(runner, { name: 'reference', create: (options) => createReferenceEngine({ ...options, modules: [...(options?.modules ?? []), module] }), cases: [given], context: new AdContext({ catalog: createCatalog([linalgExtension]) }), operations: referenceOperations(linalgExtension.operations, host) });
  const said: string[] = [];
  for (const body of bodies) await Promise.resolve().then(body).catch((thrown: unknown) => said.push(String(thrown)));
  return said;
}

type Run = HostModule['kernels'][string]['run'];

function withKernel(symbol: string, around: (run: Run) => Run): HostModule {
  const kernel = host.kernels[symbol] as HostModule['kernels'][string];
  return { ...host, kernels: { ...host.kernels, [symbol]: { ...kernel, run: around(kernel.run) } } };
}

describe('the suite of engines rejects wrong kernels and accepts the right ones', () => {
  const given: ExtensionCase = { name: 'vectors', inputs: [values('float64', [3, 3], 7)], f: unary((a) => { const [w, v] = applyOperation(eighOperation, [hermitianPart(a)], { upper: false, derivativeEps: null, onDegenerate: 'broaden' }) as readonly [Operand, Operand]; const first = slice(v, [0, 0], [3, 1]) as Operand; return [w, times(first, transposed(first))]; }) };
  const symbol = 'tf.linalg.v1.eigh.float64';

  it.each<readonly [string, (run: Run) => Run]>([
    ['descending values', (run) => (call) => { const failed = run(call); (call.outputs[0] as Float64Array).reverse(); return failed; }],
    ['vectors that are rows', (run) => (call) => { const failed = run(call); const v = call.outputs[1] as Float64Array; v.set([0, 3, 6, 1, 4, 7, 2, 5, 8].map((at) => v[at] as number)); return failed; }],
    ['a result that is not reported', (run) => (call) => { run(call); return 0; }],
    ['a kernel that remembers', (run) => { let before = 0; return (call) => { const failed = run(call); (call.outputs[0] as Float64Array)[0]! += before++ * 1e-12; return failed; }; }],
  ])('%s', async (_name, around) => {
    expect(await engineSays(withKernel(symbol, around), given)).toHaveLength(1);
  });

  it('and accepts them as they are', async () => {
    expect(await engineSays(host, given)).toEqual([]);
  });
});
