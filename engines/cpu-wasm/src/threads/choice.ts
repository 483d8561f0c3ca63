import { withoutThreads } from './worker.ts';

/** How many threads an engine will have, and why it is one. */
export interface ThreadChoice {
  readonly threads: number;
  readonly oneThread: string | undefined;
}

/** Each thread takes 1.4 MB for itself. */
const LEAST_MEMORY = 2 ** 24;

export function chooseThreads(threads: number | undefined, isShared: boolean, maximumBytes: number = Infinity): ThreadChoice {
  const why = asked(threads) ?? withoutThreads() ?? refused(isShared, maximumBytes);
  return why === undefined ? { threads: threads!, oneThread: undefined } : { threads: 1, oneThread: why };
}

function asked(threads: number | undefined): string | undefined {
  if (threads === undefined) return 'the option threads was not given';
  return threads === 1 ? 'the option threads is 1' : undefined;
}

function refused(isShared: boolean, maximumBytes: number): string | undefined {
  if (!isShared) return 'the option memory.shared is false';
  return maximumBytes < LEAST_MEMORY ? `the option memory.maximumBytes is less than ${LEAST_MEMORY}` : undefined;
}
