/** The text of StableHLO types and constants. */
import { type DType, dtypes, loop, type ScalarType, type TypedArray } from '@tf/core';

/** An element type as MLIR writes it. */
export type Element = 'f32' | 'f64' | 'i32' | 'i64' | 'i1' | 'complex<f32>' | 'complex<f64>';

/** A value of the text: its name, and its type with numbers for extents. */
export interface Value {
  readonly name: string;
  readonly element: Element;
  readonly shape: readonly number[];
}

export type ValueType = Pick<Value, 'element' | 'shape'>;

const elements: { readonly [D in DType]: Element } = {
  float32: 'f32',
  float64: 'f64',
  complex64: 'complex<f32>',
  complex128: 'complex<f64>',
  int32: 'i32',
  int64: 'i64',
  bool: 'i1',
};

export function elementOf(dtype: DType): Element {
  return elements[dtype];
}

/** The dtype that an element type is of. */
export function dtypeOf(element: Element): DType {
  return (Object.keys(elements) as DType[]).find((dtype) => elements[dtype] === element) as DType;
}

/** The element type of one lane. */
export function laneElement(type: ScalarType): Element {
  return type === 'bool' ? 'i1' : type;
}

/** `tensor<2x3xf64>`. */
export function typeText({ element, shape }: ValueType): string {
  return `tensor<${[...shape, element].join('x')}>`;
}

/** `tensor<f64>, tensor<2xf64>`. */
export function typesText(types: readonly ValueType[]): string {
  return types.map(typeText).join(', ');
}

/** `(tensor<f64>) -> tensor<2xf64>`. */
export function signature(inputs: readonly ValueType[], outputs: readonly ValueType[]): string {
  const results = typesText(outputs);
  return `(${typesText(inputs)}) -> ${outputs.length === 1 ? results : `(${results})`}`;
}

/** One lane as MLIR reads it back to the same bits. A float literal is read in float64, so an f32 is written as the float64 that it is. */
export function laneText(type: ScalarType, value: number | bigint): string {
  if (type === 'bool') return Number(value) === 0 ? 'false' : 'true';
  if (typeof value === 'bigint' || !loop.isFloat(type)) return String(value);
  if (!Number.isFinite(value)) return nonFiniteText(type, value);
  const text = Object.is(value, -0) ? '-0' : String(value);
  if (/^-?\d+$/.test(text)) return `${text}.0`;
  return text.includes('.') ? text : text.replace('e', '.0e');
}

function nonFiniteText(type: ScalarType, value: number): string {
  const isSingle = type === 'f32';
  if (Number.isNaN(value)) return isSingle ? '0x7FC00000' : '0x7FF8000000000000';
  if (value > 0) return isSingle ? '0x7F800000' : '0x7FF0000000000000';
  return isSingle ? '0xFF800000' : '0xFFF0000000000000';
}

/** Nested lists up to this many elements, then the bytes in hexadecimal digits. */
const readableElements = 64;

/** `dense<[1.0, 2.0]>`: the attribute of a constant. */
export function denseText(dtype: DType, shape: readonly number[], data: TypedArray): string {
  const { lanes } = dtypes[dtype];
  const count = data.length / lanes;
  if (count === 0) return 'dense<>';
  if (count > readableElements && dtype !== 'bool') return `dense<"0x${hexadecimal(data)}">`;
  const type = loop.scalarTypeOf(dtype);
  const element = (at: number): string => {
    const parts = Array.from({ length: lanes }, (_, lane) => laneText(type, data[at * lanes + lane] as number | bigint));
    return lanes === 2 ? `(${parts.join(', ')})` : (parts[0] as string);
  };
  return `dense<${nested(shape, 0, element)}>`;
}

function nested(shape: readonly number[], at: number, element: (at: number) => string): string {
  const [extent, ...rest] = shape;
  if (extent === undefined) return element(at);
  const stride = rest.reduce((product, each) => product * each, 1);
  return `[${Array.from({ length: extent }, (_, index) => nested(rest, at + index * stride, element)).join(', ')}]`;
}

/** Little-endian, as MLIR reads it. */
function hexadecimal(data: TypedArray): string {
  return Array.from(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), (byte) => byte.toString(16).padStart(2, '0').toUpperCase()).join('');
}

/** `[0, 2]`. */
export function listText(list: readonly number[]): string {
  return `[${list.join(', ')}]`;
}
