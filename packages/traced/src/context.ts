import { AdContext, createCatalog, TfError } from '@tf/core';
import type { TracedAtom } from './origin.ts';

/** The context of two values together; a value without one takes the other's. */
export function joinContexts(op: string, a: AdContext | undefined, b: AdContext | undefined): AdContext | undefined {
  if (a === b || b === undefined) return a;
  if (a === undefined) return b;
  throw new TfError('ContextMismatchError', `${op}: values of two AdContexts met. Make all inputs of one computation with the same context, or with none.`, { op });
}

/** The context that atoms carry together. */
export function contextOf(op: string, atoms: readonly TracedAtom[]): AdContext | undefined {
  let context: AdContext | undefined;
  for (const atom of atoms) context = joinContexts(op, context, (atom as { readonly context?: AdContext }).context);
  return context;
}

/**
 * The context that a derivative uses, and the one that its results carry. When nobody gave any, core's rules serve this
 * one call and the results carry none.
 */
export function contextFor(op: string, atoms: readonly TracedAtom[], given: AdContext | undefined): { readonly context: AdContext; readonly inherited: AdContext | undefined } {
  const inherited = joinContexts(op, contextOf(op, atoms), given);
  return { context: inherited ?? new AdContext({ catalog: createCatalog() }), inherited };
}
