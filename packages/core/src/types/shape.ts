import { TfError } from '../errors.ts';
import { requireList, wrongNumber } from './argument.ts';
import { type Dim, type DimBinding, dimText, evaluateDim, isBound, isDim, isKnown, mulDims, productOfDims, sameDim, subDims } from './dim.ts';
import { isNeverNegative } from './extent.ts';

export type Shape = readonly Dim[];

/** A relation between two extents that could not be decided when a program was built; checked when sizes are bound. */
export interface DimConstraint {
  readonly left: Dim;
  readonly right: Dim;
  /** left ≤ right; without it both are equal. */
  readonly relation?: 'atMost';
  /** What fails if it does not hold, e.g. `dotGeneral: contracted axes of lhs and rhs`. */
  readonly reason: string;
}

/** Collects undecidable equalities while types are inferred. */
export type ConstraintSink = (constraint: DimConstraint) => void;

export function shapeText(shape: Shape): string {
  return `[${shape.map(dimText).join(', ')}]`;
}

export function sameShape(a: Shape, b: Shape): boolean {
  if (a.length !== b.length) return false;
  for (let axis = 0; axis < a.length; axis++) if (!sameDim(a[axis] as Dim, b[axis] as Dim)) return false;
  return true;
}

export function elementCount(shape: Shape): Dim {
  return productOfDims(shape);
}

/** True if the extents are equal, false if they cannot be; otherwise records the constraint and answers true. */
export function requireSameDim(a: Dim, b: Dim, reason: string, sink: ConstraintSink): boolean {
  if (sameDim(a, b)) return true;
  if (isKnown(a) && isKnown(b)) return false;
  sink({ left: a, right: b, reason });
  return true;
}

/**
 * The shape of an elementwise result by NumPy's rules. A symbolic extent broadcasts against 1; against any other
 * extent it must turn out equal (recorded through `sink`).
 */
export function broadcastShapes(op: string, shapes: readonly Shape[], sink: ConstraintSink): Shape {
  if (shapes.length === 1) return shapes[0] as Shape;
  const [first] = shapes as readonly [Shape];
  if (shapes.every((shape) => shape === first)) return first;
  const rank = shapes.reduce((most, shape) => Math.max(most, shape.length), 0);
  const result: Dim[] = new Array<Dim>(rank).fill(1);
  for (const shape of shapes) {
    for (let axis = 0; axis < shape.length; axis++) {
      const at = rank - shape.length + axis;
      const have = result[at] as Dim;
      const next = shape[axis] as Dim;
      if (have === 1) result[at] = next;
      else if (next !== 1 && !requireSameDim(have, next, `${op}: broadcast axis ${at}`, sink)) {
        throw new TfError('ShapeError', `${op}: shapes ${shapes.map(shapeText).join(' and ')} do not broadcast: axis ${at - rank} has sizes ${dimText(have)} and ${dimText(next)}. Sizes must be equal or 1; reshape one operand so that they are, e.g. with an extent of 1.`, { op, shapes });
      }
    }
  }
  // One of them, where it is that: types of one shape then share it.
  return shapes.find((shape) => shape.length === rank && shape.every((dim, axis) => dim === result[axis])) ?? result;
}

/** The axis as a non-negative integer below `rank`; negative axes count from the end. Throws AxisError, or ArgumentError for no number. */
export function normaliseAxis(op: string, axis: number, rank: number, argument = 'axis'): number {
  if (typeof axis !== 'number') throw wrongNumber(op, argument, axis, 'an integer');
  if (!Number.isInteger(axis) || axis < -rank || axis >= rank) {
    throw new TfError('AxisError', `${op}: axis ${String(axis)} ${Number.isInteger(axis) ? `is out of range for rank ${rank}` : 'is no integer'}; ${rank === 0 ? 'a tensor of rank 0 has no axes' : `axes run from ${-rank} to ${rank - 1}`}.`, { op, argument, axis, rank });
  }
  return axis < 0 ? axis + rank : axis;
}

/** Sorted, distinct, non-negative axes; `undefined` means all. */
export function normaliseAxes(op: string, axes: number | readonly number[] | undefined, rank: number): readonly number[] {
  if (axes === undefined) return Array.from({ length: rank }, (_, axis) => axis);
  if (typeof axes !== 'number') requireList(op, 'axes', axes, 'an axis or a list of axes, such as [0, 1]');
  const list = (typeof axes === 'number' ? [axes] : axes).map((axis) => normaliseAxis(op, axis, rank, 'axes'));
  if (new Set(list).size !== list.length) throw new TfError('AxisError', `${op}: axes ${JSON.stringify(axes)} name one axis twice.`, { op, axes, rank });
  return [...list].sort((a, b) => a - b);
}

/** Refuses what is no axis as a parameter holds it: not negative, as rules and engines read it as it stands. A text or an own program may say others. */
export function requireAxis(op: string, axis: unknown, rank: number, argument = 'axis'): asserts axis is number {
  if (typeof axis === 'number' && axis < 0 && axis >= -rank) throw new TfError('AxisError', `${op}: the parameter ${argument} is ${axis}; a parameter counts axes from the front: ${normaliseAxis(op, axis, rank, argument)}.`, { op, argument, axis, rank });
  normaliseAxis(op, axis as number, rank, argument);
}

/** {@link requireAxis} of each, none twice. */
export function requireAxes(op: string, axes: unknown, rank: number, argument = 'axes'): asserts axes is readonly number[] {
  requireList(op, argument, axes, 'a list of axes, such as [0, 1]');
  for (const axis of axes as readonly unknown[]) requireAxis(op, axis, rank, argument);
  normaliseAxes(op, axes as readonly number[], rank);
}

/** Refuses anything but a list of extents; `-1` and the like are refused by {@link checkShape}. */
export function requireDims(op: string, argument: string, dims: unknown): asserts dims is readonly Dim[] {
  requireList(op, argument, dims, 'a list of integers, such as [2, 3]');
  for (let at = 0; at < dims.length; at++) if (typeof dims[at] !== 'number' && !isDim(dims[at])) throw wrongNumber(op, `${argument}[${at}]`, dims[at], 'an integer or a symbolic dimension');
}

/** Known sizes whose product can be addressed: the usual case, settled in one pass. */
function isPlainShape(shape: Shape): boolean {
  if (!Array.isArray(shape)) return false;
  let count = 1;
  for (let axis = 0; axis < shape.length; axis++) {
    const dim: unknown = shape[axis];
    if (!Number.isInteger(dim) || (dim as number) < 0) return false;
    count *= dim as number;
  }
  return count <= Number.MAX_SAFE_INTEGER;
}

/** Refuses what is no shape: entries that are no extents, negative or fractional sizes, and more elements than can be addressed. */
export function checkShape(op: string, shape: Shape): void {
  if (isPlainShape(shape)) return;
  requireDims(op, 'shape', shape);
  for (const dim of shape) {
    if (isKnown(dim) && (!Number.isInteger(dim) || dim < 0)) {
      throw new TfError('ShapeError', `${op}: a shape needs non-negative integers, got ${shapeText(shape)}.`, { op, argument: 'shape', shape });
    }
  }
  const count = elementCount(shape);
  if (isKnown(count) && count > Number.MAX_SAFE_INTEGER) {
    throw new TfError('TooLargeError', `${op}: shape ${shapeText(shape)} has more than 2^53 elements, which cannot be addressed. Work on it in parts.`, { op, shape });
  }
}

/** Row-major strides in elements. */
export function rowMajorStrides(shape: Shape): readonly Dim[] {
  const strides = new Array<Dim>(shape.length);
  let stride: Dim = 1;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    strides[axis] = stride;
    stride = mulDims(stride, shape[axis] as Dim);
  }
  return strides;
}

/**
 * Checks what a program assumed of its symbols, now that they have sizes.
 *
 * @throws ConstraintError for the first constraint that does not hold.
 */
export function checkConstraints(constraints: readonly DimConstraint[], binding: DimBinding, where = ''): void {
  for (const { left, right, relation, reason } of constraints) {
    const [a, b] = [evaluateDim(left, binding), evaluateDim(right, binding)];
    if (relation === 'atMost' ? a <= b : a === b) continue;
    const wanted = relation === 'atMost' ? `${dimText(left)} may be at most ${dimText(right)}` : `${dimText(left)} and ${dimText(right)} must be equal`;
    throw new TfError('ConstraintError', `${where}${reason}: ${wanted}, and ${sizesText(left, a, right, b)}.`, { reason, left: a, right: b });
  }
}

/** The constraints whose symbols all have sizes by now; given a symbol, those of them that mention it. */
export function decidableConstraints(constraints: readonly DimConstraint[], binding: DimBinding, symbol?: string): readonly DimConstraint[] {
  const mentions = (dim: Dim): boolean => !isKnown(dim) && dim.terms.some(({ symbols }) => symbols.includes(symbol as string));
  return constraints.filter(({ left, right }) => isBound(left, binding) && isBound(right, binding) && (symbol === undefined || mentions(left) || mentions(right)));
}

function sizesText(left: Dim, a: number, right: Dim, b: number): string {
  const given = [[left, a], [right, b]] as const;
  return given.filter(([dim]) => !isKnown(dim)).map(([dim, size]) => `${dimText(dim)} is ${size}`).join(' and ') || `they are ${a} and ${b}`;
}

/** Requires left ≤ right: at once where both are known (false then means it is broken), else when sizes are bound. */
export function requireAtMost(left: Dim, right: Dim, reason: string, sink: ConstraintSink): boolean {
  if (isKnown(left) && isKnown(right)) return left <= right;
  const difference = subDims(right, left);
  if (isKnown(difference)) return difference >= 0;
  if (isNeverNegative(difference)) return true;
  sink({ left, right, relation: 'atMost', reason });
  return true;
}
