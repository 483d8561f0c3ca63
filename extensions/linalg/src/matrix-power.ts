import { type DType, type FloatResult, type Kind, matmul, type Of, type Operand, requireInteger } from '@tf/core';
import { squareOperand } from './arguments.ts';
import { matricesOf } from './family.ts';
import { identityColumns } from './permute.ts';
import { inv } from './solve/solve.ts';
import { withLead } from './systems.ts';

/**
 * The n-th power of square matrices, by repeated squaring: that of a negative n is a power of the inverse, that of 0 the identity.
 *
 * @throws ShapeError where matrices are not square, ArgumentError where n is no integer; for n < 0 as {@link inv}.
 * @example
 * import { tensor } from '@tf/core';
 * import { createEngine } from '@tf/engine-cpu-wasm';
 * import { matrixPower } from '@tf/linalg';
 * import { linalgHost } from '@tf/linalg/host';
 * import { evaluate } from '@tf/traced';
 * const engine = await createEngine({ modules: [linalgHost()] });
 * console.log(evaluate(matrixPower(tensor([[1, 1], [0, 1]]), 5), engine).toArray()); // → [ [ 1, 5 ], [ 0, 1 ] ]
 */
export function matrixPower<K extends Kind, D extends DType>(x: Operand<K, D>, n: number): Of<K, FloatResult<D>> {
  const op = 'matrixPower';
  requireInteger(op, 'n', n);
  const a = squareOperand(op, 'x', x);
  const { lead, rows } = matricesOf(op, a.type);
  if (n === 0) return withLead(identityColumns(a, rows, rows), lead, 2) as Of<K, FloatResult<D>>;
  let square: Operand = n < 0 ? (inv(a) as Operand) : a;
  let power: Operand | undefined;
  for (let left = Math.abs(n); ; left = Math.floor(left / 2)) {
    if (left % 2 === 1) power = power === undefined ? square : (matmul(power, square) as Operand);
    if (left === 1) return power as Of<K, FloatResult<D>>;
    square = matmul(square, square) as Operand;
  }
}
