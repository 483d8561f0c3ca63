import { type Dim, type Operand, slice } from '@tf/core';

/** The first k columns, k being how many values there are, and the others. */
export function columnsAt(a: Operand, s: Operand): readonly [head: Operand, tail: Operand] {
  const { shape } = a.type;
  const k = s.type.shape.at(-1) as Dim;
  const zeros = shape.map(() => 0);
  return [slice(a, zeros, [...shape.slice(0, -1), k]), slice(a, [...zeros.slice(0, -1), k], shape)];
}
