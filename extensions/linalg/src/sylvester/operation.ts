/**
 * Solutions of Sylvester's equation A X + X B = C (Bartels & Stewart 1972): with A = Z T Zᴴ and B = W U Wᴴ it is T Y + Y U = Zᴴ C W for
 * Y = Zᴴ X W. The factors are witnesses: they say how X is computed and have no share in derivatives, which A and B themselves have.
 */
import { applyOperation, type Dim, type Operand, type Operation, requireSameDim, stopGradient, type TensorType, TfError, type Var } from '@tf/core';
import { adjoint, times } from '../algebra.ts';
import { batchOf, defineOperation, matricesOf, squaresOf } from '../family.ts';
import { schurFactors } from '../schur/operation.ts';

export function requireSides(op: string, a: TensorType, b: TensorType, c: TensorType, same: (left: Dim, right: Dim, what: string) => boolean): void {
  const { rows, columns } = matricesOf(op, c);
  if (same(rows, a.shape.at(-1) as Dim, `${op}: rows of c and size of a`) && same(columns, b.shape.at(-1) as Dim, `${op}: columns of c and size of b`)) return;
  throw new TfError('ShapeError', `${op}: c is ${c.key}; with a ${a.key} and b ${b.key} it has as many rows as a and as many columns as b.`, { op, a: a.shape, b: b.shape, c: c.shape });
}

/** Operands: T and U, upper (quasi-)triangular, and C; `adjoint`: Tᴴ X + X Uᴴ = C. */
export const triangularSylvesterOperation: Operation = defineOperation({
  name: 'triangularSylvester',
  operands: 3,
  infer: ([t, u, c], _params, sink) => {
    const op = 'triangularSylvester';
    squaresOf(op, t as TensorType, sink);
    squaresOf(op, u as TensorType, sink);
    requireSides(op, t as TensorType, u as TensorType, c as TensorType, (left, right, what) => requireSameDim(left, right, what, sink));
    return [c as TensorType];
  },
  integers: ([, , c], params) => {
    const matrices = matricesOf('triangularSylvester', c as TensorType);
    return [batchOf(matrices), matrices.rows, matrices.columns, params['adjoint'] === true ? 1 : 0];
  },
});

/** X with T X + X U = C, or with the adjoints of T and U. */
export function solveTriangularSylvester(t: Operand, u: Operand, c: Operand, isAdjoint: boolean): Operand {
  return applyOperation(triangularSylvesterOperation, [t, u, c], { adjoint: isAdjoint })[0] as Operand;
}

/** What a solution is computed by: the Schur factors of A and B. */
export interface SchurWitness {
  readonly t: Operand;
  readonly z: Operand;
  readonly u: Operand;
  readonly w: Operand;
}

/** Operands: A, B, their factors T, Z, U, W, and C; `adjoint`: Aᴴ X + X Bᴴ = C. */
export const sylvesterOperation: Operation = defineOperation({
  name: 'sylvester',
  operands: 7,
  infer: ([a, b, , , , , c], _params, sink) => {
    squaresOf('sylvester', a as TensorType, sink);
    squaresOf('sylvester', b as TensorType, sink);
    requireSides('sylvester', a as TensorType, b as TensorType, c as TensorType, (left, right, what) => requireSameDim(left, right, what, sink));
    return [c as TensorType];
  },
  lower: ([, , t, z, u, w, c], params) => {
    const y = solveTriangularSylvester(t as Operand, u as Operand, times(adjoint(z as Operand), c as Operand, w as Operand), params['adjoint'] === true);
    return [times(z as Operand, y, adjoint(w as Operand)) as Var];
  },
});

/** The factors of A and B, constant for derivatives; one decomposition where both are one. */
export function schurWitness(a: Operand, b: Operand): SchurWitness {
  const [t, z] = schurFactors(stopGradient(a) as Operand);
  const [u, w] = a === b ? [t, z] : schurFactors(stopGradient(b) as Operand);
  return { t, z, u, w };
}

/** X with A X + X B = C, or with the adjoints of A and B; all operands with the same leading axes. */
export function solveSylvester(a: Operand, b: Operand, { t, z, u, w }: SchurWitness, c: Operand, isAdjoint: boolean): Operand {
  return applyOperation(sylvesterOperation, [a, b, t, z, u, w, c], { adjoint: isAdjoint })[0] as Operand;
}
