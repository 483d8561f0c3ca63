import { expect, test } from 'vitest';
import { createConsole, mostLines, mostPrinted, type ProgramConsole } from './console.ts';
import type { WorkerMessage } from './messages.ts';

function tried(work: (console: ProgramConsole) => void): readonly WorkerMessage[] {
  const sent: WorkerMessage[] = [];
  let time = 0;
  work(createConsole((message) => sent.push(message), () => (time += 12.5)));
  return sent;
}

const texts = (work: (console: ProgramConsole) => void): readonly string[] => tried(work).map((message) => (message.kind === 'print' ? `${message.level}: ${message.text}` : message.kind));

test('prints by level, in groups, counts, and asserts', () => {
  expect(texts((to) => {
    to.log!('a', [1]); to.warn!('b'); to.error!('c'); to.info!('d');
    to.group!('g'); to.log!('in\nside'); to.groupEnd!(); to.groupEnd!(); to.log!('out');
    to.count!(); to.count!(); to.count!('x'); to.countReset!(); to.count!();
    to.assert!(true, 'no'); to.assert!(false, 'why', 1); to.dir!({ a: 'b' });
  })).toEqual(['log: a [ 1 ]', 'warn: b', 'error: c', 'log: d', 'log: g', 'log:   in\n  side', 'log: out', 'log: default: 1', 'log: default: 2', 'log: x: 1', 'log: default: 1', 'error: Assertion failed: why 1', "log: { a: 'b' }"]);
});

test('measures times by label, and says where none was begun', () => {
  expect(texts((to) => {
    to.time!('t'); to.timeLog!('t', 'so far'); to.timeEnd!('t'); to.timeEnd!('t');
  })).toEqual(['log: t: 12.5 ms so far', 'log: t: 25.0 ms', "warn: console.timeEnd: no timer 't' was started: console.time('t') starts it."]);
});

test('a table has the fields of its rows as columns, and what has none as a value', () => {
  expect(tried((to) => to.table!([{ a: 1, b: 'x' }, { b: [2] }, 7]))).toEqual([{ kind: 'table', columns: ['(index)', 'a', 'b', 'value'], rows: [['0', '1', 'x', ''], ['1', '', '[ 2 ]', ''], ['2', '', '', '7']] }]);
  expect(tried((to) => to.table!(new Map([['k', { v: 1 }]])))).toEqual([{ kind: 'table', columns: ['key', 'v'], rows: [['k', '1']] }]);
  expect(tried((to) => to.table!([[1, 2], [3, 4]], ['1']))).toEqual([{ kind: 'table', columns: ['(index)', '1'], rows: [['0', '2'], ['1', '4']] }]);
  expect(texts((to) => to.table!(3))).toEqual(['log: 3']);
});

test('a long table is cut, with a note', () => {
  const [table] = tried((to) => to.table!(Array.from({ length: 700 }, (_, at) => Object.fromEntries(Array.from({ length: 50 }, (__, column) => [`c${column}`, at])))));
  const { columns, rows } = table as Extract<WorkerMessage, { readonly kind: 'table' }>;
  expect([columns.length, columns.at(-1), rows.length, rows.at(-1)![0]]).toEqual([41, 'c39 … 10 more', 501, '… 200 more']);
});

test('all prints together have a greatest number and a greatest size', () => {
  const many = texts((to) => { for (let at = 0; at < mostLines + 50; at++) to.log!(at); });
  expect([many.length, many.at(-1)]).toEqual([mostLines + 1, `warn: More than ${mostLines} lines: the rest is not shown.`]);
  const large = texts((to) => { for (let at = 0; at < 150; at++) to.log!('x'.repeat(19_000)); });
  expect(large.length).toBe(Math.floor(mostPrinted / 19_000) + 1);
  expect(large.at(-1)).toContain('characters: the rest is not shown');
});
