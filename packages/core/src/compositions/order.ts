/** What sorted values are good for. */
import { TfError } from '../errors.ts';
import { add, mul, sub } from '../primitives/arithmetic.ts';
import { convert } from '../primitives/convert.ts';
import { floats, requireDType } from '../primitives/define.ts';
import { reshape, transpose } from '../primitives/movement.ts';
import { pad, slice } from '../primitives/slicing.ts';
import { equal, notEqual } from '../primitives/compare.ts';
import { maximum, minimum } from '../primitives/extrema.ts';
import { take } from '../primitives/indexing.ts';
import { floor } from '../primitives/rounding.ts';
import { extentOf } from '../primitives/size.ts';
import { select } from '../primitives/select.ts';
import { sort, sortedWithIndices } from '../primitives/sort.ts';
import { type ReduceOptions, requireReduceOptions, sum, withElements } from '../primitives/reduce.ts';
import { requireOperand } from '../program/dispatch.ts';
import { requireNumber, wrongNumber } from '../types/argument.ts';
import { type Dim, isKnown, productOfDims } from '../types/dim.ts';
import { type DType, floatResult, type FloatResult } from '../types/dtype.ts';
import type { Kind, Of, Operand } from '../types/operand.ts';
import { normaliseAxes, normaliseAxis } from '../types/shape.ts';
import { tensorType } from '../types/tensor-type.ts';

export interface TopK<K extends Kind, D extends DType> {
  readonly values: Of<K, D>;
  readonly indices: Of<K, 'int32'>;
}

/** The places `from` … `to` − 1 along an axis. */
function section(x: Operand, axis: number, from: number, to: number): Operand {
  return slice(x, x.type.shape.map((_, at) => (at === axis ? from : 0)), x.type.shape.map((dim, at) => (at === axis ? to : dim)));
}

/**
 * The k largest elements along an axis, largest first, and their indices; of equal ones the first. NaN is the largest.
 *
 * @throws ArgumentError when `k` is no size, ShapeError when there are fewer elements, AxisError, DTypeError for complex values.
 * @example
 * import { Builder, tensorType, topk } from '@tf/core';
 * const x = new Builder().input(tensorType('float64', [2, 5]), 'x');
 * if (topk(x, 3).values.type.key !== 'f64[2, 3]') throw new Error('unexpected');
 */
export function topk<K extends Kind, D extends DType>(x: Operand<K, D>, k: number, axis = -1): TopK<K, D> {
  const op = 'topk';
  requireOperand(op, 'x', x);
  if (!Number.isSafeInteger(k) || k < 0) throw wrongNumber(op, 'k', k, 'a size, 0 or more');
  const at = normaliseAxis(op, axis, x.type.shape.length);
  const size = x.type.shape[at] as Dim;
  if (isKnown(size) && k > size) throw new TfError('ShapeError', `${op}: axis ${at} of ${x.type.key} has ${size} elements, not ${k}. Ask for at most as many as there are.`, { op, axis: at, k });
  const [values, indices] = sortedWithIndices(op, x, at, { descending: true });
  return { values: section(values as unknown as Operand, at, 0, k), indices: section(indices as unknown as Operand, at, 0, k) } as unknown as TopK<K, D>;
}

/**
 * The value below which a share q of the elements along axes (all when absent) lies, on a line between the two nearest of them in order;
 * NaN where one of them is.
 *
 * @throws ArgumentError unless 0 ≤ q ≤ 1, ShapeError where there is nothing, ConstraintError where a run decides that.
 */
export function quantile<K extends Kind, D extends DType>(x: Operand<K, D>, q: number, options: ReduceOptions = {}): Of<K, FloatResult<D>> {
  return quantileOf('quantile', x, q, options) as Of<K, FloatResult<D>>;
}

/** The middle one of the elements along axes (all when absent) in order, or the mean of the two in the middle; as {@link quantile}, but NaN of nothing. */
export function median<K extends Kind, D extends DType>(x: Operand<K, D>, options: ReduceOptions = {}): Of<K, FloatResult<D>> {
  return quantileOf('median', x, 0.5, options) as Of<K, FloatResult<D>>;
}

function quantileOf(op: string, x: Operand, q: number, options: ReduceOptions): Operand {
  requireOperand(op, 'x', x);
  requireReduceOptions(op, options);
  requireNumber(op, 'q', q);
  if (!(q >= 0 && q <= 1)) throw new TfError('ArgumentError', `${op}: q is ${q}; it takes a share between 0 and 1.`, { op, argument: 'q', q });
  const { shape } = x.type;
  const folded = normaliseAxes(op, options.axes, shape.length);
  const dtype = floatResult(x.type.dtype);
  requireDType(op, tensorType(dtype, shape), floats);
  if (folded.some((axis) => shape[axis] === 0)) {
    if (op === 'median') return mul(sum(convert(x, dtype) as Operand, { ...options, axes: folded }) as Operand, NaN) as Operand;
    throw new TfError('ShapeError', `${op}: ${x.type.key} has no element along axes [${folded.join(', ')}], and nothing has no quantile. Check for an empty tensor first.`, { op, axes: folded, shape });
  }
  const held = op === 'median' ? x : withElements(op, x, folded);
  const kept = shape.flatMap((_, axis) => (folded.includes(axis) ? [] : [axis]));
  const count = productOfDims(folded.map((axis) => shape[axis] as Dim));
  const rows = reshape(transpose(convert(held, dtype) as Operand, [...kept, ...folded]) as Operand, [...kept.map((axis) => shape[axis] as Dim), count]) as Operand;
  const inOrder = sort(rows) as Operand;
  // NaN comes last, and of what is not known the middle is not known.
  const [top, middle] = isKnown(count) ? [section(inOrder, kept.length, count - 1, count), between(inOrder, q * (count - 1))] : topAndMiddle(inOrder, q, extentOf(x, count) as Operand);
  const found = select(notEqual(top, top), top, middle) as Operand;
  return reshape(found, options.keepdims === true ? shape.map((dim, axis) => (folded.includes(axis) ? 1 : dim)) : kept.map((axis) => shape[axis] as Dim)) as Operand;
}

/** The same of as many elements as a run says: of none, both are NaN. */
function topAndMiddle(inOrder: Operand, q: number, count: Operand): readonly [Operand, Operand] {
  const none = inOrder.type.shape.map(() => 0);
  const rows = pad(inOrder, { low: none, high: none.map((_, axis) => (axis === none.length - 1 ? 1 : 0)), value: NaN }) as Operand;
  const last = maximum(sub(count, 1) as Operand, 0) as Operand;
  return [placed(rows, last), betweenPlaced(rows, q, last)];
}

/** The value at a place between two neighbours of the last axis, which are sorted. */
function between(rows: Operand, place: number): Operand {
  const last = rows.type.shape.length - 1;
  const low = Math.floor(place);
  const lower = section(rows, last, low, low + 1);
  if (low === place) return lower;
  // Shares rather than a difference, which of two infinities is NaN and of large numbers infinite.
  return add(mul(lower, low + 1 - place), mul(section(rows, last, low + 1, low + 2), place - low));
}

/** The element of the last axis at a place that a run knows. */
function placed(rows: Operand, place: Operand): Operand {
  return take(rows, reshape(place, [1]) as Operand<Kind, 'int32'>, rows.type.shape.length - 1) as Operand;
}

/** {@link between} at the share q of the way to the last place, which a run knows. */
function betweenPlaced(rows: Operand, q: number, last: Operand): Operand {
  const place = mul(convert(last, 'float64'), q) as Operand;
  const low = floor(place) as Operand;
  const share = convert(sub(place, low) as Operand, rows.type.dtype) as Operand;
  const at = convert(low, 'int32') as Operand;
  const [lower, upper] = [placed(rows, at), placed(rows, minimum(add(at, 1), last) as Operand)];
  return select(equal(share, 0), lower, add(mul(lower, sub(1, share)), mul(upper, share))) as Operand;
}
