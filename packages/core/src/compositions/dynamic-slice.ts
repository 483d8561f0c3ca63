/** Slices whose beginnings a run decides, and places found by it. */
import { TfError } from '../errors.ts';
import { add, mul } from '../primitives/arithmetic.ts';
import { rightShift } from '../primitives/bits.ts';
import { less, lessEqual, notEqual } from '../primitives/compare.ts';
import { filledBeside, spreadBeside } from '../primitives/beside.ts';
import { convert } from '../primitives/convert.ts';
import { ordered, requireDType } from '../primitives/define.ts';
import { maximum, minimum } from '../primitives/extrema.ts';
import { narrowed, take } from '../primitives/indexing.ts';
import { iotaBeside } from '../primitives/iota.ts';
import { logicalAnd, logicalNot, logicalOr } from '../primitives/logic.ts';
import { reshape } from '../primitives/movement.ts';
import { setDistinct } from '../primitives/scatter.ts';
import { select } from '../primitives/select.ts';
import { extentOf } from '../primitives/size.ts';
import { requireOperand } from '../program/dispatch.ts';
import { wrongArgument } from '../types/argument.ts';
import { type Dim, isKnown, sameDim, subDims } from '../types/dim.ts';
import { type DType, isInexact, promote } from '../types/dtype.ts';
import { isOperand, type Joined, type Kind, type Of, type Operand } from '../types/operand.ts';
import { elementCount, requireDims, rowMajorStrides, type Shape, shapeText } from '../types/shape.ts';
import { tensorType } from '../types/tensor-type.ts';

/** Where a slice begins along an axis: a number, or an integer scalar that a run knows. */
export type Start = number | Operand;

/** The places of `size` elements along an axis of `extent`, from `start` on, moved so that they lie inside (as XLA does). */
function placesFrom(op: string, beside: Operand, start: Start, size: Dim, extent: Dim): Operand {
  const room = subDims(extent, size);
  const last = isKnown(room) ? room : (extentOf(beside, room) as Operand);
  const inside = minimum(maximum(start, 0) as Operand, last) as Operand;
  return add(iotaBeside(op, beside, size), inside);
}

function requireStarts(op: string, x: Operand, starts: readonly Start[]): void {
  const list: unknown = starts;
  if (!Array.isArray(list) || list.length !== x.type.shape.length) throw wrongArgument(op, 'starts', list, `a list of ${x.type.shape.length} starts for ${x.type.key}, one per axis`);
  starts.forEach((start, axis) => {
    if (typeof start === 'number' && Number.isInteger(start)) return;
    if (!isOperand(start)) throw wrongArgument(op, `starts[${axis}]`, start, 'an integer or an integer scalar');
    requireDType(op, start.type, ['int32', 'int64']);
    if (start.type.shape.length > 0) throw new TfError('ShapeError', `${op}: starts[${axis}] is ${start.type.key}; a start is one integer. Take one element of it.`, { op, axis });
  });
}

/** A start as one int32 of whoever carries out operations on x. */
function scalarOf(op: string, x: Operand, start: Start): Operand {
  return typeof start === 'number' ? spreadBeside(op, x, start, 'int32', []) : narrowed(start);
}

function requireSizes(op: string, x: Operand, sizes: Shape): void {
  requireDims(op, 'sizes', sizes);
  const fits = sizes.length === x.type.shape.length && sizes.every((size, axis) => !isKnown(size) || !isKnown(x.type.shape[axis] as Dim) || (size >= 0 && size <= (x.type.shape[axis] as number)));
  if (!fits) throw new TfError('ShapeError', `${op}: a slice of shape ${shapeText(sizes)} does not fit into ${x.type.key}. Give one size per axis, at most that of x.`, { op, sizes });
}

/**
 * The slice of these sizes whose beginning `starts` says, integers that may be computed in the program; they are moved so that the slice
 * lies inside x.
 *
 * @throws ShapeError when the slice is larger than x, ArgumentError unless there is one start per axis, DTypeError.
 * @example
 * import { Builder, dynamicSlice, tensorType } from '@tf/core';
 * const builder = new Builder();
 * const x = builder.input(tensorType('float64', [5, 4]), 'x');
 * const row = builder.input(tensorType('int32', []), 'row');
 * if (dynamicSlice(x, [row, 0], [2, 4]).type.key !== 'f64[2, 4]') throw new Error('unexpected');
 */
export function dynamicSlice<K extends Kind, D extends DType>(x: Operand<K, D>, starts: readonly Start[], sizes: Shape): Of<K, D> {
  const op = 'dynamicSlice';
  requireOperand(op, 'x', x);
  requireStarts(op, x, starts);
  requireSizes(op, x, sizes);
  const { shape } = x.type;
  const moving = movingAxes(shape, sizes);
  const [first, last] = [moving[0], moving.at(-1)];
  if (first === undefined || last === undefined) return x as Of<K, D>;
  if (first === last) return take(x, placesAlong(op, x, starts, sizes, first) as Operand<Kind, 'int32'>, first) as Of<K, D>;
  // Several axes move: they and those between are one axis, so that no more is read than is wanted.
  const [before, joined, after] = [shape.slice(0, first), shape.slice(first, last + 1), shape.slice(last + 1)];
  const places = jointPlaces(op, x, starts, sizes, first, last);
  const taken = take(reshape(x, [...before, elementCount(joined), ...after]) as Operand, places as Operand<Kind, 'int32'>, first);
  return reshape(taken as Operand, sizes) as Of<K, D>;
}

/** The axes along which a slice of these sizes has somewhere to go. */
function movingAxes(shape: Shape, sizes: Shape): readonly number[] {
  return shape.flatMap((dim, axis) => (sameDim(dim, sizes[axis] as Dim) ? [] : [axis]));
}

function placesAlong(op: string, x: Operand, starts: readonly Start[], sizes: Shape, axis: number): Operand {
  return placesFrom(op, x, scalarOf(op, x, starts[axis] as Start), sizes[axis] as Dim, x.type.shape[axis] as Dim);
}

/** The places of a slice's elements along the axes from `first` to `last` taken as one, in row-major order. */
function jointPlaces(op: string, x: Operand, starts: readonly Start[], sizes: Shape, first: number, last: number): Operand {
  const [shape, own] = [x.type.shape.slice(first, last + 1), sizes.slice(first, last + 1)];
  const moving = movingAxes(shape, own);
  const strides = rowMajorStrides(shape);
  const linear = own.map((size, axis) => {
    const places = moving.includes(axis) ? placesAlong(op, x, starts, sizes, first + axis) : iotaBeside(op, x, size);
    const stride = strides[axis] as Dim;
    const scaled = mul(places, isKnown(stride) ? stride : (extentOf(x, stride) as Operand)) as Operand;
    return reshape(scaled, own.map((_, at) => (at === axis ? size : 1))) as Operand;
  }).reduce((sum, part) => add(sum, part));
  return reshape(linear, [elementCount(own)]) as Operand;
}

/**
 * x with `update` in the place of the slice of its shape that begins at `starts`; as {@link dynamicSlice}. Where x is not needed
 * afterwards it is changed in place.
 *
 * @throws ShapeError when the update is larger than x, ArgumentError, DTypeError.
 */
export function dynamicUpdateSlice<A extends Operand, B extends Operand>(x: A, update: B, starts: readonly Start[]): Joined<A, B> {
  const op = 'dynamicUpdateSlice';
  requireOperand(op, 'x', x);
  requireOperand(op, 'update', update);
  requireStarts(op, x, starts);
  requireSizes(op, x, update.type.shape);
  const { shape } = x.type;
  const sizes = update.type.shape;
  const moving = movingAxes(shape, sizes);
  const [first, ...more] = moving;
  if (first === undefined) return convert(update, promote(x.type.dtype, update.type.dtype)) as unknown as Joined<A, B>;
  if (more.length === 0) return setDistinct(op, x, placesAlong(op, x, starts, sizes, first), update, first) as unknown as Joined<A, B>;
  const places = jointPlaces(op, x, starts, sizes, 0, shape.length - 1);
  const flat = setDistinct(op, reshape(x, [elementCount(shape)]) as Operand, places, reshape(update, [elementCount(sizes)]) as Operand, 0);
  return reshape(flat, shape) as unknown as Joined<A, B>;
}

/**
 * For each value the index at which it goes into the ascending vector `sorted`, before its equals or with `side: 'right'` after them
 * (NumPy's searchsorted), by bisection. NaN goes after all numbers.
 *
 * @throws ShapeError unless `sorted` has one axis, DTypeError for complex values.
 */
export function searchsorted<K extends Kind>(sorted: Operand<K>, values: Operand<K>, side: 'left' | 'right' = 'left'): Of<K, 'int32'> {
  const op = 'searchsorted';
  requireOperand(op, 'sorted', sorted);
  requireOperand(op, 'values', values);
  if (side !== 'left' && side !== 'right') throw wrongArgument(op, 'side', side, "'left' or 'right'");
  const dtype = promote(sorted.type.dtype, values.type.dtype);
  requireDType(op, tensorType(dtype, []), ordered);
  if (sorted.type.shape.length !== 1) throw new TfError('ShapeError', `${op}: sorted is ${sorted.type.key}; it takes one ascending vector. Take a row of it.`, { op, argument: 'sorted' });
  const count = sorted.type.shape[0] as Dim;
  const { shape } = values.type;
  const filled = (value: number): Operand => filledBeside(op, values, value, 'int32', shape);
  if (count === 0) return filled(0) as Of<K, 'int32'>;
  const isBefore = beforeIn(sorted, values, side, dtype);
  const [end, last] = isKnown(count) ? [filled(count), count - 1] : [add(extentOf(values, count), filled(0)) as Operand, extentOf(values, subDims(count, 1)) as Operand];
  let [low, high] = [filled(0), end];
  for (let steps = isKnown(count) ? Math.ceil(Math.log2(count + 1)) : 31; steps > 0; steps--) {
    const middle = rightShift(add(low, high), 1) as Operand;
    const goesOn = less(low, high) as Operand<Kind, 'bool'>;
    const isRight = isBefore(minimum(middle, last) as Operand);
    low = select(logicalAnd(goesOn, isRight) as Operand<Kind, 'bool'>, add(middle, 1), low) as Operand;
    high = select(logicalAnd(goesOn, logicalNot(isRight)) as Operand<Kind, 'bool'>, middle, high) as Operand;
  }
  return low as unknown as Of<K, 'int32'>;
}

/** Whether the element at a place comes before the value. */
function beforeIn(sorted: Operand, values: Operand, side: 'left' | 'right', dtype: DType): (place: Operand) => Operand {
  const compares = side === 'left' ? less : lessEqual;
  return (place) => {
    const element = take(sorted, place as Operand<Kind, 'int32'>) as Operand;
    const before = compares(element, values) as Operand;
    if (!isInexact(dtype)) return before;
    const isNan = notEqual(values, values) as Operand;
    return logicalOr(before, side === 'left' ? (logicalAnd(isNan, logicalNot(notEqual(element, element) as Operand) as Operand) as Operand) : isNan) as Operand;
  };
}
