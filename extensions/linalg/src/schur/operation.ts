/** Schur decompositions: A = Z T Zᴴ with Z unitary, T upper triangular (real A: quasi-triangular). */
import { applyOperation, type DType, type FloatResult, type Kind, type Of, type Operand, type Operation, type TensorType } from '@tf/core';
import { squareOperand } from '../arguments.ts';
import { batchOf, defineOperation, type FamilyOperation, squaresOf, withRule } from '../family.ts';

export const schurOperation: Operation = defineOperation({
  name: 'schur',
  operands: 1,
  infer: ([a], _params, sink) => {
    squaresOf('schur', a as TensorType, sink);
    return [a as TensorType, a as TensorType];
  },
  integers: ([a]) => {
    const matrices = squaresOf('schur', a as TensorType, () => undefined);
    return [batchOf(matrices), matrices.rows];
  },
});

export const schurMember: FamilyOperation = withRule(schurOperation, {
  kind: 'none',
  reason: 'the order of the eigenvalues on the diagonal, and pairs of complex ones in blocks, make the factors jump. Differentiate what is made of them: eig, eigvals, sylvester and matrixSqrt have derivatives of their own',
});

export interface Schur<K extends Kind, D extends DType> {
  /** Upper triangular; of real matrices with blocks of two rows for pairs of complex eigenvalues. */
  readonly t: Of<K, FloatResult<D>>;
  /** Unitary, of real matrices orthogonal. */
  readonly z: Of<K, FloatResult<D>>;
}

/** T and Z. */
export function schurFactors(a: Operand): readonly [t: Operand, z: Operand] {
  return applyOperation(schurOperation, [a], {}) as readonly [Operand, Operand];
}

/**
 * The Schur decomposition of square matrices: x = Z T Zᴴ. For real matrices T has blocks of two rows, in standard form (equal diagonal
 * elements, off-diagonal ones of opposite sign), where eigenvalues are a complex pair; convert to complex for a triangular one. It has no
 * derivative; what is made of it has.
 *
 * @throws ShapeError where matrices are not square.
 * @example
 * import { tensor } from '@tf/core';
 * import { schur } from '@tf/linalg';
 * if (schur(tensor([[1, 2], [3, 4]])).t.type.key !== 'f64[2, 2]') throw new Error('unexpected');
 */
export function schur<K extends Kind, D extends DType>(x: Operand<K, D>): Schur<K, D> {
  const op = 'schur';
  const [t, z] = schurFactors(squareOperand(op, 'x', x));
  return { t, z } as unknown as Schur<K, D>;
}
