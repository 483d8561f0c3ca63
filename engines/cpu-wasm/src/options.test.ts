import { type Atom, Builder, compileProgram, exp, isTfError, matmul, type Operand, sum, tensorType, type Var } from '@tf/core';
import { expect, test } from 'vitest';
import { createEngine, createEngineSync, type EngineOptions } from './index.ts';
import { LEAST_MAXIMUM_BYTES } from './options.ts';

/** Options, and what the error says. */
const misuse: readonly (readonly [options: unknown, says: RegExp])[] = [
  [null, /^createEngine: options must be an object, .* got null/],
  [5, /^createEngine: options .* got 5/],
  [{ thread: 2 }, /^createEngine: options has no option thread\. There are: memory, threads, modules, debug\./],
  [{ threads: 0 }, /^createEngine: threads must be a whole number from 1 to 64, got 0/],
  [{ threads: 1.5 }, /^createEngine: threads .* got 1\.5/],
  [{ threads: '2' }, /^createEngine: threads .* got "2"/],
  [{ threads: 65 }, /^createEngine: threads .* got 65/],
  [{ debug: true }, /^createEngine: debug must be 'memory', got true/],
  [{ memory: 'x' }, /^createEngine: memory must be an object, .* got "x"/],
  [{ memory: null }, /^createEngine: memory .* got null/],
  [{ memory: { maximum: -1 } }, /^createEngine: memory has no option maximum\. There are: initialBytes, maximumBytes, shared\./],
  [{ memory: { maximumBytes: -1 } }, /^createEngine: memory\.maximumBytes must be a positive integer number of bytes, got -1/],
  [{ memory: { maximumBytes: 2 ** 21 - 1 } }, /^createEngine: memory\.maximumBytes must be at least 2097152, .* got 2097151\. Leave it out/],
  [{ memory: { maximumBytes: 1.5 } }, /^createEngine: memory\.maximumBytes .* got 1\.5/],
  [{ memory: { initialBytes: '1' } }, /^createEngine: memory\.initialBytes .* got "1"/],
  [{ memory: { initialBytes: NaN } }, /^createEngine: memory\.initialBytes .* got NaN/],
  [{ memory: { shared: 1 } }, /^createEngine: memory\.shared must be true or false, got 1/],
];

test.each(misuse)('createEngine(%o)', async (options, says) => {
  const wrong = options as EngineOptions;
  const rejected: unknown = await createEngine(wrong).then(() => undefined, (error: unknown) => error);
  expect([isTfError(rejected, 'ArgumentError'), (rejected as Error).message]).toEqual([true, expect.stringMatching(says)]);
  expect(() => createEngineSync(wrong)).toThrow(says);
});

test('the least memory is enough for every kind of step', () => {
  const engine = createEngineSync({ memory: { maximumBytes: LEAST_MAXIMUM_BYTES } });
  for (const f of [(x: Var) => exp(x), (x: Var) => matmul(x, x), (x: Var) => sum(x), (x: Var) => exp(matmul(exp(x), x) as Operand)]) {
    const builder = new Builder();
    const plan = compileProgram(builder.build([f(builder.input(tensorType('float64', [64, 64])))] as unknown as readonly Atom[]));
    const [output] = engine.compile(plan).run([{ data: new Float64Array(4096), shape: [64, 64] }]);
    expect(engine.read(output!).every(Number.isFinite)).toBe(true);
  }
});

test('what the last run gave leaves the memory where compiling needs it', () => {
  const engine = createEngineSync({ memory: { maximumBytes: LEAST_MAXIMUM_BYTES } });
  const builder = new Builder();
  const [output] = engine.compile(compileProgram(builder.build([exp(builder.input(tensorType('float64', [100_000])))]))).run([{ data: new Float64Array(100_000), shape: [100_000] }]);
  const other = new Builder();
  const matrix = other.input(tensorType('float64', [8, 8]));
  const [product] = engine.compile(compileProgram(other.build([matmul(matrix, matrix)]))).run([{ data: new Float64Array(64).fill(1), shape: [8, 8] }]);
  expect([engine.read(output!)[99_999], engine.read(product!)[63]]).toEqual([1, 8]);
});
