import type { Operation, ParamValue, RuleContext, Var } from '../contract.ts';
import { TfError } from '../errors.ts';
import { requireOperand } from '../program/dispatch.ts';
import { requireNumbers } from '../types/argument.ts';
import type { DType } from '../types/dtype.ts';
import { type Dim, dimText, divideDims, isKnown, productOfDims } from '../types/dim.ts';
import type { Kind, Of, Operand } from '../types/operand.ts';
import { checkShape, elementCount, normaliseAxis, requireAxes, requireDims, requireSameDim, type Shape, sameShape, shapeText } from '../types/shape.ts';
import { type TensorType, tensorType } from '../types/tensor-type.ts';
import { applyUnary } from './arguments.ts';
import { definePrimitive, type Primitive } from './define.ts';
import { linear } from './rules.ts';

function shapeParam(value: ParamValue | undefined): Shape {
  return value as Shape;
}

export const reshapePrimitive: Primitive = definePrimitive({
  name: 'reshape',
  inputs: 1,
  infer: ([x], params, sink, op) => {
    const shape = shapeParam(params['shape']);
    if (!requireSameDim(elementCount(x!.shape), elementCount(shape), `${op}: number of elements`, sink)) {
      throw new TfError('ShapeError', `${op}: cannot give ${shapeText(x!.shape)} (${dimText(elementCount(x!.shape))} elements) the shape ${shapeText(shape)} (${dimText(elementCount(shape))} elements). Both must hold the same number; one extent may be -1 and is computed.`, { op, from: x!.shape, to: shape });
    }
    return [tensorType(x!.dtype, shape)];
  },
  traits: { layout: () => ({ kind: 'reshape' }), undo: (_params, { shape }) => ({ shape }) },
  batch: (ctx) => [reshape(ctx.input(0), [ctx.size, ...shapeParam(ctx.params['shape'])]) as Var],
  rule: linear((ctx, ct) => reshape(ct, ctx.inputTypes[0]!.shape) as Var),
});

export const broadcastToPrimitive: Primitive = definePrimitive({
  name: 'broadcastTo',
  inputs: 1,
  infer: ([x], params, sink, op) => {
    const shape = shapeParam(params['shape']);
    const lead = shape.length - x!.shape.length;
    const fits = lead >= 0 && x!.shape.every((dim, axis) => dim === 1 || requireSameDim(dim, shape[lead + axis] as Dim, `${op}: axis ${axis}`, sink));
    if (!fits) throw new TfError('ShapeError', `${op}: ${shapeText(x!.shape)} does not broadcast to ${shapeText(shape)}. Aligned at the last axis, sizes must be equal or 1.`, { op, from: x!.shape, to: shape });
    return [tensorType(x!.dtype, shape)];
  },
  traits: {
    broadcasts: true,
    layout: (_params, input, output) => {
      const lead = output.shape.length - input.shape.length;
      return { kind: 'axes', axes: output.shape.map((dim, axis) => (axis < lead || (input.shape[axis - lead] === 1 && dim !== 1) ? null : axis - lead)) };
    },
  },
  batch: (ctx) => {
    const [{ shape }] = ctx.inputTypes as readonly [TensorType];
    const to = shapeParam(ctx.params['shape']);
    const ones = new Array<number>(to.length - shape.length).fill(1);
    return [broadcastTo(reshape(ctx.input(0), [ctx.size, ...ones, ...shape]), [ctx.size, ...to]) as Var];
  },
  // The transforms sum a cotangent over the axes along which its input was broadcast, here as for all that broadcast.
  rule: linear((_ctx, ct) => ct),
});

export const transposePrimitive: Primitive = definePrimitive({
  name: 'transpose',
  inputs: 1,
  infer: ([x], params, _sink, op) => {
    const perm: unknown = params['perm'];
    requireAxes(op, perm, x!.shape.length, 'perm');
    if (perm.length !== x!.shape.length) {
      throw new TfError('AxisError', `${op}: perm ${JSON.stringify(perm)} is no permutation of the ${x!.shape.length} axes of ${x!.key}. Name each axis once.`, { op, argument: 'perm' });
    }
    return [tensorType(x!.dtype, perm.map((axis) => x!.shape[axis] as Dim))];
  },
  traits: {
    layout: (params) => ({ kind: 'axes', axes: params['perm'] as readonly number[] }),
    undo: (params) => ({ perm: invert(params['perm'] as readonly number[]) }),
  },
  batch: (ctx) => [transpose(ctx.input(0), [0, ...(ctx.params['perm'] as readonly number[]).map((axis) => axis + 1)]) as Var],
  rule: linear((ctx, ct) => transpose(ct, invert(ctx.params['perm'] as readonly number[])) as Var),
});

/** The permutation that undoes `perm`. */
export function invert(perm: readonly number[]): readonly number[] {
  const inverse = new Array<number>(perm.length);
  perm.forEach((axis, at) => {
    inverse[axis] = at;
  });
  return inverse;
}

export const identityPrimitive: Primitive = definePrimitive({
  name: 'identity',
  inputs: 1,
  infer: ([x]) => [x!],
  traits: { identity: true },
  rule: linear((_ctx: RuleContext, ct) => ct),
});

export const identityOperation: Operation = identityPrimitive.operation;

/**
 * The same elements in row-major order under another shape; one extent may be −1 and is computed.
 *
 * @throws ShapeError when the number of elements differs, ArgumentError when `shape` is no list of integers.
 * @example
 * import { Builder, reshape, tensorType } from '@tf/core';
 * const x = new Builder().input(tensorType('float64', [2, 6]), 'x');
 * if (reshape(x, [3, -1]).type.key !== 'f64[3, 4]') throw new Error('unexpected');
 */
export function reshape<K extends Kind, D extends DType>(x: Operand<K, D>, shape: Shape): Of<K, D> {
  requireOperand('reshape', 'x', x);
  requireDims('reshape', 'shape', shape);
  const full = completeShape(x.type.shape, shape);
  return sameShape(full, x.type.shape) ? (x as Of<K, D>) : (applyUnary(reshapePrimitive.operation, x, { shape: full }) as Of<K, D>);
}

function completeShape(from: Shape, to: Shape): Shape {
  const op = 'reshape';
  const holes = to.filter((dim) => dim === -1).length;
  if (holes === 0) {
    checkShape(op, to);
    return to;
  }
  const rest = productOfDims(to.filter((dim) => dim !== -1));
  const missing = holes === 1 && rest !== 0 ? divideDims(elementCount(from), rest) : undefined;
  if (missing === undefined || (isKnown(missing) && !Number.isInteger(missing))) {
    throw new TfError('ShapeError', `${op}: the −1 in ${shapeText(to)} cannot be computed from ${shapeText(from)}. Write one −1, beside extents that divide the number of elements.`, { op, from, to });
  }
  return to.map((dim) => (dim === -1 ? missing : dim));
}

/**
 * `x` repeated along new leading axes and axes of size 1, without copying.
 *
 * @throws ShapeError when the shapes do not fit.
 */
export function broadcastTo<K extends Kind, D extends DType>(x: Operand<K, D>, shape: Shape): Of<K, D> {
  requireOperand('broadcastTo', 'x', x);
  requireDims('broadcastTo', 'shape', shape);
  return sameShape(x.type.shape, shape) ? (x as Of<K, D>) : (applyUnary(broadcastToPrimitive.operation, x, { shape }) as Of<K, D>);
}

/**
 * The axes in another order: axis i of the result is axis `perm[i]` of x; without `perm` they are reversed.
 *
 * @throws AxisError when `perm` is no permutation of the axes.
 */
export function transpose<K extends Kind, D extends DType>(x: Operand<K, D>, perm?: readonly number[]): Of<K, D> {
  requireOperand('transpose', 'x', x);
  if (perm !== undefined) requireNumbers('transpose', 'perm', perm, 'a list of axes, such as [1, 0]');
  const rank = x.type.shape.length;
  const order = (perm ?? Array.from({ length: rank }, (_, axis) => rank - 1 - axis)).map((axis) => normaliseAxis('transpose', axis, rank, 'perm'));
  if (order.length === rank && order.every((axis, at) => axis === at)) return x as Of<K, D>;
  return applyUnary(transposePrimitive.operation, x, { perm: order }) as Of<K, D>;
}

export const movementPrimitives: readonly Primitive[] = [reshapePrimitive, broadcastToPrimitive, transposePrimitive, identityPrimitive];
