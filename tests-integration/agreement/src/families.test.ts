import { AdContext, applyOperation, createCatalog, exp, type Extension, isTfError, mul, type Operand, type Operation, type Rule, sum, tensorType, type TfError, type Var, loop } from '@tf/core';
import { EagerRuntime } from '@tf/eager';
import { createEngine } from '@tf/engine-cpu-wasm';
import { evaluate, grad, input, jit, type TracedTensor } from '@tf/traced';
import { describe, expect, test } from 'vitest';

type F64 = TracedTensor<'float64'>;
const engine = await createEngine();
const family = 'acme.signal.v1';

const twice: Operation['traits'] = { elementwise: () => [loop.add(loop.argument('f64', 0), loop.argument('f64', 0))] };

function operation(name: string, further: Partial<Operation> = {}): Operation {
  return { id: `${family}.${name}`, family, name, package: '@acme/signal', version: '1.2.0', infer: ([x]) => [tensorType(x!.dtype, x!.shape)], traits: twice, ...further };
}

function extensionOf(operations: readonly Operation[], rule: Rule, further: Partial<Extension> = {}): Extension {
  return { contract: 1, family, package: '@acme/signal', version: '1.2.0', operations, rules: Object.fromEntries(operations.map(({ name }) => [name, rule])), ...further };
}

const linear: Rule = { kind: 'rule', residuals: {}, vjp: (_ctx, [ct]) => [mul(ct!, 2) as Var] };
const applied = (of: Operation, ...inputs: readonly Operand[]): Operand => applyOperation(of, inputs, {})[0]!;

/** What an author's or user's fault looks like: the function that runs into it, on the operands of either mode. */
interface Fault {
  readonly name: string;
  readonly extensions: readonly Extension[];
  readonly f: (x: Operand) => Operand;
  readonly error: string;
  readonly code: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly says: RegExp;
  /** Without derivatives. */
  readonly forward?: boolean;
}

const plain = operation('twice');
const bare = operation('bare', { traits: {} });
const undeclared: Rule = { kind: 'rule', residuals: { outputs: [0] }, vjp: (ctx, [ct]) => [mul(ct!, ctx.input(0)) as Var] };
let kept: Var | undefined;
/** Uses a cotangent of an earlier call. */
const hoarding: Rule = {
  kind: 'rule', residuals: {},
  vjp: (_ctx, [ct]) => {
    kept ??= ct as Var;
    return [mul(kept, 2) as Var];
  },
};
const thrower = (): never => {
  throw new Error('out of order');
};
const other = (of: Operation): Operation => operation(of.name, { version: '2.0.0' });

const faults: readonly Fault[] = [
  { name: 'a family without registered rules', extensions: [], f: (x) => applied(plain, x), error: 'UnregisteredFamilyError', code: 'TF_UNREGISTERED_FAMILY', fields: { family, op: plain.id, role: 'rule', package: '@acme/signal' }, says: /extension of @acme\/signal to createCatalog/ },
  { name: 'a family without an execution module', extensions: [extensionOf([bare], linear)], f: (x) => applied(bare, x), error: 'UnregisteredFamilyError', code: 'TF_UNREGISTERED_FAMILY', fields: { family, op: bare.id, role: 'module', package: '@acme/signal' }, says: /execution module of @acme\/signal: createEngine/, forward: true },
  { name: 'a rule declared as none', extensions: [extensionOf([plain], { kind: 'none', reason: 'it counts' })], f: (x) => applied(plain, x), error: 'UnsupportedRuleError', code: 'TF_UNSUPPORTED_RULE', fields: { family, op: plain.id, role: 'vjp', reason: 'it counts' }, says: /it counts/ },
  { name: 'an undeclared residual', extensions: [extensionOf([plain], undeclared)], f: (x) => applied(plain, x), error: 'ExtensionError', code: 'TF_EXTENSION', fields: { family, op: plain.id, role: 'residuals' }, says: /its vjp reads input 0, which its residuals do not declare/ },
  { name: 'too many operands', extensions: [extensionOf([operation('one', { arity: 1 })], linear)], f: (x) => applied(operation('one', { arity: 1 }), x, x), error: 'ArgumentError', code: 'TF_ARGUMENT', fields: { family, takes: '1', got: 2 }, says: /one: takes 1 operand, got 2/, forward: true },
  { name: 'too few operands', extensions: [extensionOf([operation('many', { arity: [2, Infinity] })], linear)], f: (x) => applied(operation('many', { arity: [2, Infinity] }), x), error: 'ArgumentError', code: 'TF_ARGUMENT', fields: { takes: 'at least 2', got: 1 }, says: /many: takes at least 2 operands, got 1/, forward: true },
  { name: 'a Var kept from another call of a rule', extensions: [extensionOf([plain], hoarding)], f: (x) => applied(plain, x), error: 'ForeignValueError', code: 'TF_FOREIGN_VALUE', fields: { family, op: plain.id, role: 'vjp', package: '@acme/signal' }, says: /its vjp gave a value f64\[\] of another program for input 0.*a fault of @acme\/signal/ },
  { name: 'a rule that throws', extensions: [extensionOf([plain], { kind: 'rule', residuals: {}, vjp: thrower })], f: (x) => applied(plain, x), error: 'ExtensionError', code: 'TF_EXTENSION', fields: { family, op: plain.id, role: 'vjp', package: '@acme/signal' }, says: /its vjp failed: Error: out of order.*a fault of @acme\/signal/ },
  { name: 'inference that throws', extensions: [], f: (x) => applied(operation('f', { infer: thrower }), x), error: 'ExtensionError', code: 'TF_EXTENSION', fields: { family, role: 'infer', package: '@acme/signal' }, says: /its infer failed: Error: out of order.*a fault of @acme\/signal/, forward: true },
  { name: 'inference without results', extensions: [], f: (x) => applied(operation('f', { infer: () => [] }), x), error: 'ExtensionError', code: 'TF_EXTENSION', fields: { family, role: 'infer', package: '@acme/signal' }, says: /its infer gave an empty list/, forward: true },
  { name: 'a lowering that throws', extensions: [], f: (x) => applied(operation('f', { traits: {}, lower: thrower }), x), error: 'ExtensionError', code: 'TF_EXTENSION', fields: { family, role: 'lower', package: '@acme/signal' }, says: /its lowering failed: Error: out of order/, forward: true },
  { name: 'what is no operation', extensions: [], f: (x) => applied(undefined as never, x), error: 'ArgumentError', code: 'TF_ARGUMENT', fields: { argument: 'operation' }, says: /applyOperation: operation is undefined; it takes an operation/, forward: true },
  { name: 'two versions of a package', extensions: [extensionOf([other(plain)], linear, { version: '2.0.0' })], f: (x) => applied(plain, x), error: 'ExtensionError', code: 'TF_EXTENSION', fields: { op: plain.id, versions: ['1.2.0', '2.0.0'] }, says: /made by @acme\/signal 1\.2\.0.*those of @acme\/signal 2\.0\.0.*npm ls/ },
];

function thrown(run: () => unknown): TfError {
  try {
    run();
  } catch (error) {
    if (isTfError(error)) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('a fault of a family is the same error, traced and eager', () => {
  test.each(faults.map((fault) => [fault.name, fault] as const))('%s', (_name, fault) => {
    const context = new AdContext({ catalog: createCatalog(fault.extensions) });
    const loss = (x: Operand): F64 => sum(fault.f(exp(x))) as unknown as F64;
    const ofTraced = (x: F64): F64 => loss(x);
    const traced = (): unknown => (fault.forward === true ? jit(ofTraced, { engine, context })(1) : evaluate(grad(ofTraced, { context })(1), engine));
    const eager = (): unknown => {
      const runtime = new EagerRuntime({ context });
      return runtime.session(engine, () => {
        const x = runtime.variable(1);
        const y = loss(x);
        return fault.forward === true ? y : runtime.backward(y);
      });
    };
    // The first use of the hoarding rule gives it what it keeps.
    if (fault.error === 'ForeignValueError') grad(ofTraced, { context: new AdContext({ catalog: createCatalog(fault.extensions) }) })(1);
    const errors = [thrown(traced), thrown(eager)];
    for (const error of errors) {
      expect([error.name, error.code]).toEqual([fault.error, fault.code]);
      expect(error.fields).toMatchObject(fault.fields);
      expect(error.message).toMatch(fault.says);
    }
    expect(errors[0]!.message).toBe(errors[1]!.message);
  });
});

describe('a catalog refuses, whichever mode it is for', () => {
  const good = extensionOf([plain], linear);
  const base = new AdContext({ catalog: createCatalog() });
  const cases: readonly (readonly [string, readonly Extension[], RegExp])[] = [
    ['a family registered twice', [good, good], /acme\.signal\.v1 is already registered by @acme\/signal@1\.2\.0/],
    ['two packages that own one family', [good, { ...good, package: '@other/signal', version: '3.0.0', operations: [operation('twice', { package: '@other/signal' })] }], /@other\/signal@3\.0\.0: the family acme\.signal\.v1 is already registered by @acme\/signal@1\.2\.0/],
    ['another contract', [{ ...good, contract: 2 as 1 }], /speaks contract 2, this is @tf\/core .* with contract 1/],
    ['an operation twice', [extensionOf([plain, plain], linear)], /twice is defined twice/],
    ['an operation of another package', [{ ...good, package: '@other/signal' }], /says that it belongs to @acme\/signal/],
  ];

  test.each(cases)('%s', (_name, extensions, says) => {
    for (const make of [() => createCatalog(extensions), () => base.with(...extensions), () => new EagerRuntime({ context: base.with(...extensions) })]) {
      const error = thrown(make);
      expect([error.name, error.code, error.fields['family']]).toEqual(['ExtensionError', 'TF_EXTENSION', family]);
      expect(error.message).toMatch(says);
    }
  });

  test('but two copies of one version go together', () => {
    const context = base.with(extensionOf([operation('twice')], linear));
    const x = input('x', { shape: [] });
    const gradient = (applied(plain, mul(x, x) as Operand) as F64).grad(x, { context });
    expect(jit((v: F64) => (applied(plain, v) as F64).grad(v, { context }), { engine })(3).item()).toBe(2);
    expect(gradient.type.key).toBe('f64[]');
  });
});
