import { isOperand, type Listener, listenerKey, type OptionChecks, requireContext, requireFlag, TfError, wrongArgument } from '@tf/core';

/** Primals and tangents: one entry per argument of the function. */
export function requirePerArgument(op: string, argument: string, value: unknown): void {
  if (!Array.isArray(value)) throw wrongArgument(op, argument, value, 'a list with one entry per argument', `Write ${op}(f, [x], [v]).`);
}

export function requireTracedList(op: string, argument: string, value: unknown): void {
  if (!Array.isArray(value)) throw wrongArgument(op, argument, value, 'a list of traced tensors', 'Write [x].');
}

export function requireArgnums(op: string, argument: string, value: unknown): void {
  if (typeof value === 'number' || (Array.isArray(value) && value.every((at) => typeof at === 'number'))) return;
  throw wrongArgument(op, argument, value, 'a number or a list of numbers', 'Arguments count from 0: { argnums: 0 } or { argnums: [0, 1] }.');
}

/** Refuses anything but a list of what `holds` for. */
function requireList(op: string, argument: string, value: unknown, holds: (item: unknown) => boolean, what: string, example: string): void {
  if (!Array.isArray(value) || !value.every(holds)) throw wrongArgument(op, argument, value, `a list of ${what}`, example);
}

export function requireDonatedPositions(op: string, argument: string, value: unknown): void {
  requireList(op, argument, value, (at) => Number.isInteger(at) && (at as number) >= 0, 'argument positions', 'Arguments count from 0: { donate: [0] }.');
}

export function requireDonatedNames(op: string, argument: string, value: unknown): void {
  requireList(op, argument, value, (name) => typeof name === 'string', 'input names', "Write { donate: ['x'] }.");
}

export function requirePruneChoice(op: string, argument: string, value: unknown): void {
  if (value !== 'exact') throw wrongArgument(op, argument, value, "'exact', or left out", "Write { prune: 'exact' } to keep every operation's own algorithm.");
}

export function requireKeyChoice(op: string, argument: string, value: unknown): void {
  if (value !== undefined && value !== 'reuse') throw wrongArgument(op, argument, value, "'reuse', or left out", "Write { capturedKeys: 'reuse' } where every call is to draw the same numbers.");
}

export const contextOptions: OptionChecks = { context: requireContext };
export const pullbackOptions: OptionChecks = { conjugate: requireFlag, context: requireContext };
export const gradOptions: OptionChecks = { allowUnused: requireFlag, conjugate: requireFlag, context: requireContext };
/** Of what transforms a function. */
export const functionGradOptions: OptionChecks = { argnums: requireArgnums, ...gradOptions };

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
