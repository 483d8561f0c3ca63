import { TfError } from '@tf/core';

const engineOptions: readonly string[] = Object.freeze(['memory']);
const memoryOptions: readonly string[] = Object.freeze(['initialBytes', 'maximumBytes', 'shared']);

/** Refuses options of `createEngine` that are no options. */
export function checkOptions(options: unknown): void {
  const { memory } = requireNames('options', options, engineOptions, '{ memory: { maximumBytes } }') as { readonly memory?: unknown };
  if (memory === undefined) return;
  const { initialBytes, maximumBytes, shared } = requireNames('memory', memory, memoryOptions, '{ maximumBytes: 2 ** 30 }');
  requireBytes('memory.initialBytes', initialBytes);
  requireBytes('memory.maximumBytes', maximumBytes);
  if (shared !== undefined && typeof shared !== 'boolean') throw wrong('memory.shared', 'true or false', shared);
}

function wrong(argument: string, wanted: string, value: unknown): TfError {
  const got = typeof value === 'object' || typeof value === 'function' ? (value === null ? 'null' : Array.isArray(value) ? 'an array' : `a value of type ${typeof value}`) : typeof value === 'string' ? JSON.stringify(value) : String(value);
  return new TfError('ArgumentError', `createEngine: ${argument} must be ${wanted}, got ${got}. Leave it out for the default.`, { op: 'createEngine', argument });
}

function requireNames(argument: string, value: unknown, known: readonly string[], example: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong(argument, `an object, e.g. ${example}`, value);
  const unknown = Object.keys(value).filter((name) => !known.includes(name));
  if (unknown.length === 0) return value as Readonly<Record<string, unknown>>;
  throw new TfError('ArgumentError', `createEngine: ${argument} has no option ${unknown.join(', ')}. There are: ${known.join(', ')}.`, { op: 'createEngine', argument, unknown, known });
}

function requireBytes(argument: string, value: unknown): void {
  if (value === undefined || (Number.isInteger(value) && (value as number) > 0)) return;
  throw wrong(argument, 'a positive integer number of bytes', value);
}
