import { TfError } from '../errors.ts';
import { requireOperand } from '../program/dispatch.ts';
import { requireNumber } from '../types/argument.ts';
import { add, mul, sub } from '../primitives/arithmetic.ts';
import { equal } from '../primitives/compare.ts';
import { imag, real } from '../primitives/complex-parts.ts';
import { convert } from '../primitives/convert.ts';
import { div } from '../primitives/division.ts';
import { maximum } from '../primitives/extrema.ts';
import { sqrt } from '../primitives/functions.ts';
import { type ReduceOptions, requireReduceOptions, sum } from '../primitives/reduce.ts';
import { select } from '../primitives/select.ts';
import { extentOf } from '../primitives/size.ts';
import { type DType, floatResult, type FloatResult, isComplex, type RealPart } from '../types/dtype.ts';
import { type Dim, isKnown, productOfDims } from '../types/dim.ts';
import type { Kind, Of, Operand } from '../types/operand.ts';
import { normaliseAxes } from '../types/shape.ts';

type Float<K extends Kind, D extends DType> = Of<K, FloatResult<D>>;

function countOf(op: string, x: Operand, axes: ReduceOptions['axes']): Dim {
  return productOfDims(normaliseAxes(op, axes, x.type.shape.length).map((axis) => x.type.shape[axis] as Dim));
}

/** `sum`, which is over `count` elements of x, divided by `count - less`. */
function divided(sum: Operand, x: Operand, count: Dim, less = 0): Operand {
  if (isKnown(count)) return div(sum, count - less) as Operand;
  const { dtype } = sum.type;
  const number = convert(extentOf(x, count), dtype === 'float32' || dtype === 'complex64' ? 'float32' : 'float64');
  return div(sum, less === 0 ? number : maximum(sub(number, less), 0)) as Operand;
}

/**
 * The arithmetic mean over axes; NaN where there is nothing. Integers are averaged in float64.
 *
 * @example
 * import { Builder, mean, tensorType } from '@tf/core';
 * const x = new Builder().input(tensorType('float64', [2, 3]), 'x');
 * if (mean(x, { axes: 0 }).type.key !== 'f64[3]') throw new Error('unexpected');
 */
export function mean<K extends Kind, D extends DType>(x: Operand<K, D>, options: ReduceOptions = {}): Float<K, D> {
  requireOperand('mean', 'x', x);
  requireReduceOptions('mean', options);
  return meanOver('mean', x, options) as Float<K, D>;
}

/** The mean, for a caller whose name errors carry. */
function meanOver(op: string, x: Operand, options: ReduceOptions): Operand {
  const count = countOf(op, x, options.axes);
  return divided(sum(convert(x, floatResult(x.type.dtype)), options), x, count);
}

export interface VarianceOptions extends ReduceOptions {
  /** Subtracted from the number of elements in the divisor (NumPy's ddof); 0 when absent. */
  readonly ddof?: number;
}

/**
 * The mean squared distance from the mean, in two passes; real, also of complex numbers. Where the number of elements is not
 * known before a run, a `ddof` that leaves nothing to divide by divides by 0: an infinity or NaN.
 *
 * @throws ArgumentError when `ddof` leaves nothing to divide by.
 */
export function variance<K extends Kind, D extends DType>(x: Operand<K, D>, options: VarianceOptions = {}): Of<K, RealPart<FloatResult<D>>> {
  return varianceOver('variance', x, options) as Of<K, RealPart<FloatResult<D>>>;
}

/** The variance, for a caller whose name errors carry. */
export function varianceOver(op: string, x: Operand, options: VarianceOptions): Operand {
  requireOperand(op, 'x', x);
  requireReduceOptions(op, options, ['axes', 'keepdims', 'ddof']);
  const { ddof = 0, ...reduce } = options;
  requireNumber(op, 'ddof', ddof);
  const count = countOf(op, x, reduce.axes);
  // Of nothing, the variance is NaN as the mean is: only a ddof can be at fault.
  if (ddof !== 0 && isKnown(count) && !(count - ddof > 0)) throw new TfError('ArgumentError', `${op}: ddof ${ddof} leaves nothing to divide by: ${x.type.key} has ${count} elements along the axes. Take a ddof below that.`, { op, argument: 'ddof', ddof, count });
  const centred = sub(x, meanOver(op, x, { ...reduce, keepdims: true }));
  return divided(sum(squaredSize(centred), reduce) as Operand, x, count, ddof);
}

/** x², and of complex numbers |x|², part by part. */
function squaredSize(x: Operand): Operand {
  if (!isComplex(x.type.dtype)) return mul(x, x) as Operand;
  const [re, im] = [real(x) as Operand, imag(x) as Operand];
  return add(mul(re, re), mul(im, im)) as Operand;
}

/** The square root of the {@link variance}. Where that is 0 the gradient is 0, the least of the subgradients. */
export function std<K extends Kind, D extends DType>(x: Operand<K, D>, options: VarianceOptions = {}): Of<K, RealPart<FloatResult<D>>> {
  const spread = varianceOver('std', x, options);
  const flat = equal(spread, 0);
  return select(flat, 0, sqrt(select(flat, 1, spread))) as Of<K, RealPart<FloatResult<D>>>;
}
