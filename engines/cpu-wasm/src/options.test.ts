import { isTfError } from '@tf/core';
import { expect, test } from 'vitest';
import { createEngine, createEngineSync, type EngineOptions } from './index.ts';

/** Options, and what the error says. */
const misuse: readonly (readonly [options: unknown, says: RegExp])[] = [
  [null, /^createEngine: options must be an object, .* got null/],
  [5, /^createEngine: options .* got 5/],
  [{ threads: 2 }, /^createEngine: options has no option threads\. There are: memory, debug\./],
  [{ debug: true }, /^createEngine: debug must be 'memory', got true/],
  [{ memory: 'x' }, /^createEngine: memory must be an object, .* got "x"/],
  [{ memory: null }, /^createEngine: memory .* got null/],
  [{ memory: { maximum: -1 } }, /^createEngine: memory has no option maximum\. There are: initialBytes, maximumBytes, shared\./],
  [{ memory: { maximumBytes: -1 } }, /^createEngine: memory\.maximumBytes must be a positive integer number of bytes, got -1/],
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
