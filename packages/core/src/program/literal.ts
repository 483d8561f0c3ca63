import type { Literal } from '../contract.ts';
import { invariant } from '../errors.ts';
import { allocate, type DType, dtypes, isComplex, isInexact, type TypedArray } from '../types/dtype.ts';
import type { Weak } from '../types/operand.ts';
import { elementCount } from '../types/shape.ts';
import { type TensorType, tensorType } from '../types/tensor-type.ts';

/** Larger constants are bound inputs, compared by identity (contracts.md §5). */
export const maximumLiteralElements = 64;

export function literal(type: TensorType, data: TypedArray): Literal {
  const count = elementCount(type.shape);
  invariant(typeof count === 'number' && count <= maximumLiteralElements, `A literal has a fixed shape of at most ${maximumLiteralElements} elements, got ${type.key}`);
  invariant(data.length === count * dtypes[type.dtype].lanes, `A literal of type ${type.key} has ${data.length} values`);
  return Object.freeze({ literal: true, type, data: withOneNaN(data) });
}

/** A NaN has the bits of the operation that gave it (0/0 on x86 has its sign set): in programs there is one, so that text tells all. */
function withOneNaN(data: TypedArray): TypedArray {
  if (!(data instanceof Float64Array || data instanceof Float32Array)) return data;
  return data.some(Number.isNaN) ? data.map((value) => (Number.isNaN(value) ? NaN : value)) : data;
}

/** A rank-0 literal; a complex one has this real part. */
export function scalarLiteral(dtype: DType, value: number | boolean): Literal {
  const data = allocate(dtype, 1);
  if (typeof BigInt64Array !== 'undefined' && data instanceof BigInt64Array) data[0] = BigInt(Math.trunc(Number(value)));
  else data[0] = Number(value);
  return literal(tensorType(dtype, []), data);
}

/** A {@link scalarLiteral} that stands for a JavaScript number or boolean among operands: whoever lifts it may take the value in as it likes. */
export function weakLiteral(dtype: DType, value: Weak): Literal {
  return Object.freeze({ ...scalarLiteral(dtype, value), weak: true });
}

/** Numbers that rewrites know. */
const knownNumbers: readonly number[] = Object.freeze([0, 1, -1, 2, 0.5]);

/** Whether a number among operands is part of the program; any other comes in when it runs, so that changing it compiles nothing (contracts.md §5). */
export function isProgramText(value: Weak, dtype: DType): boolean {
  const comesIn = (isInexact(dtype) && !isComplex(dtype)) || dtype === 'int32';
  return typeof value !== 'number' || !comesIn || knownNumbers.includes(value);
}

export function isWeakLiteral(value: Literal): boolean {
  return (value as { readonly weak?: boolean }).weak === true;
}

/** The number or boolean that a weak literal stands for, as its dtype holds it. */
export function weakValue({ type, data }: Literal): Weak {
  return type.dtype === 'bool' ? data[0] !== 0 : Number(data[0]);
}

export function isLiteral(value: unknown): value is Literal {
  return typeof value === 'object' && value !== null && (value as { literal?: unknown }).literal === true;
}

/** Equal type and equal bits: −0 differs from 0, and literals have one NaN. */
export function sameLiteral(a: Literal, b: Literal): boolean {
  if (a === b) return true;
  if (a.type.key !== b.type.key) return false;
  const x = new Uint8Array(a.data.buffer, a.data.byteOffset, a.data.byteLength);
  const y = new Uint8Array(b.data.buffer, b.data.byteOffset, b.data.byteLength);
  return x.every((byte, at) => byte === y[at]);
}

/** `0.5:f64`, `[1, 2]:i32[2]`: reads back with the same bits. */
export function literalText(value: Literal): string {
  const numbers = Array.from(value.data as ArrayLike<number | bigint>, numberText);
  const body = value.type.shape.length === 0 && numbers.length === 1 ? (numbers[0] as string) : `[${numbers.join(', ')}]`;
  return `${body}:${value.type.key}`;
}

export function numberText(value: number | bigint): string {
  return Object.is(value, -0) ? '-0' : String(value);
}
