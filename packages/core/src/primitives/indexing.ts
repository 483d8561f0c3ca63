import type { BatchContext, IndexedAxes, IndexSource, Params, Var } from '../contract.ts';
import { TfError } from '../errors.ts';
import { chooseListener, liftArgument, requireOperand } from '../program/dispatch.ts';
import { literal, maximumLiteralElements, scalarLiteral } from '../program/literal.ts';
import { requireNumbers, wrongArgument } from '../types/argument.ts';
import { type Dim, isKnown } from '../types/dim.ts';
import { type DType, promote } from '../types/dtype.ts';
import { isOperand, type JoinDType, type JoinKind, type Kind, type Lifted, type Of, type Operand } from '../types/operand.ts';
import { elementCount, normaliseAxis, requireAxis, requireSameDim, type Shape, sameShape, shapeText } from '../types/shape.ts';
import { type TensorType, tensorType } from '../types/tensor-type.ts';
import { argumentAs } from './arguments.ts';
import { convert } from './convert.ts';
import { maximum, minimum } from './extrema.ts';
import { broadcastTo, reshape } from './movement.ts';
import { anyDType, definePrimitive, numeric, type Primitive, type PrimitiveDefinition, requireDType } from './define.ts';

/** `take`: indices of any shape replace one axis. `along`: indices have the rank of x, one per element. */
export type Mode = 'take' | 'along';

function gatherName(params: Params): string {
  return params['mode'] === 'along' ? 'takeAlongAxis' : 'take';
}

function scatterName(params: Params): string {
  return params['mode'] === 'along' ? 'scatterAdd' : 'indexAdd';
}

/** Who called: the operation itself, or a function that is written with it and says so in the parameters; it counts from the start unless it says that too. */
function sourceOf(params: Params, called: string): IndexSource {
  const own = params['called'] as string | undefined;
  return own === undefined ? { called } : { called: own, argument: params['argument'] as string, fromStart: params['fromEnd'] !== true };
}

export function indexedAxes(params: Params, [x, indices]: readonly TensorType[], called: string): IndexedAxes {
  const named = sourceOf(params, called);
  const axis = params['axis'] as number;
  const rank = x!.shape.length;
  const all = Array.from({ length: rank }, (_, at) => at);
  if (params['mode'] === 'along') return { axis, walks: all.map((at) => (at === axis ? null : at)), indexedBy: all, named };
  const before = all.slice(0, axis);
  const after = all.slice(axis + 1);
  const picked = indices!.shape.map((_, at) => at);
  return { axis, walks: [...before, ...picked.map(() => null), ...after], indexedBy: [...before.map(() => null), ...picked, ...after.map(() => null)], named };
}

/** The shape of what is read or added: x's with the axis replaced by the indices' shape, or the indices' own. */
function pickedShape(op: string, x: TensorType, indices: TensorType, params: Params, same: (a: Dim, b: Dim, reason: string) => boolean): Shape {
  const { axis, mode } = params;
  requireAxis(op, axis, x.shape.length);
  if (mode !== 'take' && mode !== 'along') throw wrongArgument(op, 'mode', mode, `'take' or 'along'`);
  if (mode === 'take') return [...x.shape.slice(0, axis), ...indices.shape, ...x.shape.slice(axis + 1)];
  const fits = indices.shape.length === x.shape.length && x.shape.every((dim, at) => at === axis || same(dim, indices.shape[at] as Dim, `${op}: axis ${at}`));
  if (!fits) throw new TfError('ShapeError', `${op}: indices ${indices.key} along axis ${axis} of ${x.key}: both need the same rank and equal sizes on the other axes.`, { op, axis });
  return indices.shape;
}

/** Indices [B, …I] repeated over the axes that `shape`, [B, …before, …I, …after], has besides. */
function spreadIndices(indices: Var, before: number, after: number, shape: Shape): Var {
  const ones = (length: number): readonly number[] => new Array<number>(length).fill(1);
  const [batch, ...own] = indices.type.shape;
  return broadcastTo(reshape(indices, [batch as Dim, ...ones(before), ...own, ...ones(after)]), shape) as Var;
}

/**
 * Indices that differ from one batch element to the next name one element each, as in `along`: taken so, with one axis of
 * indices, from [B, …before, rows, …after].
 */
function alongBatch(ctx: BatchContext): { readonly indices: Var; readonly picked: Shape; readonly params: Params } {
  const axis = ctx.params['axis'] as number;
  const [x, own] = ctx.inputTypes as readonly [TensorType, TensorType];
  const before = x.shape.slice(0, axis);
  const after = x.shape.slice(axis + 1);
  const flat = reshape(ctx.input(1), [ctx.size, elementCount(own.shape)]) as Var;
  const picked: Shape = [ctx.size, ...before, elementCount(own.shape), ...after];
  return { indices: spreadIndices(flat, before.length, after.length, picked), picked, params: { ...ctx.params, axis: axis + 1, mode: 'along' } };
}

function batchGather(ctx: BatchContext): readonly Var[] {
  const params: Params = { ...ctx.params, axis: (ctx.params['axis'] as number) + 1 };
  if (ctx.params['mode'] === 'along') return ctx.apply(ctx.operation, [ctx.whole(0), ctx.whole(1)], params);
  if (ctx.batched[1] !== true) return ctx.apply(ctx.operation, [ctx.input(0), ctx.input(1)], params);
  const along = alongBatch(ctx);
  const [taken] = ctx.apply(ctx.operation, [ctx.whole(0), along.indices], along.params) as readonly [Var];
  return [reshape(taken, [ctx.size, ...(ctx.outputTypes[0] as TensorType).shape]) as Var];
}

export function batchScatter(ctx: BatchContext): readonly Var[] {
  const params: Params = { ...ctx.params, axis: (ctx.params['axis'] as number) + 1 };
  if (ctx.params['mode'] === 'along') return ctx.apply(ctx.operation, [ctx.whole(0), ctx.whole(1), ctx.whole(2)], params);
  if (ctx.batched[1] !== true) return ctx.apply(ctx.operation, [ctx.whole(0), ctx.input(1), ctx.whole(2)], params);
  const along = alongBatch(ctx);
  return ctx.apply(ctx.operation, [ctx.whole(0), along.indices, reshape(ctx.whole(2), along.picked) as Var], along.params);
}

export const gatherPrimitive: Primitive = definePrimitive({
  name: 'gather',
  called: gatherName,
  inputs: 2,
  infer: ([x, indices], params, sink, op) => {
    requireDType(op, x!, anyDType);
    requireDType(op, indices!, ['int32']);
    return [tensorType(x!.dtype, pickedShape(op, x!, indices!, params, (a, b, reason) => requireSameDim(a, b, reason, sink)))];
  },
  traits: { gather: (params, inputs) => indexedAxes(params, inputs, gatherName(params)) },
  batch: batchGather,
  rule: {
    kind: 'rule',
    linear: { inputs: [0], how: 'together' },
    transpose: (ctx, [ct]) => [ct === undefined ? undefined : ctx.apply(scatterPrimitive.operation, [ctx.zeros(ctx.inputTypes[0] as TensorType), ctx.input(1), ct], ctx.params)[0]],
  },
});

/** The type of x, once indices and updates fit it. */
export function inferScatter(allowed: readonly DType[]): PrimitiveDefinition['infer'] {
  return ([x, indices, updates], params, sink, op) => {
      requireDType(op, x!, allowed);
      requireDType(op, indices!, ['int32']);
      requireDType(op, updates!, [x!.dtype]);
      const shape = pickedShape(op, x!, indices!, params, (a, b, reason) => requireSameDim(a, b, reason, sink));
      const fits = sameShape(shape, updates!.shape) || (shape.length === updates!.shape.length && shape.every((dim, at) => requireSameDim(dim, updates!.shape[at] as Dim, `${op}: axis ${at} of the updates`, sink)));
      if (!fits) throw new TfError('ShapeError', `${op}: ${indices!.key} indices into axis ${String(params['axis'])} of ${x!.key} need updates of shape ${shapeText(shape)}, got ${updates!.key}.`, { op });
      return [x!];
  };
}

export const scatterPrimitive: Primitive = definePrimitive({
  name: 'scatterAdd',
  called: scatterName,
  inputs: 3,
  batch: batchScatter,
  infer: inferScatter(numeric),
  traits: {
    scatter: (params, inputs) => ({ ...indexedAxes(params, inputs, scatterName(params)), combine: 'add' }),
    asAccumulation: (params, [isZero]) => (isZero === true ? { operation: scatterPrimitive.operation, params, inputs: [1, 2] } : undefined),
  },
  rule: {
    kind: 'rule',
    linear: { inputs: [0, 2], how: 'together' },
    transpose: (ctx, [ct]) => [
      ctx.active[0] === true ? ct : undefined,
      undefined,
      ct !== undefined && ctx.active[2] === true ? (ctx.apply(gatherPrimitive.operation, [ct, ctx.input(1)], ctx.params)[0] as Var) : undefined,
    ],
  },
});

/** Integer tensors, or a plain list of integers. */
export type Indices = Operand<Kind, 'int32' | 'int64'> | readonly number[];

/** Plain lists become int32 operands; everything else must be an integer tensor. */
export function indexOperand(op: string, indices: Indices, argument: string, x: TensorType, axis: number): Operand {
  const places = indexList(op, indices, argument);
  checkKnown(op, places, x, axis);
  return places;
}

/** The same place for all. */
export function oneIndex(op: string, index: number, argument: string, x: TensorType, axis: number): Operand {
  requireInt32s(op, [index], argument);
  const place = scalarLiteral('int32', index) as unknown as Operand;
  checkKnown(op, place, x, axis);
  return place;
}

function indexList(op: string, indices: Indices, argument: string): Operand {
  if (isOperand(indices)) {
    requireIntegers(op, indices.type, argument);
    return narrowed(indices);
  }
  if (!Array.isArray(indices)) throw wrongArgument(op, argument, indices, 'an integer tensor or a list of integers, such as [0, 2]');
  const list: unknown = indices;
  requireNumbers(op, argument, list, 'a list of integers');
  requireInt32s(op, list, argument);
  if (list.length > maximumLiteralElements) throw new TfError('ArgumentError', `${op}: a plain list holds at most ${maximumLiteralElements} indices; pass tensor(Int32Array.from(indices)).`, { op, argument });
  return literal(tensorType('int32', [list.length]), Int32Array.from(list)) as unknown as Operand;
}

function requireInt32s(op: string, indices: readonly number[], argument: string): void {
  const wrong = indices.find((index) => !Number.isInteger(index) || Math.abs(index) >= 2 ** 31);
  if (wrong !== undefined) throw new TfError('IndexError', `${op}: ${argument} must be 32-bit integers, got ${wrong}. Round them first, e.g. with Math.floor.`, { op, argument, index: wrong });
}

/** int64 indices brought into the range of int32, where they stay as wrong as they were: a conversion alone would wrap them to others. */
export function narrowed(indices: Operand): Operand {
  const [low, high] = [-(2 ** 31), 2 ** 31 - 1];
  return indices.type.dtype === 'int32' ? indices : (convert(minimum(maximum(indices, low), high) as Operand, 'int32') as Operand);
}

function requireIntegers(op: string, type: TensorType, argument: string): void {
  if (type.dtype === 'int32' || type.dtype === 'int64') return;
  throw new TfError('DTypeError', `${op}: ${argument} are int32 or int64, got ${type.key}. Convert them first: convert(${argument === 'indices' ? argument : 'i'}, 'int32').`, { op, argument, dtype: type.dtype });
}

function applyGather<K extends Kind, D extends DType>(x: Operand<K, D>, indices: Indices, axis: number, mode: Mode, more: Params = {}): Of<K, D> {
  const op = mode === 'along' ? 'takeAlongAxis' : 'take';
  requireOperand(op, 'x', x);
  const at = normaliseAxis(op, axis, x.type.shape.length);
  const places = indexOperand(op, indices, 'indices', x.type, at);
  const listener = chooseListener(op, [x, places]);
  const inputs = [liftArgument(listener, x, x.type.dtype, op, 0), argumentAs(listener, places, 'int32', op, 1)];
  return listener.apply(gatherPrimitive.operation, inputs, { axis: at, mode, ...more })[0] as Of<K, D>;
}

/** Literal indices are checked when the program is built. */
function checkKnown(op: string, indices: Operand, x: TensorType, axis: number): void {
  const data = (indices as { data?: unknown }).data;
  const rows = x.shape[axis] as Dim;
  if (!(data instanceof Int32Array) || !isKnown(rows)) return;
  const wrong = data.find((index) => index < -rows || index >= rows);
  if (wrong !== undefined) throw new TfError('IndexError', `${op}: index ${wrong} is out of range for axis ${axis} of ${x.key}; ${rows === 0 ? 'it has no elements there' : `indices run from ${-rows} to ${rows - 1}`}. Clamp or correct the indices.`, { op, index: wrong, axis });
}

/**
 * The slices of x along an axis that `indices` name, in their order (NumPy's take); indices below 0 count from the end.
 *
 * @throws IndexError for an index out of range (when the values are known, else when it runs), AxisError, DTypeError.
 * @example
 * import { Builder, take, tensorType } from '@tf/core';
 * const x = new Builder().input(tensorType('float64', [5, 2]), 'x');
 * if (take(x, [0, -1, 0]).type.key !== 'f64[3, 2]') throw new Error('unexpected');
 */
export function take<K extends Kind, D extends DType>(x: Operand<K, D>, indices: Indices, axis = 0): Of<K, D> {
  return applyGather(x, indices, axis, 'take');
}

/** A {@link take} whose errors when it runs name another function and its argument; indices below 0 count from the end. */
export function takeFor(called: string, argument: string, x: Operand, indices: Operand, axis = 0): Operand {
  return applyGather(x, indices as Operand<Kind, 'int32'>, axis, 'take', { called, argument, fromEnd: true }) as Operand;
}

/** The element of x along an axis that each entry of `indices` names (NumPy's take_along_axis). Errors as {@link take}. */
export function takeAlongAxis<K extends Kind, D extends DType>(x: Operand<K, D>, indices: Indices, axis = -1): Of<K, D> {
  return applyGather(x, indices, axis, 'along');
}

/** Carries out a scatter in the name of the function called. */
export function applyScatter<A extends Operand, B extends Operand>(primitive: Primitive, op: string, x: A, indices: Indices, updates: B, axis: number, mode: Mode, more: Params = {}): Of<JoinKind<A, B>, JoinDType<A, B>> {
  requireOperand(op, 'x', x);
  requireOperand(op, 'updates', updates);
  const at = normaliseAxis(op, axis, x.type.shape.length);
  const places = indexOperand(op, indices, 'indices', x.type, at);
  const dtype = promote(x.type.dtype, updates.type.dtype);
  const listener = chooseListener(op, [x, places, updates]);
  const inputs: readonly Lifted[] = [argumentAs(listener, x, dtype, op, 0), argumentAs(listener, places, 'int32', op, 1), argumentAs(listener, updates, dtype, op, 2)];
  return listener.apply(primitive.operation, inputs, { axis: at, mode, ...more })[0] as Of<JoinKind<A, B>, JoinDType<A, B>>;
}

/** x with each element of `updates` added where `indices`, of the same shape, name its place along the axis; repeated places accumulate. */
export function scatterAdd<A extends Operand, B extends Operand>(x: A, indices: Indices, updates: B, axis = -1): Of<JoinKind<A, B>, JoinDType<A, B>> {
  return applyScatter(scatterPrimitive, 'scatterAdd', x, indices, updates, axis, 'along');
}

/** x with slice k of `updates` added to its slice `indices[k]` along the axis; repeated places accumulate. */
export function indexAdd<A extends Operand, B extends Operand>(x: A, indices: Indices, updates: B, axis = 0): Of<JoinKind<A, B>, JoinDType<A, B>> {
  return applyScatter(scatterPrimitive, 'indexAdd', x, indices, updates, axis, 'take');
}

export const indexingPrimitives: readonly Primitive[] = [gatherPrimitive, scatterPrimitive];
