import { requireOperand } from '../program/dispatch.ts';
import { floats, requireDType } from '../primitives/define.ts';
import { add, mul, sub } from '../primitives/arithmetic.ts';
import { equal } from '../primitives/compare.ts';
import { convert } from '../primitives/convert.ts';
import { div } from '../primitives/division.ts';
import { exp, expm1, log1p } from '../primitives/functions.ts';
import { reshape } from '../primitives/movement.ts';
import { maxOver, type ReduceOptions, requireReduceOptions, sum } from '../primitives/reduce.ts';
import { select } from '../primitives/select.ts';
import { rsqrt } from '../primitives/special.ts';
import { stopGradient } from '../primitives/stop-gradient.ts';
import { requireNumber, requireOptions } from '../types/argument.ts';
import { type DType, floatResult, type FloatResult } from '../types/dtype.ts';
import type { Kind, Of, Operand } from '../types/operand.ts';
import { normaliseAxes } from '../types/shape.ts';
import { mean, varianceOver } from './statistics.ts';

type Float<K extends Kind, D extends DType> = Of<K, FloatResult<D>>;

/** Distances from the largest element, and log Σ exp of them. Shared by all three functions below. */
interface Centred {
  readonly distance: Operand;
  readonly logSum: Operand;
  readonly maximum: Operand;
  /** The largest element itself, which may be infinite. */
  readonly largest: Operand;
}

interface FloatValues {
  readonly values: Operand;
  readonly folded: readonly number[];
  /** Whether nothing lies along the axes. */
  readonly isEmpty: boolean;
}

/** The operand in the dtype computed in, or an error that names the function called. */
function floatValues(op: string, x: Operand, axes: ReduceOptions['axes']): FloatValues {
  requireOperand(op, 'x', x);
  const folded = normaliseAxes(op, axes, x.type.shape.length);
  const values = convert(x, floatResult(x.type.dtype)) as Operand;
  requireDType(op, values.type, floats);
  return { values, folded, isEmpty: folded.some((axis) => values.type.shape[axis] === 0) };
}

/**
 * With m the maximum, log Σ exp(x − m) = log1p(Σ exp(x − m) − 1), where the maximal entries contribute expm1 and their
 * number less one, so that a sum just above 1 keeps its digits. Where m is not finite, 0 takes its place.
 */
function centre(values: Operand, axes: readonly number[]): Centred {
  const over: ReduceOptions = { axes, keepdims: true };
  const largest = stopGradient(maxOver(values, over));
  const maximum = select(equal(sub(largest, largest), 0), largest, 0);
  const distance = sub(values, maximum);
  const winners = equal(values, maximum);
  const excess = sub(sum(convert(winners, values.type.dtype), over), 1);
  const rest = sum(select(winners, expm1(distance), exp(distance)), over);
  return { distance, maximum, largest, logSum: log1p(add(rest, excess)) };
}

/**
 * log Σ exp(x) over axes, without overflow and without losing small terms; −∞ of nothing.
 *
 * @example
 * import { Builder, logSumExp, tensorType } from '@tf/core';
 * const x = new Builder().input(tensorType('float64', [2, 3]), 'x');
 * if (logSumExp(x, { axes: -1 }).type.key !== 'f64[2]') throw new Error('unexpected');
 */
export function logSumExp<K extends Kind, D extends DType>(x: Operand<K, D>, options: ReduceOptions = {}): Float<K, D> {
  requireReduceOptions('logSumExp', options);
  const { values, folded, isEmpty } = floatValues('logSumExp', x, options.axes);
  if (isEmpty) return add(sum(values, { axes: folded, keepdims: options.keepdims === true }), -Infinity) as Float<K, D>;
  const { maximum, logSum, largest } = centre(values, folded);
  const whole = select(equal(largest, Infinity), meanOfWinners(values, largest, folded), add(maximum, logSum));
  if (options.keepdims === true) return whole as Float<K, D>;
  return reshape(whole, x.type.shape.filter((_, axis) => !folded.includes(axis))) as Float<K, D>;
}

/** Where the largest element is +∞ the entries that are share the slope, as the winners of a maximum do. */
function meanOfWinners(values: Operand, largest: Operand, axes: readonly number[]): Operand {
  const winners = equal(values, largest);
  const over: ReduceOptions = { axes, keepdims: true };
  return div(sum(select(winners, values, 0), over), stopGradient(sum(convert(winners, values.type.dtype), over))) as Operand;
}

/** x − log Σ exp(x) along an axis. NaN throughout where an entry is +∞; [] along an axis of no entries. */
export function logSoftmax<K extends Kind, D extends DType>(x: Operand<K, D>, axis = -1): Float<K, D> {
  const { values, folded, isEmpty } = floatValues('logSoftmax', x, axis);
  if (isEmpty) return values as unknown as Float<K, D>;
  const { distance, logSum } = centre(values, folded);
  return sub(distance, logSum) as Float<K, D>;
}

/** exp(x)/Σ exp(x) along an axis. NaN throughout where the largest entry is infinite; [] along an axis of no entries. */
export function softmax<K extends Kind, D extends DType>(x: Operand<K, D>, axis = -1): Float<K, D> {
  const { values, isEmpty } = floatValues('softmax', x, axis);
  if (isEmpty) return values as unknown as Float<K, D>;
  const largest = stopGradient(maxOver(values, { axes: axis, keepdims: true }));
  const powers = exp(sub(values, largest));
  // One division per row: a product takes a fraction of a quotient's time and adds half a unit in the last place.
  return mul(powers, div(1, sum(powers, { axes: axis, keepdims: true }))) as Float<K, D>;
}

export interface LayerNormOptions<K extends Kind> {
  readonly axes?: ReduceOptions['axes'];
  /** Added to the variance; 1e-5 when absent. */
  readonly epsilon?: number;
  readonly scale?: Operand<K>;
  readonly shift?: Operand<K>;
}

/** (x − mean)/√(variance + ε), scaled and shifted (Ba, Kiros and Hinton 2016, equation 4). */
export function layerNorm<K extends Kind, D extends DType>(x: Operand<K, D>, options: LayerNormOptions<K> = {}): Float<K, D> {
  requireOptions('layerNorm', options, ['axes', 'epsilon', 'scale', 'shift']);
  const { axes = -1, epsilon = 1e-5, scale, shift } = options;
  requireNumber('layerNorm', 'epsilon', epsilon);
  floatValues('layerNorm', x, axes);
  if (scale !== undefined) requireOperand('layerNorm', 'scale', scale);
  if (shift !== undefined) requireOperand('layerNorm', 'shift', shift);
  const over: ReduceOptions = { axes, keepdims: true };
  const centred = sub(x, mean(x, over));
  const spread = rsqrt(add(varianceOver('layerNorm', x, over), epsilon));
  const unit = mul(centred, spread);
  const scaled = scale === undefined ? unit : (mul(unit, scale));
  return (shift === undefined ? scaled : add(scaled, shift)) as Float<K, D>;
}
