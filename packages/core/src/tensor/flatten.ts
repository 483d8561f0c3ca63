import { TfError } from '../errors.ts';
import { describe } from '../types/argument.ts';
import type { TypedArray } from '../types/dtype.ts';
import type { ComplexNumber } from './values.ts';

/** One value of a nested array. */
export type Leaf = number | boolean | bigint | ComplexNumber;

/** Nested arrays as one list in row-major order. */
export interface Flat {
  readonly shape: readonly number[];
  readonly values: readonly Leaf[];
}

export function isTypedArray(value: unknown): value is TypedArray {
  return value instanceof Float64Array || value instanceof Float32Array || value instanceof Int32Array || value instanceof Uint8Array || (typeof BigInt64Array !== 'undefined' && value instanceof BigInt64Array);
}

/** No tensor has more axes; an array that contains itself has no end. */
const maximumDepth = 64;

/** The shape is read from the first entries; every other entry must agree, or is named by its path. */
export function flatten(value: unknown): Flat {
  const shape: number[] = [];
  for (let first = value; Array.isArray(first); first = first[0]) {
    shape.push(first.length);
    if (first.length === 0) break;
    if (shape.length > maximumDepth) throw new TfError('ShapeError', `tensor: value is nested more than ${maximumDepth} levels deep, or contains itself. Pass the values in one list and say { shape: [...] }.`, { op: 'tensor', argument: 'value' });
  }
  if (shape.reduce((product, size) => product * size, 1) > 2 ** 32) throw new TfError('TooLargeError', 'tensor: value has more than 2^32 entries as nested arrays. Pass a typed array.', { op: 'tensor', argument: 'value' });
  const values: Leaf[] = [];
  const path: number[] = [];
  const walk = (entry: unknown): void => {
    const size = shape[path.length];
    if (Array.isArray(entry) && entry.length === size) {
      for (let index = 0; index < size; index++) {
        path.push(index);
        walk(entry[index]);
        path.pop();
      }
    } else if (size === undefined && isLeaf(entry)) values.push(entry);
    else throw refused(entry, path, size);
  };
  walk(value);
  return { shape, values };
}

function isLeaf(value: unknown): value is Leaf {
  return typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint' || isComplexNumber(value);
}

export function isComplexNumber(value: unknown): value is ComplexNumber {
  if (typeof value !== 'object' || value === null) return false;
  const { re, im } = value as Partial<ComplexNumber>;
  return typeof re === 'number' && typeof im === 'number';
}

function refused(entry: unknown, path: readonly number[], size: number | undefined): TfError {
  const place = `value${path.map((index) => `[${index}]`).join('')}`;
  if (!Array.isArray(entry) && !isLeaf(entry)) {
    return new TfError('ArgumentError', `tensor: ${place} is ${describe(entry)}. It takes numbers, booleans, bigints, complex numbers as { re, im }, nested arrays of these, and Float64Array, Float32Array, Int32Array, BigInt64Array or Uint8Array.`, { op: 'tensor', argument: place });
  }
  const got = Array.isArray(entry) ? `has ${entry.length} entries` : 'is a single value';
  const wanted = size === undefined ? 'are single values' : `have ${size} entries`;
  return new TfError('ShapeError', `tensor: the arrays are ragged: ${place} ${got}, where those before it ${wanted}. Make all rows equally long.`, { op: 'tensor', path: [...path] });
}
