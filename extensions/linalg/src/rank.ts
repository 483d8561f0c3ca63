/** How many singular values count, and the spaces that they tell apart. */
import { checkOptions, countNonzero, type Dim, type DType, dynamicTruncate, extentOf, flip, type FloatResult, greater, isKnown, type Kind, lessEqual, logicalNot, mul, type Of, type Operand, type OptionChecks, requireNumber, sub, TfError } from '@tf/core';
import { adjoint } from './algebra.ts';
import { matrixOperand } from './arguments.ts';
import { largestOf, roundoff } from './spectrum.ts';
import { svd, svdFull, svdvals } from './svd/svd.ts';

export interface ToleranceOptions {
  /** Values up to rtol times the largest count as 0; max(m, n) times the spacing of the dtype at 1 when absent, as in NumPy. */
  readonly rtol?: number;
}

export function requireTolerance(op: string, argument: string, value: unknown): void {
  requireNumber(op, argument, value);
  if (!(value >= 0)) throw new TfError('ArgumentError', `${op}: ${argument} is ${value}; a tolerance is 0 or more. Leave it out for the default.`, { op, argument });
}

export const rankChecks: OptionChecks = { rtol: requireTolerance };

/** The larger of the extents of a matrix of which k is the smaller one. */
export function largerExtent(a: Operand, s: Operand): Dim {
  const [m, n] = a.type.shape.slice(-2) as unknown as readonly [Dim, Dim];
  const k = s.type.shape.at(-1) as Dim;
  return isKnown(m) && isKnown(n) ? Math.max(m, n) : m === k ? n : m;
}

/** Which singular values of a count: those above rtol times the largest one. */
export function significant(a: Operand, s: Operand, rtol: number | undefined): Operand<Kind, 'bool'> {
  return greater(s, limitOf(a, s, rtol)) as Operand<Kind, 'bool'>;
}

/** Which of them do not: the others, but for those that are not a number. */
function negligible(a: Operand, s: Operand, rtol: number | undefined): Operand<Kind, 'bool'> {
  return lessEqual(s, limitOf(a, s, rtol)) as Operand<Kind, 'bool'>;
}

function limitOf(a: Operand, s: Operand, rtol: number | undefined): Operand {
  return mul(largestOf(s), rtol ?? roundoff(s, 2, largerExtent(a, s))) as Operand;
}

/**
 * The rank of matrices: how many singular values are above `rtol` times the largest.
 *
 * @throws ShapeError for fewer than two axes, ArgumentError for a negative tolerance.
 * @example
 * import { tensor } from '@tf/core';
 * import { matrixRank } from '@tf/linalg';
 * if (matrixRank(tensor([[1, 2], [2, 4]])).type.key !== 'i32[]') throw new Error('unexpected');
 */
export function matrixRank<K extends Kind>(x: Operand<K>, options: ToleranceOptions = {}): Of<K, 'int32'> {
  const op = 'matrixRank';
  checkOptions(op, options, rankChecks);
  const a = matrixOperand(op, 'x', x);
  return countNonzero(significant(a, svdvals(a) as Operand, options.rtol), { axes: -1 }) as Of<K, 'int32'>;
}

/** One matrix: for a batch the sizes of the results would differ. */
export function requireOneMatrix(op: string, x: unknown): Operand {
  const a = matrixOperand(op, 'x', x);
  if (a.type.shape.length !== 2) throw new TfError('ShapeError', `${op}: the size of the result depends on the matrix, so it takes one, got ${a.type.key}. Take them one by one, or svdFull and a mask: select(less(indices, rank), u, 0).`, { op, argument: 'x', shape: a.type.shape });
  return a;
}

/**
 * An orthonormal basis of the columns of a matrix: its first left singular vectors, as many as its rank, which the run decides (an extent of
 * its own: see `dynamicTruncate`). Their span is differentiable, they one by one where their values differ.
 *
 * @throws ShapeError for anything but one matrix, ArgumentError for a negative tolerance.
 */
export function orth<K extends Kind, D extends DType>(x: Operand<K, D>, options: ToleranceOptions = {}): Of<K, FloatResult<D>> {
  const op = 'orth';
  checkOptions(op, options, rankChecks);
  const a = requireOneMatrix(op, x);
  const { u, s } = svd(a, { vectors: 'left' }) as unknown as { readonly u: Operand; readonly s: Operand };
  // What is not a number stays.
  const rank = countNonzero(logicalNot(negligible(a, s, options.rtol))) as Operand<Kind, 'int32'>;
  return dynamicTruncate(u, rank, -1) as unknown as Of<K, FloatResult<D>>;
}

/**
 * An orthonormal basis of what a matrix maps to 0, as columns: n less its rank, which the run decides. As {@link orth}.
 */
export function nullSpace<K extends Kind, D extends DType>(x: Operand<K, D>, options: ToleranceOptions = {}): Of<K, FloatResult<D>> {
  const op = 'nullSpace';
  checkOptions(op, options, rankChecks);
  const a = requireOneMatrix(op, x);
  const { s, vh } = svdFull(a) as unknown as { readonly s: Operand; readonly vh: Operand };
  const rank = countNonzero(significant(a, s, options.rtol)) as Operand;
  const columns = a.type.shape.at(-1) as Dim;
  const nullity = sub(isKnown(columns) ? columns : extentOf(a, columns), rank) as Operand<Kind, 'int32'>;
  // The last rows: cut from the other end, and put in order again.
  const rows = flip(dynamicTruncate(flip(vh, 0) as Operand, nullity, 0) as Operand, 0) as Operand;
  return adjoint(rows) as Of<K, FloatResult<D>>;
}
