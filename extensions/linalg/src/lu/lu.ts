/** LU decompositions for users. */
import type { DType, FloatResult, Kind, Of, Operand } from '@tf/core';
import { transposed } from '../algebra.ts';
import { rectangularOperand } from '../arguments.ts';
import { permutationMatrix } from '../permute.ts';
import { packedFullLu, packedLu } from './operation.ts';
import { lowerFactor, upperFactor } from './unpack.ts';

export interface Lu<K extends Kind, D extends DType> {
  /** The permutation of rows, [..., m, m]: x = P L U. */
  readonly p: Of<K, FloatResult<D>>;
  /** Lower, of unit diagonal, [..., m, k] with k = min(m, n). */
  readonly l: Of<K, FloatResult<D>>;
  /** Upper, [..., k, n]. */
  readonly u: Of<K, FloatResult<D>>;
  /** det P, 1 or −1, [...]. */
  readonly parity: Of<K, 'int32'>;
}

export interface FullPivLu<K extends Kind, D extends DType> extends Lu<K, D> {
  /** The permutation of columns, [..., n, n]: x = P L U Q. */
  readonly q: Of<K, FloatResult<D>>;
}

/**
 * The LU decomposition with partial pivoting of matrices of any shape, also singular ones: x = P L U, in each column the largest element
 * (by |re| + |im|) as pivot, of equal ones the first.
 *
 * @throws ShapeError for fewer than two axes; the run of its derivative is a LinalgError where a pivot is exactly 0.
 * @example
 * import { tensor } from '@tf/core';
 * import { createEngine } from '@tf/engine-cpu-wasm';
 * import { lu } from '@tf/linalg';
 * import { linalgHost } from '@tf/linalg/host';
 * import { evaluate } from '@tf/traced';
 * const engine = await createEngine({ modules: [linalgHost()] });
 * console.log(evaluate(lu(tensor([[2, 1], [4, 4]])).u, engine).toArray()); // → [ [ 4, 4 ], [ 0, -1 ] ]
 */
export function lu<K extends Kind, D extends DType>(x: Operand<K, D>): Lu<K, D> {
  const { packed, order, parity } = packedLu(rectangularOperand('lu', 'x', x));
  return { p: permutationMatrix(order, packed.type.dtype), l: lowerFactor(packed), u: upperFactor(packed), parity } as unknown as Lu<K, D>;
}

/**
 * The LU decomposition with complete pivoting: x = P L U Q, at each step the largest element of all that is left as pivot, of equal ones
 * the first by rows. The pivots fall off where the rank ends. Errors as {@link lu}; the parity is that of both permutations.
 */
export function fullPivLu<K extends Kind, D extends DType>(x: Operand<K, D>): FullPivLu<K, D> {
  const { packed, rows, columns, parity } = packedFullLu(rectangularOperand('fullPivLu', 'x', x));
  const { dtype } = packed.type;
  return { p: permutationMatrix(rows, dtype), l: lowerFactor(packed), u: upperFactor(packed), q: transposed(permutationMatrix(columns, dtype)), parity } as unknown as FullPivLu<K, D>;
}
