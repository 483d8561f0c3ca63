/** The part of a singular value decomposition that counts, cut where the run finds that it ends. */
import { checkOptions, countNonzero, cumsum, type Dim, div, type DType, dynamicTruncate, type FloatResult, greater, isKnown, isOperand, type Kind, lessEqual, logicalNot, logicalOr, minimum, mul, type Of, type Operand, type OptionChecks, type RealPart, requireCount, select, sum } from '@tf/core';
import { asColumn, asRow } from './algebra.ts';
import { rectangularOperand } from './arguments.ts';
import { oneOf, spectralChecks } from './options.ts';
import { counted, isAmongFirst, requireTolerance, sharedCount } from './rank.ts';
import { largestOf } from './spectrum.ts';
import { svd, type Svd, type SvdFullOptions } from './svd/svd.ts';

export interface TruncationOptions extends SvdFullOptions {
  /** Values up to this times the largest are cut off; 0 when absent. */
  readonly rtol?: number;
  /** Values up to this are cut off; 0 when absent. */
  readonly atol?: number;
  /** As many of the last values are cut off as have together at most this share of Σ s²; none when absent. */
  readonly discardedWeight?: number;
  /** At most so many stay: a number, or int32 that the program computes, a scalar or one for each matrix. */
  readonly maxRank?: number | Operand<Kind, 'int32'>;
}

export type TruncatedSvd<K extends Kind, D extends DType> = Svd<K, D> & {
  /** How many values stay of each matrix, [...]. */
  readonly rank: Of<K, 'int32'>;
  /** The share of Σ s² that was cut off, [...]; 0 of a matrix of zeros. */
  readonly discardedWeight: Of<K, RealPart<FloatResult<D>>>;
};

const truncationChecks: OptionChecks = {
  ...spectralChecks,
  driver: oneOf('gesdd', 'gesvd'),
  rtol: requireTolerance,
  atol: requireTolerance,
  discardedWeight: requireTolerance,
  maxRank: (op, argument, value) => {
    if (!isOperand(value)) requireCount(op, argument, value);
  },
};

/** How many values stay. */
function rankOf(s: Operand, weights: Operand, { rtol = 0, atol = 0, discardedWeight = 0, maxRank }: TruncationOptions): Operand {
  const isSmall = logicalOr(lessEqual(s, mul(largestOf(s), rtol) as Operand), lessEqual(s, atol));
  // Of what is left from value i on, all may go where it is light enough; that becomes lighter from one to the next.
  const isLight = lessEqual(weights, discardedWeight);
  // What is not a number is neither, and stays.
  const count = countNonzero(logicalNot(logicalOr(isSmall, isLight)), { axes: -1 }) as Operand;
  return maxRank === undefined ? count : (minimum(count, maxRank) as unknown as Operand);
}

/** Per value its share of Σ s²: of relative values, so that squares stay in range. */
function weightShares(s: Operand): Operand {
  const relative = div(s, largestOf(s)) as Operand;
  const squares = mul(relative, relative) as Operand;
  const total = sum(squares, { axes: -1, keepdims: true }) as Operand;
  return div(squares, select(greater(total, 0), total, 1) as Operand) as Operand;
}

/**
 * The singular value decomposition of matrices without their last values: cut by size (`rtol`, `atol`), by the weight that goes
 * (`discardedWeight`) and by number (`maxRank`), whatever cuts most. The run decides how many stay; their number is an extent of
 * its own (see `dynamicTruncate`), and one compiled program serves all. The matrices of a batch share the largest number among them, and
 * have zeros where they keep fewer, so that the product is right for each. The gradient is that of the decomposition with a mask: the
 * number is locally constant.
 *
 * @throws ShapeError for fewer than two axes, ArgumentError for options that are none.
 * @example
 * import { tensor } from '@tf/core';
 * import { createEngine } from '@tf/engine-cpu-wasm';
 * import { truncatedSvd } from '@tf/linalg';
 * import { linalgHost } from '@tf/linalg/host';
 * import { compile, input } from '@tf/traced';
 * const { s, rank } = truncatedSvd(input('x', { shape: [3, 2] }), { rtol: 0.1 });
 * const run = compile({ s, rank }, { engine: await createEngine({ modules: [linalgHost()] }) });
 * console.log(run({ x: tensor([[4, 0], [0, 0.25], [0, 0]]) }).s.toArray()); // → [ 4 ]
 */
export function truncatedSvd<K extends Kind, D extends DType>(x: Operand<K, D>, options: TruncationOptions = {}): TruncatedSvd<K, D> {
  const op = 'truncatedSvd';
  checkOptions(op, options, truncationChecks);
  const { gauge, derivativeEps, onDegenerate, driver } = options;
  const given = { ...(gauge && { gauge }), ...(derivativeEps !== undefined && { derivativeEps }), ...(onDegenerate && { onDegenerate }), ...(driver && { driver }) };
  const { u, s, vh } = svd(rectangularOperand(op, 'x', x), given) as unknown as Record<'u' | 's' | 'vh', Operand>;
  const shares = weightShares(s);
  const rank = rankOf(s, cumsum(shares, -1, { reverse: true }) as Operand, options);
  const size = s.type.shape.at(-1) as Dim;
  const isKept = isAmongFirst(op, rank, s, size);
  const shared = sharedCount(rank);
  // Where the largest number is known it bounds the extent, and with it the memory of everything that is computed from the parts.
  const { maxRank } = options;
  const bounded = (part: Operand, axis: number): Operand => (typeof maxRank === 'number' && isKnown(size) ? (dynamicTruncate(part, maxRank, axis) as Operand) : part);
  const isIn = bounded(isKept, -1) as Operand<Kind, 'bool'>;
  const cut = (part: Operand, axis: number, mask: Operand): Operand => dynamicTruncate(counted(bounded(part, axis), rank, mask as Operand<Kind, 'bool'>), shared, axis) as Operand;
  // What is cut off, added up by itself: the difference of two sums would have lost it.
  const discardedWeight = sum(select(isKept, 0, shares) as Operand, { axes: -1 });
  return { u: cut(u, -1, asRow(isIn)), s: cut(s, -1, isIn), vh: cut(vh, -2, asColumn(isIn)), rank, discardedWeight } as unknown as TruncatedSvd<K, D>;
}
