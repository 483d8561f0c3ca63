import type { BatchContext, ContractionAxes, Params, RuleContext, Var } from '../contract.ts';
import { TfError } from '../errors.ts';
import { requireOperand } from '../program/dispatch.ts';
import { requireNumbers, requireOptions } from '../types/argument.ts';
import { type Dim, dimText } from '../types/dim.ts';
import { promote } from '../types/dtype.ts';
import type { JoinDType, JoinKind, Of, Operand } from '../types/operand.ts';
import { broadcastShapes, normaliseAxis, requireAxes, requireSameDim, type Shape } from '../types/shape.ts';
import { type TensorType, tensorType } from '../types/tensor-type.ts';
import { applyPromoted } from './arguments.ts';
import { conj } from './conjugate.ts';
import { definePrimitive, numeric, type Primitive, requireDType } from './define.ts';
import { broadcastTo, invert, reshape, transpose } from './movement.ts';
import { bilinear } from './rules.ts';

function axesOf(params: Params): ContractionAxes {
  return params as unknown as ContractionAxes;
}

/** The axes that are neither contracted nor batch, in order. */
function freeAxes(rank: number, contract: readonly number[], batch: readonly number[]): readonly number[] {
  return Array.from({ length: rank }, (_, axis) => axis).filter((axis) => !contract.includes(axis) && !batch.includes(axis));
}

function count(length: number, from = 0): readonly number[] {
  return Array.from({ length }, (_, at) => from + at);
}

/** Puts the axes of `x`, which are the axes `order` of the wanted result, where they belong. */
function restore(x: Var, order: readonly number[]): Var {
  return transpose(x, invert(order)) as Var;
}

function contractedInOrder(own: readonly number[], other: readonly number[]): readonly number[] {
  // The product leaves the other operand's contracted axes in ascending order; name our partners in that order.
  return [...other.keys()].sort((a, b) => (other[a] as number) - (other[b] as number)).map((at) => own[at] as number);
}

/** dL/dlhs: the cotangent contracted with rhs over rhs's free axes. */
function leftShare(ctx: RuleContext, ct: Var): Var {
  const { lhsContract, rhsContract, lhsBatch, rhsBatch } = axesOf(ctx.params);
  const [l, r] = ctx.inputTypes as readonly [TensorType, TensorType];
  const lhsFree = freeAxes(l.shape.length, lhsContract, lhsBatch);
  const rhsFree = freeAxes(r.shape.length, rhsContract, rhsBatch);
  const product = dotGeneral(ct, conj(ctx.input(1)), {
    lhsContract: count(rhsFree.length, lhsBatch.length + lhsFree.length), rhsContract: rhsFree,
    lhsBatch: count(lhsBatch.length), rhsBatch,
  }) as Var;
  return restore(product, [...lhsBatch, ...lhsFree, ...contractedInOrder(lhsContract, rhsContract)]);
}

/** dL/drhs: lhs contracted with the cotangent over lhs's free axes. */
function rightShare(ctx: RuleContext, ct: Var): Var {
  const { lhsContract, rhsContract, lhsBatch, rhsBatch } = axesOf(ctx.params);
  const [l, r] = ctx.inputTypes as readonly [TensorType, TensorType];
  const lhsFree = freeAxes(l.shape.length, lhsContract, lhsBatch);
  const rhsFree = freeAxes(r.shape.length, rhsContract, rhsBatch);
  const product = dotGeneral(conj(ctx.input(0)), ct, {
    lhsContract: lhsFree, rhsContract: count(lhsFree.length, lhsBatch.length),
    lhsBatch, rhsBatch: count(lhsBatch.length),
  }) as Var;
  return restore(product, [...rhsBatch, ...contractedInOrder(rhsContract, lhsContract), ...rhsFree]);
}

/** Two batched operands get a further batch axis; one alone has it as its first free axis, which then moves to the front. */
function batchDot(ctx: BatchContext): readonly Var[] {
  const { lhsContract, rhsContract, lhsBatch, rhsBatch } = axesOf(ctx.params);
  const [left, right] = ctx.batched as readonly [boolean, boolean];
  const moved = (axes: readonly number[], is: boolean): readonly number[] => axes.map((axis) => (is ? axis + 1 : axis));
  const axes = { lhsContract: moved(lhsContract, left), rhsContract: moved(rhsContract, right), lhsBatch: moved(lhsBatch, left), rhsBatch: moved(rhsBatch, right) };
  if (left && right) return ctx.apply(ctx.operation, [ctx.input(0), ctx.input(1)], { ...axes, lhsBatch: [0, ...axes.lhsBatch], rhsBatch: [0, ...axes.rhsBatch] });
  const [product] = ctx.apply(ctx.operation, [ctx.input(0), ctx.input(1)], axes) as readonly [Var];
  const [l] = ctx.inputTypes as readonly [TensorType];
  const before = lhsBatch.length + (left ? 0 : l.shape.length - lhsContract.length - lhsBatch.length);
  const rank = product.type.shape.length;
  return [transpose(product, [before, ...count(rank).filter((axis) => axis !== before)]) as Var];
}

function listed(op: string, argument: string, axes: readonly number[]): readonly number[] {
  requireNumbers(op, argument, axes, 'a list of axes, such as [0]');
  return axes;
}

export const dotPrimitive: Primitive = definePrimitive({
  name: 'dot',
  called: () => 'dotGeneral',
  inputs: 2,
  infer: ([l, r], params, sink, op) => {
    requireDType(op, l!, numeric);
    requireDType(op, r!, [l!.dtype]);
    const { lhsContract, rhsContract, lhsBatch, rhsBatch } = axesOf(params);
    requireAxes(op, [...listed(op, 'lhsContract', lhsContract), ...listed(op, 'lhsBatch', lhsBatch)], l!.shape.length, 'lhsContract and lhsBatch');
    requireAxes(op, [...listed(op, 'rhsContract', rhsContract), ...listed(op, 'rhsBatch', rhsBatch)], r!.shape.length, 'rhsContract and rhsBatch');
    pair(op, 'contracted', l!, lhsContract, r!, rhsContract, (a, b, reason) => requireSameDim(a, b, reason, sink));
    pair(op, 'batch', l!, lhsBatch, r!, rhsBatch, (a, b, reason) => requireSameDim(a, b, reason, sink));
    const shape = [
      ...lhsBatch.map((axis) => l!.shape[axis] as Dim),
      ...freeAxes(l!.shape.length, lhsContract, lhsBatch).map((axis) => l!.shape[axis] as Dim),
      ...freeAxes(r!.shape.length, rhsContract, rhsBatch).map((axis) => r!.shape[axis] as Dim),
    ];
    return [tensorType(l!.dtype, shape)];
  },
  traits: { contraction: axesOf },
  rule: bilinear(leftShare, rightShare),
  batch: batchDot,
});

function pair(op: string, what: string, l: TensorType, lhs: readonly number[], r: TensorType, rhs: readonly number[], same: (a: Dim, b: Dim, reason: string) => boolean): void {
  if (lhs.length !== rhs.length) throw new TfError('AxisError', `${op}: ${lhs.length} ${what} axes of lhs ${l.key} meet ${rhs.length} of rhs ${r.key}. Give both sides the same number.`, { op });
  lhs.forEach((axis, at) => {
    const a = l.shape[axis] as Dim;
    const b = r.shape[rhs[at] as number] as Dim;
    if (!same(a, b, `${op}: ${what} axes ${axis} of lhs and ${rhs[at]} of rhs`)) {
      throw new TfError('ShapeError', `${op}: ${what} axis ${axis} of lhs ${l.key} has size ${dimText(a)}, axis ${rhs[at]} of rhs ${r.key} has size ${dimText(b)}. They must be equal.`, { op, lhs: l.shape, rhs: r.shape });
    }
  });
}

const dotOptions = ['lhsContract', 'rhsContract', 'lhsBatch', 'rhsBatch'] as const;

/**
 * Contracts axes of two tensors pairwise; batch axes run along. The result's axes: batch (in the order given), then the
 * free axes of `a`, then those of `b`.
 *
 * @throws ShapeError when paired axes differ in size, AxisError when an axis is out of range or named twice.
 */
export function dotGeneral<A extends Operand, B extends Operand>(a: A, b: B, axes: Partial<ContractionAxes>): Of<JoinKind<A, B>, JoinDType<A, B>> {
  return contract('dotGeneral', a, b, axes);
}

/** The contraction, for a function whose name errors carry. */
function contract<A extends Operand, B extends Operand>(op: string, a: A, b: B, axes: Partial<ContractionAxes>): Of<JoinKind<A, B>, JoinDType<A, B>> {
  requireOperand(op, 'a', a);
  requireOperand(op, 'b', b);
  requireOptions(op, axes, dotOptions);
  for (const name of dotOptions) if (axes[name] !== undefined) requireNumbers(op, name, axes[name], 'a list of axes, such as [0]');
  const side = (x: Operand, contract: readonly number[] = [], batch: readonly number[] = []): readonly [readonly number[], readonly number[]] => {
    const rank = x.type.shape.length;
    const all = [...contract, ...batch].map((axis) => normaliseAxis(op, axis, rank));
    if (new Set(all).size !== all.length) throw new TfError('AxisError', `${op}: an axis of ${x.type.key} is named twice in ${JSON.stringify({ contract, batch })}.`, { op });
    return [all.slice(0, contract.length), all.slice(contract.length)];
  };
  const [lhsContract, lhsBatch] = side(a, axes.lhsContract, axes.lhsBatch);
  const [rhsContract, rhsBatch] = side(b, axes.rhsContract, axes.rhsBatch);
  return applyPromoted(dotPrimitive.operation, [a, b], { lhsContract, rhsContract, lhsBatch, rhsBatch }, 'common', op) as Of<JoinKind<A, B>, JoinDType<A, B>>;
}

/**
 * The matrix product of the last two axes, by NumPy's rules: vectors are promoted, leading axes broadcast.
 *
 * @throws ShapeError when inner sizes differ or leading axes do not broadcast; for rank-0 operands (use mul).
 * @example
 * import { Builder, matmul, tensorType } from '@tf/core';
 * const builder = new Builder();
 * const a = builder.input(tensorType('float64', [2, 3]), 'a');
 * const b = builder.input(tensorType('float64', [3, 4]), 'b');
 * if (matmul(a, b).type.key !== 'f64[2, 4]') throw new Error('unexpected');
 */
export function matmul<A extends Operand, B extends Operand>(a: A, b: B): Of<JoinKind<A, B>, JoinDType<A, B>> {
  requireOperand('matmul', 'a', a);
  requireOperand('matmul', 'b', b);
  const [l, r] = [a.type.shape, b.type.shape];
  checkMatmul(a.type, b.type);
  if (l.length <= 2 && r.length <= 2) return contract('matmul', a, b, { lhsContract: [l.length - 1], rhsContract: [Math.max(0, r.length - 2)] });
  return batchedMatmul(a, b) as Of<JoinKind<A, B>, JoinDType<A, B>>;
}

function checkMatmul(l: TensorType, r: TensorType): void {
  if (l.shape.length === 0 || r.shape.length === 0) {
    throw new TfError('ShapeError', `matmul: takes tensors of rank 1 and more, got ${l.key} and ${r.key}. Use mul for scalars.`, { op: 'matmul', lhs: l.shape, rhs: r.shape });
  }
  if (promote(l.dtype, r.dtype) === 'bool') requireDType('matmul', l, numeric);
  const a = l.shape[l.shape.length - 1] as Dim;
  const b = r.shape[Math.max(0, r.shape.length - 2)] as Dim;
  if (!requireSameDim(a, b, 'matmul: inner sizes', () => {})) {
    throw new TfError('ShapeError', `matmul: the last axis of ${l.key} has size ${dimText(a)}, the ${r.shape.length < 2 ? 'only' : 'second last'} axis of ${r.key} has size ${dimText(b)}. Inner sizes must be equal; transpose or reshape an operand.`, { op: 'matmul', lhs: l.shape, rhs: r.shape });
  }
}

/** Leading axes broadcast and become batch axes; a vector gets a unit axis, which the result loses again. */
function batchedMatmul(a: Operand, b: Operand): Operand {
  const [l, r] = [a.type.shape, b.type.shape];
  const left = l.length === 1 ? (reshape(a, [1, l[0] as Dim]) as Operand) : a;
  const right = r.length === 1 ? (reshape(b, [r[0] as Dim, 1]) as Operand) : b;
  const [ls, rs] = [left.type.shape, right.type.shape];
  const lead: Shape = broadcastShapes('matmul', [ls.slice(0, -2), rs.slice(0, -2)], () => {});
  const batch = count(lead.length);
  const product = contract(
    'matmul',
    broadcastTo(left, [...lead, ...ls.slice(-2)]) as Operand,
    broadcastTo(right, [...lead, ...rs.slice(-2)]) as Operand,
    { lhsContract: [lead.length + 1], rhsContract: [lead.length], lhsBatch: batch, rhsBatch: batch },
  ) as Operand;
  const keep = product.type.shape.filter((_, axis) => !(l.length === 1 && axis === lead.length) && !(r.length === 1 && axis === lead.length + 1));
  return reshape(product, keep) as Operand;
}

export const contractionPrimitives: readonly Primitive[] = [dotPrimitive];
