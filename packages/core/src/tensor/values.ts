import { TfError } from '../errors.ts';
import { type DType, dtypes, type TypedArray } from '../types/dtype.ts';
import type { TensorType } from '../types/tensor-type.ts';

/** A complex value as JavaScript holds it. */
export interface ComplexNumber {
  readonly re: number;
  readonly im: number;
}

/** One value of dtype `D` as JavaScript holds it; int64 too is a number (or an error). */
export type ElementOf<D extends DType> = D extends 'bool' ? boolean : D extends 'complex64' | 'complex128' ? ComplexNumber : number;

/** A value, or arrays of arrays of values. */
export type Nested<T> = T | Nested<T>[];

/** A tensor as `JSON.stringify` sees it. */
export interface TensorJson<D extends DType = DType> {
  readonly dtype: D;
  readonly shape: readonly number[];
  readonly data: Nested<ElementOf<D>>;
}

/** The values in row-major order as nested arrays; the value itself for rank 0. */
export function nestedValues<D extends DType>(type: TensorType<D>, data: TypedArray): Nested<ElementOf<D>> {
  return nest(type, (at) => elementAt(type, data, at)) as Nested<ElementOf<D>>;
}

/** Integers of any size as nested arrays. */
export function nestedBigInts(type: TensorType, data: TypedArray): Nested<bigint> {
  if (dtypes[type.dtype].kind !== 'int') throw new TfError('DTypeError', `toBigIntArray: takes int32 and int64, got ${type.key}. Use toArray().`, { op: 'toBigIntArray', dtype: type.dtype });
  return nest(type, (at) => BigInt(data[at] as number | bigint));
}

/** The one value of a tensor that has one. */
export function singleValue<D extends DType>(type: TensorType<D>, data: TypedArray): ElementOf<D> {
  const count = data.length / dtypes[type.dtype].lanes;
  if (count !== 1) throw new TfError('ShapeError', `item: ${type.key} has ${count} elements, not one. Use toArray().`, { op: 'item', shape: type.shape });
  return elementAt(type, data, 0) as ElementOf<D>;
}

function elementAt(type: TensorType, data: TypedArray, at: number): ElementOf<DType> {
  const { kind } = dtypes[type.dtype];
  if (kind === 'complex') return { re: data[2 * at] as number, im: data[2 * at + 1] as number };
  const value = data[at] as number | bigint;
  if (kind === 'bool') return value !== 0;
  if (typeof value === 'number') return value;
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new TfError('UnsafeIntegerError', `The int64 value ${value} is beyond ±2^53 and does not fit a JavaScript number. Use toBigIntArray().`, { value: String(value) });
  return number;
}

/** Arrays for all axes but the last are made outside in; ranks are small, so the recursion is too. */
function nest<T>({ shape }: TensorType, element: (at: number) => T): Nested<T> {
  const sizes = shape as readonly number[];
  const build = (axis: number, from: number, stride: number): Nested<T> => {
    const size = sizes[axis];
    if (size === undefined) return element(from);
    const inner = size === 0 ? 0 : stride / size;
    return Array.from({ length: size }, (_, index) => build(axis + 1, from + index * inner, inner));
  };
  return build(0, 0, sizes.reduce((product, size) => product * size, 1));
}
