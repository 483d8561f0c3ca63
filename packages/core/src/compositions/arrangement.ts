/** Axes put in, taken out and moved; tensors cut, joined and repeated. All but `roll` and what repeats move no element by themselves. */
import { TfError } from '../errors.ts';
import { broadcastTo, reshape, transpose } from '../primitives/movement.ts';
import { concat, slice } from '../primitives/slicing.ts';
import { requireOperand } from '../program/dispatch.ts';
import { inNameOf } from '../program/in-name-of.ts';
import { requireInteger, requireNumbers, wrongArgument, wrongNumber } from '../types/argument.ts';
import { type Dim, dimText, divideDims, isKnown, mulDims, subDims } from '../types/dim.ts';
import type { DType } from '../types/dtype.ts';
import type { JoinDTypes, JoinKinds, Kind, Of, Operand } from '../types/operand.ts';
import { normaliseAxis, type Shape } from '../types/shape.ts';

export type AxisList = number | readonly number[];

/** `axes` as they are listed, none named twice. */
function listedAxes(op: string, axes: AxisList, rank: number, argument: string): readonly number[] {
  if (typeof axes !== 'number') requireNumbers(op, argument, axes, 'an axis or a list of axes, such as [0, 1]');
  const list = (typeof axes === 'number' ? [axes] : axes).map((axis) => normaliseAxis(op, axis, rank, argument));
  if (new Set(list).size !== list.length) throw new TfError('AxisError', `${op}: ${argument} ${JSON.stringify(axes)} names one axis twice.`, { op, argument });
  return list;
}

/**
 * New axes of size 1: `axes` are their places in the result (NumPy's expand_dims).
 *
 * @throws AxisError for an axis out of range or named twice.
 * @example
 * import { Builder, expandDims, tensorType } from '@tf/core';
 * const x = new Builder().input(tensorType('float64', [2, 3]), 'x');
 * if (expandDims(x, [0, -1]).type.key !== 'f64[1, 2, 3, 1]') throw new Error('unexpected');
 */
export function expandDims<K extends Kind, D extends DType>(x: Operand<K, D>, axes: AxisList): Of<K, D> {
  requireOperand('expandDims', 'x', x);
  const count = typeof axes === 'number' || !Array.isArray(axes) ? 1 : axes.length;
  const rank = x.type.shape.length + count;
  const added = listedAxes('expandDims', axes, rank, 'axes');
  const rest = x.type.shape.values();
  return reshape(x, Array.from({ length: rank }, (_, axis) => (added.includes(axis) ? 1 : (rest.next().value as Dim))));
}

/**
 * Without the axes named, or without all axes of size 1.
 *
 * @throws AxisError for an axis out of range, ShapeError for one that is not of size 1.
 */
export function squeeze<K extends Kind, D extends DType>(x: Operand<K, D>, axes?: AxisList): Of<K, D> {
  requireOperand('squeeze', 'x', x);
  const { shape } = x.type;
  const dropped = axes === undefined ? shape.flatMap((dim, axis) => (dim === 1 ? [axis] : [])) : listedAxes('squeeze', axes, shape.length, 'axes');
  for (const axis of dropped) if (shape[axis] !== 1) throw new TfError('ShapeError', `squeeze: axis ${axis} of ${x.type.key} has size ${dimText(shape[axis] as Dim)}; only axes of size 1 can be left out. Take a slice first, or sum over it.`, { op: 'squeeze', axis });
  return reshape(x, shape.filter((_, axis) => !dropped.includes(axis)));
}

/**
 * Axes `source` at the places `destination`; the others keep their order (NumPy's moveaxis).
 *
 * @throws AxisError for an axis out of range or named twice, or lists of different lengths.
 */
export function moveaxis<K extends Kind, D extends DType>(x: Operand<K, D>, source: AxisList, destination: AxisList): Of<K, D> {
  requireOperand('moveaxis', 'x', x);
  const rank = x.type.shape.length;
  const [from, to] = [listedAxes('moveaxis', source, rank, 'source'), listedAxes('moveaxis', destination, rank, 'destination')];
  if (from.length !== to.length) throw new TfError('AxisError', `moveaxis: ${from.length} axes cannot go to ${to.length} places. Name a place for each axis.`, { op: 'moveaxis', argument: 'destination' });
  const rest = x.type.shape.map((_, axis) => axis).filter((axis) => !from.includes(axis)).values();
  return transpose(x, x.type.shape.map((_, at) => (to.includes(at) ? (from[to.indexOf(at)] as number) : (rest.next().value as number))));
}

/** Two axes exchanged. @throws AxisError for an axis out of range. */
export function swapaxes<K extends Kind, D extends DType>(x: Operand<K, D>, first: number, second: number): Of<K, D> {
  requireOperand('swapaxes', 'x', x);
  const rank = x.type.shape.length;
  const [a, b] = [normaliseAxis('swapaxes', first, rank, 'first'), normaliseAxis('swapaxes', second, rank, 'second')];
  return transpose(x, x.type.shape.map((_, axis) => (axis === a ? b : axis === b ? a : axis)));
}

/**
 * Tensors of one shape joined along a new axis.
 *
 * @throws ShapeError when shapes differ, ArgumentError for an empty list.
 * @example
 * import { Builder, stack, tensorType } from '@tf/core';
 * const x = new Builder().input(tensorType('float64', [3]), 'x');
 * if (stack([x, x], 1).type.key !== 'f64[3, 2]') throw new Error('unexpected');
 */
export function stack<const T extends readonly Operand[]>(tensors: readonly [...T], axis = 0): Of<JoinKinds<T>, JoinDTypes<T>> {
  const list: unknown = tensors;
  if (!Array.isArray(list) || list.length === 0) throw wrongArgument('stack', 'tensors', list, 'a list of at least one tensor: stack([a, b], axis)');
  tensors.forEach((tensor, at) => requireOperand('stack', `tensors[${at}]`, tensor));
  const at = normaliseAxis('stack', axis, (tensors[0] as Operand).type.shape.length + 1);
  const units: readonly Operand[] = tensors.map((tensor) => expandDims(tensor, at > tensor.type.shape.length ? -1 : at));
  return inNameOf('stack', () => concat(units, at) as unknown as Of<JoinKinds<T>, JoinDTypes<T>>);
}

/**
 * Parts of x along an axis, without copying: as many equal ones as `parts` says, or those between the places that it lists
 * (NumPy's split).
 *
 * @throws ShapeError when the size is no multiple of the number of parts, or the places are not in order within the axis.
 * @example
 * import { Builder, split, tensorType } from '@tf/core';
 * const x = new Builder().input(tensorType('float64', [6]), 'x');
 * if (split(x, [1, 4]).map(({ type }) => type.key).join() !== 'f64[1],f64[3],f64[2]') throw new Error('unexpected');
 */
export function split<K extends Kind, D extends DType>(x: Operand<K, D>, parts: AxisList, axis = 0): readonly Of<K, D>[] {
  requireOperand('split', 'x', x);
  const { shape } = x.type;
  const at = normaliseAxis('split', axis, shape.length);
  const bounds = [0, ...boundsOf(x, parts, at), shape[at] as Dim];
  return inNameOf('split', () => bounds.slice(1).map((stop, part) => {
    const start = bounds[part] as Dim;
    return slice(x, shape.map((_, own) => (own === at ? start : 0)), shape.map((dim, own) => (own === at ? stop : dim)));
  }));
}

function boundsOf(x: Operand, parts: AxisList, axis: number): readonly Dim[] {
  const dim = x.type.shape[axis] as Dim;
  if (typeof parts !== 'number') {
    requireNumbers('split', 'parts', parts, 'a number of parts or a list of places, such as [2, 5]');
    return parts.map((place) => (place < 0 && isKnown(dim) ? dim + place : place));
  }
  if (!Number.isInteger(parts) || parts < 1) throw wrongNumber('split', 'parts', parts, 'a positive integer or a list of places');
  const length = divideDims(dim, parts);
  if (length === undefined || (isKnown(length) && !Number.isInteger(length))) throw new TfError('ShapeError', `split: axis ${axis} of ${x.type.key} has no ${parts} equal parts. List the places where to cut.`, { op: 'split', axis, parts });
  return Array.from({ length: parts - 1 }, (_, part) => mulDims(length, part + 1));
}

/**
 * x as often as `repetitions` says along each axis (NumPy's tile): the shorter list of axes is filled up with ones in front.
 *
 * @throws ArgumentError when a repetition is no count.
 * @example
 * import { Builder, tensorType, tile } from '@tf/core';
 * const x = new Builder().input(tensorType('float64', [2, 3]), 'x');
 * if (tile(x, [2, 1]).type.key !== 'f64[4, 3]') throw new Error('unexpected');
 */
export function tile<K extends Kind, D extends DType>(x: Operand<K, D>, repetitions: AxisList): Of<K, D> {
  requireOperand('tile', 'x', x);
  if (typeof repetitions !== 'number') requireNumbers('tile', 'repetitions', repetitions, 'a count or a list of counts, such as [2, 1]');
  const given = typeof repetitions === 'number' ? [repetitions] : repetitions;
  for (const count of given) requireTimes('tile', 'repetitions', count);
  const rank = Math.max(given.length, x.type.shape.length);
  const times: readonly number[] = [...new Array<number>(rank - given.length).fill(1), ...given];
  const shape: Shape = [...new Array<number>(rank - x.type.shape.length).fill(1), ...x.type.shape];
  const spread = broadcastTo(reshape(x, shape.flatMap((dim) => [1, dim])) as Operand, shape.flatMap((dim, axis) => [times[axis] as number, dim]));
  return reshape(spread as Operand, shape.map((dim, axis) => mulDims(dim, times[axis] as number))) as Of<K, D>;
}

function requireTimes(op: string, argument: string, count: unknown): asserts count is number {
  if (!Number.isInteger(count) || (count as number) < 0) throw wrongNumber(op, argument, count, 'a count, 0 or more');
}

/**
 * Each element `times` times in a row along an axis; without an axis, of x in row-major order (NumPy's repeat).
 *
 * @throws ArgumentError when `times` is no count, AxisError.
 */
export function repeat<K extends Kind, D extends DType>(x: Operand<K, D>, times: number, axis?: number): Of<K, D> {
  requireOperand('repeat', 'x', x);
  requireTimes('repeat', 'times', times);
  const from: Operand = axis === undefined ? (reshape(x, [-1]) as Operand) : x;
  const { shape } = from.type;
  const at = axis === undefined ? 0 : normaliseAxis('repeat', axis, shape.length);
  const spread = broadcastTo(expandDims(from, at + 1), shape.flatMap((dim, own) => (own === at ? [dim, times] : [dim]))) as Operand;
  return reshape(spread, shape.map((dim, own) => (own === at ? mulDims(dim, times) : dim))) as Of<K, D>;
}

/**
 * The elements moved on by `shift` places along an axis, those that leave at the end coming in at the beginning; without an axis, of
 * x in row-major order (NumPy's roll). Lists shift several axes.
 *
 * @throws ArgumentError when a shift is no integer or the lists differ in length, AxisError; ConstraintError when it runs and a
 * symbolic axis is smaller than its shift.
 */
export function roll<K extends Kind, D extends DType>(x: Operand<K, D>, shift: AxisList, axis?: AxisList): Of<K, D> {
  requireOperand('roll', 'x', x);
  if (typeof shift !== 'number') requireNumbers('roll', 'shift', shift, 'an integer or a list of integers');
  const shifts = typeof shift === 'number' ? [shift] : shift;
  for (const by of shifts) requireInteger('roll', 'shift', by);
  if (axis === undefined) return reshape(rollAxis(reshape(x, [-1]) as Operand, shifts.reduce((sum, by) => sum + by, 0), 0), x.type.shape) as Of<K, D>;
  if (typeof axis !== 'number') requireNumbers('roll', 'axis', axis, 'an axis or a list of axes');
  const axes = (typeof axis === 'number' ? [axis] : axis).map((at) => normaliseAxis('roll', at, x.type.shape.length));
  if (shifts.length !== axes.length && shifts.length !== 1) throw new TfError('ArgumentError', `roll: ${shifts.length} shifts for ${axes.length} axes. Give one shift per axis, or one for all.`, { op: 'roll', argument: 'shift' });
  return axes.reduce<Operand>((rolled, at, which) => rollAxis(rolled, (shifts[which] ?? shifts[0]) as number, at), x) as Of<K, D>;
}

function rollAxis(x: Operand, shift: number, axis: number): Operand {
  const { shape } = x.type;
  const dim = shape[axis] as Dim;
  const by = isKnown(dim) ? (dim === 0 ? 0 : ((shift % dim) + dim) % dim) : shift;
  if (by === 0) return x;
  const cut = by > 0 ? subDims(dim, by) : -by;
  const part = (start: Dim, stop: Dim): Operand => slice(x, shape.map((_, at) => (at === axis ? start : 0)), shape.map((own, at) => (at === axis ? stop : own)));
  return concat([part(cut, dim), part(0, cut)], axis);
}

