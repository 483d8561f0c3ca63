/** Triangular systems: op(A) X = B, of which one triangle of A is read. */
import { applyOperation, type Dim, type Operand, type Operation, type Params, requireSameDim, type TensorType, TfError } from '@tf/core';
import { batchOf, defineOperation, matricesOf, squaresOf } from '../family.ts';

/** What a system is solved with: the matrix, its transpose, or its adjoint. */
export type SystemOf = 'matrix' | 'transpose' | 'adjoint';

const modes: readonly SystemOf[] = ['matrix', 'transpose', 'adjoint'];

export function modeOf(params: Params): number {
  return modes.indexOf(params['of'] as SystemOf);
}

/** Refuses a right side whose rows are not as many as the matrix has, or whose leading axes differ. */
export function requireRightSide(op: string, a: TensorType, b: TensorType, same: (left: Dim, right: Dim, what: string) => boolean): void {
  const fits = a.dtype === b.dtype && a.shape.length === b.shape.length && a.shape.slice(0, -1).every((dim, axis) => same(dim, b.shape[axis] as Dim, `${op}: axis ${axis} of the matrices and of the right sides`));
  if (!fits) throw new TfError('ShapeError', `${op}: ${a.key} and ${b.key} do not make systems: the right sides have the matrices' leading axes, as many rows and the same dtype. Reshape or broadcast one of them.`, { op, matrices: a.shape, rightSides: b.shape });
}

export const triangularSolveOperation: Operation = defineOperation({
  name: 'triangularSolve',
  operands: 2,
  infer: ([a, b], _params, sink) => {
    squaresOf('triangularSolve', a as TensorType, sink);
    matricesOf('triangularSolve', b as TensorType);
    requireRightSide('triangularSolve', a as TensorType, b as TensorType, (left, right, what) => requireSameDim(left, right, what, sink));
    return [b as TensorType];
  },
  integers: ([a, b], params) => {
    const matrices = matricesOf('triangularSolve', a as TensorType);
    return [batchOf(matrices), matrices.rows, (b as TensorType).shape.at(-1) as Dim, params['upper'] === true ? 1 : 0, modeOf(params), params['unit'] === true ? 1 : 0];
  },
});

export interface Triangle {
  /** The upper triangle is read, not the lower one. */
  readonly upper?: boolean;
  readonly of?: SystemOf;
  /** The diagonal is not read: it is 1. */
  readonly unit?: boolean;
}

/** X with op(A) X = B, of operands of one dtype and equal leading axes. */
export function solveTriangle(a: Operand, b: Operand, { upper = false, of = 'matrix', unit = false }: Triangle): Operand {
  return applyOperation(triangularSolveOperation, [a, b], { upper, of, unit })[0] as Operand;
}
