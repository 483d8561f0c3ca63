/**
 * A⁺ B, for the part of A whose singular values are above `rtol` times the largest, as a function of A and B. The decomposition is a
 * witness: it says how the result is computed and has no share in derivatives, which A itself has.
 */
import { applyOperation, div, type Operand, type Operation, realPart, requireSameDim, select, stopGradient, type TensorType, tensorType, TfError, type Var } from '@tf/core';
import { adjoint, scaleRows, times } from '../algebra.ts';
import { defineOperation, matricesOf } from '../family.ts';
import { significant } from '../rank.ts';
import type { Factors } from '../svd/derivative.ts';
import { svdOperation } from '../svd/operation.ts';

/** Operands: A [m, n], U [m, k], s, Vᴴ [k, n], B [m, p]; the result is [n, p]. `rtol` null: the default. */
export const pinvApplyOperation: Operation = defineOperation({
  name: 'pinvApply',
  operands: 5,
  infer: ([a, , s, , b], _params, sink) => {
    const op = 'pinvApply';
    if ((s as TensorType).dtype !== realPart((a as TensorType).dtype)) throw new TfError('DTypeError', `${op}: the singular values of a ${(a as TensorType).key} are ${realPart((a as TensorType).dtype)}, not ${(s as TensorType).key}.`, { op, dtype: (s as TensorType).dtype });
    const [matrices, sides] = [matricesOf(op, a as TensorType), matricesOf(op, b as TensorType)];
    if (!requireSameDim(matrices.rows, sides.rows, `${op}: rows of a and of b`, sink)) throw new TfError('ShapeError', `${op}: a ${(a as TensorType).key} and b ${(b as TensorType).key} differ in the number of rows.`, { op, a: (a as TensorType).shape, b: (b as TensorType).shape });
    return [tensorType((b as TensorType).dtype, [...sides.lead, matrices.columns, sides.columns])];
  },
  lower: ([a, u, s, vh, b], params) => {
    const isSignificant = significant(a as Operand, s as Operand, (params['rtol'] as number | null) ?? undefined);
    const inverses = select(isSignificant, div(1, select(isSignificant, s as Operand, 1) as Operand), 0) as Operand;
    return [times(adjoint(vh as Operand), scaleRows(inverses, times(adjoint(u as Operand), b as Operand))) as Var];
  },
});

/** A matrix, and its decomposition, which is constant for derivatives. */
export interface Decomposed extends Factors {
  readonly a: Operand;
}

/** The decomposition of A for {@link pinvApply}, and its singular values as what is differentiated. */
export function decomposedWitness(a: Operand): { readonly decomposed: Decomposed; readonly values: Operand } {
  const [u, values, vh] = applyOperation(svdOperation, [a], { derivativeEps: null, onDegenerate: 'broaden', driver: 'gesdd' }) as readonly [Operand, Operand, Operand];
  return { decomposed: { a, u: stopGradient(u) as Operand, s: stopGradient(values) as Operand, vh: stopGradient(vh) as Operand }, values };
}

/** Aᴴ with its decomposition. */
export function adjointOf({ a, u, s, vh }: Decomposed): Decomposed {
  return { a: adjoint(a), u: adjoint(vh), s, vh: adjoint(u) };
}

/** A⁺ B, all operands with the same leading axes. */
export function pinvApply({ a, u, s, vh }: Decomposed, b: Operand, rtol: number | null): Operand {
  return applyOperation(pinvApplyOperation, [a, u, s, vh, b], { rtol })[0] as Operand;
}
