/** Values as they are, where all of them are told apart: else the run fails. */
import { applyOperation, type Dim, isComplex, type Operand, productOfDims, type TensorType, TfError, type Operation } from '@tf/core';
import { defineOperation, type FamilyOperation, requireFloating, withRule } from '../family.ts';

export const distinctOperation: Operation = defineOperation({
  name: 'distinct',
  operands: 1,
  infer: ([s]) => {
    requireFloating('distinct', s as TensorType);
    if (isComplex((s as TensorType).dtype) || (s as TensorType).shape.length === 0) throw new TfError('ShapeError', `distinct: takes real values along an axis, got ${(s as TensorType).key}.`, { op: 'distinct' });
    return [s as TensorType];
  },
  integers: ([s], { ulps, squares, zeroUlps }) => {
    const { shape } = s as TensorType;
    return [productOfDims(shape.slice(0, -1)), shape.at(-1) as Dim, ulps as Dim, squares === true ? 1 : 0, zeroUlps as Dim];
  },
});

export interface Degeneracy {
  /** Neighbours closer than this many units of roundoff are numerically equal. */
  readonly ulps: Dim;
  /** Gaps are those of the squares. */
  readonly squares: boolean;
  /** Up to here, in units of roundoff of the largest, a value is numerically zero and refused too; none is where this is negative. */
  readonly zeroUlps: Dim;
}

/** Ascending or descending values along the last axis, once they are seen to differ. */
export function distinct(s: Operand, { ulps, squares, zeroUlps }: Degeneracy): Operand {
  return applyOperation(distinctOperation, [s], { ulps, squares, zeroUlps })[0] as Operand;
}

export const distinctMember: FamilyOperation = withRule(distinctOperation, {
  kind: 'rule',
  linear: { inputs: [0], how: 'together' },
  transpose: (_ctx, [ct]) => [ct],
});
