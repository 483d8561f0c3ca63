import type { Params, RuleContext, Var } from '../contract.ts';
import { TfError } from '../errors.ts';
import { requireOperand } from '../program/dispatch.ts';
import { requireFlag, requireOptions } from '../types/argument.ts';
import type { DType, SumResult } from '../types/dtype.ts';
import type { Dim } from '../types/dim.ts';
import type { MonoidName } from '../types/loop-language.ts';
import type { Kind, Of, Operand } from '../types/operand.ts';
import { type ConstraintSink, type DimConstraint, normaliseAxes, requireAtMost, requireAxes, type Shape } from '../types/shape.ts';
import { type TensorType, tensorType } from '../types/tensor-type.ts';
import type { Rule } from '../contract.ts';
import { applyUnary } from './arguments.ts';
import { equal } from './compare.ts';
import { constrain } from './constrain.ts';
import { convert } from './convert.ts';
import { div } from './division.ts';
import { definePrimitive, numeric, ordered, type Primitive, requireDType } from './define.ts';
import { broadcastTo, reshape } from './movement.ts';
import { linear, partials } from './rules.ts';
import { select } from './select.ts';

export interface ReduceOptions {
  /** Axes to fold; all when absent, none when empty. Negative ones count from the end. */
  readonly axes?: number | readonly number[];
  /** Keep the folded axes with size 1. */
  readonly keepdims?: boolean;
}

export function defineReduction(name: string, monoid: MonoidName, dtypes: readonly DType[], rule: Rule): Primitive {
  return definePrimitive({
    name,
    inputs: 1,
    infer: ([x], params, _sink, op) => {
      requireDType(op, x!, dtypes);
      const axes: unknown = params['axes'];
      requireAxes(op, axes, x!.shape.length);
      const shape = keptShape(x!.shape, axes, params['keepdims'] === true);
      if (monoid === 'max' || monoid === 'min') requireElements(op, x!, axes);
      return [tensorType(x!.dtype, shape)];
    },
    traits: { reduction: monoid },
    rule,
  });
}

/** An extremum of nothing does not exist; `any` and `all`, the extrema of booleans, have identities. With a sink, sizes that only a run knows are asked for. */
export function requireElements(op: string, x: TensorType, axes: readonly number[], sink?: ConstraintSink): void {
  if (x.dtype === 'bool') return;
  if (sink !== undefined) for (const axis of axes) requireAtMost(1, x.shape[axis] as Dim, `${op}: ${x.key} must have elements along axis ${axis}`, sink);
  if (!axes.some((axis) => x.shape[axis] === 0)) return;
  throw new TfError('ShapeError', `${op}: ${x.key} has no element along axes [${axes.join(', ')}] and so no extremum there. Check for an empty tensor first, or pad it.`, { op, axes, shape: x.shape });
}

/** The operand, whose elements along axes are asked for when sizes are bound, where they are not known before. */
export function withElements(op: string, x: Operand, axes: readonly number[]): Operand {
  const open: DimConstraint[] = [];
  requireElements(op, x.type, axes, (constraint) => open.push(constraint));
  return constrain(x, open) as Operand;
}

export function keptShape(shape: Shape, axes: readonly number[], keepdims: boolean): Shape {
  if (keepdims) return shape.map((dim, axis) => (axes.includes(axis) ? 1 : dim));
  return shape.filter((_, axis) => !axes.includes(axis));
}

/** A value of the reduced shape, spread over the input's shape again. */
export function spread(ctx: RuleContext, x: Var): Var {
  const input = ctx.inputTypes[0] as TensorType;
  const kept: readonly Dim[] = keptShape(input.shape, ctx.params['axes'] as readonly number[], true);
  return broadcastTo(reshape(x, kept), input.shape) as Var;
}

export const sumPrimitive: Primitive = defineReduction('sum', 'sum', numeric, linear(spread));

function reduceLike(ctx: RuleContext, x: Var): Var {
  return sum(x, { axes: ctx.params['axes'] as readonly number[], keepdims: ctx.params['keepdims'] === true }) as Var;
}

/** Ties share evenly: dy = Σ over the winning entries of dx, divided by their number (semantics.md §2). */
const winnersRule: Rule = partials((ctx, dx) => {
  const winners = equal(ctx.input(0), spread(ctx, ctx.output(0)));
  const count = reduceLike(ctx, convert(winners, dx.type.dtype) as Var);
  return div(reduceLike(ctx, select(winners, dx, 0) as Var), count) as Var;
});

export const reduceMaxPrimitive: Primitive = defineReduction('reduceMax', 'max', ordered, winnersRule);
export const reduceMinPrimitive: Primitive = defineReduction('reduceMin', 'min', ordered, winnersRule);

const reduceOptions = ['axes', 'keepdims'] as const;

/** Refuses options that a reduction does not have; `axes` are checked where the rank is known. */
export function requireReduceOptions(op: string, options: unknown, known: readonly string[] = reduceOptions): asserts options is ReduceOptions {
  requireOptions(op, options, known);
  requireFlag(op, 'keepdims', (options as ReduceOptions).keepdims);
}

export function applyReduction<K extends Kind, D extends DType>(primitive: Primitive, x: Operand<K, D>, options: ReduceOptions): Of<K, D> {
  const op = primitive.operation.name;
  requireOperand(op, 'x', x);
  requireReduceOptions(op, options);
  const axes = normaliseAxes(op, options.axes, x.type.shape.length);
  const params: Params = { axes, keepdims: options.keepdims === true };
  return applyUnary(primitive.operation, x, params) as Of<K, D>;
}

/** Booleans as the int32 1 and 0 that are counted; anything else as it is. */
export function counted(op: string, x: Operand): Operand {
  requireOperand(op, 'x', x);
  return x.type.dtype === 'bool' ? (convert(x, 'int32') as Operand) : x;
}

/**
 * The sum over axes, by a fixed tree that depends on the shape alone; 0 where there is nothing to add. Booleans are counted in int32.
 *
 * @throws AxisError for an axis out of range, ArgumentError for what is no tensor or no option.
 * @example
 * import { Builder, sum, tensorType } from '@tf/core';
 * const x = new Builder().input(tensorType('float64', [2, 3]), 'x');
 * if (sum(x, { axes: -1 }).type.key !== 'f64[2]') throw new Error('unexpected');
 */
export function sum<K extends Kind, D extends DType>(x: Operand<K, D>, options: ReduceOptions = {}): Of<K, SumResult<D>> {
  return applyReduction(sumPrimitive, counted('sum', x), options) as Of<K, SumResult<D>>;
}

/** {@link reduceMax} for callers to whom no largest element is −∞ or the least number: sizes that a run decides are not asked for. */
export function maxOver<K extends Kind, D extends DType>(x: Operand<K, D>, options: ReduceOptions = {}): Of<K, D> {
  return applyReduction(reduceMaxPrimitive, x, options);
}

/** {@link reduceMin}, likewise. */
export function minOver<K extends Kind, D extends DType>(x: Operand<K, D>, options: ReduceOptions = {}): Of<K, D> {
  return applyReduction(reduceMinPrimitive, x, options);
}

function extremum<K extends Kind, D extends DType>(primitive: Primitive, x: Operand<K, D>, options: ReduceOptions): Of<K, D> {
  const op = primitive.operation.name;
  requireOperand(op, 'x', x);
  requireReduceOptions(op, options);
  return applyReduction(primitive, withElements(op, x as Operand, normaliseAxes(op, options.axes, x.type.shape.length)) as unknown as Operand<K, D>, options);
}

/**
 * The largest element over axes; NaN wins. The gradient is shared evenly by ties; where the result is NaN no element gets
 * any: all have gradient 0. Of an empty axis: ShapeError, or ConstraintError where a run decides its size.
 */
export function reduceMax<K extends Kind, D extends DType>(x: Operand<K, D>, options: ReduceOptions = {}): Of<K, D> {
  return extremum(reduceMaxPrimitive, x, options);
}

/** The smallest element over axes; NaN wins; as {@link reduceMax}. */
export function reduceMin<K extends Kind, D extends DType>(x: Operand<K, D>, options: ReduceOptions = {}): Of<K, D> {
  return extremum(reduceMinPrimitive, x, options);
}

export const reducePrimitives: readonly Primitive[] = [sumPrimitive, reduceMaxPrimitive, reduceMinPrimitive];
