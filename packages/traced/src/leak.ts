import { TfError } from '@tf/core';
import type { TracedValue } from './origin.ts';

/** Node's and Deno's key for what `console.log` shows. */
export const inspectKey: unique symbol = Symbol.for('nodejs.util.inspect.custom') as never;

/** What a value is called in a message. */
function nameOf({ origin, type }: TracedValue): string {
  const { kind } = origin;
  if (kind === 'input') return `The traced input ${JSON.stringify(origin.name)} ${type.key}`;
  return kind === 'node' ? `A traced ${type.key} (result of ${origin.operation.id})` : `A traced constant ${type.key}`;
}

/** A traced tensor was used where JavaScript needs a value. */
export function tracerLeak(value: TracedValue, as: string): TfError {
  return new TfError('TracerLeakError', `${nameOf(value)} was used as ${as}, but it has no value while a program is built. Compute with tensor operations (select(condition, a, b) instead of a branch), pass the number in as an argument, or run first: evaluate(x, engine).`, { as, type: value.type.key });
}

/** Whether a function that traces is still running on this value: an argument of it, or what it differentiates by. */
export function isOpen({ origin }: TracedValue): boolean {
  return origin.kind !== 'bound' && origin.trace?.open === true;
}

/** A value without data, or one that a transform is differentiating by, turned up where a program is to be run. */
export function escapedTracer(value: TracedValue, into: string): TfError {
  const { origin, type } = value;
  const name = origin.kind === 'input' ? origin.name : type.key;
  const from = origin.kind === 'bound' ? undefined : origin.trace?.name;
  const fields = { from, input: name, op: into };
  if (isOpen(value)) return new TfError('TracerLeakError', `${into} would run on a value ${type.key} that ${from} is tracing at this moment. Run it after ${from} has returned, or compute with tensor operations.`, fields);
  const whose = from === undefined ? `the input ${JSON.stringify(name)}` : `${JSON.stringify(name)}, an argument of ${from} that was kept after the call`;
  return new TfError('TracerLeakError', `${into} uses ${whose}: it has no value there. Pass it as an argument, and let functions return what others need.`, fields);
}

/** Transforms run a function to its end; one that goes on later would build its rest into nothing. */
export function refuseAsync(op: string, result: unknown): void {
  if (typeof (result as { readonly then?: unknown } | null | undefined)?.then !== 'function') return;
  throw new TfError('AsyncCallbackError', `${op}: the function returned a promise. A traced function must be synchronous: await its data before the call and pass them in.`, { op });
}
