/** How a kernel is called on matrices, and how far its results are from what they should be. */
import type { HostModule, TypedArray } from '@tf/core';
import { type Matrix, multiplied, zeroMatrix } from './src/host/matrix.ts';

export type KernelDType = 'float32' | 'float64' | 'complex64' | 'complex128';
export const kernelDTypes: readonly KernelDType[] = ['float32', 'float64', 'complex64', 'complex128'];

export const isRealDType = (dtype: KernelDType): boolean => dtype === 'float32' || dtype === 'float64';

/** Twice the unit roundoff: what the bars count in. */
export const epsilonOf = (dtype: KernelDType): number => (dtype === 'float32' || dtype === 'complex64' ? 2 ** -23 : 2 ** -52);

function arrayOf(dtype: KernelDType, count: number): Float32Array | Float64Array {
  const numbers = count * (isRealDType(dtype) ? 1 : 2);
  return dtype === 'float32' || dtype === 'complex64' ? new Float32Array(numbers) : new Float64Array(numbers);
}

export function packed(dtype: KernelDType, { re, im }: Matrix): Float32Array | Float64Array {
  const array = arrayOf(dtype, re.length);
  re.forEach((value, i) => {
    if (isRealDType(dtype)) array[i] = value;
    else [array[2 * i], array[2 * i + 1]] = [value, im[i]!];
  });
  return array;
}

export function unpacked(dtype: KernelDType, array: TypedArray, rows: number, columns: number): Matrix {
  const matrix = zeroMatrix(rows, columns);
  for (let i = 0; i < rows * columns; i++) {
    if (isRealDType(dtype)) matrix.re[i] = array[i] as number;
    else [matrix.re[i], matrix.im[i]] = [array[2 * i] as number, array[2 * i + 1] as number];
  }
  return matrix;
}

/** The real or complex dtype of the same precision. */
export const realOf = (dtype: KernelDType): KernelDType => (dtype === 'complex64' ? 'float32' : dtype === 'complex128' ? 'float64' : dtype);
export const complexOf = (dtype: KernelDType): KernelDType => (dtype === 'float32' ? 'complex64' : dtype === 'float64' ? 'complex128' : dtype);

/** A matrix as this dtype holds it. */
export function rounded(dtype: KernelDType, a: Matrix): Matrix {
  return unpacked(dtype, packed(dtype, a), a.rows, a.columns);
}

export interface Wanted {
  readonly rows: number;
  readonly columns: number;
  readonly dtype?: KernelDType;
}

export interface Called {
  readonly outputs: readonly Matrix[];
  readonly failed: number | void;
}

/** Runs `tf.linalg.v1.<name>.<dtype>` on one element. Outputs hold garbage before. Singular values are found the fast way where nothing is said. */
export function call(kernels: HostModule['kernels'], name: string, dtype: KernelDType, inputs: readonly Matrix[], integers: readonly number[], wanted: readonly Wanted[]): Called {
  const kernel = kernels[`tf.linalg.v1.${name}.${dtype}`];
  if (kernel === undefined) throw new Error(`no kernel ${name} of ${dtype}`);
  const arrays = wanted.map(({ rows, columns, dtype: of = dtype }) => arrayOf(of, rows * columns).fill(12345));
  const driver = name.startsWith('svd') && integers.length === 2 ? [0] : [];
  const failed = kernel.run({ inputs: inputs.map((a) => packed(dtype, a)), outputs: arrays, integers: [1, ...integers, ...driver], tables: undefined, workspace: undefined });
  return { outputs: wanted.map(({ rows, columns, dtype: of = dtype }, k) => unpacked(of, arrays[k] as TypedArray, rows, columns)), failed };
}

export function adjoint(a: Matrix): Matrix {
  const result = zeroMatrix(a.columns, a.rows);
  for (let i = 0; i < a.rows; i++) {
    for (let j = 0; j < a.columns; j++) {
      result.re[j * a.rows + i] = a.re[i * a.columns + j]!;
      result.im[j * a.rows + i] = -a.im[i * a.columns + j]!;
    }
  }
  return result;
}

export function difference(a: Matrix, b: Matrix): Matrix {
  if (a.rows !== b.rows || a.columns !== b.columns) throw new Error(`${a.rows}×${a.columns} less ${b.rows}×${b.columns}`);
  return { ...a, re: a.re.map((value, i) => value - b.re[i]!), im: a.im.map((value, i) => value - b.im[i]!) };
}

/** Columns times the values of a column. */
export function timesDiagonal(a: Matrix, d: Matrix): Matrix {
  const result = zeroMatrix(a.rows, a.columns);
  for (let at = 0; at < a.re.length; at++) {
    const [x, y, re, im] = [a.re[at]!, a.im[at]!, d.re[at % a.columns]!, d.im[at % a.columns]!];
    [result.re[at], result.im[at]] = [x * re - y * im, x * im + y * re];
  }
  return result;
}

/** The Frobenius norm, which neither overflows nor vanishes. */
export function norm({ re, im }: Matrix): number {
  return Math.hypot(...re, ...im);
}

/** ‖A − B‖ / ‖A‖, in units of n·eps; where A is zero, 0 or infinity. */
export function relativeError(dtype: KernelDType, a: Matrix, b: Matrix): number {
  const [error, size] = [norm(difference(a, b)), norm(a)];
  if (Number.isNaN(error)) return Infinity;
  const n = Math.max(a.rows, a.columns, 1);
  return error === 0 ? 0 : error / size / (n * epsilonOf(dtype));
}

/** ‖AᴴA − 1‖ in units of n·eps: of columns. */
export function orthogonality(dtype: KernelDType, a: Matrix): number {
  const product = multiplied(adjoint(a), a);
  for (let i = 0; i < a.columns; i++) product.re[i * (a.columns + 1)]! -= 1;
  const error = norm(product);
  return Number.isNaN(error) ? Infinity : error / (Math.max(a.rows, 1) * epsilonOf(dtype));
}
