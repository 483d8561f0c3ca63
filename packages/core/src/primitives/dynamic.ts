import { TfError } from '../errors.ts';
import { chooseListener, liftArgument, requireOperand } from '../program/dispatch.ts';
import { hostForm } from '../program/host.ts';
import { isLiteral } from '../program/literal.ts';
import { describe, requireInteger } from '../types/argument.ts';
import { type Dim, dimText, isKnown, subDims } from '../types/dim.ts';
import type { DType } from '../types/dtype.ts';
import { type Argument, type DTypeOf, isOperand, type JoinKind, type Kind, type Lifted, type Listener, type Of, type Operand } from '../types/operand.ts';
import { normaliseAxis, shapeText } from '../types/shape.ts';
import { tensorType } from '../types/tensor-type.ts';
import { argumentAs } from './arguments.ts';
import { definePrimitive, type Primitive, requireDType } from './define.ts';
import { maximum, minimum } from './extrema.ts';
import { noRule } from './rules.ts';
import { padPrimitive, slicePrimitive } from './slicing.ts';

export const extentPrimitive: Primitive = definePrimitive({
  name: 'extent',
  called: () => 'dynamicTruncate',
  inputs: 1,
  infer: ([k], params, _sink, op) => {
    requireDType(op, k!, ['int32']);
    if (k!.shape.length !== 0) throw notScalar(op, k!.key);
    if (params['symbol'] === undefined || params['bound'] === undefined) throw new TfError('ArgumentError', `${op}: an extent takes a symbol and a bound.`, { op });
    return [tensorType('int32', [])];
  },
  traits: { extent: (params) => ({ symbol: params['symbol'] as Dim, bound: params['bound'] as Dim }) },
  batch: { kind: 'none', reason: 'a size that differs from one element of the batch to the next gives tensors of different shapes. Use the masked form, which has one shape for all: select(less(indices, k), x, 0), with indices = tensor([0, 1, …]) along the axis' },
  rule: noRule('a size is an integer, which carries no tangent'),
});

function notScalar(op: string, type: string): TfError {
  return new TfError('ShapeError', `${op}: k is one size, an int32 scalar, got ${type}. Take one element of it.`, { op, argument: 'k' });
}

/**
 * The first k elements of x along an axis, where k is a value: an int32 or int64 scalar that the program computes, or a number.
 * What is below 0 counts as 0, what is above the size of x as that size, and that one's gradient is the identity. The
 * extent of the result is a symbol of its own, so one program and one module serve all k; where k is known, it is a number. For
 * equal `k` and equal sizes of the axis the symbols are equal. The gradient is {@link padToMatch}: zeros beyond k.
 *
 * @throws DTypeError when k is no integer, ShapeError when it is no scalar, AxisError for an axis out of range.
 * @example
 * import { dynamicTruncate, sum, tensor } from '@tf/core';
 * import { createEngine } from '@tf/engine-cpu-wasm';
 * import { compile, input } from '@tf/traced';
 * const [x, k] = [input('x', { shape: [5] }), input('k', { dtype: 'int32' })];
 * const first = dynamicTruncate(x, k, 0);
 * const run = compile({ first, gradient: sum(first.mul(first)).grad(x) }, { engine: await createEngine() });
 * const { first: values, gradient } = run({ x: tensor([1, 2, 3, 4, 5]), k: 2 });
 * console.log(values.toArray(), gradient.toArray()); // → [ 1, 2 ] [ 2, 4, 0, 0, 0 ]
 */
export function dynamicTruncate<A extends Operand, K extends Operand<Kind, DType> | number>(x: A, k: K, axis: number): Of<JoinKind<A, K>, DTypeOf<A>> {
  const op = 'dynamicTruncate';
  requireOperand(op, 'x', x);
  const at = normaliseAxis(op, axis, x.type.shape.length);
  const bound = x.type.shape[at] as Dim;
  const known = knownCount(op, k);
  const listener = chooseListener(op, [x, k]);
  const own = liftArgument(listener, x, x.type.dtype, op, 0);
  const extent = known !== undefined && isKnown(bound) ? Math.min(Math.max(known, 0), bound) : decidedBy(op, listener, count(op, listener, known ?? k), bound);
  const start = x.type.shape.map(() => 0);
  const stop = x.type.shape.map((dim, other) => (other === at ? extent : dim));
  return listener.apply(slicePrimitive.operation, [own], { start, stop, step: start.map(() => 1) })[0] as Of<JoinKind<A, K>, DTypeOf<A>>;
}

/** The number that k is, where that is known when the program is built. */
function knownCount(op: string, k: unknown): number | undefined {
  if (typeof k === 'number') {
    requireInteger(op, 'k', k);
    return k;
  }
  if (!isOperand(k) && !isLiteral(k)) throw new TfError('ArgumentError', `${op}: k is ${describe(k)}; it takes an int32 scalar or an integer.`, { op, argument: 'k' });
  if (k.type.shape.length !== 0) throw notScalar(op, k.type.key);
  if ((k as Operand).weak !== true) requireDType(op, k.type, ['int32', 'int64']);
  const form = isLiteral(k) ? undefined : hostForm(k);
  const data = isLiteral(k) ? k.data : form?.form === 'data' ? form.data : undefined;
  return data === undefined ? undefined : Number(data[0]);
}

/** k as an int32 of the listener. An int64 is first brought where an int32 can hold it. */
function count(op: string, listener: Listener, k: Argument | Lifted): Lifted {
  if (typeof k === 'number') return argumentAs(listener, Math.min(Math.max(k, 0), 2 ** 31 - 1), 'int32', op, 1);
  if (typeof k !== 'object' || k.type.dtype !== 'int64') return argumentAs(listener, k, 'int32', op, 1);
  const bounded = minimum(maximum(k as Operand, 0), 2 ** 31 - 1) as Operand;
  return argumentAs(listener, bounded, 'int32', op, 1);
}

function decidedBy(op: string, listener: Listener, k: Lifted, bound: Dim): Dim {
  if (listener.extent !== undefined) return listener.extent(extentPrimitive.operation, k, bound);
  throw new TfError('ArgumentError', `${op}: k is a tensor ${k.type.key} whose value is not at hand where host tensors meet. Read it out first: k.item(), or compute inside a session or a traced function.`, { op, argument: 'k' });
}

/**
 * x among zeros, in the shape of `like`: what {@link dynamicTruncate} cut off comes back as zeros, behind what is there. Along
 * `axis`, or along all axes. Its gradient cuts again.
 *
 * @throws ShapeError when the ranks differ or x is larger than `like`, AxisError for an axis out of range.
 * @example
 * import { padToMatch, tensor, zeros } from '@tf/core';
 * if (padToMatch(tensor([1, 2]), zeros([4])).type.key !== 'f64[4]') throw new Error('unexpected');
 */
export function padToMatch<A extends Operand, L extends Operand>(x: A, like: L, axis?: number): Of<JoinKind<A, L>, DTypeOf<A>> {
  const op = 'padToMatch';
  requireOperand(op, 'x', x);
  requireOperand(op, 'like', like);
  const [own, wanted] = [x.type.shape, like.type.shape];
  if (own.length !== wanted.length) throw new TfError('ShapeError', `${op}: ${x.type.key} has ${own.length} axes and like, ${like.type.key}, ${wanted.length}. Reshape one of them.`, { op, shape: own, expected: wanted });
  const only = axis === undefined ? undefined : normaliseAxis(op, axis, own.length);
  const high = own.map((dim, at): Dim => (only === undefined || only === at ? subDims(wanted[at] as Dim, dim) : 0));
  high.forEach((amount, at) => {
    if (isKnown(amount) && amount < 0) throw new TfError('ShapeError', `${op}: axis ${at} of ${x.type.key} is longer than the ${dimText(wanted[at] as Dim)} of like, ${shapeText(wanted)}. Cut it first: dynamicTruncate or slice.`, { op, axis: at });
  });
  const listener = chooseListener(op, [x, like]);
  const zeros = own.map(() => 0);
  return listener.apply(padPrimitive.operation, [liftArgument(listener, x, x.type.dtype, op, 0)], { low: zeros, high, interior: zeros })[0] as Of<JoinKind<A, L>, DTypeOf<A>>;
}
