/** Iteration axes with numbers: neighbouring axes that every operand walks as one become one. */

export interface Axis {
  readonly extent: number;
  /** Bytes per step, one per operand. */
  readonly strides: readonly number[];
}

/** Loop counters are 32 bits wide. */
const MAXIMUM_MERGED = 2 ** 31;

/**
 * Outermost first. An axis joins the one inside it where each operand's stride is the inner extent times the inner stride:
 * the element order stays what it was. `keepInner`: code relies on the strides of the innermost axis, so it keeps them.
 */
export function mergeAxes(axes: readonly Axis[], keepInner: boolean): readonly Axis[] {
  const merged: Axis[] = [];
  for (let i = axes.length - 1; i >= 0; i--) {
    const axis = axes[i]!;
    const inner = merged.at(-1);
    if (inner === undefined) {
      if (keepInner || axis.extent !== 1) merged.push(axis);
    } else if (axis.extent !== 1) {
      if (continues(axis, inner)) merged[merged.length - 1] = { extent: axis.extent * inner.extent, strides: inner.strides };
      else merged.push(axis);
    }
  }
  return merged.reverse();
}

function continues(outer: Axis, inner: Axis): boolean {
  if (outer.extent * inner.extent >= MAXIMUM_MERGED) return false;
  return outer.strides.every((stride, operand) => stride === inner.extent * inner.strides[operand]!);
}

/** The axes right-aligned among `count`: what is missing outside has extent 1. */
export function padAxes(axes: readonly Axis[], count: number, operands: number): readonly Axis[] {
  const one: Axis = { extent: 1, strides: new Array<number>(operands).fill(0) };
  return [...new Array<Axis>(count - axes.length).fill(one), ...axes];
}

/** How operand `operand` moves when axis `axis` steps after the axes inside it ran to their ends. */
export function deltaOf(axes: readonly Axis[], axis: number, operand: number): number {
  const inside = axes[axis + 1];
  const back = inside === undefined ? 0 : inside.extent * inside.strides[operand]!;
  return axes[axis]!.strides[operand]! - back;
}
