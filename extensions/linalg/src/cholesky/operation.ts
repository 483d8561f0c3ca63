/** Cholesky factors of Hermitian positive definite matrices. */
import { applyOperation, checkOptions, type DType, type FloatResult, type Kind, type Of, type Operand, type Operation, type OptionChecks, requireFlag, type TensorType } from '@tf/core';
import { squareOperand } from '../arguments.ts';
import { batchOf, defineOperation, squaresOf } from '../family.ts';

export const choleskyOperation: Operation = defineOperation({
  name: 'cholesky',
  operands: 1,
  infer: ([a], _params, sink) => {
    squaresOf('cholesky', a as TensorType, sink);
    return [a as TensorType];
  },
  integers: ([a], { upper }) => {
    const matrices = squaresOf('cholesky', a as TensorType, () => undefined);
    return [batchOf(matrices), matrices.rows, upper === true ? 1 : 0];
  },
});

export interface CholeskyOptions {
  /** The upper triangle is read, and the factor is upper: A = Uᴴ U. When absent the lower one is, A = L Lᴴ. */
  readonly upper?: boolean;
}

const checks: OptionChecks = { upper: requireFlag };

/**
 * The Cholesky factor of Hermitian (real: symmetric) positive definite matrices: x = L Lᴴ with L lower and its diagonal positive. One
 * triangle of x is read, and of the diagonal the real part; the other may hold anything. The derivative is that on Hermitian matrices:
 * of a tangent its Hermitian part counts, and gradients are Hermitian, (G + Gᴴ)/2.
 *
 * @throws ShapeError where matrices are not square; the run throws LinalgError where one is not positive definite.
 * @example
 * import { tensor } from '@tf/core';
 * import { createEngine } from '@tf/engine-cpu-wasm';
 * import { cholesky } from '@tf/linalg';
 * import { linalgHost } from '@tf/linalg/host';
 * import { evaluate } from '@tf/traced';
 * const engine = await createEngine({ modules: [linalgHost()] });
 * console.log(evaluate(cholesky(tensor([[4, 0], [2, 2]])), engine).toArray()); // → [ [ 2, 0 ], [ 1, 1 ] ]
 */
export function cholesky<K extends Kind, D extends DType>(x: Operand<K, D>, options: CholeskyOptions = {}): Of<K, FloatResult<D>> {
  const op = 'cholesky';
  checkOptions(op, options, checks);
  return applyOperation(choleskyOperation, [squareOperand(op, 'x', x)], { upper: options.upper === true })[0] as Of<K, FloatResult<D>>;
}
