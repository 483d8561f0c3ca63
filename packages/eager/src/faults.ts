import { TfError, type TensorType } from '@tf/core';

export function noSession(op: string): TfError {
  return new TfError('NoSessionError', `${op}: no engine is bound. Run it inside runtime.session(engine, () => …) or await runtime.sessionAsync(engine, async () => …), or hold a lease: using lease = runtime.open(engine).`, { op });
}

export function disposed(op: string, type: TensorType, argument?: number): TfError {
  const where = argument === undefined ? '' : `operand ${argument}, `;
  return new TfError('DisposedError', `${op}: ${where}a tensor ${type.key}, has been disposed. Use it before dispose(), or keep it out of the using declaration that ended.`, { op, ...(argument === undefined ? {} : { argument: String(argument) }), type: type.key });
}

/** Tensors of two runtimes; `rhs` is unknown when another copy of this package made it. */
export function mismatch(lhs: string, rhs: string | undefined, type: TensorType): TfError {
  const other = rhs ?? 'a runtime of another copy of @tf/eager';
  return new TfError('ContextMismatchError', `A tensor ${type.key} of ${other} met tensors of ${lhs}. Tensors of two runtimes do not mix: pass its values on, runtime.constant(tensor(await x.data(), { shape: x.shape })).`, { lhs, rhs: other });
}

/** A value that should have the type of another one. */
export function otherType(op: string, argument: string, expected: TensorType, got: TensorType): TfError {
  const name = expected.dtype === got.dtype ? 'ShapeError' : 'DTypeError';
  const remedy = expected.dtype === got.dtype ? 'Reshape or broadcast it' : `Convert it to ${expected.dtype}`;
  return new TfError(name, `${op}: the ${argument} is ${got.key}, but ${expected.key} is needed. ${remedy} first.`, { op, argument, expected: expected.key, got: got.key });
}
