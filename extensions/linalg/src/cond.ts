/** How much a matrix magnifies relative errors. */
import { any, checkOptions, div, type DType, equal, type Kind, mul, type NormResult, type Of, type Operand, type OptionChecks, reduceMax, reduceMin, select } from '@tf/core';
import { asColumn, diagonalOf } from './algebra.ts';
import { matrixOperand, requireComparable, squareOperand } from './arguments.ts';
import { matricesOf } from './family.ts';
import { matrixNorm, type MatrixOrder, requireOrder, withExtremum } from './norms.ts';
import { identityColumns } from './permute.ts';
import { luSolve, luWitness } from './solve/operation.ts';
import { svdvals } from './svd/svd.ts';
import { withLead } from './systems.ts';

export interface CondOptions {
  /** The norm; 2 when absent: the largest singular value over the smallest, of matrices of any shape. −2: its reciprocal. */
  readonly ord?: MatrixOrder;
}

const condChecks: OptionChecks = { ord: requireOrder };

/**
 * The condition number of matrices, ‖x‖·‖x⁻¹‖ in a norm; in the 2-norm also for matrices that are not square. Infinity where the smallest
 * singular value is 0, in other norms where a pivot is; there the gradient is 0.
 *
 * @throws ArgumentError for another order; ShapeError for a norm other than ±2 of matrices that are not square, and of empty ones.
 * @example
 * import { tensor } from '@tf/core';
 * import { cond } from '@tf/linalg';
 * if (cond(tensor([[1, 0], [0, 4]])).type.key !== 'f64[]') throw new Error('unexpected');
 */
export function cond<K extends Kind, D extends DType>(x: Operand<K, D>, options: CondOptions = {}): Of<K, NormResult<D>> {
  const op = 'cond';
  checkOptions(op, options, condChecks);
  const { ord = 2 } = options;
  if (Math.abs(ord as number) === 2) {
    const a = withExtremum(op, matrixOperand(op, 'x', x), ord);
    requireComparable(op, a);
    const s = svdvals(a) as Operand;
    const [largest, smallest] = [reduceMax(s, { axes: -1 }) as Operand, reduceMin(s, { axes: -1 }) as Operand];
    const isZero = equal(largest, 0) as Operand<Kind, 'bool'>;
    const whole = select(isZero, 1, largest) as Operand;
    return (ord === 2 ? select(isZero, Infinity, div(whole, smallest) as Operand) : div(smallest, whole)) as Of<K, NormResult<D>>;
  }
  const a = withExtremum(op, squareOperand(op, 'x', x), ord);
  if (ord === 'nuc') requireComparable(op, a);
  return byInverse(op, a, ord) as Of<K, NormResult<D>>;
}

/** ‖A‖·‖A⁻¹‖; of a singular matrix the identity stands for its factors, so that one of a batch does not end the run. */
function byInverse(op: string, a: Operand, ord: MatrixOrder): Operand {
  const { lead, rows } = matricesOf(op, a.type);
  const identity = withLead(identityColumns(a, rows, rows), lead, 2);
  const { packed, order } = luWitness(a);
  const isSingular = any(equal(diagonalOf(packed), 0), { axes: -1 }) as Operand<Kind, 'bool'>;
  const regular = select(asColumn(asColumn(isSingular)) as Operand<Kind, 'bool'>, identity, packed) as Operand;
  const inverse = luSolve(a, { packed: regular, order }, identity);
  return select(isSingular, Infinity, mul(matrixNorm(a, { ord }) as Operand, matrixNorm(inverse, { ord }) as Operand) as Operand) as Operand;
}
