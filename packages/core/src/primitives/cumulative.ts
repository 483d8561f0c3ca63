/** Running values along one axis. Each is computed from the one before and the next element, in order. */
import type { Params, Rule, RuleContext, Var } from '../contract.ts';
import * as scalar from '../loop/scalar.ts';
import { combineLanes } from '../loop/reduction.ts';
import { requireOperand } from '../program/dispatch.ts';
import { requireFlag, requireOptions } from '../types/argument.ts';
import { type Dim, subDims } from '../types/dim.ts';
import { type DType, dtypes, floatResult, type FloatResult, type SumResult } from '../types/dtype.ts';
import type { MonoidName, Scan, ScalarExpr } from '../types/loop-language.ts';
import type { Joined, Kind, Of, Operand } from '../types/operand.ts';
import { normaliseAxis, requireAxis, requireSameDim, shapeText } from '../types/shape.ts';
import { tensorType } from '../types/tensor-type.ts';
import { TfError } from '../errors.ts';
import { applyPromoted, applyUnary } from './arguments.ts';
import { mul, sub } from './arithmetic.ts';
import { filledBeside } from './beside.ts';
import { isInf } from './classification.ts';
import { equal, notEqual } from './compare.ts';
import { conj } from './conjugate.ts';
import { convert } from './convert.ts';
import { definePrimitive, floats, numeric, ordered, type Primitive, requireDType } from './define.ts';
import { divideOrZero } from './division.ts';
import { maximum } from './extrema.ts';
import { exp } from './functions.ts';
import { takeAlongAxis } from './indexing.ts';
import { iotaBeside } from './iota.ts';
import { broadcastTo, reshape } from './movement.ts';
import { multiplyOrZero } from './multiply-or-zero.ts';
import { linear, partials, sumTangents } from './rules.ts';
import { extentOf } from './size.ts';
import { counted } from './reduce.ts';
import { select } from './select.ts';
import { concat, slice } from './slicing.ts';
import { stopGradient } from './stop-gradient.ts';

const axisOf = (params: Params): number => params['axis'] as number;
const isReverse = (params: Params): boolean => params['reverse'] === true;

/** The element of an operand, all lanes. */
function element(dtype: DType, input: number): readonly ScalarExpr[] {
  const type = scalar.scalarTypeOf(dtype);
  return dtypes[dtype].lanes === 2 ? [scalar.argument(type, input, 0), scalar.argument(type, input, 1)] : [scalar.argument(type, input, 0)];
}

interface CumulativeDefinition {
  readonly name: string;
  readonly dtypes: readonly DType[];
  /** The next running value. */
  readonly combine: (dtype: DType, running: readonly ScalarExpr[], x: readonly ScalarExpr[]) => readonly ScalarExpr[];
  readonly rule: Rule;
}

const shifted = ({ params }: { readonly params: Params }): Params => ({ ...params, axis: axisOf(params) + 1 });

function defineCumulative({ name, dtypes: allowed, combine, rule }: CumulativeDefinition): Primitive {
  return definePrimitive({
    name,
    inputs: 1,
    infer: ([x], params, _sink, op) => {
      requireDType(op, x!, allowed);
      requireAxis(op, params['axis'], x!.shape.length);
      return [x!];
    },
    traits: {
      scan: (params, [dtype]): Scan => ({ axis: axisOf(params), reverse: isReverse(params), first: element(dtype!, 0), next: combine(dtype!, element(dtype!, 1), element(dtype!, 0)) }),
    },
    batch: (ctx) => ctx.apply(ctx.operation, [ctx.input(0)], shifted(ctx)),
    rule,
  });
}

const byMonoid = (monoid: MonoidName): CumulativeDefinition['combine'] => (dtype, running, x) => combineLanes(monoid, dtype, running, x);

/** The adjoint of a running sum runs the other way. */
export const cumsumPrimitive: Primitive = defineCumulative({
  name: 'cumsum', dtypes: numeric, combine: byMonoid('sum'),
  rule: linear((ctx, ct) => ctx.apply(ctx.operation, [ct], { ...ctx.params, reverse: !isReverse(ctx.params) })[0]!),
});

/** The running value before each element: `start`, then all results but the last. */
function before(ctx: RuleContext, y: Var, start: number): Var {
  return moved(y, axisOf(ctx.params), !isReverse(ctx.params), start);
}

/** y one place on along the axis (`forward`) or back, `start` coming in. */
function moved(y: Var, axis: number, forward: boolean, start: number): Var {
  const { shape, dtype } = y.type;
  if (shape[axis] === 0) return y;
  const edge = filledBeside('cumulative', y, start, dtype, shape.map((dim, at) => (at === axis ? 1 : dim)));
  const [from, to]: readonly [Dim, Dim] = forward ? [0, subDims(shape[axis] as Dim, 1)] : [1, shape[axis] as Dim];
  const rest = slice(y, shape.map((_, at) => (at === axis ? from : 0)), shape.map((dim, at) => (at === axis ? to : dim))) as Operand;
  return concat(forward ? [edge, rest] : [rest, edge], axis) as unknown as Var;
}

/** yᵢ = yᵢ₋₁·xᵢ, so dyᵢ = xᵢ·dyᵢ₋₁ + yᵢ₋₁·dxᵢ: no division, so any number of zeros is right, to any order. */
export const cumprodPrimitive: Primitive = defineCumulative({
  name: 'cumprod', dtypes: numeric, combine: byMonoid('prod'),
  rule: partials((ctx, dx) => recur(ctx, ctx.input(0), multiplyOrZero(before(ctx, ctx.output(0), 1), dx) as Var)),
});

/** The place of the element that each running extremum is: of equal ones the last to be reached. NaN, once met, stays. */
function winners(ctx: RuleContext): Operand<Kind, 'int32'> {
  const [x, y] = [ctx.input(0), ctx.output(0)];
  const { shape } = x.type;
  const axis = axisOf(ctx.params);
  const size = shape[axis] as Dim;
  const wins = maximum(equal(x, y), notEqual(x, x));
  const places = broadcastTo(reshape(iotaBeside(ctx.operation.id, x, size), shape.map((_, at) => (at === axis ? size : 1))), shape) as Operand;
  const far = isReverse(ctx.params) ? sub(extentOf(x, size), 1) : 0;
  const reached = select(wins as Operand<Kind, 'bool'>, places, far) as Operand;
  const [place] = ctx.apply((isReverse(ctx.params) ? cumminPrimitive : cummaxPrimitive).operation, [reached as Var], ctx.params);
  return place as unknown as Operand<Kind, 'int32'>;
}

const winnersRule: Rule = partials((ctx, dx) => takeAlongAxis(dx, winners(ctx), axisOf(ctx.params)) as Var);

export const cummaxPrimitive: Primitive = defineCumulative({ name: 'cummax', dtypes: ordered, combine: byMonoid('max'), rule: winnersRule });
export const cumminPrimitive: Primitive = defineCumulative({ name: 'cummin', dtypes: ordered, combine: byMonoid('min'), rule: winnersRule });

/** log(eᵃ + eᵇ) = max + log1p(e^−|a − b|); of infinities the larger one. */
function logAddExp(_dtype: DType, [a]: readonly ScalarExpr[], [b]: readonly ScalarExpr[]): readonly ScalarExpr[] {
  const larger = scalar.max(a!, b!);
  const tail = scalar.call('log1p', larger.type, scalar.call('exp', larger.type, scalar.neg(scalar.abs(scalar.sub(a!, b!)))));
  return [scalar.select(scalar.eq(scalar.abs(larger), scalar.constant(larger.type, Infinity)), larger, scalar.add(larger, tail))];
}

/**
 * dyᵢ = (1 − wᵢ)·dyᵢ₋₁ + wᵢ·dxᵢ, wᵢ the share of e^xᵢ in the sum so far. In terms of yᵢ it is e^(xᵢ − yᵢ), but where |yᵢ| is large its
 * rounding stands in the exponent, and shares do not add up to 1. So the sum zᵢ is taken relative to the largest element mᵢ:
 * zᵢ = e^(mᵢ₋₁ − mᵢ)·zᵢ₋₁ + e^(xᵢ − mᵢ), and the shares are those of its two terms, whatever mᵢ is: no slope goes through it. Where mᵢ is
 * −∞ nothing flows, where it is +∞ the last element that is has all of the slope.
 */
export const cumLogSumExpPrimitive: Primitive = defineCumulative({
  name: 'cumLogSumExp', dtypes: floats, combine: logAddExp,
  rule: partials((ctx, dx) => {
    const x = ctx.input(0);
    const m = stopGradient(ctx.apply(cummaxPrimitive.operation, [x], ctx.params)[0] as Var) as Var;
    const top = convert(equal(x, Infinity), x.type.dtype) as Operand;
    const relative = (part: Var, atTop: Operand): Var => select(equal(m, -Infinity), 0, select(equal(m, Infinity), atTop, exp(select(isInf(m), 0, sub(part, m)))) as Operand) as Var;
    const [shrunk, own] = [relative(before(ctx, m, -Infinity), sub(1, top)), relative(x, top)];
    const z = recur(ctx, shrunk, own);
    const share = (term: Operand): Var => divideOrZero(term, z) as Var;
    return recur(ctx, share(mul(shrunk, before(ctx, z, 0))), multiplyOrZero(share(own), dx) as Var);
  }),
});

/** yᵢ = aᵢ·yᵢ₋₁ + bᵢ along the axis of a rule's operation. */
function recur(ctx: RuleContext, a: Var, b: Var): Var {
  return ctx.apply(linearRecurrencePrimitive.operation, [a, b], { axis: axisOf(ctx.params), reverse: isReverse(ctx.params) })[0]!;
}

/**
 * y₀ = b₀, yᵢ = aᵢ·yᵢ₋₁ + bᵢ. Linear in b, whose adjoint runs the other way with the factors one place further: zᵢ = ctᵢ + āᵢ₊₁·zᵢ₊₁;
 * and dyᵢ = aᵢ·dyᵢ₋₁ + yᵢ₋₁·daᵢ + dbᵢ.
 */
export const linearRecurrencePrimitive: Primitive = definePrimitive({
  name: 'linearRecurrence',
  inputs: 2,
  infer: ([a, b], params, sink, op) => {
    requireDType(op, a!, ['float32', 'float64', 'complex64', 'complex128']);
    requireDType(op, b!, [a!.dtype]);
    requireAxis(op, params['axis'], a!.shape.length);
    const fits = a!.shape.length === b!.shape.length && a!.shape.every((dim, at) => requireSameDim(dim, b!.shape[at] as Dim, `${op}: axis ${at}`, sink));
    if (!fits) throw new TfError('ShapeError', `${op}: a ${a!.key} and b ${b!.key} need one shape: ${shapeText(b!.shape)}. Broadcast one of them first.`, { op });
    return [b!];
  },
  traits: {
    scan: (params, [dtype]): Scan => {
      const product = combineLanes('prod', dtype!, element(dtype!, 0), element(dtype!, 2));
      return { axis: axisOf(params), reverse: isReverse(params), first: element(dtype!, 1), next: combineLanes('sum', dtype!, product, element(dtype!, 1)) };
    },
  },
  batch: (ctx) => ctx.apply(ctx.operation, [ctx.whole(0), ctx.whole(1)], shifted(ctx)),
  rule: {
    kind: 'rule',
    linear: { inputs: [1], how: 'together' },
    linearize: (ctx, [da, db]) => [recur(ctx, ctx.input(0), sumTangents([da === undefined ? undefined : (multiplyOrZero(before(ctx, ctx.output(0), 0), da) as Var), db])!)],
    transpose: (ctx, [ct]) => {
      if (ct === undefined) return [];
      const further = moved(conjugate(ctx.input(0)), axisOf(ctx.params), isReverse(ctx.params), 0);
      return [undefined, ctx.apply(ctx.operation, [further, ct], { ...ctx.params, reverse: !isReverse(ctx.params) })[0]];
    },
  },
});

function conjugate(x: Var): Var {
  return dtypes[x.type.dtype].lanes === 2 ? (conj(x) as Var) : x;
}

export interface CumulativeOptions {
  /** Run from the end of the axis to its beginning. */
  readonly reverse?: boolean;
}

function applyCumulative(primitive: Primitive, x: Operand, axis: number, options: CumulativeOptions): Operand {
  const op = primitive.operation.name;
  requireOperand(op, 'x', x);
  requireOptions(op, options, ['reverse']);
  requireFlag(op, 'reverse', options.reverse);
  return applyUnary(primitive.operation, x, { axis: normaliseAxis(op, axis, x.type.shape.length), reverse: options.reverse === true }) as Operand;
}

/**
 * The running sum along an axis: element i of the result is x₀ + … + xᵢ, added in that order; booleans are counted in int32.
 *
 * @throws AxisError for an axis out of range, DTypeError for bool.
 * @example
 * import { Builder, cumsum, tensorType } from '@tf/core';
 * const x = new Builder().input(tensorType('float64', [2, 3]), 'x');
 * if (cumsum(x, 1).type.key !== 'f64[2, 3]') throw new Error('unexpected');
 */
export function cumsum<K extends Kind, D extends DType>(x: Operand<K, D>, axis = -1, options: CumulativeOptions = {}): Of<K, SumResult<D>> {
  return applyCumulative(cumsumPrimitive, counted('cumsum', x), axis, options) as Of<K, SumResult<D>>;
}

/** The running product along an axis; as {@link cumsum}. Its gradient is right with any number of zeros. */
export function cumprod<K extends Kind, D extends DType>(x: Operand<K, D>, axis = -1, options: CumulativeOptions = {}): Of<K, SumResult<D>> {
  return applyCumulative(cumprodPrimitive, counted('cumprod', x), axis, options) as Of<K, SumResult<D>>;
}

/**
 * The largest element so far along an axis; NaN wins. The gradient goes to the element that it is, to the last one reached of several
 * equal ones.
 */
export function cummax<K extends Kind, D extends DType>(x: Operand<K, D>, axis = -1, options: CumulativeOptions = {}): Of<K, D> {
  return applyCumulative(cummaxPrimitive, x, axis, options) as Of<K, D>;
}

/** The smallest element so far along an axis; as {@link cummax}. */
export function cummin<K extends Kind, D extends DType>(x: Operand<K, D>, axis = -1, options: CumulativeOptions = {}): Of<K, D> {
  return applyCumulative(cumminPrimitive, x, axis, options) as Of<K, D>;
}

/** log Σ exp of the elements so far along an axis, without overflow; integers are computed in float64. */
export function cumLogSumExp<K extends Kind, D extends DType>(x: Operand<K, D>, axis = -1, options: CumulativeOptions = {}): Of<K, FloatResult<D>> {
  requireOperand('cumLogSumExp', 'x', x);
  requireDType('cumLogSumExp', tensorType(floatResult(x.type.dtype), x.type.shape), floats);
  return applyCumulative(cumLogSumExpPrimitive, convert(x, floatResult(x.type.dtype)) as Operand, axis, options) as Of<K, FloatResult<D>>;
}

/**
 * yᵢ = aᵢ·yᵢ₋₁ + bᵢ along an axis, y₀ = b₀: a first-order linear recurrence, such as a moving average that forgets.
 *
 * @throws ShapeError unless a and b have one shape, AxisError, DTypeError for integers.
 */
export function linearRecurrence<A extends Operand, B extends Operand>(a: A, b: B, axis = -1, options: CumulativeOptions = {}): Joined<A, B> {
  const op = 'linearRecurrence';
  requireOperand(op, 'a', a);
  requireOperand(op, 'b', b);
  requireOptions(op, options, ['reverse']);
  requireFlag(op, 'reverse', options.reverse);
  return applyPromoted(linearRecurrencePrimitive.operation, [a, b], { axis: normaliseAxis(op, axis, b.type.shape.length), reverse: options.reverse === true }, 'common') as Joined<A, B>;
}

export const cumulativePrimitives: readonly Primitive[] = [cumsumPrimitive, cumprodPrimitive, cummaxPrimitive, cumminPrimitive, cumLogSumExpPrimitive, linearRecurrencePrimitive];
