import { describe, expect, it } from 'vitest';
import { isTfError } from '../errors.ts';
import { add, mul } from '../primitives/arithmetic.ts';
import { matmul } from '../primitives/contraction.ts';
import { exp } from '../primitives/functions.ts';
import { concat } from '../primitives/slicing.ts';
import { select } from '../primitives/select.ts';
import { tensor } from '../tensor/create.ts';
import { listenerKey, type Operand } from '../types/operand.ts';
import { tensorType } from '../types/tensor-type.ts';
import { coreVersion } from '../types/version.ts';
import { Builder } from './builder.ts';

const thrown = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    if (isTfError(error)) return `${error.name}: ${error.message}`;
    throw error;
  }
  return 'nothing';
};

const x = (builder = new Builder()): Operand => builder.input(tensorType('float64', [2]), 'x');

describe('an operation', () => {
  it.each([[[1, 2], 'an array'], [null, 'null'], [undefined, 'undefined'], ['2', 'string 2'], [{ a: 1 }, 'an Object'], [new Float64Array(2), 'a Float64Array'], [3n, 'bigint 3']])('refuses %o and says to wrap it', (value, says) => {
    expect(thrown(() => add(x(), value as never))).toMatch(new RegExp(`^ArgumentError: add: argument 1 is ${says}, not a tensor.*tensor\\(\\[`));
  });

  it('needs at least one tensor', () => {
    expect(thrown(() => add(1, 2))).toMatch(/^ArgumentError: add: needs at least one tensor operand/);
    expect(thrown(() => exp(2 as never))).toMatch(/^ArgumentError/);
    expect(thrown(() => concat([]))).toMatch(/^ArgumentError/);
  });

  it('refuses values of two builders, by the name of the operation', () => {
    expect(thrown(() => add(x(), x()))).toMatch(/^ForeignValueError: add: argument 1: /);
    expect(thrown(() => select(new Builder().input(tensorType('bool', [2])), x(), 0))).toMatch(/^ForeignValueError: select: argument 1: /);
    expect(thrown(() => matmul(x(), x()))).toMatch(/^ForeignValueError: matmul: argument 1: /);
  });

  it('names both versions when a value of another contract comes in, on either side', () => {
    const fake = { type: tensorType('float64', [2]), [listenerKey]: { level: 1, contract: 2, coreVersion: '2.0.0' } } as unknown as Operand;
    for (const run of [() => add(x(), fake), () => add(fake, x()), () => mul(fake, 2), () => exp(fake)]) {
      const message = thrown(run);
      expect(message).toMatch(new RegExp(`^ExtensionError: .*2\\.0\\.0 \\(contract 2\\).*${coreVersion.replaceAll('.', '\\.')} \\(contract 1\\)`));
    }
  });

  it('takes a value of another copy with the same contract by its listener', () => {
    const calls: string[] = [];
    const listener = { level: 2, contract: 1, coreVersion: '1.0.7', lift: (value: unknown) => value, scalar: (value: unknown) => ({ literal: true, type: tensorType('float64', []), value }), apply: ({ id }: { id: string }, inputs: readonly unknown[]) => (calls.push(id), [inputs[0]]) };
    const theirs = { type: tensorType('float64', [2]), [listenerKey]: listener } as unknown as Operand;
    expect(add(theirs, 1)).toBe(theirs);
    mul(tensor([1, 2]), theirs);
    expect(calls).toEqual(['tf.core.add', 'tf.core.mul']);
  });

  it('is carried out by the operand of the highest level', () => {
    const builder = new Builder();
    const own = x(builder);
    add(tensor([1, 2]), own);
    add(own, tensor([1, 2]));
    expect(builder.build([]).instructions).toHaveLength(2);
  });
});
