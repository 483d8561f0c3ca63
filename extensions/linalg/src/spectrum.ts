/** What derivatives of spectra divide by, where values are equal, near, or zero (contracts.md §11). */
import { abs, add, broadcastTo, convert, type Dim, div, type DType, extentOf, greater, isKnown, type Kind, lessEqual, mul, type Operand, type Params, pad, realPart, reduceMax, select, stopGradient, sub } from '@tf/core';
import { asColumn, asRow } from './algebra.ts';

type Truth = Operand<Kind, 'bool'>;

/** The unit roundoff of a dtype. */
export function unitRoundoff(dtype: DType): number {
  return realPart(dtype) === 'float32' ? 2 ** -24 : 2 ** -53;
}

/** How many units of roundoff, times the size, make values equal. */
export const equalityFactor = 8;

/** How far gaps are broadened, relative to the largest value: what the caller says, or the default of the dtype. */
export function broadeningOf(params: Params, dtype: DType): number {
  return (params['derivativeEps'] as number | null) ?? (realPart(dtype) === 'float32' ? 1e-5 : 1e-12);
}

/** factor·extent·u as a number or, of a symbolic extent, as a scalar beside x. */
export function roundoff(x: Operand, factor: number, extent: Dim): Operand | number {
  const unit = factor * unitRoundoff(x.type.dtype);
  return isKnown(extent) ? unit * extent : (mul(convert(extentOf(x, extent), realPart(x.type.dtype)) as Operand, unit) as Operand);
}

/** The largest modulus along the last axis, which stays with extent 1; 1 where there is none but 0. Constant for derivatives. */
export function largestOf(values: Operand): Operand {
  const { shape } = values.type;
  // One zero more, so that there is a largest one of none.
  const padded = pad(abs(values) as Operand, { low: shape.map(() => 0), high: shape.map((_, axis) => (axis === shape.length - 1 ? 1 : 0)) }) as Operand;
  const largest = reduceMax(padded, { axes: -1, keepdims: true }) as Operand;
  return stopGradient(select(greater(largest, 0), largest, 1) as Operand) as Operand;
}

/**
 * F_ij = ĝ/(ĝ² + ε²) of the gaps ĝ_ij = x_j − x_i of relative values, and 0 where |ĝ| ≤ tolerance: exactly antisymmetric.
 */
export function inverseGaps(x: Operand, broadening: number, tolerance: Operand | number): Operand {
  const gap = sub(asRow(x), asColumn(x)) as Operand;
  const isEqual = lessEqual(abs(gap) as Operand, tolerance as Operand) as Truth;
  return select(isEqual, 0, broadenedInverse(select(isEqual, 1, gap) as Operand, broadening)) as Operand;
}

/** x/(x² + ε²). */
export function broadenedInverse(x: Operand, broadening: number): Operand {
  return div(x, add(mul(x, x) as Operand, broadening ** 2) as Operand) as Operand;
}

/** x spread over the axes of `like`, for selects between both. */
export function spreadLike(x: Operand, like: Operand): Operand {
  return broadcastTo(x, like.type.shape) as Operand;
}
