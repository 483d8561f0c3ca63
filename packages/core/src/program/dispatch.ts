import type { Operation, Params } from '../contract.ts';
import { TfError } from '../errors.ts';
import type { DType } from '../types/dtype.ts';
import { type Argument, isOperand, type Lifted, type Listener, listenerKey, type Operand } from '../types/operand.ts';
import { contractVersion, coreVersion } from '../types/version.ts';
import { isLiteral } from './literal.ts';

/** The listener that carries out an operation on these arguments: that of the operand of the highest level. */
export function chooseListener(op: string, args: readonly unknown[]): Listener {
  let chosen: Listener | undefined;
  for (let index = 0; index < args.length; index++) {
    const arg = args[index];
    if (!isOperand(arg)) {
      if (typeof arg === 'number' || typeof arg === 'boolean' || isLiteral(arg)) continue;
      throw new TfError('ArgumentError', `${op}: argument ${index} is ${describe(arg)}, not a tensor. Wrap arrays with tensor([...]).`, { op, argument: String(index) });
    }
    const listener = arg[listenerKey];
    if (listener.contract !== contractVersion) {
      throw new TfError('ExtensionError', `${op}: a value made by @tf/core ${listener.coreVersion} (contract ${listener.contract}) met @tf/core ${coreVersion} (contract ${contractVersion}). Install one version of @tf/core.`, { op, versions: [listener.coreVersion, coreVersion] });
    }
    if (chosen === undefined || listener.level > chosen.level) chosen = listener;
  }
  if (chosen === undefined) throw new TfError('ArgumentError', `${op}: needs at least one tensor operand; wrap numbers with tensor(...).`, { op });
  return chosen;
}

/** Makes an argument the listener's own; a number takes `dtype`. */
export function liftArgument(listener: Listener, arg: Argument | Lifted, dtype: DType): Lifted {
  if (typeof arg === 'number' || typeof arg === 'boolean') return listener.scalar(arg, dtype);
  if (isLiteral(arg)) return arg;
  return (arg as Operand)[listenerKey] === listener ? (arg as Operand) : listener.lift(arg as Operand);
}

/** Carries out an operation whose operands need no promotion. */
export function applyOperation(operation: Operation, args: readonly Operand[], params: Params): readonly Operand[] {
  const listener = chooseListener(operation.id, args);
  return listener.apply(operation, args.map((arg) => liftArgument(listener, arg, arg.type.dtype)), params);
}

export function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return `a ${(value as object).constructor?.name ?? 'object'}`;
  return `${typeof value} ${String(value as string).slice(0, 40)}`;
}
