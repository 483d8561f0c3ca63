/** Random integers of a range, and random orders. */
import { TfError } from '../errors.ts';
import { add, mul, sub } from '../primitives/arithmetic.ts';
import { bitwiseAnd, rightShift } from '../primitives/bits.ts';
import { convert } from '../primitives/convert.ts';
import { requireDType } from '../primitives/define.ts';
import { take } from '../primitives/indexing.ts';
import { broadcastTo } from '../primitives/movement.ts';
import { argsort } from '../primitives/sort.ts';
import { requireOperand } from '../program/dispatch.ts';
import { inNameOf } from '../program/in-name-of.ts';
import { requireOptions, wrongArgument, wrongNumber } from '../types/argument.ts';
import type { Dim } from '../types/dim.ts';
import type { DType } from '../types/dtype.ts';
import { type DTypeOf, isOperand, type JoinKind, type JoinKinds, type Kind, type Of, type Operand } from '../types/operand.ts';
import { elementCount } from '../types/shape.ts';
import { flatBits, requireRandomShape, shaped } from './random-bits.ts';

type Bound = number | Operand;

export interface RandintOptions<D extends DType> {
  /** int32 when absent. */
  readonly dtype?: D;
}

/** A bound as an integer, or as an int64 tensor of the shape. */
function requireBound(op: string, argument: string, value: unknown, shape: readonly Dim[]): Bound {
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value)) throw wrongNumber(op, argument, value, 'an integer');
    return value;
  }
  requireOperand(op, argument, value);
  requireDType(op, value.type, ['int32', 'int64']);
  return broadcastTo(convert(value, 'int64') as Operand, shape) as Operand;
}

/** The range of bounds that are numbers must be one that the dtype has and 64 random bits divide evenly enough. */
function requireRange(op: string, low: number, high: number, dtype: DType): void {
  if (low >= high) throw new TfError('ArgumentError', `${op}: low is ${low} and high ${high}; there is no integer between them. Give low < high.`, { op, argument: 'low', low, high });
  if (high - low > 2 ** 32) throw new TfError('ArgumentError', `${op}: high − low is ${high - low}, more than 2³². Take randomBits(key, shape, { dtype: 'int64' }) for more.`, { op, argument: 'high', low, high });
  if (dtype === 'int32' && (low < -(2 ** 31) || high > 2 ** 31)) throw new TfError('ArgumentError', `${op}: low is ${low} and high ${high}, which int32 cannot hold. Ask for { dtype: 'int64' }.`, { op, argument: low < -(2 ** 31) ? 'low' : 'high', low, high });
}

/** The halves of 64 bits, each as a number below 2³². */
const upper = (x: Operand): Operand => bitwiseAnd(rightShift(x, 32), 0xffffffff) as Operand;
const lower = (x: Operand): Operand => bitwiseAnd(x, 0xffffffff) as Operand;

/**
 * Integers low ≤ k < high, each as likely as another: ⌊bits·(high − low)/2⁶⁴⌋ + low of 64 random bits, so that probabilities differ by
 * less than 2⁻³² of themselves. Bounds are numbers or integer tensors that broadcast to `shape`; high − low is at most 2³².
 *
 * @throws ArgumentError when low ≥ high, or the dtype or 2³² are too small, of bounds that are numbers; DTypeError and ShapeError unless
 * `key` is int32[2]; ShapeError when a bound does not broadcast to `shape`.
 * @example
 * import { randint, randomKey } from '@tf/core';
 * if (randint(randomKey(0), [10], 1, 7).type.key !== 'i32[10]') throw new Error('unexpected');
 */
export function randint<A extends Operand, L extends Bound, H extends Bound, D extends 'int32' | 'int64' = 'int32'>(key: A, shape: readonly Dim[], low: L, high: H, options: RandintOptions<D> = {}): Of<JoinKinds<readonly [A, Extract<L, Operand>, Extract<H, Operand>]>, D> {
  const op = 'randint';
  requireRandomShape(op, shape);
  requireOptions(op, options, ['dtype']);
  const dtype: unknown = options.dtype ?? 'int32';
  if (dtype !== 'int32' && dtype !== 'int64') throw wrongArgument(op, 'dtype', dtype, "'int32' or 'int64'");
  const [from, to] = inNameOf(op, () => [requireBound(op, 'low', low, shape), requireBound(op, 'high', high, shape)] as const);
  if (typeof from === 'number' && typeof to === 'number') requireRange(op, from, to, dtype);
  const span = typeof from === 'number' && typeof to === 'number' ? to - from : (sub(to, from) as Operand);
  const bits = flatBits(op, key, elementCount(shape), 'both');
  const own = typeof span === 'number' ? bits : shaped(bits, shape);
  // The upper 64 bits of a product of 64 and 33 bits, by halves: no sum of them passes 2⁶⁴.
  const scaled = upper(add(mul(upper(own), span), upper(mul(lower(own), span) as Operand)) as Operand);
  if (typeof span !== 'number') return convert(add(scaled, from) as Operand, dtype) as unknown as never;
  return shaped(convert(add(scaled, from) as Operand, dtype) as Operand, shape) as unknown as never;
}

/**
 * The integers 0 … n − 1 in a random order, or the slices of x along its first axis in one: each order is as likely as another. Elements
 * are put in order of 64 random bits each. Gradients flow to x.
 *
 * @throws ArgumentError when n is no size; ShapeError for a scalar x; DTypeError and ShapeError unless `key` is int32[2].
 * @example
 * import { permutation, randomKey } from '@tf/core';
 * if (permutation(randomKey(0), 5).type.key !== 'i32[5]') throw new Error('unexpected');
 */
export function permutation<K extends Kind>(key: Operand<K>, n: number): Of<K, 'int32'>;
export function permutation<A extends Operand, B extends Operand>(key: A, x: B): Of<JoinKind<A, B>, DTypeOf<B>>;
export function permutation(key: Operand, x: number | Operand): Operand {
  const op = 'permutation';
  if (!isOperand(x)) {
    if (typeof x !== 'number' || !Number.isSafeInteger(x) || x < 0 || x >= 2 ** 31) throw wrongNumber(op, 'n', x, 'a size, 0 or more');
    return orderOf(op, key, x);
  }
  const [count] = x.type.shape;
  if (count === undefined) throw new TfError('ShapeError', `${op}: x is a scalar; it has no axis to reorder. Give it one: reshape(x, [1]).`, { op, argument: 'x' });
  return take(x, orderOf(op, key, count), 0) as Operand;
}

function orderOf(op: string, key: unknown, count: Dim): Operand<Kind, 'int32'> {
  return argsort(flatBits(op, key, count, 'both'), 0) as Operand<Kind, 'int32'>;
}
