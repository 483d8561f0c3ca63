/** Tensors made of integers that name places: one-hot vectors, counts, sums by segment. */
import { TfError } from '../errors.ts';
import { sub } from '../primitives/arithmetic.ts';
import { filledBeside } from '../primitives/beside.ts';
import { equal, less } from '../primitives/compare.ts';
import { convert } from '../primitives/convert.ts';
import { maximum } from '../primitives/extrema.ts';
import { applyScatter, type Mode, narrowed, scatterPrimitive } from '../primitives/indexing.ts';
import { iotaBeside } from '../primitives/iota.ts';
import { reshape } from '../primitives/movement.ts';
import { numeric, requireDType } from '../primitives/define.ts';
import { select } from '../primitives/select.ts';
import { requireOperand } from '../program/dispatch.ts';
import { inNameOf } from '../program/in-name-of.ts';
import { requireOptions, wrongNumber } from '../types/argument.ts';
import type { Dim } from '../types/dim.ts';
import { type DType, requireDTypeName } from '../types/dtype.ts';
import type { Kind, Of, Operand } from '../types/operand.ts';
import { elementCount, normaliseAxis, sameShape, shapeText } from '../types/shape.ts';
import { expandDims } from './arrangement.ts';

function requireIntegers(op: string, argument: string, x: Operand): void {
  requireOperand(op, argument, x);
  requireDType(op, x.type, ['int32', 'int64']);
}

function requireSize(op: string, argument: string, size: unknown): asserts size is number {
  if (!Number.isInteger(size) || (size as number) < 0 || (size as number) >= 2 ** 31) throw wrongNumber(op, argument, size, 'a size, 0 or more');
}

/** As indices of `count` rows that do not count from the end: negative ones name no row, and the error says what they were. */
function fromStart(indices: Operand, count: number): Operand<Kind, 'int32'> {
  const narrow = narrowed(indices);
  return select(less(narrow, 0), sub(maximum(narrow, count - 2 ** 31), count) as Operand, narrow) as Operand<Kind, 'int32'>;
}

/** A sum at places that do not count from the end, for a function whose argument they are. */
function addAt(op: string, argument: string, target: Operand, places: Operand, count: number, updates: Operand, mode: Mode): unknown {
  return applyScatter(scatterPrimitive, op, target, fromStart(places, count), updates, 0, mode, { called: op, argument });
}

export interface OneHotOptions<D extends DType> {
  /** float64 when absent. */
  readonly dtype?: D;
  /** Where the new axis is in the result: the last when absent. */
  readonly axis?: number;
}

/**
 * For each index a vector of `depth` elements that is 1 at the index and 0 elsewhere; all 0 for an index out of range.
 *
 * @throws DTypeError unless indices are integers, ArgumentError when `depth` is no size.
 * @example
 * import { Builder, oneHot, tensorType } from '@tf/core';
 * const i = new Builder().input(tensorType('int32', [4]), 'i');
 * if (oneHot(i, 3).type.key !== 'f64[4, 3]') throw new Error('unexpected');
 */
export function oneHot<K extends Kind, D extends DType = 'float64'>(indices: Operand<K>, depth: number, options: OneHotOptions<D> = {}): Of<K, D> {
  const op = 'oneHot';
  requireIntegers(op, 'indices', indices);
  requireSize(op, 'depth', depth);
  requireOptions(op, options, ['dtype', 'axis']);
  const { dtype = 'float64', axis = -1 } = options;
  requireDTypeName(op, dtype);
  const rank = indices.type.shape.length + 1;
  const at = normaliseAxis(op, axis, rank);
  const places = reshape(iotaBeside(op, indices, depth), Array.from({ length: rank }, (_, own) => (own === at ? depth : 1))) as Operand;
  return convert(equal(expandDims(indices, at), places), dtype) as Of<K, D>;
}

export interface BincountOptions {
  /** How many places there are: integers run from 0 to length − 1. */
  readonly length: number;
  /** What each element adds, of the shape of x; 1 when absent. */
  readonly weights?: Operand;
}

/**
 * How often each of the integers 0 … length − 1 is an element of x, or the sum of the weights of those elements (NumPy's bincount).
 *
 * @throws IndexError when it runs and an element is no such integer; DTypeError unless x holds integers; ShapeError.
 */
export function bincount<K extends Kind>(x: Operand<K>, options: BincountOptions): Of<K, DType> {
  const op = 'bincount';
  requireIntegers(op, 'x', x);
  requireOptions(op, options, ['length', 'weights']);
  const { length, weights } = options;
  requireSize(op, 'length', length);
  const count = elementCount(x.type.shape);
  const places = reshape(x, [count]) as Operand;
  if (weights === undefined) return addAt(op, 'x', filledBeside(op, x, 0, 'int32', [length]), places, length, filledBeside(op, x, 1, 'int32', [count]), 'along') as Of<K, DType>;
  requireOperand(op, 'weights', weights);
  requireDType(op, weights.type, numeric);
  if (!sameShape(weights.type.shape, x.type.shape)) throw new TfError('ShapeError', `${op}: weights ${weights.type.key} for x ${x.type.key}. Give each element its weight: shape ${shapeText(x.type.shape)}.`, { op, argument: 'weights' });
  return addAt(op, 'x', filledBeside(op, weights, 0, weights.type.dtype, [length]), places, length, reshape(weights, [count]) as Operand, 'along') as Of<K, DType>;
}

/**
 * The sums of the slices of x along its first axis that have one segment number: slice k is added to row `segments[k]` of the
 * `count` rows.
 *
 * @throws IndexError when it runs and a number is not below `count`; ShapeError unless there is one number per slice.
 * @example
 * import { Builder, segmentSum, tensorType } from '@tf/core';
 * const builder = new Builder();
 * const x = builder.input(tensorType('float64', [5, 2]), 'x');
 * const segments = builder.input(tensorType('int32', [5]), 'segments');
 * if (segmentSum(x, segments, 3).type.key !== 'f64[3, 2]') throw new Error('unexpected');
 */
export function segmentSum<K extends Kind, D extends DType>(x: Operand<K, D>, segments: Operand, count: number): Of<K, D> {
  const op = 'segmentSum';
  requireOperand(op, 'x', x);
  requireDType(op, x.type, numeric);
  requireIntegers(op, 'segments', segments);
  requireSize(op, 'count', count);
  const [rows, ...rest] = x.type.shape as readonly [Dim, ...Dim[]];
  if (x.type.shape.length === 0 || segments.type.shape.length !== 1) throw new TfError('ShapeError', `${op}: segments ${segments.type.key} for x ${x.type.key}. Give one number per slice of its first axis${rows === undefined ? '' : `: shape ${shapeText([rows])}`}.`, { op, argument: 'segments' });
  return inNameOf(op, () => addAt(op, 'segments', filledBeside(op, x, 0, x.type.dtype, [count, ...rest]), segments, count, x, 'take') as Of<K, D>);
}
