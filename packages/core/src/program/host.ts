import { TfError } from '../errors.ts';
import type { DType, TypedArray } from '../types/dtype.ts';
import { hostKey, type HostForm, type Lifted, type Operand, type OperationName, type Weak } from '../types/operand.ts';
import { isLiteral, isWeakLiteral, weakValue } from './literal.ts';

/** What a listener does with the parts of a host tensor. */
export interface HostLift {
  data(host: Operand, data: TypedArray): Lifted;
  /** A value on an engine (`buffer` is its `DeviceBuffer`). */
  resident(host: Operand, buffer: unknown): Lifted;
  /** A number that was an operand: as the listener takes one that it meets itself. */
  scalar(value: Weak, dtype: DType): Lifted;
  apply(operation: OperationName, inputs: readonly Lifted[], params: object): readonly Lifted[];
}

/** The description that a host tensor carries, or undefined for any other operand. */
export function hostForm(value: Lifted): HostForm | undefined {
  return (value as { [hostKey]?: HostForm })[hostKey];
}

/**
 * Makes a host tensor the listener's own: its data become a constant, its deferred operations are carried out, each
 * once. Anything that is no host tensor is a `ForeignValueError`.
 */
export function liftHost(value: Operand, listener: HostLift): Lifted {
  const done = new Map<Lifted, Lifted>();
  const work: Lifted[] = [value];
  while (work.length > 0) {
    const next = work[work.length - 1] as Lifted;
    if (done.has(next)) {
      work.pop();
      continue;
    }
    if (isLiteral(next)) {
      done.set(next, isWeakLiteral(next) ? listener.scalar(weakValue(next), next.type.dtype) : next);
      continue;
    }
    const form = formOrThrow(next as Operand);
    if (form.form === 'data') {
      done.set(next, listener.data(next as Operand, form.data));
      continue;
    }
    if (form.form === 'resident') {
      done.set(next, listener.resident(next as Operand, form.buffer));
      continue;
    }
    const known = work.length;
    for (const input of form.inputs) if (!done.has(input)) work.push(input);
    if (work.length === known) done.set(next, listener.apply(form.operation, form.inputs.map((input) => done.get(input) as Lifted), form.params)[form.output] as Lifted);
  }
  return done.get(value) as Lifted;
}

function formOrThrow(value: Operand): HostForm {
  const form = hostForm(value);
  if (form !== undefined) return form;
  throw new TfError('ForeignValueError', `A ${value.type.key} value of another builder or front end was used together with this one's values. Pass it in as an input of the function or program that uses it. Inside a function that a loop, a branch or vmap runs for eager tensors, traced functions have no place: jit the whole.`, { type: value.type.key });
}
