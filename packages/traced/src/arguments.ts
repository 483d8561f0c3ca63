import { type Engine, isOperand, type Listener, listenerKey, TfError } from '@tf/core';

/** What an argument is, in a message. Never asks a tensor for its text: it may refuse. */
export function described(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'an array';
  if (isOperand(value)) return `a tensor ${value.type.key}`;
  if (typeof value === 'object') return `an object (${(value as { readonly constructor?: { readonly name?: string } }).constructor?.name ?? 'Object'})`;
  return typeof value === 'function' ? 'a function' : `the ${typeof value} ${typeof value === 'string' ? JSON.stringify(value) : String(value)}`;
}

export function wrong(op: string, argument: string, wanted: string, value: unknown, remedy: string): TfError {
  return new TfError('ArgumentError', `${op}: ${argument} must be ${wanted}, got ${described(value)}. ${remedy}`, { op, argument });
}

export function requireEngine(op: string, value: unknown): void {
  const { compile, upload, read, info } = (value ?? {}) as Partial<Engine>;
  if (typeof compile === 'function' && typeof upload === 'function' && typeof read === 'function' && typeof info === 'object') return;
  const call = op === 'evaluate' ? 'evaluate(tree, engine)' : `${op}(…, { engine })`;
  throw wrong(op, 'engine', 'an engine', value, `Make one, e.g. await createEngine() of @tf/engine-cpu-wasm, and write ${call}.`);
}

export function requireFunction(op: string, value: unknown): void {
  if (typeof value !== 'function') throw wrong(op, 'f', 'a function', value, `Write ${op}((x) => …).`);
}

export function requireOptions(op: string, value: unknown, example: string): void {
  if (typeof value === 'object' && value !== null && !Array.isArray(value) && !isOperand(value)) return;
  throw wrong(op, 'options', 'an object of options', value, `Write ${example}.`);
}

/** Primals and tangents: one entry per argument of the function. */
export function requireList(op: string, argument: string, value: unknown): void {
  if (!Array.isArray(value)) throw wrong(op, argument, 'a list with one entry per argument', value, `Write ${op}(f, [x], [v]).`);
}

export function requireArgnums(op: string, value: unknown): void {
  if (typeof value === 'number' || (Array.isArray(value) && value.every((at) => typeof at === 'number'))) return;
  throw wrong(op, 'argnums', 'a number or a list of numbers', value, 'Arguments count from 0: { argnums: 0 } or { argnums: [0, 1] }.');
}

/** Refuses a traced tensor that is not of this copy of the package, whose listener is `own`. */
export function refuseOtherCopy(op: string, value: unknown, own: unknown): void {
  const listener = isOperand(value) ? (value[listenerKey] as Listener) : undefined;
  if (listener === undefined || listener.level !== 2 || listener === own) return;
  throw new TfError('ForeignValueError', `${op}: a traced tensor was made by another copy of @tf/traced, so this one cannot work with it. Have one copy installed: npm ls @tf/traced shows where they come from.`, { op });
}

/** The error that a function met when it took a list of scalars for a tensor, or the error itself. */
export function explainScalars(op: string, args: readonly unknown[], error: unknown): unknown {
  if (!(error instanceof TypeError)) return error;
  const at = args.findIndex((arg) => Array.isArray(arg) && arg.length > 0 && arg.flat(Infinity).every((entry) => typeof entry === 'number'));
  if (at < 0) return error;
  return new TfError('ArgumentError', `${op}: argument ${at} is an array of numbers, so the function got an array of traced scalars, and failed: ${error.message}. If a tensor is meant, pass tensor([…]).`, { op, argument: String(at) }, { cause: error });
}
