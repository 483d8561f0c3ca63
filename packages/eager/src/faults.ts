import { callName, type Engine, TfError, type TensorType } from '@tf/core';

export function noSession(operation: string): TfError {
  const op = callName(operation);
  return new TfError('NoSessionError', `${op}: no engine is bound. Run it inside runtime.session(engine, () => …) or await runtime.sessionAsync(engine, async () => …), or hold a lease: using lease = runtime.open(engine).`, { op });
}

/** A tensor that has lost its value; `scope` is the one that freed it, if one did. */
export function disposed(operation: string, type: TensorType, scope: string | undefined, argument?: number): TfError {
  const op = callName(operation);
  const what = argument === undefined ? `a tensor ${type.key}` : `operand ${argument}, a tensor ${type.key},`;
  const fields = { op, ...(argument === undefined ? {} : { argument: String(argument) }), ...(scope === undefined ? {} : { scope }), type: type.key };
  if (scope !== undefined) return new TfError('DisposedError', `${op}: ${what} was freed when the ${scope} ended. Return it from the scope's callback, or keep it: runtime.scope((s) => { … s.keep(x); }).`, fields);
  return new TfError('DisposedError', `${op}: ${what} has been disposed. Use it before dispose(), or keep it out of the using declaration that ended.`, fields);
}

/** A value that was only on an engine which has been disposed; `what` names its tensor. */
export function lostWithEngine(operation: string, what: string, type: TensorType, { info }: Engine): TfError {
  const op = callName(operation);
  return new TfError('DisposedError', `${op}: ${what} ${type.key}: its value was lost with the engine ${info.name}, which has been disposed. Read results (await x.data()) before engine.dispose(), and assign variables that value on the new engine.`, { op, engine: info.name, type: type.key });
}

/** Tensors of two runtimes; `rhs` is unknown when another copy of this package made it. `where` names operation and argument. */
export function mismatch(where: { readonly op: string; readonly argument: string } | undefined, lhs: string, rhs: string | undefined, type: TensorType): TfError {
  const other = rhs ?? 'a runtime of another copy of @tf/eager';
  return new TfError('ContextMismatchError', `${where === undefined ? 'A' : `${where.op}: ${where.argument}, a`} tensor ${type.key} of ${other}${where === undefined ? '' : ','} met tensors of ${lhs}. Tensors of two runtimes do not mix: pass its values on, runtime.constant(tensor(await x.data(), { shape: x.shape })).`, { ...where, lhs, rhs: other });
}

/** A value that should have the type of another one. */
export function otherType(op: string, argument: string, expected: TensorType, got: TensorType): TfError {
  const name = expected.dtype === got.dtype ? 'ShapeError' : 'DTypeError';
  const remedy = expected.dtype === got.dtype ? 'Reshape or broadcast it' : `Convert it to ${expected.dtype}`;
  return new TfError(name, `${op}: the ${argument} is ${got.key}, but ${expected.key} is needed. ${remedy} first.`, { op, argument, expected: expected.key, got: got.key });
}

/** A list that should have one entry for each of another one's. */
export function otherCount(op: string, argument: string, expected: number, got: number): TfError {
  return new TfError('ArgumentError', `${op}: ${expected} ${expected === 1 ? 'entry' : 'entries'} expected in ${argument}, got ${got}. Give one for each.`, { op, argument, expected, got });
}
