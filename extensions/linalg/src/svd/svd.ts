import { applyOperation, checkOptions, concat, type DType, type FloatResult, type Kind, mul, type Of, type Operand, type Operation, type OptionChecks, type Params, type RealPart } from '@tf/core';
import { transposed } from '../algebra.ts';
import { rectangularOperand } from '../arguments.ts';
import { pivotPhases, turnedBack, withPositivePivots } from '../gauge.ts';
import { oneOf, spectralChecks, type SpectralOptions, spectralParams } from '../options.ts';
import { columnsAt } from './parts.ts';
import { svdFullOperation, svdLeftOperation, svdOperation, svdRightOperation, svdvalsOperation } from './operation.ts';

export interface SvdFullOptions extends SpectralOptions {
  /**
   * `gesdd`: divide and conquer, whose result is checked and computed again the other way where it is not good enough. `gesvd`: QR
   * iterations at once, slower and sure. `gesdd` when absent; kernels with one algorithm do not read it.
   */
  readonly driver?: 'gesdd' | 'gesvd';
}

export interface SvdOptions extends SvdFullOptions {
  /** Which vectors are wanted: `both` when absent. Where one side is not, it is not formed. */
  readonly vectors?: 'both' | 'left' | 'right';
}

export interface LeftVectors<K extends Kind, D extends DType> {
  /** Columns, orthonormal: [..., m, k]. */
  readonly u: Of<K, FloatResult<D>>;
}

export interface RightVectors<K extends Kind, D extends DType> {
  /** Rows, orthonormal: the adjoint of V, [..., k, n]. */
  readonly vh: Of<K, FloatResult<D>>;
}

export interface SingularValues<K extends Kind, D extends DType> {
  /** Descending and not negative, [..., k] with k = min(m, n). */
  readonly s: Of<K, RealPart<FloatResult<D>>>;
}

export type Svd<K extends Kind, D extends DType> = LeftVectors<K, D> & SingularValues<K, D> & RightVectors<K, D>;

const fullChecks: OptionChecks = { ...spectralChecks, driver: oneOf('gesdd', 'gesvd') };
const svdChecks: OptionChecks = { ...fullChecks, vectors: oneOf('both', 'left', 'right') };

function paramsOf(options: SvdFullOptions): Params {
  return { ...spectralParams(options), driver: options.driver ?? 'gesdd' };
}

function decomposed(operation: Operation, a: Operand, options: SvdFullOptions): readonly Operand[] {
  return applyOperation(operation, [a], paramsOf(options)) as readonly Operand[];
}

/** Columns of U with positive pivots, and rows of Vᴴ turned by as much, so that the product stays. */
function gauged(u: Operand, vh: Operand): readonly [u: Operand, vh: Operand] {
  if (u.type.shape.at(-2) === 0 || vh.type.shape.at(-1) === 0) return [u, vh];
  const phases = pivotPhases(u);
  return [turnedBack(u, phases), mul(transposed(phases), vh) as Operand];
}

/**
 * The singular value decomposition of matrices, the last two axes of x: x = U diag(s) Vᴴ with k = min(m, n) values. Losses that depend
 * on phases, or on single vectors of equal values, have no gradient: {@link SpectralOptions} say what they get.
 * `gauge: 'canonicalPivot'` makes the entry of largest modulus of each left vector real and positive, its partner turning along.
 *
 * @throws ShapeError for fewer than two axes, ArgumentError for options that are none.
 * @example
 * import { tensor } from '@tf/core';
 * import { svd } from '@tf/linalg';
 * const { u, s, vh } = svd(tensor([[3, 0], [0, 4], [0, 0]]));
 * if ([u, s, vh].map(({ type }) => type.key).join() !== 'f64[3, 2],f64[2],f64[2, 2]') throw new Error('unexpected');
 */
export function svd<K extends Kind, D extends DType>(x: Operand<K, D>, options: SvdOptions & { readonly vectors: 'left' }): LeftVectors<K, D> & SingularValues<K, D>;
export function svd<K extends Kind, D extends DType>(x: Operand<K, D>, options: SvdOptions & { readonly vectors: 'right' }): SingularValues<K, D> & RightVectors<K, D>;
export function svd<K extends Kind, D extends DType>(x: Operand<K, D>, options?: SvdOptions): Svd<K, D>;
export function svd(x: Operand, options: SvdOptions = {}): unknown {
  const op = 'svd';
  checkOptions(op, options, svdChecks);
  const a = rectangularOperand(op, 'x', x);
  const isGauged = options.gauge === 'canonicalPivot';
  if (options.vectors === 'left') {
    const [u, s] = decomposed(svdLeftOperation, a, options) as readonly [Operand, Operand];
    return { u: isGauged ? withPositivePivots(u) : u, s };
  }
  if (options.vectors === 'right' && !isGauged) {
    const [s, vh] = decomposed(svdRightOperation, a, options) as readonly [Operand, Operand];
    return { s, vh };
  }
  const [u, s, vh] = decomposed(svdOperation, a, options) as readonly [Operand, Operand, Operand];
  const [left, right] = isGauged ? gauged(u, vh) : [u, vh];
  return options.vectors === 'right' ? { s, vh: right } : { u: left, s, vh: right };
}

/**
 * {@link svd} with square U [..., m, m] and Vᴴ [..., n, n]: behind the k vectors that belong to values come orthonormal bases of what is left,
 * in no particular rotation. Their span is differentiable, they one by one are not.
 */
export function svdFull<K extends Kind, D extends DType>(x: Operand<K, D>, options: SvdFullOptions = {}): Svd<K, D> {
  const op = 'svdFull';
  checkOptions(op, options, fullChecks);
  const [u, s, vh] = decomposed(svdFullOperation, rectangularOperand(op, 'x', x), options) as readonly [Operand, Operand, Operand];
  const [left, right] = options.gauge === 'canonicalPivot' ? gaugedFull(u, s, vh) : [u, vh];
  return { u: left, s, vh: right } as unknown as Svd<K, D>;
}

/** The first k columns and rows as partners, those behind them each for itself. */
function gaugedFull(u: Operand, s: Operand, vh: Operand): readonly [Operand, Operand] {
  const [head, tail] = columnsAt(u, s);
  const [top, rest] = columnsAt(transposed(vh), s);
  const [left, right] = gauged(head, transposed(top));
  return [concat([left, withPositivePivots(tail)], -1) as Operand, concat([right, transposed(withPositivePivots(rest))], -2) as Operand];
}

/** The singular values alone, descending, by a faster algorithm; {@link svd} of which it is the second part, last digits apart. */
export function svdvals<K extends Kind, D extends DType>(x: Operand<K, D>, options: Omit<SvdFullOptions, 'gauge'> = {}): Of<K, RealPart<FloatResult<D>>> {
  const op = 'svdvals';
  checkOptions(op, options, fullChecks);
  return decomposed(svdvalsOperation, rectangularOperand(op, 'x', x), options)[0] as unknown as Of<K, RealPart<FloatResult<D>>>;
}
