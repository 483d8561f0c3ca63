/** Products of vectors and tensors, in terms of contractions and broadcasting. */
import { TfError } from '../errors.ts';
import { mul } from '../primitives/arithmetic.ts';
import { conj } from '../primitives/conjugate.ts';
import { dotGeneral } from '../primitives/contraction.ts';
import { numeric, requireDType } from '../primitives/define.ts';
import { reshape } from '../primitives/movement.ts';
import { sum } from '../primitives/reduce.ts';
import { requireOperand } from '../program/dispatch.ts';
import { inNameOf } from '../program/in-name-of.ts';
import { requireNumbers, wrongArgument } from '../types/argument.ts';
import { mulDims, type Dim } from '../types/dim.ts';
import { isComplex, promote } from '../types/dtype.ts';
import type { Joined, Operand } from '../types/operand.ts';
import { broadcastShapes, normaliseAxis, type Shape } from '../types/shape.ts';
import { tensorType } from '../types/tensor-type.ts';

function requireBoth(op: string, a: Operand, b: Operand): void {
  requireOperand(op, 'a', a);
  requireOperand(op, 'b', b);
  requireDType(op, tensorType(promote(a.type.dtype, b.type.dtype), a.type.shape), numeric);
}

/** The conjugate; of real values themselves. */
function conjugate(x: Operand): Operand {
  return isComplex(x.type.dtype) ? conj(x) : x;
}

const vector = (x: Operand): Operand => reshape(x, [-1]) as Operand;

/**
 * a[i]·b[j] for all elements of a and b in row-major order, without conjugation (NumPy's outer).
 *
 * @throws DTypeError for bool.
 * @example
 * import { Builder, outer, tensorType } from '@tf/core';
 * const x = new Builder().input(tensorType('float64', [3]), 'x');
 * if (outer(x, x).type.key !== 'f64[3, 3]') throw new Error('unexpected');
 */
export function outer<A extends Operand, B extends Operand>(a: A, b: B): Joined<A, B> {
  requireBoth('outer', a, b);
  return inNameOf('outer', () => mul(reshape(a, [-1, 1]) as Operand, vector(b)) as Joined<A, B>);
}

/**
 * The sum of products over the last axes of a and b, without conjugation (NumPy's inner); a product where one has rank 0.
 *
 * @throws ShapeError when the last axes differ in size.
 */
export function inner<A extends Operand, B extends Operand>(a: A, b: B): Joined<A, B> {
  requireBoth('inner', a, b);
  const [left, right] = [a.type.shape.length, b.type.shape.length];
  if (left === 0 || right === 0) return inNameOf('inner', () => mul(a, b));
  return inNameOf('inner', () => dotGeneral(a, b, { lhsContract: [left - 1], rhsContract: [right - 1] }));
}

/**
 * Σ conj(a)·b over all elements in row-major order: the scalar product that gradients go by.
 *
 * @throws ShapeError when the numbers of elements differ.
 */
export function vdot<A extends Operand, B extends Operand>(a: A, b: B): Joined<A, B> {
  requireBoth('vdot', a, b);
  return inNameOf('vdot', () => dotGeneral(vector(conjugate(a)), vector(b), { lhsContract: [0], rhsContract: [0] }) as Joined<A, B>);
}

/**
 * Σ conj(a)·b along an axis, the other axes broadcasting (the array API's vecdot). The axis counts from the end.
 *
 * @throws ShapeError when shapes do not broadcast or the axes differ in size, AxisError.
 */
export function vecdot<A extends Operand, B extends Operand>(a: A, b: B, axis = -1): Joined<A, B> {
  const op = 'vecdot';
  requireBoth(op, a, b);
  const shape = broadcastShapes(op, [a.type.shape, b.type.shape], () => {});
  const at = normaliseAxis(op, axis, shape.length);
  const from = at - shape.length;
  for (const [name, { type }] of [['a', a], ['b', b]] as const) if (type.shape.length < -from) throw new TfError('AxisError', `${op}: axis ${axis}: ${name} ${type.key} has no such axis. Give both the axis to sum over.`, { op, axis });
  if (a.type.shape.at(from) !== b.type.shape.at(from) && [a, b].some(({ type }) => type.shape.at(from) === 1)) throw new TfError('ShapeError', `${op}: axis ${axis} of ${a.type.key} and ${b.type.key} differ in size, and the axis that is summed over does not broadcast. Make them equal.`, { op, axis });
  return inNameOf(op, () => sum(mul(conjugate(a), b), { axes: at }) as unknown as Joined<A, B>);
}

/**
 * Contracts the last `axes` axes of a with the first of b, or the axes that two lists name, pairwise and without conjugation (NumPy's
 * tensordot).
 *
 * @throws ShapeError when paired axes differ in size, AxisError.
 * @example
 * import { Builder, tensordot, tensorType } from '@tf/core';
 * const builder = new Builder();
 * const a = builder.input(tensorType('float64', [2, 3, 4]), 'a');
 * const b = builder.input(tensorType('float64', [4, 3, 5]), 'b');
 * if (tensordot(a, b, [[2, 1], [0, 1]]).type.key !== 'f64[2, 5]') throw new Error('unexpected');
 */
export function tensordot<A extends Operand, B extends Operand>(a: A, b: B, axes: number | readonly [readonly number[], readonly number[]] = 2): Joined<A, B> {
  const op = 'tensordot';
  requireBoth(op, a, b);
  if (typeof axes !== 'number') {
    const pair: unknown = axes;
    if (!Array.isArray(pair) || pair.length !== 2) throw wrongArgument(op, 'axes', pair, 'a number of axes or two lists of axes, such as [[1], [0]]');
    const [lhs, rhs] = axes;
    requireNumbers(op, 'axes[0]', lhs, 'a list of axes, such as [1]');
    requireNumbers(op, 'axes[1]', rhs, 'a list of axes, such as [0]');
    return inNameOf(op, () => dotGeneral(a, b, { lhsContract: lhs, rhsContract: rhs }));
  }
  const rank = a.type.shape.length;
  if (!Number.isInteger(axes) || axes < 0 || axes > Math.min(rank, b.type.shape.length)) throw new TfError('AxisError', `${op}: ${axes} axes cannot be contracted of ${a.type.key} and ${b.type.key}. Take at most as many as both have.`, { op, argument: 'axes' });
  const count = Array.from({ length: axes }, (_, at) => at);
  return inNameOf(op, () => dotGeneral(a, b, { lhsContract: count.map((at) => rank - axes + at), rhsContract: count }));
}

/**
 * The Kronecker product: blocks a[i]·b, along every axis; the shorter shape is filled up with ones in front (NumPy's kron).
 *
 * @throws DTypeError for bool.
 */
export function kron<A extends Operand, B extends Operand>(a: A, b: B): Joined<A, B> {
  requireBoth('kron', a, b);
  const rank = Math.max(a.type.shape.length, b.type.shape.length);
  const full = ({ type }: Operand): Shape => [...new Array<number>(rank - type.shape.length).fill(1), ...type.shape];
  const [left, right] = [full(a), full(b)];
  const blocks = mul(
    reshape(a, left.flatMap((dim) => [dim, 1])) as Operand,
    reshape(b, right.flatMap((dim) => [1, dim])) as Operand,
  );
  return reshape(blocks, left.map((dim, axis) => mulDims(dim, right[axis] as Dim))) as Joined<A, B>;
}
