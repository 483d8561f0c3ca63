import { isTfError, TfError } from '../errors.ts';

/**
 * What a function that is written with other operations gives; where one of them refuses its operands, the error names the function that
 * the user called. Not for functions that call the user's own.
 */
export function inNameOf<T>(called: string, run: () => T): T {
  try {
    return run();
  } catch (thrown) {
    throw renamed(thrown, called);
  }
}

function renamed(thrown: unknown, called: string): unknown {
  if (!isTfError(thrown) || thrown.kind !== 'user') return thrown;
  const { op } = thrown.fields;
  if (op === undefined || op === called || !thrown.message.startsWith(`${op}: `)) return thrown;
  return new TfError(thrown.name as ConstructorParameters<typeof TfError>[0], `${called}: ${thrown.message.slice(op.length + 2)}`, { ...thrown.fields, op: called }, { cause: thrown });
}
