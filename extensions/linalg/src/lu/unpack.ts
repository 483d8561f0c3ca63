/** The factors that packed ones hold. */
import { add, type Dim, type Operand, tril, triu } from '@tf/core';
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
