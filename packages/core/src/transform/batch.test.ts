import { describe, expect, it } from 'vitest';
import type { BatchContext, Extension, Operation } from '../contract.ts';
import { add, mul } from '../primitives/arithmetic.ts';
import { coreExtension, createCatalog } from '../primitives/extension.ts';
import { broadcastTo } from '../primitives/movement.ts';
import { sum } from '../primitives/reduce.ts';
import { checkProgram } from '../program/check.ts';
import { Builder } from '../program/builder.ts';
import { printProgram } from '../program/print.ts';
import { symbolicDim } from '../types/dim.ts';
import { tensorType } from '../types/tensor-type.ts';
import { batchProgram, batchRuleOf } from './batch.ts';
import { AdContext } from './context.ts';

const vector = tensorType('float64', [4]);

describe('batch', () => {
  it('every operation of core runs over a further axis, but the one that decides sizes', () => {
    const catalog = createCatalog();
    const own = (operation: Operation): boolean => catalog.rule(operation).batch !== undefined || operation.traits.elementwise !== undefined || operation.traits.reduction !== undefined || operation.traits.identity === true || operation.traits.barrier === true;
    const without = coreExtension.operations.filter((operation) => typeof batchRuleOf(catalog, operation) !== 'function' || !own(operation)).map(({ id }) => id);
    expect(without.filter((id) => id !== 'tf.core.iota' && id !== 'tf.core.size')).toEqual(['tf.core.extent']);
  });

  it('leaves what does not depend on the batch as it was', () => {
    const builder = new Builder();
    const [x, y] = [builder.input(vector, 'x'), builder.input(vector, 'y')];
    const program = builder.build([add(x, mul(y, y)), mul(y, y)]);
    const result = batchProgram(createCatalog(), { program, batched: [true, false], size: 3 });
    expect(result.batched).toEqual([true, false]);
    expect(printProgram(result.program)).toContain('%0 "x":f64[3, 4], %1 "y":f64[4]');
    expect(result.program.instructions.map(({ outputs }) => outputs[0]?.type.key)).toEqual(['f64[4]', 'f64[3, 4]', 'f64[4]']);
  });

  it('takes a batch of symbolic size', () => {
    const builder = new Builder();
    const x = builder.input(vector, 'x');
    const program = builder.build([broadcastTo(mul(x, x), [2, 4])]);
    const { program: whole } = batchProgram(createCatalog(), { program, batched: [true], size: symbolicDim('n') });
    expect(whole.outputs[0]?.type.key).toBe('f64[n, 2, 4]');
  });

  it('finds equal structures again', () => {
    const context = new AdContext({ catalog: createCatalog() });
    const make = (): Parameters<AdContext['batch']>[0] => {
      const builder = new Builder();
      const x = builder.input(vector, 'x');
      return { program: builder.build([mul(x, x)]), batched: [true], size: 3 };
    };
    expect(context.batch(make())).toBe(context.batch(make()));
    expect(context.batch(make())).not.toBe(context.batch({ ...make(), size: 4 }));
    expect(context.batch(make())).not.toBe(context.batch({ ...make(), batched: [false] }));
  });

  it('runs what has no batch rule one element after the other', () => {
    const family = 'acme.order.v1';
    const operation = { id: `${family}.weigh`, family, name: 'weigh', traits: {}, infer: ([x, y]: readonly (typeof vector)[]) => [x as typeof vector, y as typeof vector] };
    const extension: Extension = { contract: 1, family, package: '@acme/order', version: '1.0.0', operations: [operation], rules: { weigh: { kind: 'none', reason: 'it is there to be batched' } } };
    const builder = new Builder();
    const [x, y] = [builder.input(vector), builder.input(tensorType('int32', []))];
    const { program } = batchProgram(createCatalog([extension]), { program: builder.build(builder.emit(operation, [x, y as never], {})), batched: [true, false], size: 2 });
    expect(program.outputs.map(({ type }) => type.key)).toEqual(['f64[2, 4]', 'i32[2]']);
    expect(printProgram(program)).toContain('tf.core.scan(%1, %0)');
    checkProgram(program);
  });

  it('names an operation that has no batch rule for a reason', () => {
    const family = 'acme.order.v1';
    const operation = { id: `${family}.shuffle`, family, name: 'shuffle', traits: {}, infer: ([x]: readonly (typeof vector)[]) => [x as typeof vector] };
    const extension = (batch: object): Extension => ({ contract: 1, family, package: '@acme/order', version: '1.0.0', operations: [operation], rules: { shuffle: { kind: 'none', reason: 'it is discrete', ...batch } } });
    const program = (): ReturnType<Builder['build']> => {
      const builder = new Builder();
      return builder.build(builder.emit(operation, [builder.input(vector)], {}));
    };
    const run = (batch: object): unknown => batchProgram(createCatalog([extension(batch)]), { program: program(), batched: [true], size: 2 });
    expect(() => run({ batch: { kind: 'none', reason: 'its size depends on the data' } })).toThrow('its size depends on the data');
    expect(() => run({ batch: () => [] })).toThrow('its batch rule gave a list of 0. It gives a list of 1 value, one per output, the batch axis first.');
    expect(() => run({ batch: () => undefined })).toThrow('its batch rule gave undefined.');
    expect(() => run({ batch: () => [3] })).toThrow('its batch rule gave number 3 for output 0');
    expect(() => run({ batch: ({ input }: BatchContext) => [sum(input(0))] })).toThrow(/its batch rule gave f64\[\] for output 0, f64\[4\] over a batch of 2/);
    expect(() => run({ batch: () => [new Builder().input(tensorType('float64', [2, 4]))] })).toThrow(expect.objectContaining({ name: 'ForeignValueError', fields: expect.objectContaining({ op: operation.id, role: 'batch' }), message: expect.stringContaining('its batch rule gave a value f64[2, 4] of another program for output 0') }));
    const broken = (): never => {
      throw new RangeError('no room');
    };
    expect(() => run({ batch: broken })).toThrow(expect.objectContaining({ name: 'ExtensionError', message: `${operation.id}: its batch rule failed: RangeError: no room. This is a fault of the package that owns ${family}: please report it there.` }));
  });
});
