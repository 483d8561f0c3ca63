import { TfError } from '../errors.ts';
import { hasListener, listenerKey } from './operand-key.ts';

/** An operation as users call it: `add` for `tf.core.add`; those of other families keep their id. */
export function callName(op: string): string {
  return op.startsWith('tf.core.') ? op.slice('tf.core.'.length) : op;
}

/** What a wrong argument is, in words. Never asks the value for its text: a tensor may refuse. */
export function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'an array';
  if (hasListener(value)) return `a tensor ${value.type.key}`;
  if (typeof value === 'object') return `a ${(value as { constructor?: { name?: unknown } }).constructor?.name as string | undefined ?? 'object'}`;
  if (typeof value === 'function') return 'a function';
  return `${typeof value} ${String(value).slice(0, 40)}`;
}

/** The error for an argument of the wrong form: what it is, what it takes. `takes` ends with an example where that helps. */
export function wrongArgument(op: string, argument: string, value: unknown, takes: string): TfError {
  return new TfError('ArgumentError', `${op}: ${argument} is ${describe(value)}; it takes ${takes}.`, { op, argument });
}

/** As {@link wrongArgument} for numbers that must be known now: sizes, axes, bounds. A traced value there is a leak. */
export function wrongNumber(op: string, argument: string, value: unknown, takes: string): TfError {
  if (!hasListener(value)) return wrongArgument(op, argument, value, takes);
  if (value[listenerKey].level >= 2) {
    return new TfError('TracerLeakError', `${op}: ${argument} is a traced tensor ${value.type.key} used as an index or size, but it has no value while a program is built; it takes ${takes}. Pass the number in as a JavaScript number, or take elements with take(x, indices).`, { op, argument, as: 'an index', type: value.type.key });
  }
  return new TfError('ArgumentError', `${op}: ${argument} is ${describe(value)}; it takes ${takes}. Read the number out first: x.item().`, { op, argument });
}

/** Refuses anything but a list. */
export function requireList(op: string, argument: string, value: unknown, takes: string): asserts value is readonly unknown[] {
  if (!Array.isArray(value)) throw wrongNumber(op, argument, value, takes);
}

/** Refuses anything but a list of numbers; whether they are integers in range is asked where the range is known. */
export function requireNumbers(op: string, argument: string, value: unknown, takes: string): asserts value is readonly number[] {
  requireList(op, argument, value, takes);
  for (let at = 0; at < value.length; at++) if (typeof value[at] !== 'number') throw wrongNumber(op, `${argument}[${at}]`, value[at], 'an integer');
}

/** Refuses anything but an object that has no options beside the `known` ones. */
export function requireOptions(op: string, options: unknown, known: readonly string[]): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options) || hasListener(options)) {
    throw wrongArgument(op, 'options', options, `an object with ${known.join(', ')}: ${op}(..., { ${known[0] as string}: ... })`);
  }
  for (const name in options) if (!known.includes(name)) throw unknownOption(op, name, known);
}

function unknownOption(op: string, name: string, known: readonly string[]): TfError {
  const start = name.slice(0, 2).toLowerCase();
  const meant = known.find((other) => other.slice(0, 2).toLowerCase() === start);
  return new TfError('ArgumentError', `${op}: there is no option ${JSON.stringify(name)}. ${meant === undefined ? `It takes ${known.join(', ')}.` : `Write ${meant}.`}`, { op, argument: name, known });
}

/** Refuses a flag that is neither a boolean nor absent. */
export function requireFlag(op: string, argument: string, value: unknown): void {
  if (value !== undefined && typeof value !== 'boolean') throw wrongArgument(op, argument, value, 'true or false');
}

/** Refuses anything but a number. */
export function requireNumber(op: string, argument: string, value: unknown): asserts value is number {
  if (typeof value !== 'number') throw wrongNumber(op, argument, value, 'a number');
}

/**
 * The error of a gather or scatter that met an index without a row while it ran: for engines, which do not know what the
 * user called.
 */
export function rowError(kind: 'gather' | 'scatter', index: number, rows: number): TfError {
  const called = kind === 'gather' ? 'take or takeAlongAxis' : 'indexAdd or scatterAdd';
  const why = rows === 0
    ? 'there are no rows along that axis. Check for an empty tensor first, or give no indices.'
    : `there are ${rows} rows, and indices run from ${-rows} to ${rows - 1}. Correct the indices, or clamp them: minimum(maximum(indices, ${-rows}), ${rows - 1}).`;
  return new TfError('IndexError', `${called}: index ${index} is out of range: ${why}`, { op: kind, index, rows });
}
