/** Matrices for the tests of host kernels: complex numbers in pairs, computed with in float64. */
import type { DType, TypedArray } from '@tf/core';
import { createRandom } from '@tf/testkit';
import { linalgHost } from '../modules/host.ts';

/** A matrix of complex numbers by rows; of a real dtype imaginary parts are 0. */
export interface Matrix {
  readonly m: number;
  readonly n: number;
  readonly re: Float64Array;
  readonly im: Float64Array;
}

export const dtypesOf: readonly DType[] = ['float32', 'float64', 'complex64', 'complex128'];
export const isSingle = (dtype: DType): boolean => dtype === 'float32' || dtype === 'complex64';
export const epsilonOf = (dtype: DType): number => (isSingle(dtype) ? 2 ** -23 : 2 ** -52);

export function matrix(m: number, n: number, of: (i: number, j: number) => readonly [number, number] | number): Matrix {
  const [re, im] = [new Float64Array(m * n), new Float64Array(m * n)];
  for (let at = 0; at < m * n; at++) {
    const value = of(Math.floor(at / n), at % n);
    [re[at], im[at]] = typeof value === 'number' ? [value, 0] : value;
  }
  return { m, n, re, im };
}

export function randomMatrix(dtype: DType, m: number, n: number, seed: number): Matrix {
  const random = createRandom(seed);
  const round = isSingle(dtype) ? Math.fround : (x: number): number => x;
  const part = (): number => round(2 * random() - 1);
  return matrix(m, n, () => [part(), dtype.startsWith('complex') ? part() : 0]);
}

export function product(a: Matrix, b: Matrix): Matrix {
  return matrix(a.m, b.n, (i, j) => {
    let [re, im] = [0, 0];
    for (let k = 0; k < a.n; k++) {
      const [p, q, r, s] = [a.re[i * a.n + k]!, a.im[i * a.n + k]!, b.re[k * b.n + j]!, b.im[k * b.n + j]!];
      re += p * r - q * s;
      im += p * s + q * r;
    }
    return [re, im];
  });
}

export const at = (a: Matrix, i: number, j: number): readonly [number, number] => [a.re[i * a.n + j]!, a.im[i * a.n + j]!];
export const conjugateTranspose = (a: Matrix): Matrix => matrix(a.n, a.m, (i, j) => [at(a, j, i)[0], -at(a, j, i)[1]]);
export const plainTranspose = (a: Matrix): Matrix => matrix(a.n, a.m, (i, j) => at(a, j, i));
export const identity = (n: number): Matrix => matrix(n, n, (i, j) => (i === j ? 1 : 0));
export const part = (a: Matrix, rows: number, columns: number): Matrix => matrix(rows, columns, (i, j) => at(a, i, j));

/** The largest modulus of a − b. */
export function distance(a: Matrix, b: Matrix): number {
  return a.re.reduce((most, _, k) => Math.max(most, Math.hypot(a.re[k]! - b.re[k]!, a.im[k]! - b.im[k]!)), 0);
}

export const largest = (a: Matrix): number => distance(a, matrix(a.m, a.n, () => 0));

export function dataOf(dtype: DType, matrices: readonly Matrix[]): TypedArray {
  const numbers = matrices.flatMap(({ re, im }) => [...re].flatMap((value, k) => (dtype.startsWith('complex') ? [value, im[k]!] : [value])));
  return isSingle(dtype) ? Float32Array.from(numbers) : Float64Array.from(numbers);
}

/** Zeros, where a kernel writes matrices. */
export function roomFor(dtype: DType, count: number): TypedArray {
  const length = count * (dtype.startsWith('complex') ? 2 : 1);
  return (isSingle(dtype) ? new Float32Array(length) : new Float64Array(length)).fill(77);
}

export function readMatrix(dtype: DType, data: TypedArray, m: number, n: number, which = 0): Matrix {
  const lanes = dtype.startsWith('complex') ? 2 : 1;
  return matrix(m, n, (i, j) => {
    const place = ((which * m + i) * n + j) * lanes;
    return [data[place] as number, lanes === 2 ? (data[place + 1] as number) : 0];
  });
}

/** Runs a kernel; gives the index of the first element without a result. */
export function runKernel(name: string, dtype: DType, inputs: readonly TypedArray[], outputs: readonly TypedArray[], integers: readonly number[]): number | void {
  return linalgHost().kernels[`tf.linalg.v1.${name}.${dtype}`]!.run({ inputs, outputs, integers, tables: undefined, workspace: undefined });
}
