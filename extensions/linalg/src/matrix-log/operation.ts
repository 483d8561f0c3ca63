/** The logarithm of square matrices, and its derivative. */
import { applyOperation, complexOf, type ComplexOf, convert, type Dim, type DType, type FloatDType, isComplex, type Kind, mul, mulDims, type Of, type Operand, type Operation, requireSameDim, type TensorType, TfError, type Var } from '@tf/core';
import { squareOperand } from '../arguments.ts';
import { block, joined } from '../blocks.ts';
import { defineOperation, squaresOf } from '../family.ts';
import { logarithm } from './scheme.ts';

/** Refuses real matrices, whose logarithm may be complex. */
function requireComplex(a: TensorType): void {
  if (!isComplex(a.dtype)) throw new TfError('DTypeError', `matrixLog: takes complex64, complex128, got ${a.key}. Call matrixLog, which converts.`, { op: 'matrixLog', dtype: a.dtype });
}

export const matrixLogOperation: Operation = defineOperation({
  name: 'matrixLog',
  operands: 1,
  infer: ([a], _params, sink) => {
    squaresOf('matrixLog', a as TensorType, sink);
    requireComplex(a as TensorType);
    return [a as TensorType];
  },
  lower: ([a]) => [logarithm(a as Operand) as Var],
});

/** [[A, E], [0, A]]. */
export function jordanBlocks(a: Operand, e: Operand): Operand {
  return joined([joined([a, e], -1), joined([mul(a, 0) as Operand, a], -1)], -2);
}

/** The block at the upper right of a matrix of two by two. */
export function upperRight(whole: Operand, n: Dim): Operand {
  return block(whole, [0, n], [n, mulDims(2, n)]);
}

/** L(A, E), the derivative of the logarithm at A in the direction E: linear in E. */
export const matrixLogTangentOperation: Operation = defineOperation({
  name: 'matrixLogTangent',
  operands: 2,
  infer: ([a, e], _params, sink) => {
    squaresOf('matrixLog', a as TensorType, sink);
    requireComplex(a as TensorType);
    const [x, y] = [a as TensorType, e as TensorType];
    const fits = x.dtype === y.dtype && x.shape.length === y.shape.length && x.shape.every((dim, axis) => requireSameDim(dim, y.shape[axis] as Dim, `matrixLog: axis ${axis} of a matrix and of its tangent`, sink));
    if (!fits) throw new TfError('ShapeError', `matrixLog: ${y.key} is no tangent of ${x.key}: both have one type.`, { op: 'matrixLog' });
    return [x];
  },
  lower: ([a, e]) => [upperRight(logarithm(jordanBlocks(a as Operand, e as Operand)), (a as Var).type.shape.at(-1) as Dim) as Var],
});

export function matrixLogTangent(a: Operand, e: Operand): Operand {
  return applyOperation(matrixLogTangentOperation, [a, e], {})[0] as Operand;
}

/**
 * The principal logarithm of square matrices, complex: e^y = x with the eigenvalues' imaginary parts between −π and π, by inverse scaling and
 * squaring. Of a real matrix without eigenvalues on the negative axis its imaginary part is 0, up to rounding. NaN where an
 * eigenvalue is 0; on the negative axis the logarithm jumps.
 *
 * @throws ShapeError where matrices are not square.
 * @example
 * import { tensor } from '@tf/core';
 * import { matrixLog } from '@tf/linalg';
 * if (matrixLog(tensor([[1, 1], [0, 1]])).type.key !== 'c128[2, 2]') throw new Error('unexpected');
 */
export function matrixLog<K extends Kind, D extends DType>(x: Operand<K, D>): Of<K, ComplexOf<D>> {
  const given = squareOperand('matrixLog', 'x', x);
  const { dtype } = given.type;
  const a = isComplex(dtype) ? given : (convert(given, complexOf(dtype as FloatDType)) as Operand);
  return applyOperation(matrixLogOperation, [a], {})[0] as Of<K, ComplexOf<D>>;
}
