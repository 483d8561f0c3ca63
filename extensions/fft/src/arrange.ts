/** What happens to tensors around the transforms: dtypes, lengths, norms. */
import { complexOf, convert, type Dim, div, type DType, extentOf, type FloatDType, floatResult, isComplex, isKnown, mul, type Operand, pad, realPart, slice, sqrt, subDims, sameDim } from '@tf/core';
import type { Norm } from './options.ts';

/** The operand with floats, integers as float64. */
export function withFloats(x: Operand): Operand {
  return convert(x, floatResult(x.type.dtype));
}

export function withComplexes(x: Operand): Operand {
  const dtype: DType = floatResult(x.type.dtype);
  return isComplex(dtype) ? x : convert(x, complexOf(dtype as FloatDType));
}

/** The first n elements along an axis, and zeros where there are fewer; a symbolic n is at least the extent. */
export function fitted(x: Operand, axis: number, n: Dim): Operand {
  const { shape } = x.type;
  const extent = shape[axis] as Dim;
  if (sameDim(extent, n)) return x;
  if (isKnown(extent) && isKnown(n) && n < extent) return slice(x, shape.map(() => 0), shape.map((dim, own) => (own === axis ? n : dim)));
  return pad(x, { low: shape.map(() => 0), high: shape.map((_, own) => (own === axis ? subDims(n, extent) : 0)) });
}

/** Which way a transform goes. */
export type Direction = 'forward' | 'inverse';

/** A transform of length n, divided as the norm says. */
export function normalised(y: Operand, n: Dim, direction: Direction, norm: Norm = 'backward'): Operand {
  const whole = direction === 'forward' ? norm === 'forward' : norm === 'backward';
  if (norm !== 'ortho' && !whole) return y;
  if (isKnown(n)) return mul(y, 1 / (whole ? n : Math.sqrt(n)));
  const count = convert(extentOf(y, n), realPart(y.type.dtype)) as Operand;
  return div(y, whole ? count : sqrt(count)) as Operand;
}
