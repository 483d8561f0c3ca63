import type { IndexedAxes, Params, Var } from '../contract.ts';
import { TfError } from '../errors.ts';
import { chooseListener, liftArgument } from '../program/dispatch.ts';
import { literal, maximumLiteralElements } from '../program/literal.ts';
import { type Dim, isKnown } from '../types/dim.ts';
import { type DType, promote } from '../types/dtype.ts';
import type { JoinDType, JoinKind, Kind, Lifted, Of, Operand } from '../types/operand.ts';
import { normaliseAxis, requireSameDim, type Shape, sameShape, shapeText } from '../types/shape.ts';
import { type TensorType, tensorType } from '../types/tensor-type.ts';
import { argumentAs } from './arguments.ts';
import { anyDType, definePrimitive, numeric, type Primitive, requireDType } from './define.ts';

/** `take`: indices of any shape replace one axis. `along`: indices have the rank of x, one per element. */
type Mode = 'take' | 'along';

function indexedAxes(params: Params, [x, indices]: readonly TensorType[]): IndexedAxes {
  const axis = params['axis'] as number;
  const rank = x!.shape.length;
  const all = Array.from({ length: rank }, (_, at) => at);
  if (params['mode'] === 'along') return { axis, walks: all.map((at) => (at === axis ? null : at)), indexedBy: all };
  const before = all.slice(0, axis);
  const after = all.slice(axis + 1);
  const picked = indices!.shape.map((_, at) => at);
  return { axis, walks: [...before, ...picked.map(() => null), ...after], indexedBy: [...before.map(() => null), ...picked, ...after.map(() => null)] };
}

/** The shape of what is read or added: x's with the axis replaced by the indices' shape, or the indices' own. */
function pickedShape(op: string, x: TensorType, indices: TensorType, params: Params, same: (a: Dim, b: Dim, reason: string) => boolean): Shape {
  const axis = params['axis'] as number;
  if ((params['mode'] as Mode) === 'take') return [...x.shape.slice(0, axis), ...indices.shape, ...x.shape.slice(axis + 1)];
  const fits = indices.shape.length === x.shape.length && x.shape.every((dim, at) => at === axis || same(dim, indices.shape[at] as Dim, `${op}: axis ${at}`));
  if (!fits) throw new TfError('ShapeError', `${op}: indices ${indices.key} along axis ${axis} of ${x.key}: both need the same rank and equal sizes on the other axes.`, { op, axis });
  return indices.shape;
}

export const gatherPrimitive: Primitive = definePrimitive({
  name: 'gather',
  inputs: 2,
  infer: ([x, indices], params, sink, op) => {
    requireDType(op, x!, anyDType);
    requireDType(op, indices!, ['int32']);
    return [tensorType(x!.dtype, pickedShape(op, x!, indices!, params, (a, b, reason) => requireSameDim(a, b, reason, sink)))];
  },
  traits: { gather: indexedAxes },
  rule: {
    kind: 'rule',
    linear: { inputs: [0], how: 'together' },
    transpose: (ctx, [ct]) => [ct === undefined ? undefined : ctx.apply(scatterPrimitive.operation, [ctx.zeros(ctx.inputTypes[0] as TensorType), ctx.input(1), ct], ctx.params)[0]],
  },
});

export const scatterPrimitive: Primitive = definePrimitive({
  name: 'scatterAdd',
  inputs: 3,
  infer: ([x, indices, updates], params, sink, op) => {
    requireDType(op, x!, numeric);
    requireDType(op, indices!, ['int32']);
    requireDType(op, updates!, [x!.dtype]);
    const shape = pickedShape(op, x!, indices!, params, (a, b, reason) => requireSameDim(a, b, reason, sink));
    const fits = sameShape(shape, updates!.shape) || (shape.length === updates!.shape.length && shape.every((dim, at) => requireSameDim(dim, updates!.shape[at] as Dim, `${op}: axis ${at} of the updates`, sink)));
    if (!fits) throw new TfError('ShapeError', `${op}: ${indices!.key} indices into axis ${String(params['axis'])} of ${x!.key} need updates of shape ${shapeText(shape)}, got ${updates!.key}.`, { op });
    return [x!];
  },
  traits: { scatterAdd: indexedAxes },
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
function indexOperand(op: string, indices: Indices): Operand {
  if (!Array.isArray(indices)) {
    const operand = indices as Operand;
    requireDType(op, operand.type, ['int32', 'int64']);
    return operand;
  }
  const list = indices as readonly number[];
  if (!list.every(Number.isInteger)) throw new TfError('IndexError', `${op}: indices must be integers, got [${list.slice(0, 8).join(', ')}].`, { op, argument: 'indices' });
  if (list.length > maximumLiteralElements) throw new TfError('ArgumentError', `${op}: a plain list holds at most ${maximumLiteralElements} indices; pass tensor(Int32Array.from(indices)).`, { op, argument: 'indices' });
  return literal(tensorType('int32', [list.length]), Int32Array.from(list)) as unknown as Operand;
}

function applyGather<K extends Kind, D extends DType>(x: Operand<K, D>, indices: Indices, axis: number, mode: Mode): Of<K, D> {
  const op = gatherPrimitive.operation;
  const at = normaliseAxis(op.id, axis, x.type.shape.length);
  const places = indexOperand(op.id, indices);
  checkKnown(op.id, places, x.type, at);
  const listener = chooseListener(op.id, [x, places]);
  return listener.apply(op, [liftArgument(listener, x, x.type.dtype), argumentAs(listener, places, 'int32')], { axis: at, mode })[0] as Of<K, D>;
}

/** Literal indices are checked when the program is built. */
function checkKnown(op: string, indices: Operand, x: TensorType, axis: number): void {
  const data = (indices as { data?: unknown }).data;
  const rows = x.shape[axis] as Dim;
  if (!(data instanceof Int32Array) || !isKnown(rows)) return;
  const wrong = data.find((index) => index < -rows || index >= rows);
  if (wrong !== undefined) throw new TfError('IndexError', `${op}: index ${wrong} is out of range for axis ${axis} of ${x.key}; indices run from ${-rows} to ${rows - 1}.`, { op, index: wrong, axis });
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

/** The element of x along an axis that each entry of `indices` names (NumPy's take_along_axis). Errors as {@link take}. */
export function takeAlongAxis<K extends Kind, D extends DType>(x: Operand<K, D>, indices: Indices, axis = -1): Of<K, D> {
  return applyGather(x, indices, axis, 'along');
}

function applyScatter<A extends Operand, B extends Operand>(x: A, indices: Indices, updates: B, axis: number, mode: Mode): Of<JoinKind<A, B>, JoinDType<A, B>> {
  const op = scatterPrimitive.operation;
  const at = normaliseAxis(op.id, axis, x.type.shape.length);
  const places = indexOperand(op.id, indices);
  checkKnown(op.id, places, x.type, at);
  const dtype = promote(x.type.dtype, updates.type.dtype);
  const listener = chooseListener(op.id, [x, places, updates]);
  const inputs: readonly Lifted[] = [argumentAs(listener, x, dtype), argumentAs(listener, places, 'int32'), argumentAs(listener, updates, dtype)];
  return listener.apply(op, inputs, { axis: at, mode })[0] as Of<JoinKind<A, B>, JoinDType<A, B>>;
}

/** x with each element of `updates` added where `indices`, of the same shape, name its place along the axis; repeated places accumulate. */
export function scatterAdd<A extends Operand, B extends Operand>(x: A, indices: Indices, updates: B, axis = -1): Of<JoinKind<A, B>, JoinDType<A, B>> {
  return applyScatter(x, indices, updates, axis, 'along');
}

/** x with slice k of `updates` added to its slice `indices[k]` along the axis; repeated places accumulate. */
export function indexAdd<A extends Operand, B extends Operand>(x: A, indices: Indices, updates: B, axis = 0): Of<JoinKind<A, B>, JoinDType<A, B>> {
  return applyScatter(x, indices, updates, axis, 'take');
}

export const indexingPrimitives: readonly Primitive[] = [gatherPrimitive, scatterPrimitive];
