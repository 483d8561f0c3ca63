import type { Operation, Params } from '../contract.ts';
import { TfError } from '../errors.ts';
import { chooseListener, liftArgument, requireOperand } from '../program/dispatch.ts';
import { callName } from '../types/argument.ts';
import { type DType, floatResult, isInexact, promote } from '../types/dtype.ts';
import type { Argument, Kind, Lifted, Listener, Of, Operand } from '../types/operand.ts';
import { convertOperation } from './convert.ts';

/** How operands of different dtypes meet before an operation runs. */
export type Promotion = 'common' | 'float';

/**
 * The dtype in which weak and strong arguments meet: strong ones by the promotion table; a weak number takes that dtype,
 * except that a fraction turns integers into float64 and a number turns bool into int32.
 */
export function commonDType(args: readonly Argument[], promotion: Promotion): DType {
  let strong: DType | undefined;
  let anyWeak = false;
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] as Argument;
    if (typeof arg !== 'object' || arg.weak === true) anyWeak = true;
    else if (strong !== arg.type.dtype) strong = strong === undefined ? arg.type.dtype : promote(strong, arg.type.dtype);
  }
  let dtype: DType = strong ?? 'float64';
  if (anyWeak) for (const arg of args) dtype = meetWeak(dtype, arg);
  return promotion === 'float' ? floatResult(dtype) : dtype;
}

function meetWeak(dtype: DType, weak: Argument): DType {
  if (isInexact(dtype) || typeof weak === 'boolean') return dtype;
  if (typeof weak === 'object') return weak.weak === true ? 'float64' : dtype;
  if (!Number.isInteger(weak)) return 'float64';
  return dtype === 'bool' ? 'int32' : dtype;
}

/**
 * An operand of the listener in the dtype wanted.
 *
 * @throws ArgumentError for a number that an integer dtype cannot hold; `op` and `argument` name it.
 */
export function argumentAs(listener: Listener, arg: Argument | Lifted, dtype: DType, op?: string, argument?: number): Lifted {
  if (typeof arg === 'number' && (dtype === 'int32' || dtype === 'int64')) requireFits(arg, dtype, op, argument);
  const lifted = liftArgument(listener, arg, dtype, op, argument);
  return lifted.type.dtype === dtype ? lifted : (listener.apply(convertOperation, [lifted], { dtype })[0] as Lifted);
}

function requireFits(value: number, dtype: 'int32' | 'int64', op = 'a tensor operation', argument = 0): void {
  const bound = dtype === 'int32' ? 2 ** 31 : 2 ** 63;
  if (value >= -bound && value < bound) return;
  const wider = dtype === 'int32' ? "convert(x, 'int64') or convert(x, 'float64')" : "convert(x, 'float64')";
  throw new TfError('ArgumentError', `${callName(op)}: argument ${argument} is ${value}, which ${dtype}, the dtype of the tensors it meets, cannot hold. Convert them first: ${wider}.`, { op: callName(op), argument: `argument ${argument}`, dtype, value });
}

/** Carries out an operation whose operands first take one common dtype; errors carry the name of the function `called`. */
export function applyPromoted(operation: Operation, args: readonly Argument[], params: Params, promotion: Promotion, called: string = operation.id): Operand {
  const listener = chooseListener(called, args);
  const dtype = commonDType(args, promotion);
  const inputs = new Array<Lifted>(args.length);
  for (let index = 0; index < args.length; index++) inputs[index] = argumentAs(listener, args[index] as Argument, dtype, called, index);
  return listener.apply(operation, inputs, params)[0] as Operand;
}

/** Carries out an operation of one operand, which its function calls x. */
export function applyUnary<K extends Kind>(operation: Operation, x: Operand<K, DType>, params: Params): Of<K, DType> {
  requireOperand(operation.name, 'x', x);
  const listener = chooseListener(operation.id, [x]);
  return listener.apply(operation, [liftArgument(listener, x, 'float64', operation.id, 0)], params)[0] as Of<K, DType>;
}
