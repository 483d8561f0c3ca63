/** Elements that several index tensors name together, each along its own axis: NumPy's x[i, j], and JAX's x.at[i, j]. */
import { TfError } from '../errors.ts';
import { commonDType } from '../primitives/arguments.ts';
import { add, mul } from '../primitives/arithmetic.ts';
import { filledBeside, spreadBeside } from '../primitives/beside.ts';
import { less } from '../primitives/compare.ts';
import { indexAdd, indexOperand, type Indices, oneIndex, take, takeFor } from '../primitives/indexing.ts';
import { broadcastTo, reshape, transpose } from '../primitives/movement.ts';
import { indexMax, indexMin, indexSet } from '../primitives/scatter.ts';
import { select } from '../primitives/select.ts';
import { extentOf } from '../primitives/size.ts';
import { requireOperand } from '../program/dispatch.ts';
import { isLiteral } from '../program/literal.ts';
import { requireOptions, wrongArgument } from '../types/argument.ts';
import { type Dim, isKnown } from '../types/dim.ts';
import type { DType } from '../types/dtype.ts';
import type { Argument, JoinDType, JoinKind, Kind, Of, Operand } from '../types/operand.ts';
import { elementCount, normaliseAxis, rowMajorStrides, type Shape, shapeText } from '../types/shape.ts';

/** Where elements lie along one axis: integers of any shape, a list of them, or one for all. */
export type Place = Indices | number;

export interface AtOptions {
  /** The axis of each index tensor; the first axes, in order, when absent. */
  readonly axes?: readonly number[];
}

/** x with its indexed axes joined into one, and which rows of that are meant. */
interface Rows {
  /** Puts the indexed axes side by side. */
  readonly order: readonly number[];
  /** Of x in that order. */
  readonly shape: Shape;
  /** Of x in that order, with the indexed axes joined. */
  readonly joined: Shape;
  readonly axis: number;
  readonly indices: Operand<Kind, 'int32'>;
  /** Of what is read or written. */
  readonly picked: Shape;
}

function pairsOf(op: string, x: Operand, indices: readonly Place[], options: AtOptions): readonly (readonly [axis: number, place: Place])[] {
  const list: unknown = indices;
  const rank = x.type.shape.length;
  if (!Array.isArray(list) || list.length === 0 || list.length > rank) throw wrongArgument(op, 'indices', list, `a list of 1 to ${rank} index tensors for ${x.type.key}, one per indexed axis`, `Write ${op}(x, [i, j], …).`);
  requireOptions(op, options, ['axes']);
  const given: unknown = options.axes ?? indices.map((_, axis) => axis);
  if (!Array.isArray(given) || given.length !== indices.length) throw wrongArgument(op, 'axes', given, `a list of ${indices.length} axes, one per index tensor`);
  const axes = given.map((axis: number) => normaliseAxis(op, axis, rank, 'axes'));
  if (new Set(axes).size !== axes.length) throw new TfError('AxisError', `${op}: axes [${given.join(', ')}] of ${x.type.key} name one axis twice. Give each axis one index tensor.`, { op, axes: given });
  return axes.map((axis, at): readonly [number, Place] => [axis, indices[at] as Place]).sort(([a], [b]) => a - b);
}

function extentBeside(x: Operand, extent: Dim): Operand | number {
  return isKnown(extent) ? extent : (extentOf(x, extent) as Operand);
}

/** Counted from the start. An index without a row is met by the take, which names it; what it takes is 0. Literals were checked before. */
function fromStart(op: string, argument: string, x: Operand, given: Operand, rows: Dim): Operand {
  const places = isLiteral(given) ? (add(filledBeside(op, x, 0, 'int32', []), given as Operand) as Operand) : given;
  if (isLiteral(given) && isKnown(rows)) return select(less(places, 0) as Operand<Kind, 'bool'>, add(places, rows), places) as Operand;
  const counted = select(less(places, 0) as Operand<Kind, 'bool'>, add(places, extentBeside(x, rows)), places) as Operand;
  return add(counted, takeFor(op, argument, filledBeside(op, x, 0, 'int32', [rows]), places)) as Operand;
}

/** Indexed axes that are neighbours give their place to the axes of the indices; others move to the front, as NumPy has it. */
function rowsOf(op: string, x: Operand, indices: readonly Place[], options: AtOptions): Rows {
  requireOperand(op, 'x', x);
  const pairs = pairsOf(op, x, indices, options);
  const axes = pairs.map(([axis]) => axis);
  const first = axes.every((axis, at) => axis === (axes[0] as number) + at) ? (axes[0] as number) : 0;
  const rest = x.type.shape.flatMap((_, axis) => (axes.includes(axis) ? [] : [axis]));
  const order = [...rest.slice(0, first), ...axes, ...rest.slice(first)];
  const shape = order.map((axis) => x.type.shape[axis] as Dim);
  const extents = axes.map((axis) => x.type.shape[axis] as Dim);
  const strides = rowMajorStrides(extents);
  const parts = pairs.map(([axis, place], at) => {
    const rows = extents[at] as Dim;
    const argument = `indices[${indices.indexOf(place)}]`;
    const operand = typeof place === 'number' ? oneIndex(op, place, argument, x.type, axis) : indexOperand(op, place, argument, x.type, axis);
    const places = fromStart(op, argument, x, operand, rows);
    return mul(places, extentBeside(x, strides[at] as Dim)) as Operand;
  });
  const flat = parts.reduce((sum, part) => add(sum, part) as Operand) as Operand<Kind, 'int32'>;
  const [before, after] = [shape.slice(0, first), shape.slice(first + axes.length)];
  return { order, shape, joined: [...before, elementCount(extents), ...after], axis: first, indices: flat, picked: [...before, ...flat.type.shape, ...after] };
}

function ordered(x: Operand, order: readonly number[]): Operand {
  return order.every((axis, at) => axis === at) ? x : (transpose(x, order) as Operand);
}

/**
 * The elements of x that the index tensors name together, each along its axis (NumPy's `x[i, j]`): the indices broadcast together, and
 * their axes stand in the result where the indexed axes were; in front, if those are no neighbours. Indices below 0 count from the end.
 *
 * @throws IndexError for an index out of range (when the values are known, else when it runs), AxisError, ShapeError when the indices do not
 * broadcast, DTypeError unless they are integers.
 * @example
 * import { Builder, getAt, tensorType } from '@tf/core';
 * const builder = new Builder();
 * const x = builder.input(tensorType('float64', [5, 4, 3]), 'x');
 * const i = builder.input(tensorType('int32', [7]), 'i');
 * if (getAt(x, [i, -1]).type.key !== 'f64[7, 3]') throw new Error('unexpected');
 */
export function getAt<K extends Kind, D extends DType>(x: Operand<K, D>, indices: readonly Place[], options: AtOptions = {}): Of<K, D> {
  const { order, joined, axis, indices: rows } = rowsOf('getAt', x, indices, options);
  return take(reshape(ordered(x, order), joined) as Operand, rows, axis) as Of<K, D>;
}

/** The updates in the shape of what is written. */
function wholeUpdates(op: string, x: Operand, updates: Argument, picked: Shape): Operand {
  if (typeof updates === 'number' || typeof updates === 'boolean') return spreadBeside(op, x, updates, commonDType([x, updates], 'common'), picked);
  requireOperand(op, 'updates', updates);
  const { shape, key } = updates.type;
  const isWrong = shape.some((dim, axis) => {
    const other = picked[picked.length - shape.length + axis];
    return other === undefined || (isKnown(dim) && isKnown(other) && dim !== 1 && dim !== other);
  });
  if (isWrong) throw new TfError('ShapeError', `${op}: updates ${key} do not broadcast to ${shapeText(picked)}, the shape of what these indices name in ${x.type.key}. Give one update per place, or one for all.`, { op, argument: 'updates' });
  return broadcastTo(updates, picked) as Operand;
}

type Scattered<A extends Operand, B extends Argument> = Of<JoinKind<A, B>, JoinDType<A, B>>;
type Scatter = (x: Operand, indices: Operand<Kind, 'int32'>, updates: Operand, axis: number) => unknown;

function scatterAt<A extends Operand, B extends Argument>(op: string, scatter: Scatter, x: A, indices: readonly Place[], updates: B, options: AtOptions): Scattered<A, B> {
  const { order, shape, joined, axis, indices: rows, picked } = rowsOf(op, x, indices, options);
  const filled = wholeUpdates(op, x, updates, picked);
  const written = reshape(scatter(reshape(ordered(x, order), joined) as Operand, rows, filled, axis) as Operand, shape) as Operand;
  return ordered(written, order.map((_, at) => order.indexOf(at))) as unknown as Scattered<A, B>;
}

/**
 * x with `updates` in the places that {@link getAt} would read (JAX's `x.at[i, j].set`); they broadcast to what it would give. Of updates
 * with one place the last, in row-major order, stays.
 *
 * @throws as {@link getAt}; ShapeError when the updates do not broadcast.
 * @example
 * import { Builder, setAt, tensorType } from '@tf/core';
 * const x = new Builder().input(tensorType('float64', [5, 4]), 'x');
 * if (setAt(x, [[0, 1, 2], [3, 2, 1]], 0).type.key !== 'f64[5, 4]') throw new Error('unexpected');
 */
export function setAt<A extends Operand, B extends Argument>(x: A, indices: readonly Place[], updates: B, options: AtOptions = {}): Scattered<A, B> {
  return scatterAt('setAt', indexSet as Scatter, x, indices, updates, options);
}

/** x with `updates` added in the places that {@link getAt} would read; repeated places accumulate. As {@link setAt}. */
export function addAt<A extends Operand, B extends Argument>(x: A, indices: readonly Place[], updates: B, options: AtOptions = {}): Scattered<A, B> {
  return scatterAt('addAt', indexAdd as Scatter, x, indices, updates, options);
}

/** x with the larger of each element and the updates that name it; ties share the gradient evenly, NaN wins. As {@link setAt}. */
export function maxAt<A extends Operand, B extends Argument>(x: A, indices: readonly Place[], updates: B, options: AtOptions = {}): Scattered<A, B> {
  return scatterAt('maxAt', indexMax as Scatter, x, indices, updates, options);
}

/** x with the smaller of each element and the updates that name it. As {@link maxAt}. */
export function minAt<A extends Operand, B extends Argument>(x: A, indices: readonly Place[], updates: B, options: AtOptions = {}): Scattered<A, B> {
  return scatterAt('minAt', indexMin as Scatter, x, indices, updates, options);
}
