import type { DType } from '../types/dtype.ts';
import type { Kind, Of, Operand } from '../types/operand.ts';
import { applyUnary } from './arguments.ts';
import { definePrimitive, type Primitive } from './define.ts';
import { partials } from './rules.ts';

export const stopGradientPrimitive: Primitive = definePrimitive({
  name: 'stopGradient',
  inputs: 1,
  infer: ([x]) => [x!],
  traits: { identity: true },
  rule: partials(undefined),
});

/** `x` as a constant: no derivative flows through it, in either direction. */
export function stopGradient<K extends Kind, D extends DType>(x: Operand<K, D>): Of<K, D> {
  return applyUnary(stopGradientPrimitive.operation, x, {}) as Of<K, D>;
}
