/** The factors that packed ones hold. */
import { add, type Dim, equal, extentOf, iotaBeside, type Kind, logicalAnd, type Operand, reshape, select, sub, tril, triu } from '@tf/core';
import { leadingBlock } from '../blocks.ts';
import { smallerDim } from '../family.ts';
import { identityColumns } from '../permute.ts';

/** L, [..., m, k], k = min(m, n). */
export function lowerFactor(packed: Operand): Operand {
  const [m, n] = packed.type.shape.slice(-2) as unknown as readonly [Dim, Dim];
  const k = smallerDim('lu', m, n);
  return add(tril(leadingBlock(packed, m, k), -1) as Operand, identityColumns(packed, m, k)) as Operand;
}

/** U, [..., k, n]. */
export function upperFactor(packed: Operand): Operand {
  const [m, n] = packed.type.shape.slice(-2) as unknown as readonly [Dim, Dim];
  return triu(leadingBlock(packed, smallerDim('lu', m, n), n)) as Operand;
}

/** The square with 1 for a last pivot that is 0. */
export function withLastPivot(square: Operand): Operand {
  const size = square.type.shape.at(-1) as Dim;
  const index = iotaBeside('lu', square, size);
  const last = sub(extentOf(square, size), 1) as Operand;
  const isLast = logicalAnd(equal(index, last), equal(reshape(index, [size, 1]) as Operand, last)) as Operand<Kind, 'bool'>;
  return select(logicalAnd(isLast, equal(square, 0)) as Operand<Kind, 'bool'>, 1, square) as Operand;
}
