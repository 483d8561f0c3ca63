/** How many singular values count, and the spaces that they tell apart. */
import { checkOptions, countNonzero, type Dim, type DType, dynamicTruncate, extentOf, flip, type FloatResult, greater, iotaBeside, isKnown, type Kind, less, lessEqual, logicalNot, mul, type Of, type Operand, type OptionChecks, pad, reduceMax, requireNumber, reshape, select, sub, TfError } from '@tf/core';
import { adjoint, asColumn, asRow } from './algebra.ts';
import { rectangularOperand } from './arguments.ts';
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
 * The rank of matrices: how many singular values are above `rtol` times the largest; 0 of a matrix with an element that is no number, as in
 * NumPy.
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
  const a = rectangularOperand(op, 'x', x);
  return countNonzero(significant(a, svdvals(a) as Operand, options.rtol), { axes: -1 }) as Of<K, 'int32'>;
}

/** Per place along an axis of k whether it is one of the first `count`, [..., k]. */
export function isAmongFirst(op: string, count: Operand, beside: Operand, k: Dim): Operand<Kind, 'bool'> {
  return less(iotaBeside(op, beside, k), asColumn(count)) as Operand<Kind, 'bool'>;
}

/** What of a batch is not counted as 0; one matrix is cut where its own count ends, and needs none. */
export function counted(x: Operand, count: Operand, isCounted: Operand<Kind, 'bool'>): Operand {
  return count.type.shape.length === 0 ? x : (select(isCounted, x, 0) as Operand);
}

/** The largest count of a batch: the extent that all its elements share. */
export function sharedCount(count: Operand): Operand<Kind, 'int32'> {
  if (count.type.shape.length === 0) return count as Operand<Kind, 'int32'>;
  // One zero more, so that there is a largest one of none.
  return reduceMax(pad(reshape(count, [-1]) as Operand, { low: [0], high: [1] }) as Operand) as Operand<Kind, 'int32'>;
}

/**
 * An orthonormal basis of the columns of matrices: the first left singular vectors, as many as the rank, which the run decides (an extent of
 * its own: see `dynamicTruncate`). The matrices of a batch share the largest rank among them; of a smaller rank the further columns are 0, so
 * that Q Qᴴ is the projector of each. Spans are differentiable, vectors one by one where their values differ.
 *
 * @throws ShapeError for fewer than two axes, ArgumentError for a negative tolerance.
 * @example
 * import { tensor } from '@tf/core';
 * import { createEngine } from '@tf/engine-cpu-wasm';
 * import { orth } from '@tf/linalg';
 * import { linalgHost } from '@tf/linalg/host';
 * import { input, compile } from '@tf/traced';
 * const run = compile(orth(input('x', { shape: [2, 2, 2] })), { engine: await createEngine({ modules: [linalgHost()] }) });
 * console.log(run({ x: tensor([[[1, 1], [1, 1]], [[0, 0], [0, 0]]]) }).shape.join()); // → 2,2,1
 */
export function orth<K extends Kind, D extends DType>(x: Operand<K, D>, options: ToleranceOptions = {}): Of<K, FloatResult<D>> {
  const op = 'orth';
  checkOptions(op, options, rankChecks);
  const a = rectangularOperand(op, 'x', x);
  const { u, s } = svd(a, { vectors: 'left' }) as unknown as { readonly u: Operand; readonly s: Operand };
  // What is not a number stays.
  const rank = countNonzero(logicalNot(negligible(a, s, options.rtol)), { axes: -1 }) as Operand;
  const isKept = asRow(isAmongFirst(op, rank, s, s.type.shape.at(-1) as Dim)) as Operand<Kind, 'bool'>;
  return dynamicTruncate(counted(u, rank, isKept), sharedCount(rank), -1) as unknown as Of<K, FloatResult<D>>;
}

/**
 * An orthonormal basis of what matrices map to 0, as columns: n less the rank, which the run decides. As {@link orth}; the columns that are 0,
 * where the matrices of a batch differ in rank, come first.
 */
export function nullSpace<K extends Kind, D extends DType>(x: Operand<K, D>, options: ToleranceOptions = {}): Of<K, FloatResult<D>> {
  const op = 'nullSpace';
  checkOptions(op, options, rankChecks);
  const a = rectangularOperand(op, 'x', x);
  const { s, vh } = svdFull(a) as unknown as { readonly s: Operand; readonly vh: Operand };
  const rank = countNonzero(significant(a, s, options.rtol), { axes: -1 }) as Operand;
  const columns = a.type.shape.at(-1) as Dim;
  const nullity = sub(isKnown(columns) ? columns : extentOf(a, columns), rank) as Operand;
  // The last rows: cut from the other end, and put in order again.
  const last = flip(vh, -2) as Operand;
  const isKept = asColumn(isAmongFirst(op, nullity, vh, columns)) as Operand<Kind, 'bool'>;
  const rows = flip(dynamicTruncate(counted(last, nullity, isKept), sharedCount(nullity), -2) as Operand, -2) as Operand;
  return adjoint(rows) as Of<K, FloatResult<D>>;
}
