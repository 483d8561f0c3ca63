import { TfError } from '../errors.ts';
import { mul, sub } from '../primitives/arithmetic.ts';
import { convert } from '../primitives/convert.ts';
import { div } from '../primitives/division.ts';
import { sqrt } from '../primitives/functions.ts';
import { type ReduceOptions, sum } from '../primitives/reduce.ts';
import { type DType, floatResult, type FloatResult } from '../types/dtype.ts';
import { type Dim, isKnown, productOfDims } from '../types/dim.ts';
import type { Kind, Of, Operand } from '../types/operand.ts';
import { normaliseAxes } from '../types/shape.ts';

type Float<K extends Kind, D extends DType> = Of<K, FloatResult<D>>;

function countOf(op: string, x: Operand, axes: ReduceOptions['axes']): number {
  const count = productOfDims(normaliseAxes(op, axes, x.type.shape.length).map((axis) => x.type.shape[axis] as Dim));
  if (isKnown(count)) return count;
  throw new TfError('ShapeError', `${op}: the number of elements of ${x.type.key} along axes ${JSON.stringify(axes)} is not known when the program is built. Divide sum(x) by an input that holds it.`, { op });
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
  const values = convert(x, floatResult(x.type.dtype));
  return div(sum(values, options), countOf('mean', x, options.axes)) as Float<K, D>;
}

export interface VarianceOptions extends ReduceOptions {
  /** Subtracted from the number of elements in the divisor (NumPy's ddof); 0 when absent. */
  readonly ddof?: number;
}

/** The mean squared distance from the mean, in two passes. */
export function variance<K extends Kind, D extends DType>(x: Operand<K, D>, options: VarianceOptions = {}): Float<K, D> {
  const { ddof = 0, ...reduce } = options;
  const centred = sub(x, mean(x, { ...reduce, keepdims: true }));
  return div(sum(mul(centred, centred), reduce), countOf('variance', x, reduce.axes) - ddof) as Float<K, D>;
}

/** The square root of the {@link variance}. */
export function std<K extends Kind, D extends DType>(x: Operand<K, D>, options: VarianceOptions = {}): Float<K, D> {
  return sqrt(variance(x, options)) as Float<K, D>;
}
