/** The exponential of square matrices, and its derivative. */
import { applyOperation, type DType, type FloatResult, type Kind, type Of, type Operand, type Operation, requireSameDim, type TensorType, TfError, type Var } from '@tf/core';
import { squareOperand } from '../arguments.ts';
import { defineOperation, squaresOf } from '../family.ts';
import { exponential } from './scheme.ts';

export const matrixExpOperation: Operation = defineOperation({
  name: 'matrixExp',
  operands: 1,
  infer: ([a], _params, sink) => {
    squaresOf('matrixExp', a as TensorType, sink);
    return [a as TensorType];
  },
  lower: ([a]) => [exponential(a as Operand).value as Var],
});

/** L(A, E), the derivative of the exponential at A in the direction E: linear in E. */
export const matrixExpTangentOperation: Operation = defineOperation({
  name: 'matrixExpTangent',
  operands: 2,
  infer: ([a, e], _params, sink) => {
    squaresOf('matrixExp', a as TensorType, sink);
    const [x, y] = [a as TensorType, e as TensorType];
    const fits = x.dtype === y.dtype && x.shape.length === y.shape.length && x.shape.every((dim, axis) => requireSameDim(dim, y.shape[axis] as typeof dim, `matrixExp: axis ${axis} of a matrix and of its tangent`, sink));
    if (!fits) throw new TfError('ShapeError', `matrixExp: ${y.key} is no tangent of ${x.key}: both have one type.`, { op: 'matrixExp' });
    return [x];
  },
  lower: ([a, e]) => [exponential(a as Operand, e as Operand).tangent as Var],
});

export function matrixExpTangent(a: Operand, e: Operand): Operand {
  return applyOperation(matrixExpTangentOperation, [a, e], {})[0] as Operand;
}

/**
 * The exponential Σ xⁿ/n! of square matrices, by scaling, a Padé approximant of degree 13 and squaring. Each matrix of a batch is scaled
 * for itself. What is not finite gives NaN.
 *
 * @throws ShapeError where matrices are not square.
 * @example
 * import { tensor } from '@tf/core';
 * import { createEngine } from '@tf/engine-cpu-wasm';
 * import { matrixExp } from '@tf/linalg';
 * import { linalgHost } from '@tf/linalg/host';
 * import { evaluate } from '@tf/traced';
 * const engine = await createEngine({ modules: [linalgHost()] });
 * console.log(evaluate(matrixExp(tensor([[0, 1], [0, 0]])), engine).toArray()); // → [ [ 1, 1 ], [ 0, 1 ] ]
 */
export function matrixExp<K extends Kind, D extends DType>(x: Operand<K, D>): Of<K, FloatResult<D>> {
  return applyOperation(matrixExpOperation, [squareOperand('matrixExp', 'x', x)], {})[0] as Of<K, FloatResult<D>>;
}
