/**
 * The key under which a value carries its listener. Two copies of `@tf/core` share it; the listener's
 * `contract` tells whether they understand each other.
 */
export const listenerKey: unique symbol = Symbol.for('tf.operand') as never;

/** What can be said of an operand before its type is known. */
export interface OperandFacts {
  readonly type: { readonly key: string };
  readonly [listenerKey]: { readonly level: number };
}

export function hasListener(value: unknown): value is OperandFacts {
  return typeof value === 'object' && value !== null && listenerKey in value;
}
