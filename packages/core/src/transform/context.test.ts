import { describe, expect, it } from 'vitest';
import type { Atom, Extension, Operation, Program } from '../contract.ts';
import { mul } from '../primitives/arithmetic.ts';
import { createCatalog } from '../primitives/extension.ts';
import { exp, tanh } from '../primitives/functions.ts';
import { Builder } from '../program/builder.ts';
import { applyOperation } from '../program/dispatch.ts';
import { printProgram } from '../program/print.ts';
import { type TensorType, tensorType } from '../types/tensor-type.ts';
import { AdContext } from './context.ts';

const vector = tensorType('float64', [2]);

function programOf(apply: (x: never) => unknown, type: TensorType = vector, name = 'x'): Program {
  const builder = new Builder();
  return builder.build([apply(builder.input(type, name) as never) as Atom]);
}

const request = (program: Program): { program: Program; wrt: readonly number[]; live: readonly boolean[] } => ({ program, wrt: [0], live: [true] });

describe('the cache of derivatives', () => {
  it('is hit by an equal structure, whatever its identity and names', () => {
    const context = new AdContext({ catalog: createCatalog() });
    const first = context.pullback(request(programOf((x) => mul(exp(x), 2))));
    expect(context.pullback(request(programOf((x) => mul(exp(x), 2), vector, 'other')))).toBe(first);
    expect(context.stats()).toMatchObject({ entries: 1, hits: 1, misses: 1 });
  });

  it('is missed by another structure, type, direction, wrt or set of live outputs', () => {
    const context = new AdContext({ catalog: createCatalog() });
    const base = programOf((x) => mul(exp(x), 2));
    const pair: Program = { ...base, outputs: [base.outputs[0]!, base.instructions[0]!.outputs[0]!] };
    context.pullback(request(base));
    context.pushforward(request(base));
    context.pullback(request(programOf((x) => mul(tanh(x), 2))));
    context.pullback(request(programOf((x) => mul(exp(x), 3))));
    context.pullback(request(programOf((x) => mul(exp(x), 2), tensorType('float64', [3]))));
    context.pullback({ program: base, wrt: [1], live: [true] });
    context.pullback({ program: pair, wrt: [0], live: [true, false] });
    context.pullback({ program: pair, wrt: [0], live: [true, true] });
    expect(context.stats()).toMatchObject({ entries: 8, hits: 0, misses: 8 });
  });

  it('is right when all programs have one hash', () => {
    const [plain, collided] = [new AdContext({ catalog: createCatalog() }), new AdContext({ catalog: createCatalog(), hash: () => 7 })];
    for (let round = 0; round < 2; round++) {
      for (let power = 1; power <= 5; power++) {
        const program = programOf((x) => Array.from({ length: power }).reduce((y) => mul(y as never, x), x));
        expect(printProgram(collided.pullback(request(program)).program)).toBe(printProgram(plain.pullback(request(program)).program));
      }
    }
    expect(collided.stats()).toMatchObject({ entries: 5, hits: 5, misses: 5 });
  });

  it('is bounded and can be cleared', () => {
    const context = new AdContext({ catalog: createCatalog(), maximumEntries: 3 });
    for (let size = 0; size < 10; size++) context.pullback(request(programOf((x) => exp(x), tensorType('float64', [size]))));
    expect(context.stats()).toMatchObject({ entries: 3, evictions: 7 });
    expect(context.stats().retainedBytes).toBeGreaterThan(0);
    context.clear();
    expect(context.stats()).toMatchObject({ entries: 0, retainedBytes: 0, clears: 1 });
  });
});

describe('a context', () => {
  const acme: Extension = { contract: 1, family: 'acme.x', package: '@acme/x', version: '1.0.0', operations: [], rules: {} };

  it('is frozen; with() makes another one with caches of its own', () => {
    const context = new AdContext({ catalog: createCatalog() });
    context.pullback(request(programOf((x) => exp(x))));
    const more = context.with(acme);
    expect(Object.isFrozen(context)).toBe(true);
    expect(more.stats()).toMatchObject({ entries: 0, misses: 0 });
    expect([context.catalog.extensions.length, more.catalog.extensions.length]).toEqual([1, 2]);
  });

  it('never takes the derivatives of an operation for those of another version of it', () => {
    const operation = (version: string): Operation => ({ id: `${acme.family}.f`, family: acme.family, name: 'f', package: acme.package, version, infer: ([x]) => [x as TensorType], traits: {}, lower: ([x]) => [exp(x!)] });
    const context = new AdContext({ catalog: createCatalog([{ ...acme, operations: [operation('1.0.0')], rules: { f: { kind: 'rule', linearize: (_ctx, [dx]) => [dx] } } }]) });
    const of = (version: string, factor: number): Program => programOf((x) => mul(applyOperation(operation(version), [x], {})[0] as never, factor));
    context.pullback(request(of('1.0.0', 2)));
    // An equal structure, and one that is new but for the operation.
    for (const factor of [2, 3]) expect(() => context.pullback(request(of('2.0.0', factor)))).toThrow('a value was made by @acme/x 2.0.0, and the rules registered are those of @acme/x 1.0.0');
    expect(context.pullback(request(of('1.0.0', 2))).program.outputs).toHaveLength(1);
  });

  it('does not share derivatives of one operation across catalogs', () => {
    const context = new AdContext({ catalog: createCatalog() });
    const program = programOf((x) => exp(x));
    context.pullback(request(program));
    expect(new AdContext({ catalog: createCatalog() }).stats().misses).toBe(0);
  });
});
