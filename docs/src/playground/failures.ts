import { isTfError } from '@tf/core';
import { formatAll } from './format.ts';
import { ImportFault, type Modules, remedyOf } from './imports.ts';
import type { Failure, WorkerMessage } from './messages.ts';
import { compileSource, type EarlyErrorScope, placeOfEarlyError, placeOfSyntaxError, type SourcePlace } from './source.ts';

/** Failures after these say nothing new: a timer may fail for ever. */
export const mostFailures = 20;

/** Where something was thrown: in the program's own course, in a promise that nobody awaited, or in a timer or listener. */
export type Origin = 'program' | 'promise' | 'event';

const hints: Readonly<Record<Origin, string | undefined>> = Object.freeze({
  program: undefined,
  promise: 'Nothing awaited the promise that this ended: put await before what made it, and the program stops there; or end it with .catch.',
  event: 'It was thrown in a timer or a listener, outside the program’s own course: a try around what sets the timer does not catch it, one inside does.',
});

/** What was thrown, as a person reads it: with its place in the program and what to do. */
export function failureOf(thrown: unknown, { code, modules, placeOf, origin = 'program' }: { readonly code: string; readonly modules: Modules; readonly placeOf: (error: Error) => SourcePlace | undefined; readonly origin?: Origin }): Failure {
  const remedies = [thrown instanceof Error ? remedyOf(thrown, code, modules) : 'Throw an Error (throw new Error(…)): it says where it comes from.', hints[origin]].filter((remedy) => remedy !== undefined);
  const remedy = remedies.length === 0 ? {} : { remedy: remedies.join(' ') };
  if (!(thrown instanceof Error)) return { name: 'Thrown', message: formatAll([thrown]), ...remedy };
  const [own, ...causes] = formatAll([thrown]).split('\n');
  // The first line of a print is the name and the message; what is below are causes.
  const message = causes.length > 0 && !thrown.message.includes('\n') && own !== undefined ? [thrown.message, ...causes].join('\n') : formatAll([thrown.message]);
  const place = thrown instanceof ImportFault && thrown.place !== undefined ? thrown.place : placeOf(thrown);
  return { name: thrown.name, message, ...(isTfError(thrown) ? { code: thrown.code } : {}), ...remedy, ...place };
}

/** Sends failures, each thrown object once, up to a number. */
export function createReporter(send: (message: Extract<WorkerMessage, { readonly kind: 'failure' }>) => void): (thrown: unknown, failure: Failure) => void {
  const known = new WeakSet<object>();
  let count = 0;
  return (thrown, failure) => {
    if (typeof thrown === 'object' && thrown !== null) {
      if (known.has(thrown)) return;
      known.add(thrown);
    }
    count++;
    if (count <= mostFailures) send({ kind: 'failure', failure });
    else if (count === mostFailures + 1) send({ kind: 'failure', failure: { name: 'Error', message: `More than ${mostFailures} failures: the rest is not shown.` } });
  };
}

type Compiled = ReturnType<typeof compileSource>;

/** Compiles a program; an error that it has before it runs comes with its place. */
export async function compileOrPlace(code: string, scope: EarlyErrorScope): Promise<Compiled | { readonly thrown: unknown; readonly place: SourcePlace | undefined }> {
  try {
    return compileSource(code);
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : '';
    return { thrown, place: placeOfSyntaxError(message) ?? (await placeOfEarlyError(code, scope).catch(() => undefined)) };
  }
}
