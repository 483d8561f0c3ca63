/** The pseudoinverse, and least squares by it. */
import { broadcastShapes, checkOptions, constrain, convert, countNonzero, type Dim, type DimConstraint, type DType, type FloatResult, type JoinDType, type JoinKind, type Kind, type Of, type Operand, promote, type RealPart, requireSameDim, reshape, sub, sum, TfError } from '@tf/core';
import { asColumn, squaredModuli, times } from '../algebra.ts';
import { rectangularOperand, withFloats } from '../arguments.ts';
import { identityColumns } from '../permute.ts';
import { rankChecks, type ToleranceOptions, significant } from '../rank.ts';
import { type Solution, withLead } from '../systems.ts';
import { decomposedWitness, pinvApply } from './operation.ts';

/**
 * The Moore-Penrose pseudoinverse of matrices, [..., n, m]: singular values up to `rtol` times the largest count as 0. Its derivative is the
 * one at constant rank (Golub & Pereyra), also where singular values are equal.
 *
 * @throws ShapeError for fewer than two axes, ArgumentError for a negative tolerance.
 * @example
 * import { tensor } from '@tf/core';
 * import { pinv } from '@tf/linalg';
 * if (pinv(tensor([[1, 2], [2, 4], [0, 0]])).type.key !== 'f64[2, 3]') throw new Error('unexpected');
 */
export function pinv<K extends Kind, D extends DType>(x: Operand<K, D>, options: ToleranceOptions = {}): Of<K, FloatResult<D>> {
  const op = 'pinv';
  checkOptions(op, options, rankChecks);
  const a = rectangularOperand(op, 'x', x);
  const rows = a.type.shape.at(-2) as Dim;
  const identity = withLead(identityColumns(a, rows, rows), a.type.shape.slice(0, -2), 2);
  return pinvApply(decomposedWitness(a).decomposed, identity, options.rtol ?? null) as Of<K, FloatResult<D>>;
}

type Kept<A extends Operand, B extends Operand, D extends DType> = Of<JoinKind<A, B>, D>;

/** What {@link lstsq} finds, of matrices and right sides. */
export interface LeastSquares<A extends Operand, B extends Operand> {
  /** Of all that minimise ‖b − a x‖ the one of least norm: [..., n, p], or [n] for a vector b. */
  readonly x: Solution<A, B>;
  /** ‖b − a x‖² of each right side, [..., p] or []. */
  readonly residuals: Kept<A, B, RealPart<FloatResult<JoinDType<A, B>>>>;
  /** Of a, [...]. */
  readonly rank: Kept<A, B, 'int32'>;
  /** Of a, descending: [..., min(m, n)]. */
  readonly singularValues: Kept<A, B, RealPart<FloatResult<JoinDType<A, B>>>>;
}

interface LeastSquaresProblem {
  readonly a: Operand;
  /** Right sides as columns. */
  readonly b: Operand;
  readonly isVector: boolean;
}

function problemOf(op: string, a: unknown, b: unknown): LeastSquaresProblem {
  const [matrices, given] = [rectangularOperand(op, 'a', a), withFloats(op, 'b', b)];
  if (given.type.shape.length === 0) throw new TfError('ShapeError', `${op}: b is a vector or has matrices in its last two axes, got ${given.type.key}. Reshape it.`, { op, argument: 'b' });
  const open: DimConstraint[] = [];
  const sink = (constraint: DimConstraint): unknown => open.push(constraint);
  const isVector = given.type.shape.length === 1;
  const columns = isVector ? asColumn(given) : given;
  if (!requireSameDim(matrices.type.shape.at(-2) as Dim, columns.type.shape.at(-2) as Dim, `${op}: rows of a and of b`, sink)) throw new TfError('ShapeError', `${op}: a ${matrices.type.key} and b ${given.type.key} differ in the number of rows. ${isVector ? 'A vector has as many elements as the matrix has rows' : 'Vectors of a batch are columns: give them a last axis of 1'}.`, { op, a: matrices.type.shape, b: given.type.shape });
  const dtype: DType = promote(matrices.type.dtype, given.type.dtype);
  const lead = broadcastShapes(op, [matrices.type.shape.slice(0, -2), columns.type.shape.slice(0, -2)], sink);
  return { a: withLead(convert(constrain(matrices, open), dtype) as Operand, lead, 2), b: withLead(convert(columns, dtype) as Operand, lead, 2), isVector };
}

/**
 * Least squares: x with the least ‖b − a x‖, and of those of least norm; for matrices of any shape and rank, one decomposition each.
 * `b` is a vector (one axis) or has matrices, columns of which are right sides; leading axes broadcast. Differentiable at constant rank,
 * in `a` and `b`, by the same decomposition.
 *
 * @throws ShapeError where b has another number of rows, ArgumentError for a negative tolerance.
 * @example
 * import { tensor } from '@tf/core';
 * import { createEngine } from '@tf/engine-cpu-wasm';
 * import { lstsq } from '@tf/linalg';
 * import { linalgHost } from '@tf/linalg/host';
 * import { evaluate } from '@tf/traced';
 * const { x } = lstsq(tensor([[2, 0], [0, 0], [0, 0]]), tensor([4, 5, 6]));
 * console.log(evaluate(x, await createEngine({ modules: [linalgHost()] })).toArray()); // → [ 2, 0 ]
 */
export function lstsq<A extends Operand, B extends Operand>(a: A, b: B, options: ToleranceOptions = {}): LeastSquares<A, B> {
  const op = 'lstsq';
  checkOptions(op, options, rankChecks);
  const { a: matrices, b: sides, isVector } = problemOf(op, a, b);
  const { decomposed, values } = decomposedWitness(matrices);
  const x = pinvApply(decomposed, sides, options.rtol ?? null);
  const residual = sub(sides, times(matrices, x)) as Operand;
  const squares = sum(squaredModuli(residual), { axes: -2 }) as Operand;
  const found = {
    x: isVector ? reshape(x, x.type.shape.slice(0, -1)) : x,
    residuals: isVector ? reshape(squares, squares.type.shape.slice(0, -1)) : squares,
    rank: countNonzero(significant(matrices, decomposed.s, options.rtol), { axes: -1 }),
    singularValues: values,
  };
  return found as unknown as LeastSquares<A, B>;
}
