import { type DeviceBuffer, type Operand, type TensorType, TfError, type TypedArray } from '@tf/core';

/** The key under which an eager tensor says what it is. */
export const eagerKey: unique symbol = Symbol.for('tf.eager') as never;

/** What an eager tensor says to the traced front end, which does not know its package. */
export interface EagerValue {
  /** Whether gradients are recorded for it. */
  readonly tracked: boolean;
  /** Where its values lie, or undefined while they are on the host. */
  readonly buffer: DeviceBuffer | undefined;
  /** Its values, while they are on the host. */
  readonly data?: TypedArray | undefined;
  /** Whether nothing else of its runtime holds the value. */
  readonly sole?: boolean;
  readonly type: TensorType;
}

export function eagerValue(value: unknown): EagerValue | undefined {
  return typeof value === 'object' && value !== null ? (value as { readonly [eagerKey]?: EagerValue })[eagerKey] : undefined;
}

/** The eager tensor behind `value`, or undefined if it is none; a tracked one is a `ModeMixError`. */
export function untrackedEager(value: unknown): EagerValue | undefined {
  const eager = eagerValue(value);
  if (eager?.tracked !== true) return eager;
  throw new TfError('ModeMixError', `A tracked eager tensor ${eager.type.key} was used in traced code, where its gradients would be lost. Pass x.detach() to use its value as a constant, or make it an argument of the traced function.`, { type: eager.type.key });
}

/** An untracked eager tensor as a constant made by `bind`; where its values lie is asked when the program is loaded. */
export function liftEager<T>(value: Operand, bind: (type: TensorType, value: unknown) => T): T | undefined {
  const eager = untrackedEager(value);
  return eager === undefined ? undefined : bind(eager.type, eager.buffer ?? value);
}
