import { formatAll, formatValue } from './format.ts';
import type { Level, WorkerMessage } from './messages.ts';

/** A program that prints for ever must not stop the page that could stop it. */
export const mostLines = 2000;
/** Of all prints together. */
export const mostPrinted = 2_000_000;
const mostRows = 500;
const mostColumns = 40;

type Method = (...values: readonly unknown[]) => void;
export type ProgramConsole = Readonly<Record<string, Method>>;
type Output = Extract<WorkerMessage, { readonly kind: 'print' | 'table' }>;

/** The program's `console`: what it prints is sent, up to a size. */
export function createConsole(send: (message: Output) => void, now: () => number): ProgramConsole {
  const [counts, starts] = [new Map<string, number>(), new Map<string, number>()];
  const emit = limited(send);
  let indent = '';
  const print = (level: Level, text: string): void => emit({ kind: 'print', level, text: indent === '' ? text : indent + text.replaceAll('\n', `\n${indent}`) }, text.length);
  const printer = (level: Level): Method => (...values) => print(level, formatAll(values));
  const [log, warn] = [printer('log'), printer('warn')];
  const labelled = (label: unknown): string => (label === undefined ? 'default' : String(label));
  const elapsed = (isLast: boolean): Method => (label, ...values) => {
    const [name, start] = [labelled(label), starts.get(labelled(label))];
    if (start === undefined) return warn(`console.${isLast ? 'timeEnd' : 'timeLog'}: no timer '${name}' was started: console.time('${name}') starts it.`);
    print('log', formatAll([`${name}: ${timeText(now() - start)}`, ...values]));
    if (isLast) starts.delete(name);
  };
  const group: Method = (...values) => {
    if (values.length > 0) log(...values);
    indent += '  ';
  };
  return {
    log, warn, info: log, debug: log, error: printer('error'), trace: log, dirxml: log, group, groupCollapsed: group,
    groupEnd: () => void (indent = indent.slice(2)),
    dir: (value) => print('log', formatValue(value)),
    table(data, columns) {
      const table = tableOf(data, Array.isArray(columns) ? columns.map(String) : undefined);
      if (table === undefined) return log(data);
      emit({ kind: 'table', ...table }, table.rows.flat().reduce((sum, text) => sum + text.length, 0));
    },
    assert: (condition, ...values) => void (condition || print('error', values.length === 0 ? 'Assertion failed' : `Assertion failed: ${formatAll(values)}`)),
    count(label) {
      const name = labelled(label);
      counts.set(name, (counts.get(name) ?? 0) + 1);
      log(`${name}: ${counts.get(name)}`);
    },
    countReset: (label) => void counts.delete(labelled(label)),
    time: (label) => void starts.set(labelled(label), now()),
    timeLog: elapsed(false),
    timeEnd: elapsed(true),
    clear() {},
  };
}

/** Sends up to a number of messages and of characters, then one note. */
function limited(send: (message: Output) => void): (message: Output, size: number) => void {
  let [lines, printed] = [0, 0];
  return (message, size) => {
    if (lines > mostLines || printed > mostPrinted) return;
    lines++;
    printed += size;
    if (lines > mostLines) send({ kind: 'print', level: 'warn', text: `More than ${mostLines} lines: the rest is not shown.` });
    else if (printed > mostPrinted) send({ kind: 'print', level: 'warn', text: `More than ${mostPrinted.toLocaleString('en')} characters: the rest is not shown.` });
    else send(message);
  };
}

function timeText(milliseconds: number): string {
  return milliseconds < 1000 ? `${milliseconds.toPrecision(3)} ms` : `${(milliseconds / 1000).toPrecision(4)} s`;
}

/** Rows and columns of an array or an object of objects; undefined for what has none. */
function tableOf(data: unknown, wanted: readonly string[] | undefined): { readonly columns: readonly string[]; readonly rows: readonly (readonly string[])[] } | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const isKeyed = data instanceof Map;
  const entries: readonly (readonly [string, unknown])[] = isKeyed ? [...data].map(([key, value]) => [formatCell(key), value]) : data instanceof Set ? [...data].map((value, at) => [String(at), value]) : Object.entries(data);
  const fieldsOf = (row: unknown): readonly (readonly [string, unknown])[] => (typeof row === 'object' && row !== null && !(row instanceof Date) ? Object.entries(row) : []);
  const shown = entries.slice(0, mostRows);
  const found = wanted ?? [...new Set(shown.flatMap(([, row]) => fieldsOf(row).map(([name]) => name)))];
  const names = found.slice(0, mostColumns);
  const hasValues = shown.some(([, row]) => fieldsOf(row).length === 0);
  const rows = shown.map(([key, row]) => {
    const fields = new Map(fieldsOf(row));
    return [key, ...names.map((name) => (fields.has(name) ? formatCell(fields.get(name)) : '')), ...(hasValues ? [fields.size === 0 ? formatCell(row) : ''] : [])];
  });
  if (entries.length > mostRows) rows.push([`… ${entries.length - mostRows} more`, ...names.map(() => ''), ...(hasValues ? [''] : [])]);
  return { columns: [isKeyed ? 'key' : '(index)', ...names.map((name, at) => (at === mostColumns - 1 && found.length > mostColumns ? `${name} … ${found.length - mostColumns} more` : name)), ...(hasValues ? ['value'] : [])], rows };
}

function formatCell(value: unknown): string {
  const text = typeof value === 'string' ? value : formatValue(value);
  return text.length > 200 ? `${text.slice(0, 199)}…` : text;
}
