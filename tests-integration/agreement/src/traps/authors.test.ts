import { AdContext, applyOperation, createCatalog, exp, type Extension, isTfError, loop, mul, type Operand, type Operation, sum, tensor, tensorType, type Var } from '@tf/core';
import { EagerRuntime } from '@tf/eager';
import { createEngine } from '@tf/engine-cpu-wasm';
import { createReferenceEngine } from '@tf/testkit';
import { evaluate, grad, jit, jvp, trace, type TracedTensor } from '@tf/traced';
import { describe, expect, test } from 'vitest';

type F64 = TracedTensor<'float64'>;
const engine = await createEngine();
const family = 'acme.audio.v1';

const double: Operation['traits'] = { elementwise: () => [loop.mul(loop.constant('f64', 2), loop.argument('f64', 0))] };
const operation = (name: string, traits: Operation['traits']): Operation => ({ id: `${family}.${name}`, family, name, infer: ([x]) => [tensorType(x!.dtype, x!.shape)], traits });
const [bare, opaque, known] = [operation('bare', {}), operation('opaque', double), operation('known', double)];
const extension: Extension = {
  contract: 1, family, package: '@acme/audio', version: '1.0.0', operations: [bare, opaque, known],
  rules: {
    bare: { kind: 'none', reason: 'it has no derivative' },
    opaque: { kind: 'none', reason: 'its author has not written one' },
    known: { kind: 'rule', linear: { inputs: [0], how: 'together' }, transpose: (_ctx, [ct]) => [ct === undefined ? undefined : (mul(ct, 2) as Var)] },
  },
};
const context = new AdContext({ catalog: createCatalog([extension]) });
const applied = <X extends Operand>(of: Operation, x: X): X => applyOperation(of, [x], {})[0] as X;

function thrown(run: () => unknown): Error & { readonly fields: Readonly<Record<string, unknown>> } {
  try {
    run();
  } catch (error) {
    if (isTfError(error)) return error as never;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('an operation without a derivative rule', () => {
  test('runs forward in both modes; each derivative names operation, family, mode and the author’s reason', () => {
    const runtime = new EagerRuntime({ context });
    expect(jit((x: F64) => applied(opaque, x), { engine })(3).item()).toBe(6);
    const eager = (run: (x: Operand, y: Operand) => unknown) => () => runtime.session(engine, () => {
      const x = runtime.variable(3);
      const y = applied(opaque, mul(x, 1));
      expect(y.item()).toBe(6);
      return run(x, y);
    });
    const ways: readonly (readonly [string, () => unknown])[] = [
      ['vjp', () => grad((x: F64) => applied(opaque, x), { context })(3)],
      ['jvp', () => jvp((x: F64) => applied(opaque, x), [3], [1], { context })],
      ['vjp', eager((x, y) => runtime.grad(y, x))],
      ['vjp', eager((_x, y) => runtime.backward(y))],
      ['jvp', eager((x, y) => runtime.jvp(y, x, 1))],
    ];
    for (const [mode, run] of ways) {
      const error = thrown(run);
      expect([error.name, error.fields['op'], error.fields['family']]).toEqual(['UnsupportedRuleError', opaque.id, family]);
      expect(error.message).toMatch(new RegExp(`${opaque.id}.*${mode}.*its author has not written one`));
    }
  });
});

describe('an operation that nothing says how to execute', () => {
  const runtime = new EagerRuntime({ context });
  const ways: readonly (readonly [string, () => unknown])[] = [
    ['jit', () => jit((x: F64) => applied(bare, x), { engine })(1)],
    ['evaluate', () => evaluate(applied(bare, exp(tensor(1))) as never, engine)],
    ['the interpreter', () => evaluate(applied(bare, tensor(1)) as never, createReferenceEngine())],
    ['eager', () => runtime.session(engine, () => applied(bare, runtime.variable(1)))],
  ];

  test.each(ways)('is refused by its name and family under %s, with the remedy; other work goes on', (_way, run) => {
    const error = thrown(run);
    expect([error.name, error.fields['op'], error.fields['family']]).toEqual(['UnregisteredFamilyError', bare.id, family]);
    expect(error.message).toMatch(/acme\.audio\.v1\.bare.*neither traits nor a lowering.*execution module.*acme\.audio\.v1/);
    expect(jit((x: F64) => applied(known, x), { engine })(4).item()).toBe(8);
  });

  test('still builds, prints and infers its type', () => {
    expect(trace((x: F64) => applied(bare, x), 1).toString()).toContain(bare.id);
  });
});

describe('a family that is registered after first use', () => {
  test('is found by the new context, in both modes, and the old one stays without it', () => {
    const before = new AdContext({ catalog: createCatalog() });
    const f = <X extends Operand>(x: X): Operand => sum(mul(applied(known, x), x)) as Operand;
    const traced = (of: AdContext) => evaluate(grad(f as (x: F64) => Operand, { context: of })(3), engine).item();
    const eager = (of: AdContext) => {
      const runtime = new EagerRuntime({ context: of });
      const x = runtime.variable(3);
      return runtime.session(engine, () => runtime.grad(f(x), x).item());
    };
    for (const run of [traced, eager]) {
      expect(thrown(() => run(before)).name).toBe('UnregisteredFamilyError');
      const after = before.with(extension);
      expect([run(after), run(after)]).toEqual([12, 12]);
      expect(thrown(() => run(before)).name).toBe('UnregisteredFamilyError');
    }
  });
});

describe('two packages in one family', () => {
  test('the second is refused by both names, also with other operations: a family has one owner', () => {
    const other: Extension = { ...extension, package: '@other/audio', operations: [operation('chirp', double)], rules: { chirp: { kind: 'none', reason: 'none' } } };
    expect(thrown(() => createCatalog([extension, other])).message).toMatch(/@other\/audio.*acme\.audio\.v1 is already registered by @acme\/audio/);
  });
});

describe('an input that is not differentiated', () => {
  const seen: (readonly boolean[])[] = [];
  const scaled: Operation = { id: 'acme.scaled.v1.scaled', family: 'acme.scaled.v1', name: 'scaled', infer: ([x]) => [tensorType(x!.dtype, x!.shape)], traits: { elementwise: () => [loop.mul(loop.argument('f64', 0), loop.argument('f64', 1))] } };
  const flagged: Extension = {
    contract: 1, family: scaled.family, package: '@acme/scaled', version: '1.0.0', operations: [scaled],
    rules: { scaled: { kind: 'rule', residuals: { inputs: [0, 1] }, vjp: (ctx, [ct]) => {
      seen.push([...ctx.active]);
      return [ctx.active[0] === true ? (mul(ct!, ctx.input(1)) as Var) : undefined, ctx.active[1] === true ? (mul(ct!, exp(ctx.input(0))) as Var) : undefined];
    } } },
  };
  const fresh = (): AdContext => new AdContext({ catalog: createCatalog([flagged]) });
  const f = (params: Operand, x: Operand): Operand => sum(applyOperation(scaled, [params, x], {})[0] as Operand) as Operand;
  const [params, x] = [tensor([1, 2]), tensor([3, 4])];

  test('is flagged as such to a custom rule, whose work for it is skipped, traced', () => {
    seen.length = 0;
    const own = fresh();
    const count = (argnums: number): number => trace(grad(f as (p: F64, y: F64) => Operand, { context: own, argnums }), params, x).toString().split('exp').length - 1;
    expect([count(0), count(1)]).toEqual([0, 1]);
    expect(new Set(seen.map(String))).toEqual(new Set(['true,false', 'false,true']));
  });

  test('and eager: what tracks nothing costs nothing', () => {
    seen.length = 0;
    const runtime = new EagerRuntime({ context: fresh() });
    const [p, y] = [runtime.variable(params), runtime.constant(x)];
    expect(runtime.session(engine, () => runtime.grad(f(p, y), p).toArray())).toEqual([3, 4]);
    expect(seen.every((flags) => String(flags) === 'true,false')).toBe(true);
    expect(seen.length).toBeGreaterThan(0);
  });
});
