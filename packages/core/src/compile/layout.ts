import { addDims, type Dim, mulDims, sameDim } from '../types/dim.ts';
import type { IndexMap, InnerStep } from '../types/loop-language.ts';
import { rowMajorStrides, type Shape, sameShape } from '../types/shape.ts';

/** Where the elements of a value lie: `offset + Σ index·stride` in a buffer. Several values may share a buffer. */
export interface Layout {
  readonly buffer: number;
  readonly offset: Dim;
  readonly shape: Shape;
  readonly strides: readonly Dim[];
}

export function contiguousLayout(buffer: number, shape: Shape): Layout {
  return { buffer, offset: 0, shape, strides: rowMajorStrides(shape) };
}

/** Whether elements follow each other in row-major order. Axes of size 1 may have any stride. */
export function isContiguous(layout: Layout): boolean {
  let stride: Dim = 1;
  for (let axis = layout.shape.length - 1; axis >= 0; axis--) {
    const extent = layout.shape[axis] as Dim;
    if (extent !== 1 && !sameDim(layout.strides[axis] as Dim, stride)) return false;
    stride = mulDims(stride, extent);
  }
  return true;
}

/** Whether elements follow each other with the axes in some order. */
export function isPermuted({ shape, strides }: Layout): boolean {
  const left = shape.flatMap((extent, axis) => (extent === 1 ? [] : [axis]));
  for (let stride: Dim = 1; left.length > 0; ) {
    const at = left.findIndex((axis) => sameDim(strides[axis] as Dim, stride));
    if (at < 0) return false;
    const [axis] = left.splice(at, 1) as [number];
    stride = mulDims(stride, shape[axis] as Dim);
  }
  return true;
}

/** The layout under another shape with the same row-major order, or undefined if that takes a copy. */
export function reshapeLayout(layout: Layout, shape: Shape): Layout | undefined {
  if (isContiguous(layout)) return { ...layout, shape, strides: rowMajorStrides(shape) };
  const kept = layout.shape.flatMap((extent, axis) => (extent === 1 ? [] : [axis]));
  const wanted = shape.flatMap((extent, axis) => (extent === 1 ? [] : [axis]));
  if (!sameShape(kept.map((axis) => layout.shape[axis] as Dim), wanted.map((axis) => shape[axis] as Dim))) return undefined;
  const strides = new Array<Dim>(shape.length).fill(0);
  wanted.forEach((axis, at) => {
    strides[axis] = layout.strides[kept[at] as number] as Dim;
  });
  return { ...layout, shape, strides };
}

/** The layout that an `axes` map makes: its axis o walks axis `axes[o]` of this one, or repeats one element. */
export function mapAxes(layout: Layout, map: IndexMap & { readonly kind: 'axes' }, shape: Shape): Layout {
  let { offset } = layout;
  const strides = map.axes.map((axis, at): Dim => {
    if (axis === null) return 0;
    // Axes that are walked together: one step is a step along each.
    const stride = typeof axis === 'number' ? (layout.strides[axis] as Dim) : axis.reduce<Dim>((sum, own) => addDims(sum, layout.strides[own] as Dim), 0);
    offset = addDims(offset, mulDims(map.start?.[at] ?? 0, stride));
    return mulDims(map.step?.[at] ?? 1, stride);
  });
  return { buffer: layout.buffer, offset, shape, strides };
}

/** The box of `shape` elements at `from`, `step` apart along each axis. */
export function boxOf(layout: Layout, from: readonly Dim[], shape: Shape, step: readonly number[]): Layout {
  return mapAxes(layout, { kind: 'axes', axes: shape.map((_, axis) => axis), start: from, step }, shape);
}

/** Strides for walking a value over a larger shape by NumPy's broadcasting. */
export function broadcastStrides(layout: Layout, shape: Shape): readonly Dim[] {
  if (layout.shape === shape) return layout.strides;
  const lead = shape.length - layout.shape.length;
  return shape.map((extent, axis) => {
    if (axis < lead) return 0;
    const own = layout.shape[axis - lead] as Dim;
    return own === 1 && extent !== 1 ? 0 : (layout.strides[axis - lead] as Dim);
  });
}

export interface Axes {
  readonly extents: readonly Dim[];
  /** Per operand, per axis. */
  readonly strides: readonly (readonly Dim[])[];
}

/** Drops axes of size 1 and joins neighbours that every operand walks as one. The order of elements stays. */
export function collapse({ extents, strides }: Axes): Axes {
  if (extents.length === 1 && extents[0] !== 1) return { extents, strides };
  const axes = extents.flatMap((extent, axis) => (extent === 1 ? [] : [axis]));
  const kept: Dim[] = [];
  const steps: Dim[][] = strides.map(() => []);
  for (const axis of axes) {
    const extent = extents[axis] as Dim;
    const last = kept.length - 1;
    const joins = last >= 0 && strides.every((own, at) => sameDim((steps[at] as Dim[])[last] as Dim, mulDims(own[axis] as Dim, extent)));
    if (joins) kept[last] = mulDims(kept[last] as Dim, extent);
    else kept.push(extent);
    strides.forEach((own, at) => {
      const mine = steps[at] as Dim[];
      if (joins) mine[last] = own[axis] as Dim;
      else mine.push(own[axis] as Dim);
    });
  }
  return { extents: kept, strides: steps };
}

/** How an operand steps along the innermost axis. */
export function innerStep(strides: readonly Dim[]): InnerStep {
  const inner = strides[strides.length - 1] ?? 0;
  return inner === 0 ? 'broadcast' : inner === 1 ? 'contiguous' : 'strided';
}

