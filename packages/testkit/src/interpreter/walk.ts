/** Walks over index spaces: plain odometers. */

export function rowMajor(shape: readonly number[]): readonly number[] {
  const strides = new Array<number>(shape.length).fill(1);
  for (let axis = shape.length - 2; axis >= 0; axis--) strides[axis] = (strides[axis + 1] as number) * (shape[axis + 1] as number);
  return strides;
}

/** Strides for reading a value of shape `from` by NumPy's broadcasting while walking `to`. */
export function broadcastSteps(from: readonly number[], to: readonly number[]): readonly number[] {
  const own = rowMajor(from);
  const lead = to.length - from.length;
  return to.map((_, axis) => (axis < lead || from[axis - lead] === 1 ? 0 : (own[axis - lead] as number)));
}

/** Visits every index of `extents` in row-major order with the position of each walker. */
export function walk(extents: readonly number[], strides: readonly (readonly number[])[], starts: readonly number[], visit: (positions: readonly number[]) => void): void {
  if (extents.includes(0)) return;
  const index = new Array<number>(extents.length).fill(0);
  const at = [...starts];
  for (;;) {
    visit(at);
    let axis = extents.length - 1;
    for (; axis >= 0; axis--) {
      index[axis] = (index[axis] as number) + 1;
      strides.forEach((own, which) => void (at[which] = (at[which] as number) + (own[axis] as number)));
      if ((index[axis] as number) < (extents[axis] as number)) break;
      strides.forEach((own, which) => void (at[which] = (at[which] as number) - (own[axis] as number) * (extents[axis] as number)));
      index[axis] = 0;
    }
    if (axis < 0) return;
  }
}

/** The positions that one walker visits, in row-major order. */
export function positionsOf(extents: readonly number[], strides: readonly number[], start: number): readonly number[] {
  const positions: number[] = [];
  walk(extents, [strides], [start], ([at]) => void positions.push(at as number));
  return positions;
}
