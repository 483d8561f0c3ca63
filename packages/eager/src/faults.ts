import { type Operand, TfError, type TensorType } from '@tf/core';
import type { RuntimeCore } from './core.ts';
import { coreKey } from './keys.ts';

export function noSession(op: string): TfError {
  return new TfError('NoSessionError', `${op}: no engine is bound. Run it inside runtime.session(engine, () => …) or await runtime.sessionAsync(engine, async () => …), or hold a lease: using lease = runtime.open(engine).`, { op });
}

export function disposed(op: string, type: TensorType, argument?: number): TfError {
  const where = argument === undefined ? '' : `operand ${argument}, `;
  return new TfError('DisposedError', `${op}: ${where}a tensor ${type.key}, has been disposed. Use it before dispose(), or keep it out of the using declaration that ended.`, { op, ...(argument === undefined ? {} : { argument: String(argument) }), type: type.key });
}

export function mismatch(core: RuntimeCore, value: Operand): TfError {
  const rhs = (value as { [coreKey]?: RuntimeCore })[coreKey]?.name ?? 'a runtime of another copy of @tf/eager';
  return new TfError('ContextMismatchError', `A tensor ${value.type.key} of ${rhs} met tensors of ${core.name}. Tensors of two runtimes do not mix: pass its values on, runtime.constant(tensor(x.toArray())).`, { lhs: core.name, rhs });
}

/** A value that should have the type of another one. */
export function otherType(op: string, argument: string, expected: TensorType, got: TensorType): TfError {
  const name = expected.dtype === got.dtype ? 'ShapeError' : 'DTypeError';
  const remedy = expected.dtype === got.dtype ? 'Reshape or broadcast it' : `Convert it to ${expected.dtype}`;
  return new TfError(name, `${op}: the ${argument} is ${got.key}, but ${expected.key} is needed. ${remedy} first.`, { op, argument, expected: expected.key, got: got.key });
}
