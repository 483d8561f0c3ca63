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

/** A traced argument of one jitted function turned up in the program of another. */
export function escapedTracer(value: TracedValue, into: string): TfError {
  const { origin } = value;
  const name = origin.kind === 'input' ? origin.name : '';
  const from = origin.kind === 'input' ? origin.trace?.name : undefined;
  const whose = from === undefined ? `the input ${JSON.stringify(name)}` : `${JSON.stringify(name)}, an argument of jit(${from}) that was kept after the call`;
  return new TfError('TracerLeakError', `${into} uses ${whose}: it has no value there. Pass it as an argument, and let functions return what others need.`, { jit: from, input: name, op: into });
}

/** Transforms run a function to its end; one that goes on later would build its rest into nothing. */
export function refuseAsync(op: string, result: unknown): void {
  if (typeof (result as { readonly then?: unknown } | null | undefined)?.then !== 'function') return;
  throw new TfError('AsyncCallbackError', `${op}: the function returned a promise. A traced function must be synchronous: await its data before the call and pass them in.`, { op });
}
