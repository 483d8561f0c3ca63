/**
 * Principal square roots: with A = Z T Zᴴ, T upper triangular, the root is R = Z S Zᴴ, S the triangular root of T (Björck & Hammarling
 * 1983). S and Z are witnesses: they say how R is computed and have no share in derivatives, which A itself has.
 */
import { applyOperation, complexOf, type ComplexOf, convert, type DType, type FloatDType, isComplex, type Kind, type Of, type Operand, type Operation, stopGradient, type TensorType, TfError, type Var } from '@tf/core';
import { adjoint, times } from '../algebra.ts';
import { squareOperand } from '../arguments.ts';
import { batchOf, defineOperation, squaresOf } from '../family.ts';
import { schurFactors } from '../schur/operation.ts';

/** The upper triangular principal root of upper triangular matrices. */
export const triangularSqrtOperation: Operation = defineOperation({
  name: 'triangularSqrt',
  operands: 1,
  infer: ([t], _params, sink) => {
    squaresOf('triangularSqrt', t as TensorType, sink);
    if (!isComplex((t as TensorType).dtype)) throw new TfError('DTypeError', `triangularSqrt: takes complex64, complex128, got ${(t as TensorType).key}: roots of real numbers may be imaginary. Convert it first.`, { op: 'triangularSqrt', dtype: (t as TensorType).dtype });
    return [t as TensorType];
  },
  integers: ([t]) => {
    const matrices = squaresOf('triangularSqrt', t as TensorType, () => undefined);
    return [batchOf(matrices), matrices.rows];
  },
});

/** Operands: A, the triangular root S, and Z. */
export const matrixSqrtOperation: Operation = defineOperation({
  name: 'matrixSqrt',
  operands: 3,
  infer: ([a], _params, sink) => {
    squaresOf('matrixSqrt', a as TensorType, sink);
    return [a as TensorType];
  },
  lower: ([, s, z]) => [times(z as Operand, s as Operand, adjoint(z as Operand)) as Var],
});

/**
 * The principal square root of square matrices, complex: R R = x with eigenvalues of non-negative real part. Of a real matrix without
 * eigenvalues on the negative axis its imaginary part is 0, up to rounding. There is one, and a derivative, where x has no
 * eigenvalue 0; on the negative axis the root jumps.
 *
 * @throws ShapeError where matrices are not square; the run of its derivative throws LinalgError at an eigenvalue 0.
 * @example
 * import { imag, real, tensor } from '@tf/core';
 * import { createEngine } from '@tf/engine-cpu-wasm';
 * import { matrixSqrt } from '@tf/linalg';
 * import { linalgHost } from '@tf/linalg/host';
 * import { evaluate } from '@tf/traced';
 * const engine = await createEngine({ modules: [linalgHost()] });
 * const root = matrixSqrt(tensor([[4, 0], [0, -1]]));
 * console.log(evaluate(real(root), engine).toArray(), evaluate(imag(root), engine).toArray()); // → [ [ 2, 0 ], [ 0, 0 ] ] [ [ 0, 0 ], [ 0, 1 ] ]
 */
export function matrixSqrt<K extends Kind, D extends DType>(x: Operand<K, D>): Of<K, ComplexOf<D>> {
  const given = squareOperand('matrixSqrt', 'x', x);
  const { dtype } = given.type;
  const a = isComplex(dtype) ? given : (convert(given, complexOf(dtype as FloatDType)) as Operand);
  const [t, z] = schurFactors(stopGradient(a) as Operand);
  const s = applyOperation(triangularSqrtOperation, [t], {})[0] as Operand;
  return applyOperation(matrixSqrtOperation, [a, s, z], {})[0] as Of<K, ComplexOf<D>>;
}
