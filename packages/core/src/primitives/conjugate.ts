import { requireOperand } from '../program/dispatch.ts';
import * as scalar from '../loop/scalar.ts';
import { type DType, isComplex } from '../types/dtype.ts';
import type { Kind, Of, Operand } from '../types/operand.ts';
import { applyUnary } from './arguments.ts';
import type { Primitive } from './define.ts';
import { defineElementwise } from './elementwise.ts';

export const conjPrimitive: Primitive = defineElementwise({
  name: 'conj', inputs: 1, dtypes: ['complex64', 'complex128'],
  real: (a) => a!, complex: (a) => [a![0], scalar.neg(a![1]!)],
  rule: { kind: 'rule', linear: { inputs: [0], how: 'together' }, transpose: (_ctx, [ct]) => [ct === undefined ? undefined : conj(ct)] },
});

/** The complex conjugate; a real tensor is its own. */
export function conj<K extends Kind, D extends DType>(x: Operand<K, D>): Of<K, D> {
  requireOperand('conj', 'x', x);
  return (isComplex(x.type.dtype) ? applyUnary(conjPrimitive.operation, x, {}) : x) as Of<K, D>;
}
