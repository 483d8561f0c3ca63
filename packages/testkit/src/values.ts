import { allocate, type DType, dtypes, elementCount, TfError, type Shape, type TensorType, tensorType, type TypedArray } from '@tf/core';

/** A concrete value on the host: row-major, complex interleaved, bool as 0 and 1. */
export interface HostValue<D extends DType = DType> {
  readonly type: TensorType<D>;
  readonly data: TypedArray;
}

/**
 * A value of this dtype and shape; complex elements are two numbers, real part first.
 *
 * @throws DataLengthError when the number of values differs from what the shape needs.
 * @example
 * import { hostValue } from '@tf/testkit';
 * if (hostValue('complex128', [2], [1, 2, 3, 4]).data.length !== 4) throw new Error('unexpected');
 */
export function hostValue<D extends DType>(dtype: D, shape: readonly number[], values: ArrayLike<number | bigint>): HostValue<D> {
  const type = tensorType(dtype, shape);
  const data = allocate(dtype, elementCount(shape) as number) as TypedArray;
  if (values.length !== data.length) throw new TfError('DataLengthError', `hostValue: ${type.key} takes ${data.length} values, got ${values.length}.`, { op: 'hostValue', shape });
  for (let at = 0; at < data.length; at++) setLane(data, at, values[at] as number | bigint);
  return { type, data };
}

/** Stores a lane in the array's own kind: bigint for int64, a number otherwise. */
export function setLane(data: TypedArray, at: number, value: number | bigint | boolean): void {
  if (data instanceof BigInt64Array) data[at] = BigInt(value);
  else data[at] = Number(value);
}

/** The shape of a concrete value. */
export function extentsOf(value: HostValue): readonly number[] {
  return knownShape(value.type.shape);
}

/** The extents as numbers. */
export function knownShape(shape: Shape): readonly number[] {
  return shape.map((dim) => {
    if (typeof dim === 'number') return dim;
    throw new TfError('ShapeError', `A concrete value has a concrete shape, got the symbolic extent ${dim.text}.`);
  });
}

export function countOf(shape: readonly number[]): number {
  return shape.reduce((product, extent) => product * extent, 1);
}

export function zerosOf(type: TensorType): HostValue {
  return { type, data: allocate(type.dtype, elementCount(type.shape) as number) };
}

/** ⟨a, b⟩ = Re Σ conj(a)·b: with interleaved parts, the sum over lanes. */
export function innerProduct(a: HostValue, b: HostValue): number {
  let sum = 0;
  for (let at = 0; at < a.data.length; at++) sum += Number(a.data[at]) * Number(b.data[at]);
  return sum;
}

/** Σ |aᵢ·bᵢ|: what rounding errors of {@link innerProduct} are relative to. */
export function innerScale(a: HostValue, b: HostValue): number {
  let sum = 0;
  for (let at = 0; at < a.data.length; at++) sum += Math.abs(Number(a.data[at]) * Number(b.data[at]));
  return sum;
}

/** Same dtype, same shape, same bits; all NaNs count as one. */
export function sameBits(a: HostValue, b: HostValue): boolean {
  return a.type.key === b.type.key && firstDifference(a.data, b.data) === undefined;
}

/** The first lane whose bits differ, NaN being equal to NaN. */
export function firstDifference(a: TypedArray, b: TypedArray): number | undefined {
  for (let at = 0; at < Math.max(a.length, b.length); at++) if (!Object.is(a[at], b[at])) return at;
  return undefined;
}

/** `[1, 2]+im`: where lane `at` lies. */
export function positionText(type: TensorType, at: number): string {
  const { lanes } = dtypes[type.dtype];
  let rest = Math.floor(at / lanes);
  const index: number[] = [];
  for (const extent of [...knownShape(type.shape)].reverse()) {
    index.unshift(rest % extent);
    rest = Math.floor(rest / extent);
  }
  return `[${index.join(', ')}]${lanes === 2 ? (at % 2 === 0 ? '.re' : '.im') : ''}`;
}
