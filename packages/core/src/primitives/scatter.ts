/** Scatters that replace elements, or keep the larger or the smaller one. Repeated places are met in row-major order of the updates. */
import type { Combine, Params, Rule, RuleContext, ScatterAxes, Var } from '../contract.ts';
import type { DType } from '../types/dtype.ts';
import { isOperand, type JoinDType, type JoinKind, type Kind, type Of, type Operand } from '../types/operand.ts';
import { elementCount, normaliseAxis, sameShape } from '../types/shape.ts';
import type { TensorType } from '../types/tensor-type.ts';
import { filledBeside } from './beside.ts';
import { equal } from './compare.ts';
import { convert } from './convert.ts';
import { anyDType, definePrimitive, ordered, type Primitive } from './define.ts';
import { divideOrZero } from './division.ts';
import { maximum, minimum } from './extrema.ts';
import { applyScatter, batchScatter, gatherPrimitive, indexedAxes, indexOperand, type Indices, inferScatter, type Mode, scatterPrimitive, takeFor } from './indexing.ts';
import { iotaBeside } from './iota.ts';
import { reshape } from './movement.ts';
import { select } from './select.ts';

type Truth = Operand<Kind, 'bool'>;

function called(verb: string): (params: Params) => string {
  return (params) => (params['mode'] === 'along' ? `scatter${verb}` : `index${verb}`);
}

function defineScatter(verb: 'Set' | 'Max' | 'Min', combine: Combine, dtypes: readonly DType[], rule: Rule): Primitive {
  return definePrimitive({
    name: `scatter${verb}`,
    called: called(verb),
    inputs: 3,
    infer: inferScatter(dtypes),
    traits: { scatter: (params, inputs): ScatterAxes => ({ ...indexedAxes(params, inputs, called(verb)(params)), combine }) },
    batch: batchScatter,
    rule,
  });
}

function gathered(ctx: RuleContext, x: Var): Var {
  return ctx.apply(gatherPrimitive.operation, [x, ctx.input(1)], places(ctx))[0]!;
}

/** What a gather and a sum at the same places take. */
function places({ params }: RuleContext): Params {
  return { axis: params['axis']!, mode: params['mode']! };
}

/** Whether no two updates have one place: that is known, or there is one index only for each. */
function areDistinct({ params, inputTypes }: RuleContext): boolean {
  const { shape } = inputTypes[1] as TensorType;
  return params['unique'] === true || (params['mode'] === 'along' ? shape[params['axis'] as number] : elementCount(shape)) === 1;
}

/** Which updates stay: of those with one place the last, told by their numbers. All do where places are known to be distinct. */
function staying(ctx: RuleContext): Truth | undefined {
  if (areDistinct(ctx)) return undefined;
  const [x, , updates] = ctx.inputTypes as readonly [TensorType, TensorType, TensorType];
  const beside = ctx.input(1);
  const numbers = reshape(iotaBeside(ctx.operation.id, beside, elementCount(updates.shape)), updates.shape) as Var;
  const none = filledBeside(ctx.operation.id, beside, 0, 'int32', x.shape) as Var;
  const [last] = ctx.apply(ctx.operation, [none, beside, numbers], ctx.params);
  return equal(gathered(ctx, last!), numbers) as Truth;
}

/** An element that is replaced has no share in the result, nor has an update that another one replaces. */
const setRule: Rule = {
  kind: 'rule',
  linear: { inputs: [0, 2], how: 'together' },
  transpose: (ctx, [ct]) => {
    if (ct === undefined) return [];
    // The updates' share is read before their places are cleared, which then needs no copy.
    const own = ctx.active[2] === true ? gathered(ctx, ct) : undefined;
    const kept = ctx.active[0] === true ? ctx.apply(ctx.operation, [ct, ctx.input(1), ctx.zeros(ctx.inputTypes[2] as TensorType)], ctx.params)[0] : undefined;
    const stays = own === undefined ? undefined : staying(ctx);
    return [kept, undefined, stays === undefined ? own : (select(stays, own as Var, 0) as Var)];
  },
};

/** All that equal the extremum share its slope evenly; where it is NaN nobody has any. */
const extremumRule: Rule = {
  kind: 'rule',
  linearize: (ctx, [dx, , du]) => {
    const y = ctx.output(0);
    const [own, met] = [equal(ctx.input(0), y), equal(ctx.input(2), gathered(ctx, y))];
    const added = (x: Operand, updates: Operand): Operand => ctx.apply(scatterPrimitive.operation, [x as Var, ctx.input(1), updates as Var], places(ctx))[0] as Operand;
    const { dtype } = y.type;
    const share = (wins: Operand, tangent: Var | undefined, type: TensorType): Operand => select(wins as Truth, tangent ?? ctx.zeros(type), 0) as Operand;
    const [xType, , uType] = ctx.inputTypes as readonly [TensorType, TensorType, TensorType];
    return [divideOrZero(added(share(own, dx, xType), share(met, du, uType)), added(convert(own, dtype) as Operand, convert(met, dtype) as Operand)) as Var];
  },
};

export const scatterSetPrimitive: Primitive = defineScatter('Set', 'set', anyDType, setRule);
export const scatterMaxPrimitive: Primitive = defineScatter('Max', 'max', ordered, extremumRule);
export const scatterMinPrimitive: Primitive = defineScatter('Min', 'min', ordered, extremumRule);

type Scattered<A extends Operand, B extends Operand> = Of<JoinKind<A, B>, JoinDType<A, B>>;

/**
 * x with each element of `updates` in the place of the one that `indices`, of the same shape, names along the axis (JAX's
 * `x.at[…].set`); of updates with one place the last stays. Indices below 0 count from the end.
 *
 * @throws IndexError for an index out of range, ShapeError, AxisError, DTypeError.
 * @example
 * import { Builder, scatterSet, tensorType } from '@tf/core';
 * const builder = new Builder();
 * const x = builder.input(tensorType('float64', [5]), 'x');
 * const i = builder.input(tensorType('int32', [2]), 'i');
 * const u = builder.input(tensorType('float64', [2]), 'u');
 * if (scatterSet(x, i, u).type.key !== 'f64[5]') throw new Error('unexpected');
 */
export function scatterSet<A extends Operand, B extends Operand>(x: A, indices: Indices, updates: B, axis = -1): Scattered<A, B> {
  return applyScatter(scatterSetPrimitive, 'scatterSet', x, indices, updates, axis, 'along');
}

/** x with slice k of `updates` as its slice `indices[k]` along the axis; as {@link scatterSet}. */
export function indexSet<A extends Operand, B extends Operand>(x: A, indices: Indices, updates: B, axis = 0): Scattered<A, B> {
  return applyScatter(scatterSetPrimitive, 'indexSet', x, indices, updates, axis, 'take');
}

/** {@link indexSet} at places that are known to be distinct. */
export function setDistinct(op: string, x: Operand, indices: Operand, updates: Operand, axis: number, mode: Mode = 'take'): Operand {
  return applyScatter(scatterSetPrimitive, op, x, indices as Operand<Kind, 'int32'>, updates, axis, mode, { unique: true }) as Operand;
}

/** x with the larger of each element and the updates that name it along the axis; ties share the gradient evenly, NaN wins. */
export function scatterMax<A extends Operand, B extends Operand>(x: A, indices: Indices, updates: B, axis = -1): Scattered<A, B> {
  return applyScatter(scatterMaxPrimitive, 'scatterMax', x, indices, updates, axis, 'along');
}

type Combining = typeof maximum | typeof minimum;

/**
 * Where there is one slice, it is read, combined and put back: a derivative then looks at no other places, where that of the scatter
 * compares all of x with the result. Undefined where there are more, or updates that do not fit.
 */
function combineSlice<A extends Operand, B extends Operand>(op: string, combine: Combining, [x, indices, updates]: readonly [A, Indices, B], axis: number): Scattered<A, B> | undefined {
  if (!isOperand(x) || !isOperand(updates) || !isOne(indices)) return undefined;
  const at = normaliseAxis(op, axis, x.type.shape.length);
  const place = indexOperand(op, indices, 'indices', x.type, at);
  const own = takeFor(op, 'indices', x, place, at);
  return sameShape(own.type.shape, updates.type.shape) ? (setDistinct(op, x, place, combine(own, updates) as Operand, at) as unknown as Scattered<A, B>) : undefined;
}

function isOne(indices: Indices): boolean {
  return isOperand(indices) ? elementCount(indices.type.shape) === 1 : Array.isArray(indices) && indices.length === 1;
}

/** As {@link scatterMax}, for slices: slice k of `updates` meets slice `indices[k]` of x. */
export function indexMax<A extends Operand, B extends Operand>(x: A, indices: Indices, updates: B, axis = 0): Scattered<A, B> {
  return combineSlice('indexMax', maximum, [x, indices, updates], axis) ?? applyScatter(scatterMaxPrimitive, 'indexMax', x, indices, updates, axis, 'take');
}

/** x with the smaller of each element and the updates that name it along the axis; as {@link scatterMax}. */
export function scatterMin<A extends Operand, B extends Operand>(x: A, indices: Indices, updates: B, axis = -1): Scattered<A, B> {
  return applyScatter(scatterMinPrimitive, 'scatterMin', x, indices, updates, axis, 'along');
}

/** As {@link scatterMin}, for slices. */
export function indexMin<A extends Operand, B extends Operand>(x: A, indices: Indices, updates: B, axis = 0): Scattered<A, B> {
  return combineSlice('indexMin', minimum, [x, indices, updates], axis) ?? applyScatter(scatterMinPrimitive, 'indexMin', x, indices, updates, axis, 'take');
}

export const scatterPrimitives: readonly Primitive[] = [scatterSetPrimitive, scatterMaxPrimitive, scatterMinPrimitive];
