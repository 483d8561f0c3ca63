import { TfError } from '../errors.ts';

/** The element types. Complex values are stored interleaved: re, im, re, im. Booleans are bytes 0 and 1. */
export type DType = 'float32' | 'float64' | 'complex64' | 'complex128' | 'int32' | 'int64' | 'bool';
export type FloatDType = 'float32' | 'float64';
export type ComplexDType = 'complex64' | 'complex128';
export type IntDType = 'int32' | 'int64';
/** Dtypes whose values carry tangents. */
export type InexactDType = FloatDType | ComplexDType;
export type NumericDType = InexactDType | IntDType;

export type TypedArray = Float32Array | Float64Array | Int32Array | BigInt64Array | Uint8Array;

/** The typed array that holds values of dtype `D`. */
export type DataOf<D extends DType> = {
  float32: Float32Array;
  float64: Float64Array;
  complex64: Float32Array;
  complex128: Float64Array;
  int32: Int32Array;
  int64: BigInt64Array;
  bool: Uint8Array;
}[D];

export interface DTypeInfo {
  readonly kind: 'bool' | 'int' | 'float' | 'complex';
  /** Bytes of one element (both parts of a complex one). */
  readonly bytes: number;
  /** Typed-array elements of one value: 2 for complex dtypes. */
  readonly lanes: 1 | 2;
  /** The short name in printed programs. */
  readonly short: string;
}

export const dtypes: { readonly [D in DType]: DTypeInfo } = {
  bool: { kind: 'bool', bytes: 1, lanes: 1, short: 'bool' },
  int32: { kind: 'int', bytes: 4, lanes: 1, short: 'i32' },
  int64: { kind: 'int', bytes: 8, lanes: 1, short: 'i64' },
  float32: { kind: 'float', bytes: 4, lanes: 1, short: 'f32' },
  float64: { kind: 'float', bytes: 8, lanes: 1, short: 'f64' },
  complex64: { kind: 'complex', bytes: 8, lanes: 2, short: 'c64' },
  complex128: { kind: 'complex', bytes: 16, lanes: 2, short: 'c128' },
};

export function isDType(value: unknown): value is DType {
  return typeof value === 'string' && Object.hasOwn(dtypes, value);
}

/** Refuses anything that is no dtype; the message lists those there are. */
export function requireDTypeName(op: string, dtype: unknown): asserts dtype is DType {
  if (isDType(dtype)) return;
  const got = typeof dtype === 'string' ? JSON.stringify(dtype) : dtype === null ? 'null' : Array.isArray(dtype) ? 'an array' : `a value of type ${typeof dtype}`;
  throw new TfError('DTypeError', `${op}: ${got} is no dtype; there are ${Object.keys(dtypes).join(', ')}.`, { op, argument: 'dtype' });
}

export function isInexact(dtype: DType): dtype is InexactDType {
  return dtypes[dtype].kind === 'float' || dtypes[dtype].kind === 'complex';
}

export function isComplex(dtype: DType): dtype is ComplexDType {
  return dtypes[dtype].kind === 'complex';
}

/**
 * Promotion of two strong dtypes (contracts.md: JAX's lattice): ints meet floats at the float's width,
 * complex64 with float64 gives complex128. Rows and columns are symmetric; compile-time `Promote` mirrors it.
 */
export const promotionTable = {
  bool: { bool: 'bool', int32: 'int32', int64: 'int64', float32: 'float32', float64: 'float64', complex64: 'complex64', complex128: 'complex128' },
  int32: { bool: 'int32', int32: 'int32', int64: 'int64', float32: 'float32', float64: 'float64', complex64: 'complex64', complex128: 'complex128' },
  int64: { bool: 'int64', int32: 'int64', int64: 'int64', float32: 'float32', float64: 'float64', complex64: 'complex64', complex128: 'complex128' },
  float32: { bool: 'float32', int32: 'float32', int64: 'float32', float32: 'float32', float64: 'float64', complex64: 'complex64', complex128: 'complex128' },
  float64: { bool: 'float64', int32: 'float64', int64: 'float64', float32: 'float64', float64: 'float64', complex64: 'complex128', complex128: 'complex128' },
  complex64: { bool: 'complex64', int32: 'complex64', int64: 'complex64', float32: 'complex64', float64: 'complex128', complex64: 'complex64', complex128: 'complex128' },
  complex128: { bool: 'complex128', int32: 'complex128', int64: 'complex128', float32: 'complex128', float64: 'complex128', complex64: 'complex128', complex128: 'complex128' },
} as const;

export type Promote<A extends DType, B extends DType> = (typeof promotionTable)[A][B];

export function promote<A extends DType, B extends DType>(a: A, b: B): Promote<A, B> {
  return promotionTable[a][b] as Promote<A, B>;
}

/** The dtype in which a true division or a float function of `dtype` is computed: ints and bools give float64. */
export function floatResult(dtype: DType): InexactDType {
  return isInexact(dtype) ? dtype : 'float64';
}
export type FloatResult<D extends DType> = D extends InexactDType ? D : 'float64';

/** The dtype of sums and products of many: booleans are counted in int32, as indices are. */
export type SumResult<D extends DType> = D extends 'bool' ? 'int32' : D;

/** The dtype of a complex one's parts, and of moduli; a real dtype itself. */
export function realPart<D extends DType>(dtype: D): RealPart<D> {
  return (dtype === 'complex64' ? 'float32' : dtype === 'complex128' ? 'float64' : dtype) as RealPart<D>;
}
export type RealPart<D extends DType> = D extends 'complex64' ? 'float32' : D extends 'complex128' ? 'float64' : D;

/** The complex dtype whose parts are floats of the dtype. */
export function complexOf<D extends FloatDType>(dtype: D): ComplexOf<D> {
  return (dtype === 'float32' ? 'complex64' : 'complex128') as ComplexOf<D>;
}
export type ComplexOf<D extends DType> = D extends 'float32' | 'complex64' ? 'complex64' : 'complex128';

/** A new typed array for `count` elements of `dtype`. */
export function allocate<D extends DType>(dtype: D, count: number): DataOf<D> {
  return new (arrayConstructor(dtype))(count * dtypes[dtype].lanes) as DataOf<D>;
}

export function arrayConstructor(dtype: DType): { new (length: number): TypedArray; new (buffer: ArrayBufferLike, offset: number, length: number): TypedArray } {
  switch (dtype) {
    case 'float32':
    case 'complex64':
      return Float32Array;
    case 'float64':
    case 'complex128':
      return Float64Array;
    case 'int32':
      return Int32Array;
    case 'bool':
      return Uint8Array;
    case 'int64':
      if (typeof BigInt64Array === 'undefined') throw new TfError('DTypeError', 'int64 needs BigInt64Array, which this JavaScript engine lacks; use int32.', { dtype });
      return BigInt64Array;
  }
}

/** The dtype a typed array stands for by itself (complex data needs its dtype said). */
export function dtypeOfArray(data: TypedArray): DType {
  if (data instanceof Float32Array) return 'float32';
  if (data instanceof Float64Array) return 'float64';
  if (data instanceof Int32Array) return 'int32';
  if (data instanceof Uint8Array) return 'bool';
  return 'int64';
}
