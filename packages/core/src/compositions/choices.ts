/** Questions about the elements along axes: is there one, are they all, how many, which is the largest. */
import { equal, notEqual } from '../primitives/compare.ts';
import { convert } from '../primitives/convert.ts';
import { ordered, requireDType } from '../primitives/define.ts';
import { maximum } from '../primitives/extrema.ts';
import { iotaBeside } from '../primitives/iota.ts';
import { reshape } from '../primitives/movement.ts';
import { maxOver, minOver, reduceMax, reduceMin, type ReduceOptions, requireReduceOptions, sum, withElements } from '../primitives/reduce.ts';
import { select } from '../primitives/select.ts';
import { stopGradient } from '../primitives/stop-gradient.ts';
import { requireOperand } from '../program/dispatch.ts';
import { inNameOf } from '../program/in-name-of.ts';
import { requireFlag, requireOptions } from '../types/argument.ts';
import type { Dim } from '../types/dim.ts';
import { isInexact } from '../types/dtype.ts';
import type { Kind, Of, Operand } from '../types/operand.ts';
import { normaliseAxis } from '../types/shape.ts';

/** Which elements are not 0; NaN is not. */
function truths(op: string, x: Operand, options: ReduceOptions): Operand {
  requireOperand(op, 'x', x);
  requireReduceOptions(op, options);
  return x.type.dtype === 'bool' ? x : notEqual(x, 0);
}

/**
 * Whether any element along axes is true, or not 0; false where there is none.
 *
 * @throws AxisError for an axis out of range.
 * @example
 * import { any, Builder, tensorType } from '@tf/core';
 * const x = new Builder().input(tensorType('float64', [2, 3]), 'x');
 * if (any(x, { axes: 1 }).type.key !== 'bool[2]') throw new Error('unexpected');
 */
export function any<K extends Kind>(x: Operand<K>, options: ReduceOptions = {}): Of<K, 'bool'> {
  return inNameOf('any', () => reduceMax(truths('any', x, options), options) as Of<K, 'bool'>);
}

/** Whether all elements along axes are true, or not 0; true where there is none. */
export function all<K extends Kind>(x: Operand<K>, options: ReduceOptions = {}): Of<K, 'bool'> {
  return inNameOf('all', () => reduceMin(truths('all', x, options), options) as Of<K, 'bool'>);
}

/** How many elements along axes are true, or not 0; NaN counts. */
export function countNonzero<K extends Kind>(x: Operand<K>, options: ReduceOptions = {}): Of<K, 'int32'> {
  return inNameOf('countNonzero', () => sum(convert(truths('countNonzero', x, options), 'int32') as Operand, options) as Of<K, 'int32'>);
}

export interface ArgOptions {
  /** The axis to search; without it, x in row-major order. */
  readonly axis?: number;
  /** Keep the axis, or all axes, with size 1. */
  readonly keepdims?: boolean;
}

/** The least index among the winners: those that equal the extremum, and every NaN. */
function argExtremum(op: string, x: Operand, options: ArgOptions, extremum: typeof maxOver): Operand {
  requireOperand(op, 'x', x);
  requireOptions(op, options, ['axis', 'keepdims']);
  requireFlag(op, 'keepdims', options.keepdims);
  requireDType(op, x.type, ordered);
  const { shape } = x.type;
  const fixed = stopGradient(x) as Operand;
  const axis = options.axis === undefined ? 0 : normaliseAxis(op, options.axis, shape.length);
  const held = withElements(op, fixed, options.axis === undefined ? shape.map((_, at) => at) : [axis]);
  const values = options.axis === undefined ? (reshape(held, [-1]) as Operand) : held;
  const size = values.type.shape[axis] as Dim;
  const best = extremum(values, { axes: axis, keepdims: true }) as Operand;
  const ties = equal(values, best);
  const winners = isInexact(x.type.dtype) ? (maximum(ties, notEqual(values, values)) as Operand) : ties;
  const places = reshape(iotaBeside(op, values, size), values.type.shape.map((_, at) => (at === axis ? size : 1))) as Operand;
  const first = minOver(select(winners as Operand<Kind, 'bool'>, places, 2 ** 31 - 1) as Operand, { axes: axis, keepdims: options.keepdims === true });
  return options.axis === undefined && options.keepdims === true ? (reshape(first, shape.map(() => 1)) as Operand) : first;
}

/**
 * The index of the largest element along an axis, the first of several; NaN counts as the largest. Without an axis, the index in
 * row-major order. No gradient flows.
 *
 * @throws ShapeError where there is no element, ConstraintError where a run decides that; AxisError, DTypeError for complex values.
 * @example
 * import { argmax, Builder, tensorType } from '@tf/core';
 * const x = new Builder().input(tensorType('float64', [2, 3]), 'x');
 * if (argmax(x, { axis: 1 }).type.key !== 'i32[2]') throw new Error('unexpected');
 */
export function argmax<K extends Kind>(x: Operand<K>, options: ArgOptions = {}): Of<K, 'int32'> {
  return argExtremum('argmax', x, options, maxOver) as Of<K, 'int32'>;
}

/** The index of the smallest element along an axis, the first of several; NaN counts as the smallest; as {@link argmax}. */
export function argmin<K extends Kind>(x: Operand<K>, options: ArgOptions = {}): Of<K, 'int32'> {
  return argExtremum('argmin', x, options, minOver) as Of<K, 'int32'>;
}
