import type { DType } from '../types/dtype.ts';
import { type Kind, type Listener, listenerKey, type Operand } from '../types/operand.ts';

/** A class whose instances are operands, once a subclass says their `type` and `listener`. */
export interface OperandConstructor {
  new <K extends Kind, D extends DType>(): Operand<K, D>;
}

/**
 * Carries the listener under the key that operations look for. Isolated declarations take no computed names in exported
 * classes, so the one class that needs such a name is an expression, and tensors of all front ends extend it.
 */
export const OperandBase: OperandConstructor = class {
  declare readonly listener: Listener<never>;

  get [listenerKey](): Listener<never> {
    return this.listener;
  }
} as unknown as OperandConstructor;
