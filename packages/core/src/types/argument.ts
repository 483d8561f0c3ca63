import { TfError } from '../errors.ts';
import type { IndexSource } from './index-source.ts';
import { hasListener, listenerKey } from './operand-key.ts';

/** An operation as users call it: `add` for `tf.core.add`; those of other families keep their id. */
export function callName(op: string): string {
  return op.startsWith('tf.core.') ? op.slice('tf.core.'.length) : op;
}

/** What a wrong argument is, in words. Never asks the value for its text: a tensor may refuse. */
export function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (value === '') return 'an empty string';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'an array';
  if (hasListener(value)) return `a tensor ${value.type.key}`;
  if (typeof value === 'object') return named((value as { constructor?: { name?: unknown } }).constructor?.name);
  if (typeof value === 'function') return 'a function';
  return `${typeof value} ${String(value).slice(0, 40)}`;
}

function named(constructor: unknown): string {
  const name = typeof constructor === 'string' && constructor !== '' ? constructor : 'Object';
  return `${/^[AEIOU]/.test(name) ? 'an' : 'a'} ${name}`;
}

/** The error for an argument of the wrong form: what it is, what it takes. `takes` ends with an example where that helps. */
export function wrongArgument(op: string, argument: string, value: unknown, takes: string, remedy?: string): TfError {
  return new TfError('ArgumentError', `${op}: ${argument} is ${describe(value)}; it takes ${takes}.${remedy === undefined ? '' : ` ${remedy}`}`, { op, argument });
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
export function requireOptions(op: string, options: unknown, known: readonly string[], example: string = `${op}(..., { ${known[0] as string}: ... })`): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options) || hasListener(options)) {
    throw wrongArgument(op, 'options', options, `an object with ${known.join(', ')}: ${example}`);
  }
  for (const name in options) if (!known.includes(name)) throw unknownOption(op, name, known);
}

/** Refuses an argument of the wrong form. */
export type ArgumentCheck = (op: string, argument: string, value: unknown) => void;

/** What each option must be; an option that is undefined is absent. */
export type OptionChecks = { readonly [option: string]: ArgumentCheck };

/** {@link requireOptions}, and each option that is there is what it must be. */
export function checkOptions(op: string, options: unknown, checks: OptionChecks, example?: string): void {
  requireOptions(op, options, Object.keys(checks), example);
  for (const name in options as object) {
    const value = (options as { readonly [option: string]: unknown })[name];
    if (value !== undefined) checks[name]?.(op, name, value);
  }
}

function unknownOption(op: string, name: string, known: readonly string[]): TfError {
  const near = nearestNames(name, known);
  return new TfError('ArgumentError', `${op}: there is no option ${JSON.stringify(name)}. ${near.length === 0 ? `It takes ${known.join(', ')}.` : `Write ${near.join(' or ')}.`}`, { op, argument: name, known });
}

/** The names that may have been meant: those with the same beginning, and those that few letters tell apart. */
export function nearestNames(name: string, known: readonly string[]): readonly string[] {
  const [lower, start] = [name.toLowerCase(), name.slice(0, 2).toLowerCase()];
  const distances = known.map((other) => ({ other, distance: editDistance(lower, other.toLowerCase()) }));
  const close = distances.filter(({ other, distance }) => distance <= other.length / 3 || (start.length === 2 && other.toLowerCase().startsWith(start)));
  const least = close.reduce((most, { distance }) => Math.min(most, distance), Infinity);
  return close.filter(({ distance }) => distance === least).map(({ other }) => other);
}

/** How many letters must be put in, left out or changed (Levenshtein 1966). */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) next.push(Math.min((next[j] as number) + 1, (row[j + 1] as number) + 1, (row[j] as number) + Number(a[i] !== b[j])));
    row = next;
  }
  return row[b.length] as number;
}

/** Refuses a flag that is neither a boolean nor absent. */
export function requireFlag(op: string, argument: string, value: unknown): void {
  if (value !== undefined && typeof value !== 'boolean') throw wrongArgument(op, argument, value, 'true or false');
}

/** Refuses anything but a number. */
export function requireNumber(op: string, argument: string, value: unknown): asserts value is number {
  if (typeof value !== 'number') throw wrongNumber(op, argument, value, 'a number');
}

/** Refuses anything but a function. */
export function requireFunction(op: string, argument: string, value: unknown, example?: string): void {
  if (typeof value !== 'function') throw wrongArgument(op, argument, value, 'a function', example === undefined ? undefined : `Write ${example}.`);
}

/** Refuses anything but a text that is not empty. */
export function requireText(op: string, argument: string, value: unknown): void {
  if (typeof value !== 'string' || value === '') throw wrongArgument(op, argument, value, 'a text that is not empty');
}

/** Refuses anything but a positive integer: how many, how large. */
export function requireCount(op: string, argument: string, value: unknown): void {
  if (!Number.isSafeInteger(value) || (value as number) < 1) throw wrongArgument(op, argument, value, 'a positive integer');
}

/** Refuses anything but an integer. */
export function requireInteger(op: string, argument: string, value: unknown): void {
  if (!Number.isSafeInteger(value)) throw wrongArgument(op, argument, value, 'an integer');
}

/** Refuses what has not the methods and parts of an engine, a context or a catalog, whichever copy of the package made it. */
function hasParts(value: unknown, methods: readonly string[], parts: readonly string[]): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const given = value as { readonly [name: string]: unknown };
  return methods.every((name) => typeof given[name] === 'function') && parts.every((name) => typeof given[name] === 'object' && given[name] !== null);
}

/** Refuses anything but an engine; `example` shows where it is given. */
export function requireEngine(op: string, argument: string, value: unknown, example: string = `${op}(…, { engine })`): void {
  if (hasParts(value, ['compile', 'upload', 'read'], ['info'])) return;
  throw wrongArgument(op, argument, value, 'an engine', `Make one, e.g. await createEngine() of @tf/engine-cpu-wasm, and write ${example}.`);
}

/** Refuses anything but a context of derivatives. */
export function requireContext(op: string, argument: string, value: unknown): void {
  if (hasParts(value, ['pullback', 'pushforward', 'local'], ['catalog'])) return;
  throw wrongArgument(op, argument, value, 'an AdContext', 'Make one: new AdContext({ catalog: createCatalog([…]) }).');
}

/** Refuses anything but a catalog. */
export function requireCatalog(op: string, argument: string, value: unknown): void {
  if (hasParts(value, ['operation', 'rule', 'with'], ['basis', 'extensions'])) return;
  throw wrongArgument(op, argument, value, 'a catalog', 'Make one: createCatalog([…]).');
}

/**
 * The error of a gather or scatter that met an index without a row while it ran: for engines, which know what the user called from
 * the step.
 */
export function rowError(kind: 'gather' | 'scatter', index: number, rows: number, named?: IndexSource): TfError {
  const { called, argument = 'indices', fromStart = false } = named ?? { called: kind === 'gather' ? 'take or takeAlongAxis' : 'indexAdd or scatterAdd' };
  const least = fromStart ? 0 : -rows;
  const given = fromStart && index < 0 ? index + rows : index;
  // int64 indices are brought into the range of int32 first.
  const beyond = index === 2 ** 31 - 1 ? ' or more' : index === -(2 ** 31) ? ' or less' : '';
  const why = rows === 0
    ? 'there are no rows along that axis. Check for an empty tensor first, or give no indices.'
    : `there are ${rows} rows, and ${argument} run from ${least} to ${rows - 1}. Correct them, or clamp them: minimum(maximum(${argument}, ${least}), ${rows - 1}).`;
  return new TfError('IndexError', `${called}: index ${given}${beyond}${argument === 'indices' ? '' : ` of ${argument}`} is out of range: ${why}`, named === undefined ? { op: kind, index, rows } : { op: called, argument, index: given, rows });
}
