import { TfError } from '../errors.ts';
import { scalarLiteral } from '../program/literal.ts';
import { broadcastToPrimitive } from '../primitives/movement.ts';
import { requireNumbers, requireOptions, wrongArgument } from '../types/argument.ts';
import { allocate, type DType, dtypeOfArray, dtypes, requireDTypeName, type TypedArray } from '../types/dtype.ts';
import { checkShape } from '../types/shape.ts';
import { type TensorType, tensorType } from '../types/tensor-type.ts';
import { type Flat, flatten, isComplexNumber, isTypedArray, type Leaf } from './flatten.ts';
import { deferOperation, HostTensor } from './host-tensor.ts';
import type { ComplexNumber } from './values.ts';

/** What `tensor` takes: a value, nested arrays of values, or a typed array. */
export type TensorValue = Leaf | TypedArray | readonly TensorValue[];

type LeafOf<V> = V extends readonly (infer E)[] ? LeafOf<E> : V;

/** The dtype of a tensor made of `V` when none is named. */
export type NaturalDType<V> = TensorValue extends V ? DType
  : [V] extends [TypedArray]
  ? V extends Float32Array ? 'float32' : V extends Float64Array ? 'float64' : V extends Int32Array ? 'int32' : V extends Uint8Array ? 'bool' : 'int64'
  : [LeafOf<V>] extends [never] ? 'float64' : [LeafOf<V>] extends [boolean] ? 'bool' : [LeafOf<V>] extends [bigint] ? 'int64' : [Extract<LeafOf<V>, ComplexNumber>] extends [never] ? 'float64' : 'complex128';

export interface TensorOptions<D extends DType> {
  /** The shape; by default that of the nested arrays, or one axis for a typed array. */
  readonly shape?: readonly number[];
  /** The dtype; a typed array holds a complex one's real and imaginary parts in turn. */
  readonly dtype?: D;
}

/**
 * A tensor of these values, which are copied. Numbers are float64, booleans bool, bigints int64, `{ re, im }` complex128, numbers
 * beside them too; typed arrays keep their type (a Uint8Array of 0 and 1 is bool) unless `dtype` says otherwise.
 *
 * @throws ShapeError for ragged arrays, DataLengthError when the values do not fill `shape`, ArgumentError for a value that
 * the dtype cannot hold.
 * @example
 * import { tensor } from '@tf/core';
 * const z = tensor(new Float32Array([1, 2, 3, 4]), { shape: [2], dtype: 'complex64' });
 * if (String(z) !== '[1+2i, 3+4i] complex64[2]') throw new Error(String(z));
 * if (tensor([{ re: 1, im: 2 }, 3]).type.key !== 'c128[2]') throw new Error('unexpected');
 */
export function tensor<V extends TensorValue, D extends DType = NaturalDType<V>>(value: V, options: TensorOptions<D> = {}): HostTensor<D> {
  requireOptions('tensor', options, ['shape', 'dtype']);
  if (options.shape !== undefined) requireSizes('tensor', options.shape);
  if (options.dtype !== undefined) requireDTypeName('tensor', options.dtype);
  const [type, data] = isTypedArray(value) ? ofTypedArray(value, options) : ofNested(flatten(value), options);
  return new HostTensor(type as TensorType<D>, { form: 'data', data });
}

/** Refuses what is no shape of known sizes. */
function requireSizes(op: string, shape: readonly number[]): void {
  requireNumbers(op, 'shape', shape, 'a list of integers, such as [2, 3]');
  checkShape(op, shape);
}

function ofTypedArray(values: TypedArray, { shape, dtype = naturalDTypeOf(values) }: TensorOptions<DType>): readonly [TensorType, TypedArray] {
  const { lanes } = dtypes[dtype];
  const type = tensorType(dtype, shape ?? [Math.ceil(values.length / lanes)]);
  const data = allocateFor(type, values.length);
  const same = data.constructor === values.constructor && dtype !== 'bool';
  if (same) data.set(values as never);
  else for (let at = 0; at < values.length; at++) data[at] = stored('tensor', dtype, values[at] as number | bigint);
  return [type, data];
}

/** A Uint8Array holds booleans; with other values than 0 and 1, such as pixels, whoever has them says what they are. */
function naturalDTypeOf(values: TypedArray): DType {
  const dtype = dtypeOfArray(values);
  const other = dtype === 'bool' ? (values as Uint8Array).find((value) => value > 1) : undefined;
  if (other === undefined) return dtype;
  throw new TfError('ArgumentError', `tensor: a Uint8Array is bool, and this one holds ${other}. Say { dtype: 'int32' } or another to keep the numbers, { dtype: 'bool' } for whether they are not 0.`, { op: 'tensor', argument: 'value', value: other });
}

function ofNested(flat: Flat, { shape, dtype = naturalDType(flat) }: TensorOptions<DType>): readonly [TensorType, TypedArray] {
  const { lanes } = dtypes[dtype];
  const type = tensorType(dtype, shape ?? flat.shape);
  const data = allocateFor(type, lanes * flat.values.length);
  flat.values.forEach((value, at) => {
    const [re, im] = isComplexNumber(value) ? [value.re, value.im] : [value, 0];
    if (lanes === 1 && isComplexNumber(value)) throw new TfError('ArgumentError', `tensor: value holds a complex number, which ${dtype} cannot. Leave the dtype out, or say complex64 or complex128.`, { op: 'tensor', argument: 'value', dtype });
    data[lanes * at] = stored('tensor', dtype, re);
    if (lanes === 2) data[2 * at + 1] = im as never;
  });
  return [type, data];
}

function naturalDType({ values }: Flat): DType {
  if (values.length === 0) return 'float64';
  if (values.some(isComplexNumber)) return 'complex128';
  if (values.every((value) => typeof value === 'boolean')) return 'bool';
  return values.every((value) => typeof value === 'bigint') ? 'int64' : 'float64';
}

/** Memory for the type, which `given` values must fill. */
function allocateFor(type: TensorType, given: number): TypedArray {
  const needed = (type.shape as readonly number[]).reduce((product, size) => product * size, dtypes[type.dtype].lanes);
  if (needed !== given) throw new TfError('DataLengthError', `tensor: ${type.key} needs ${needed} values, got ${given}. ${dtypes[type.dtype].lanes === 2 ? 'Each complex element takes two. ' : ''}Give a shape that holds them all.`, { op: 'tensor', type: type.key, needed, got: given });
  return allocate(type.dtype, given / dtypes[type.dtype].lanes);
}

/** The value as an array of this dtype holds it; an integer dtype refuses what it cannot hold. */
export function stored(op: string, dtype: DType, value: Exclude<Leaf, ComplexNumber>): never {
  const number = typeof value === 'bigint' ? value : Number(value);
  if (dtype === 'bool') return Number(Boolean(number)) as never;
  if (dtypes[dtype].kind !== 'int') return Number(number) as never;
  const low = dtype === 'int32' ? -(2 ** 31) : -(2n ** 63n);
  const high = dtype === 'int32' ? 2 ** 31 - 1 : 2n ** 63n - 1n;
  const whole = typeof number === 'bigint' || Number.isInteger(number);
  if (!whole || number < low || number > high) throw new TfError('ArgumentError', `${op}: ${String(value)} is no ${dtype}. ${whole ? 'Use' : 'Round it first, or use'} ${whole && dtype === 'int32' ? 'int64 or float64' : 'float64'}.`, { op, argument: 'value', dtype, value: String(value) });
  return (dtype === 'int64' ? BigInt(number) : Number(number)) as never;
}

export interface FullOptions<D extends DType> {
  readonly dtype?: D;
}

/**
 * A tensor filled with one value, which costs no memory until it is used. Numbers are float64, booleans bool, unless `dtype` is given.
 *
 * @throws ArgumentError when `shape` is no list of sizes or the dtype cannot hold `value`; ShapeError, TooLargeError, DTypeError.
 */
export function full<V extends number | boolean, D extends DType = V extends boolean ? 'bool' : 'float64'>(shape: readonly number[], value: V, options: FullOptions<D> = {}): HostTensor<D> {
  return filled('full', shape, value, options) as HostTensor<D>;
}

function filled(op: string, shape: readonly number[], value: number | boolean, options: FullOptions<DType>): HostTensor {
  requireSizes(op, shape);
  requireOptions(op, options, ['dtype']);
  if (typeof value !== 'number' && typeof value !== 'boolean') throw wrongArgument(op, 'value', value, 'a number or a boolean');
  const dtype: DType = options.dtype ?? (typeof value === 'boolean' ? 'bool' : 'float64');
  requireDTypeName(op, dtype);
  const literal = scalarLiteral(dtype, dtypes[dtype].kind === 'int' ? Number(stored(op, dtype, value)) : value);
  return deferOperation(broadcastToPrimitive.operation, [literal], { shape: [...shape] })[0] as HostTensor;
}

/** A tensor of zeros: float64 unless `dtype` is given. */
export function zeros<D extends DType = 'float64'>(shape: readonly number[], options: FullOptions<D> = {}): HostTensor<D> {
  return filled('zeros', shape, 0, options) as HostTensor<D>;
}

/** A tensor of ones: float64 unless `dtype` is given. */
export function ones<D extends DType = 'float64'>(shape: readonly number[], options: FullOptions<D> = {}): HostTensor<D> {
  return filled('ones', shape, 1, options) as HostTensor<D>;
}
