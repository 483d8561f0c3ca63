import type { Sort, TensorType } from '@tf/core';
import { extentsOf, type HostValue, setLane, zerosOf } from '../values.ts';
import { rowMajor, walk } from './walk.ts';

/** NaN is larger than every number. */
function compare(a: number | bigint, b: number | bigint): number {
  if (a !== a || b !== b) return Number(a !== a) - Number(b !== b);
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The places of `count` elements in their order; equal ones stay as they were. */
export function stableOrder(count: number, element: (i: number) => number | bigint, descending: boolean): readonly number[] {
  const places = Array.from({ length: count }, (_, at) => at);
  return places.sort((i, j) => (descending ? compare(element(j), element(i)) : compare(element(i), element(j))));
}

export function runSort({ axis, descending }: Sort, x: HostValue, types: readonly TensorType[]): readonly HostValue[] {
  const [values, indices] = types.map(zerosOf) as [HostValue, HostValue];
  const shape = extentsOf(x);
  const own = rowMajor(shape);
  const stride = own[axis] as number;
  const others = shape.flatMap((_, at) => (at === axis ? [] : [at]));
  walk(others.map((at) => shape[at] as number), [others.map((at) => own[at] as number)], [0], ([start]) => {
    const at = (i: number): number => (start as number) + i * stride;
    const element = (i: number): number | bigint => x.data[at(i)] as number | bigint;
    stableOrder(shape[axis] as number, element, descending).forEach((from, to) => {
      setLane(values.data, at(to), element(from));
      setLane(indices.data, at(to), from);
    });
  });
  return [values, indices];
}
