import type { DType } from '../types/dtype.ts';
import type { Kind, Of, Operand } from '../types/operand.ts';
import { applyUnary } from './arguments.ts';
import { definePrimitive, type Primitive } from './define.ts';
import { linear, partials } from './rules.ts';

export const stopGradientPrimitive: Primitive = definePrimitive({
  name: 'stopGradient',
  inputs: 1,
  infer: ([x]) => [x!],
  traits: { identity: true },
  rule: partials(undefined),
});

export const barrierPrimitive: Primitive = definePrimitive({
  name: 'barrier',
  inputs: 1,
  infer: ([x]) => [x!],
  traits: { barrier: true },
  rule: linear((_ctx, ct) => ct),
});

/**
 * `x`, behind which values are computed again instead of being kept: what is computed from `barrier(x)` is never joined
 * with the same computation from `x`. How rematerialisation trades time for memory (contracts.md §8).
 */
export function barrier<K extends Kind, D extends DType>(x: Operand<K, D>): Of<K, D> {
  return applyUnary(barrierPrimitive.operation, x, {}) as Of<K, D>;
}

/** `x` as a constant: no derivative flows through it, in either direction. */
export function stopGradient<K extends Kind, D extends DType>(x: Operand<K, D>): Of<K, D> {
  return applyUnary(stopGradientPrimitive.operation, x, {}) as Of<K, D>;
}
