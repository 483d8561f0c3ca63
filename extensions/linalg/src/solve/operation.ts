/**
 * A⁻¹ B as a function of A and B. The factors are witnesses: they say how it is computed, and have no share in derivatives, which the
 * matrix itself has; so one factorisation serves the value, the adjoint and every further derivative.
 */
import { applyOperation, type Dim, type Operand, type Operation, requireSameDim, stopGradient, type TensorType } from '@tf/core';
import { batchOf, defineOperation, type LinalgDefinition, matricesOf, squaresOf } from '../family.ts';
import { packedFullLu, packedLu, type PackedFullLu, type PackedLu } from '../lu/operation.ts';
import { inverseOrder, permutedRows } from '../permute.ts';
import { modeOf, requireRightSide, solveTriangle, type SystemOf } from '../triangular/operation.ts';

/** The result is of the type of the right sides, the last operand. */
function inferAs(op: string): LinalgDefinition['infer'] {
  return (inputs, _params, sink) => {
    const [a, b] = [inputs[0] as TensorType, inputs.at(-1) as TensorType];
    squaresOf(op, a, sink);
    matricesOf(op, b);
    requireRightSide(op, a, b, (left, right, what) => requireSameDim(left, right, what, sink));
    return [b];
  };
}

/** Operands: A, its packed LU, the order of its rows, B. */
export const luSolveOperation: Operation = defineOperation({
  name: 'luSolve',
  operands: 4,
  infer: inferAs('solve'),
  integers: ([a, , , b], params) => {
    const matrices = matricesOf('solve', a as TensorType);
    return [batchOf(matrices), matrices.rows, (b as TensorType).shape.at(-1) as Dim, modeOf(params)];
  },
});

/** Operands: A, its packed LU with complete pivoting, the orders of its rows and columns, B. */
export const luFullPivotSolveOperation: Operation = defineOperation({
  name: 'luFullPivotSolve',
  operands: 5,
  infer: inferAs('fullPivLuSolve'),
  lower: ([, packed, rows, columns, b], params) => [solveFully({ packed: packed as Operand, rows: rows as Operand, columns: columns as Operand }, b as Operand, params['of'] as SystemOf)] as never,
});

/** P A Q = L U, so A X = B is L U (Qᵀ X) = P B, and Aᵀ X = B is Uᵀ Lᵀ (P X) = Qᵀ B. */
function solveFully({ packed, rows, columns }: Omit<PackedFullLu, 'parity'>, b: Operand, of: SystemOf): Operand {
  if (of === 'matrix') {
    const y = solveTriangle(packed, permutedRows(b, rows), { unit: true });
    return permutedRows(solveTriangle(packed, y, { upper: true }), inverseOrder(columns));
  }
  const y = solveTriangle(packed, permutedRows(b, columns), { upper: true, of });
  return permutedRows(solveTriangle(packed, y, { unit: true, of }), inverseOrder(rows));
}

/** Factors that are constant for derivatives: with partial pivoting. */
export function luWitness(a: Operand): PackedLu {
  return packedLu(stopGradient(a) as Operand);
}

/** The same with complete pivoting. */
export function fullLuWitness(a: Operand): PackedFullLu {
  return packedFullLu(stopGradient(a) as Operand);
}

/** op(A)⁻¹ B, all operands with the same leading axes. */
export function luSolve(a: Operand, { packed, order }: Omit<PackedLu, 'parity'>, b: Operand, of: SystemOf = 'matrix'): Operand {
  return applyOperation(luSolveOperation, [a, packed, order, b], { of })[0] as Operand;
}

/** The same by factors with complete pivoting. */
export function luFullPivotSolve(a: Operand, { packed, rows, columns }: Omit<PackedFullLu, 'parity'>, b: Operand, of: SystemOf = 'matrix'): Operand {
  return applyOperation(luFullPivotSolveOperation, [a, packed, rows, columns, b], { of })[0] as Operand;
}
