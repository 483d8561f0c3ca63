import type { Operation, Params } from '../contract.ts';
import { type ErrorName, isTfError, TfError } from '../errors.ts';
import { callName, describe, wrongArgument } from '../types/argument.ts';
import type { DType } from '../types/dtype.ts';
import { type Argument, isOperand, type Lifted, type Listener, listenerKey, type Operand } from '../types/operand.ts';
import { contractVersion, coreVersion } from '../types/version.ts';
import { isOperation } from './authored.ts';
import { isLiteral, isWeakLiteral, weakValue } from './literal.ts';

/** The listener that carries out an operation on these arguments: that of the operand of the highest level. */
export function chooseListener(op: string, args: readonly unknown[]): Listener {
  let chosen: Listener | undefined;
  for (let index = 0; index < args.length; index++) {
    const arg = args[index];
    if (!isOperand(arg)) {
      if (typeof arg === 'number' || typeof arg === 'boolean' || isLiteral(arg)) continue;
      throw notTensor(callName(op), `argument ${index}`, arg);
    }
    const listener = arg[listenerKey];
    if (listener.contract !== contractVersion) {
      throw new TfError('ExtensionError', `${callName(op)}: a value made by @tf/core ${listener.coreVersion} (contract ${listener.contract}) met @tf/core ${coreVersion} (contract ${contractVersion}). Install one version of @tf/core.`, { op, versions: [listener.coreVersion, coreVersion] });
    }
    if (chosen === undefined || listener.level > chosen.level || (listener.level === chosen.level && (listener.depth ?? 0) > (chosen.depth ?? 0))) chosen = listener;
  }
  if (chosen === undefined) throw new TfError('ArgumentError', `${callName(op)}: needs at least one tensor operand; wrap numbers with tensor(...).`, { op: callName(op) });
  return chosen;
}

function notTensor(op: string, argument: string, value: unknown): TfError {
  const wrap = typeof value === 'number' || typeof value === 'boolean' ? `tensor(${String(value)})` : 'tensor([...])';
  return new TfError('ArgumentError', `${op}: ${argument} is ${describe(value)}, not a tensor. Wrap numbers and arrays: ${wrap}.`, { op, argument });
}

/** Refuses anything but a tensor, for functions that ask an operand's type before it is dispatched. */
export function requireOperand(op: string, argument: string, value: unknown): asserts value is Operand {
  if (!isOperand(value) && !isLiteral(value)) throw notTensor(op, argument, value);
}

/** Makes an argument the listener's own; a number takes `dtype`. A foreign value is named by `op` and `argument`. */
export function liftArgument(listener: Listener, arg: Argument | Lifted, dtype: DType, op?: string, argument?: number): Lifted {
  if (typeof arg === 'number' || typeof arg === 'boolean') return listener.scalar(arg, dtype);
  if (isLiteral(arg)) return isWeakLiteral(arg) ? listener.scalar(weakValue(arg), arg.type.dtype) : arg;
  if ((arg as Operand)[listenerKey] === listener) return arg as Operand;
  return op === undefined ? listener.lift(arg as Operand) : liftNamed(listener, arg as Operand, op, argument ?? 0);
}

/** What a listener says of a value that it cannot make its own. */
const foreign: readonly string[] = Object.freeze(['ForeignValueError', 'ContextMismatchError']);

/** Listeners do not know for which operation they lift: a refusal gets its name here. */
function liftNamed(listener: Listener, arg: Operand, op: string, argument: number): Lifted {
  try {
    return listener.lift(arg);
  } catch (error) {
    if (!isTfError(error) || !foreign.includes(error.name) || error.fields.op !== undefined) throw error;
    const fields = { ...error.fields, op: callName(op), argument: `argument ${argument}` };
    throw new TfError(error.name as ErrorName, `${callName(op)}: argument ${argument}: ${error.message}`, fields, { cause: error });
  }
}

/**
 * Carries out an operation whose operands need no promotion.
 *
 * @throws ArgumentError for what is no operation, operands that are no tensors, or parameters that are no object.
 */
export function applyOperation(operation: Operation, args: readonly Operand[], params: Params): readonly Operand[] {
  const op = 'applyOperation';
  if (!isOperation(operation)) throw wrongArgument(op, 'operation', operation, 'an operation: { id, family, name, infer, traits }', operation === undefined ? 'Does the module that defines it export it under this name, and is it there already where it is imported in a circle?' : undefined);
  if (!Array.isArray(args)) throw wrongArgument(op, `the operands of ${operation.id}`, args, 'a list of tensors: [x]');
  const listener = chooseListener(operation.id, args);
  return listener.apply(operation, args.map((arg, index) => liftArgument(listener, arg, arg.type.dtype, operation.id, index)), params);
}
