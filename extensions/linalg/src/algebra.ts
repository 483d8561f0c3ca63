/** Matrices in the last two axes, in core's operations: what rules and compositions are written in. */
import { add, broadcastTo, conj, diagonal, type Dim, imag, iotaBeside, isComplex, isKnown, type Kind, matmul, mul, type Operand, real, reshape, sameDim, sub, swapaxes, takeAlongAxis } from '@tf/core';

/** Aᵀ. */
export function transposed(a: Operand): Operand {
  return swapaxes(a, -1, -2) as Operand;
}

/** Aᴴ. */
export function adjoint(a: Operand): Operand {
  return isComplex(a.type.dtype) ? (conj(transposed(a)) as Operand) : transposed(a);
}

/** The product of matrices, from left to right. */
export function times(first: Operand, ...rest: readonly Operand[]): Operand {
  return rest.reduce((product, next) => matmul(product, next) as Operand, first);
}

/** (A + Aᴴ)/2, exactly Hermitian. */
export function hermitianPart(a: Operand): Operand {
  return mul(add(a, adjoint(a)) as Operand, 0.5) as Operand;
}

/** (A − Aᴴ)/2, exactly skew-Hermitian. */
export function skewPart(a: Operand): Operand {
  return mul(sub(a, adjoint(a)) as Operand, 0.5) as Operand;
}

/** The diagonal of square matrices, [..., n, n] → [..., n], also where rows and columns are two symbols for one size. */
export function diagonalOf(a: Operand): Operand {
  const { shape } = a.type;
  const [rows, columns] = shape.slice(-2) as unknown as readonly [Dim, Dim];
  if (sameDim(rows, columns) || (isKnown(rows) && isKnown(columns))) return diagonal(a) as Operand;
  const place = reshape(iotaBeside('diagonal', a, rows), [rows, 1]) as Operand;
  const places = broadcastTo(place, [...shape.slice(0, -1), 1]) as Operand<Kind, 'int32'>;
  return reshape(takeAlongAxis(a, places, -1), shape.slice(0, -1)) as Operand;
}

/** Vectors as the columns of a matrix: [..., n] → [..., n, 1]. */
export function asColumn(x: Operand): Operand {
  return reshape(x, [...x.type.shape, 1]) as Operand;
}

/** Vectors as the rows of a matrix: [..., n] → [..., 1, n]. */
export function asRow(x: Operand): Operand {
  return reshape(x, [...x.type.shape.slice(0, -1), 1, x.type.shape.at(-1) as Dim]) as Operand;
}

/** A·diag(x) for x real or of A's dtype. */
export function scaleColumns(a: Operand, x: Operand): Operand {
  return mul(a, asRow(x)) as Operand;
}

/** diag(x)·A. */
export function scaleRows(x: Operand, a: Operand): Operand {
  return mul(asColumn(x), a) as Operand;
}

export function realPartOf(x: Operand): Operand {
  return isComplex(x.type.dtype) ? (real(x) as Operand) : x;
}

/** |x|² element by element, real. */
export function squaredModuli(x: Operand): Operand {
  if (!isComplex(x.type.dtype)) return mul(x, x) as Operand;
  const [re, im] = [real(x) as Operand, imag(x) as Operand];
  return add(mul(re, re) as Operand, mul(im, im) as Operand) as Operand;
}
