import type { Sort } from '@tf/core';
import type { Emitter } from './emitter.ts';
import type { Value, ValueType } from './text.ts';

/** Stable: the elements in order, and the index that each had. NaN is larger than every number; −0 and 0 are equal. */
export function emitSort(emitter: Emitter, { axis, descending }: Sort, x: Value): readonly Value[] {
  const indices: ValueType = { element: 'i32', shape: x.shape };
  const scalar: ValueType = { element: x.element, shape: [] };
  const index: ValueType = { element: 'i32', shape: [] };
  return emitter.generic('sort', [x, emitter.iota('i32', x.shape, axis)], [x, indices], `dimension = ${axis} : i64, is_stable = true`, [
    { takes: [scalar, scalar, index, index], body: (inside, [a, b]) => [descending ? isBefore(inside, b as Value, a as Value) : isBefore(inside, a as Value, b as Value)] },
  ]);
}

function isBefore(inside: Emitter, a: Value, b: Value): Value {
  const less = inside.compare('LT', a, b);
  if (!a.element.startsWith('f')) return less;
  const [aIsNumber, bIsNaN] = [inside.compare('EQ', a, a), inside.compare('NE', b, b)];
  return inside.same('or', less, inside.same('and', aIsNumber, bIsNaN));
}
