import { TfError } from '@tf/core';
import { expect, test } from 'vitest';
import { createReporter, failureOf, mostFailures, type Origin } from './failures.ts';
import type { Failure } from './messages.ts';
import { type EarlyErrorScope, placeOfEarlyError } from './source.ts';

const told = (thrown: unknown, origin?: Origin): Failure => failureOf(thrown, { code: '', modules: { m: { f() {} } }, placeOf: () => ({ line: 2, column: 3 }), ...(origin && { origin }) });

test('an error has its place, its code, its causes and what to do', () => {
  expect(told(new TfError('ShapeError', 'shapes', {}))).toMatchObject({ name: 'ShapeError', message: 'shapes', line: 2, column: 3 });
  expect(told(new TfError('ShapeError', 'shapes', {})).code).toBeDefined();
  expect(told(new Error('above', { cause: new Error('below') })).message).toBe('above\n  [cause]: Error: below');
  expect(told(new ReferenceError('f is not defined')).remedy).toContain("import { f } from 'm'");
  expect(told('text')).toMatchObject({ name: 'Thrown', message: 'text', remedy: expect.stringContaining('throw new Error') as string });
});

test('what failed outside of the course of the program says so', () => {
  expect(told(new Error('x')).remedy).toBeUndefined();
  expect(told(new Error('x'), 'promise').remedy).toMatch(/put await before/);
  expect(told(new Error('x'), 'event').remedy).toMatch(/timer or a listener/);
});

test('one thrown object is told once, and failures without end are not all told', () => {
  const sent: string[] = [];
  const report = createReporter(({ failure }) => sent.push(failure.message));
  const error = new Error('twice');
  report(error, told(error));
  report(error, told(error));
  expect(sent).toEqual(['twice']);
  for (let at = 0; at < 100; at++) report(at, told(at));
  expect([sent.length, sent.at(-1)]).toEqual([mostFailures + 1, `More than ${mostFailures} failures: the rest is not shown.`]);
});

test('the place of an early error is the one that the compiling timer tells, less its own first line', async () => {
  let listener: Parameters<EarlyErrorScope['addEventListener']>[1] | undefined;
  const scope = (lineno: number | undefined): EarlyErrorScope => ({
    addEventListener: (_, added) => (listener = added),
    removeEventListener: () => (listener = undefined),
    setTimeout: (work) => setImmediate(() => (typeof work === 'function' ? work() : lineno === undefined ? undefined : listener?.({ lineno, colno: 5, preventDefault() {} }))),
  });
  expect(await placeOfEarlyError('let a = 1;\nlet a = 2;', scope(3))).toEqual({ line: 2, column: 5 });
  expect(await placeOfEarlyError('let a = 1;', scope(undefined))).toBeUndefined();
  expect(listener).toBeUndefined();
});
