/** Elements that loops name by an index: chosen by masks, over any number of leading axes. */
import { convert, equal, iotaBeside, type Kind, type Operand, reshape, select, sum } from '@tf/core';

/** True at the place `index` along the last axis of x; an index of leading axes chooses for each of them. */
export function oneHot(x: Operand, index: Operand): Operand<Kind, 'bool'> {
  const places = iotaBeside('element', x, x.type.shape.at(-1) as number);
  return equal(places, reshape(index, [...index.type.shape, 1]) as Operand) as Operand<Kind, 'bool'>;
}

/** The element at that place, for each of the leading axes. */
export function element(x: Operand, index: Operand): Operand {
  return convert(sum(select(oneHot(x, index), x, 0) as Operand, { axes: -1 }) as Operand, x.type.dtype) as Operand;
}

/** A value for each of the leading axes, as one for all places along a last one. */
export function repeated(x: Operand): Operand {
  return reshape(x, [...x.type.shape, 1]) as Operand;
}

/** Elements i and j along the last axis change places. */
export function swapped(x: Operand, i: Operand, j: Operand): Operand {
  return select(oneHot(x, i), repeated(element(x, j)), select(oneHot(x, j), repeated(element(x, i)), x) as Operand) as Operand;
}
