import { type Engine, isOperand, TfError } from '@tf/core';
import { coreKey, eagerKey } from './keys.ts';

/** What an argument is, in a message. */
export function described(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (isOperand(value)) return `a tensor ${value.type.key}`;
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'string') return `the string ${JSON.stringify(value)}`;
  return typeof value === 'object' || typeof value === 'function' || typeof value === 'symbol' ? `a value of type ${typeof value}` : `the ${typeof value} ${String(value)}`;
}

function wrong(op: string, argument: string, wanted: string, value: unknown, remedy: string): TfError {
  return new TfError('ArgumentError', `${op}: ${argument} must be ${wanted}, got ${described(value)}. ${remedy}`, { op, argument });
}

export function requireEngine(op: string, value: unknown): void {
  const { compile, upload, read, info } = (value ?? {}) as Partial<Engine>;
  if (typeof compile === 'function' && typeof upload === 'function' && typeof read === 'function' && typeof info === 'object') return;
  throw wrong(op, 'engine', 'an engine', value, `Make one, e.g. await createEngine() of @tf/engine-cpu-wasm, and pass it${op.startsWith('session') || op === 'open' ? ` first: runtime.${op}(engine${op === 'open' ? '' : ', callback'})` : ': { engine }'}.`);
}

export function requireCallback(op: string, value: unknown): void {
  if (typeof value === 'function') return;
  const call = op === 'sessionAsync' ? 'sessionAsync(engine, async () => …)' : op === 'session' ? 'session(engine, () => …)' : `${op}(() => …)`;
  throw wrong(op, 'callback', 'a function', value, `Write runtime.${call}.`);
}

/** Options of a derivative: an object whose engine, if there is one, is one. */
export function requireOptions(op: string, value: unknown): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || isOperand(value)) throw wrong(op, 'options', 'an object of options', value, 'Leave it out, or name the options, e.g. { engine }.');
  const { engine } = value as { readonly engine?: unknown };
  if (engine !== undefined) requireEngine(op, engine);
}

/** A list; what is in it is asked where it is used. */
export function requireTensorList(op: string, argument: string, value: unknown): void {
  if (!Array.isArray(value)) throw wrong(op, argument, 'a list of tensors', value, `Write [x]${op.endsWith('Many') ? `, or call ${op.slice(0, -'Many'.length)} for one` : ''}.`);
}

/** A list of eager tensors of this copy of the package. */
export function requireTensors(op: string, argument: string, value: unknown): void {
  if (!Array.isArray(value)) throw wrong(op, argument, 'a list of tensors', value, `Write { ${argument}: [x] }.`);
  value.forEach((entry: unknown, at) => {
    if (typeof entry !== 'object' || entry === null || !(eagerKey in entry) || !(coreKey in entry)) throw wrong(op, `${argument}[${at}]`, 'an eager tensor', entry, 'Give variables, made with runtime.variable(…), or tensors that retain their gradients.');
  });
}
