/** Parts of matrices. */
import { concat, type Dim, isKnown, type Operand, pad, sameDim, slice, sub, subDims } from '@tf/core';
import { adjoint } from './algebra.ts';

/** The first rows and columns of matrices. */
export function leadingBlock(x: Operand, rows: Dim, columns: Dim): Operand {
  return block(x, [0, rows], [0, columns]);
}

/** Rows and columns from one index up to another. */
export function block(x: Operand, [top, bottom]: readonly [Dim, Dim], [left, right]: readonly [Dim, Dim]): Operand {
  const { shape } = x.type;
  const [rows, columns] = [shape.at(-2) as Dim, shape.at(-1) as Dim];
  if (top === 0 && left === 0 && sameDim(bottom, rows) && sameDim(right, columns)) return x;
  const zeros = shape.slice(0, -2).map(() => 0);
  return slice(x, [...zeros, top, left], [...shape.slice(0, -2), bottom, right]) as Operand;
}

/** Zeros below and to the right, up to this size. */
export function padded(x: Operand, rows: Dim, columns: Dim): Operand {
  const { shape } = x.type;
  const zeros = shape.slice(0, -2).map(() => 0);
  const more = [subDims(rows, shape.at(-2) as Dim), subDims(columns, shape.at(-1) as Dim)];
  if (more.every((extent) => extent === 0)) return x;
  return pad(x, { low: shape.map(() => 0), high: [...zeros, ...more] }) as Operand;
}

/** Matrices beside each other, or one above the other; those without elements are left out. */
export function joined(parts: readonly Operand[], axis: -1 | -2): Operand {
  const there = parts.filter(({ type }) => type.shape.at(axis) !== 0);
  return there.length === 1 ? (there[0] as Operand) : (concat(there.length === 0 ? parts : there, axis) as Operand);
}

/** A − Aᴴ of a lower triangle: the skew-Hermitian matrix with that triangle, of zero diagonal. */
export function skewOf(lower: Operand): Operand {
  return sub(lower, adjoint(lower)) as Operand;
}

/** Whether m ≤ n, for extents of which it is known. */
export function isAtMost(m: Dim, k: Dim): boolean {
  return isKnown(m) && isKnown(k) ? m <= k : sameDim(m, k);
}
