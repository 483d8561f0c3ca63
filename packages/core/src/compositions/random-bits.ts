/**
 * Keys and the words that they give. A key is two int32 words; the word of the element with row-major index i is the cipher's at
 * counter i (upper word 0), as JAX has it with `jax_threefry_partitionable`: an element depends on key and index only, so a longer
 * tensor begins with the elements of a shorter one.
 */
import { TfError } from '../errors.ts';
import { requireDType } from '../primitives/define.ts';
import { iotaBeside } from '../primitives/iota.ts';
import { reshape } from '../primitives/movement.ts';
import { slice } from '../primitives/slicing.ts';
import { threefry } from '../primitives/threefry.ts';
import { requireOperand } from '../program/dispatch.ts';
import { requireOptions, wrongArgument, wrongNumber } from '../types/argument.ts';
import { type Dim, isKnown } from '../types/dim.ts';
import type { DType } from '../types/dtype.ts';
import type { JoinKind, Kind, Of, Operand } from '../types/operand.ts';
import { checkShape, elementCount, requireDims, sameShape } from '../types/shape.ts';
import { stack } from './arrangement.ts';

/** The words of a key, as scalars. */
function wordsOf(op: string, key: unknown): readonly [Operand, Operand] {
  requireOperand(op, 'key', key);
  requireDType(op, key.type, ['int32']);
  if (!sameShape(key.type.shape, [2])) throw new TfError('ShapeError', `${op}: key is ${key.type.key}; a key is i32[2]. Make one with randomKey(seed), take a row of splitKey(key, n), or map over keys with vmap.`, { op, argument: 'key' });
  return [0, 1].map((at) => reshape(slice(key, [at], [at + 1]), [])) as unknown as readonly [Operand, Operand];
}

/** Refuses what is no shape of extents below 2³¹ elements: counters are int32. */
export function requireRandomShape(op: string, shape: unknown): asserts shape is readonly Dim[] {
  requireDims(op, 'shape', shape);
  checkShape(op, shape);
  const count = elementCount(shape);
  if (isKnown(count) && count >= 2 ** 31) throw new TfError('TooLargeError', `${op}: ${count} elements; one key gives fewer than 2³¹. Split the key: splitKey(key, n).`, { op, argument: 'shape', count });
}

/** A word per element of a tensor of `count` elements: two as an int64 (`both`), or their exclusive or. */
export function flatBits(op: string, key: unknown, count: Dim, which: 'xor' | 'both'): Operand {
  const [first, second] = wordsOf(op, key);
  return threefry(op, [first, second, 0, iotaBeside(op, first, count)], which);
}

/** `x`, which has all elements along one axis, in this shape. */
export function shaped(x: Operand, shape: readonly Dim[]): Operand {
  return shape.length === 1 ? x : (reshape(x, shape) as Operand);
}

/**
 * `n` new keys, int32[n, 2], whose streams are independent of each other and of the key's own. Take a row of it for each use; the first
 * rows do not depend on `n`.
 *
 * @throws ArgumentError when `n` is no size, DTypeError and ShapeError unless `key` is int32[2].
 * @example
 * import { randomKey, splitKey } from '@tf/core';
 * const keys = splitKey(randomKey(0), 3);
 * if (keys.type.key !== 'i32[3, 2]') throw new Error('unexpected');
 */
export function splitKey<K extends Kind>(key: Operand<K>, n = 2): Of<K, 'int32'> {
  const op = 'splitKey';
  const [first, second] = wordsOf(op, key);
  if (!Number.isSafeInteger(n) || n < 0 || n >= 2 ** 31) throw wrongNumber(op, 'n', n, 'a size, 0 or more');
  const words = [first, second, 0, iotaBeside(op, first, n)] as const;
  return stack([threefry(op, words, 'first'), threefry(op, words, 'second')], 1) as unknown as Of<K, 'int32'>;
}

/**
 * A new key from a key and an integer, such as a step's number or a layer's.
 *
 * @throws ArgumentError for a number that is no integer of 32 bits, DTypeError and ShapeError unless `key` is int32[2] and `data` an
 * int32 scalar.
 * @example
 * import { foldIn, randomKey } from '@tf/core';
 * if (foldIn(randomKey(0), 7).type.key !== 'i32[2]') throw new Error('unexpected');
 */
export function foldIn<A extends Operand, B extends number | Operand>(key: A, data: B): Of<JoinKind<A, B>, 'int32'> {
  const op = 'foldIn';
  const [first, second] = wordsOf(op, key);
  const words = [first, second, 0, requireData(op, data)] as const;
  return stack([threefry(op, words, 'first'), threefry(op, words, 'second')]) as unknown as Of<JoinKind<A, B>, 'int32'>;
}

function requireData(op: string, data: unknown): number | Operand {
  if (typeof data === 'number') {
    if (!Number.isInteger(data) || data < -(2 ** 31) || data >= 2 ** 32) throw wrongNumber(op, 'data', data, 'an integer of 32 bits');
    return data | 0;
  }
  requireOperand(op, 'data', data);
  requireDType(op, data.type, ['int32']);
  if (data.type.shape.length !== 0) throw new TfError('ShapeError', `${op}: data is ${data.type.key}; it takes a scalar. Map over several with vmap.`, { op, argument: 'data' });
  return data;
}

export interface RandomBitsOptions<D extends DType> {
  /** int32 when absent; int64 for 64 bits per element. */
  readonly dtype?: D;
}

/**
 * Uniformly random integers over all values of the dtype. Every engine and front end gives the same bits.
 *
 * @throws DTypeError and ShapeError unless `key` is int32[2]; ArgumentError for a dtype other than int32 and int64, ShapeError when
 * `shape` is no shape.
 * @example
 * import { randomBits, randomKey } from '@tf/core';
 * if (randomBits(randomKey(0), [2, 3]).type.key !== 'i32[2, 3]') throw new Error('unexpected');
 */
export function randomBits<K extends Kind, D extends 'int32' | 'int64' = 'int32'>(key: Operand<K>, shape: readonly Dim[], options: RandomBitsOptions<D> = {}): Of<K, D> {
  const op = 'randomBits';
  requireRandomShape(op, shape);
  requireOptions(op, options, ['dtype']);
  const dtype: unknown = options.dtype ?? 'int32';
  if (dtype !== 'int32' && dtype !== 'int64') throw wrongArgument(op, 'dtype', dtype, "'int32' or 'int64'");
  return shaped(flatBits(op, key, elementCount(shape), dtype === 'int64' ? 'both' : 'xor'), shape) as Of<K, D>;
}
