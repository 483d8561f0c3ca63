/** Kernels that are compiled from C, of every engine that runs such: their names and dtypes, and why one has no result. */
import { failures } from './failures.ts';

export type LinalgDType = 'float32' | 'float64' | 'complex64' | 'complex128';

export const compiledDTypes: readonly LinalgDType[] = ['float64', 'float32', 'complex128', 'complex64'];

const shared = [
  'svd', 'svdFull', 'svdLeft', 'svdRight', 'svdvals', 'qr', 'qrComplete', 'qrUpper', 'householder', 'householderApply', 'qrPivoted', 'eigh', 'eigvalsh', 'eig', 'eigvals', 'schur', 'triangularSylvester', 'cholesky',
  'lu', 'luFullPivot', 'luSolve', 'triangularSolve', 'cofactor',
] as const;

export function compiledNames(dtype: LinalgDType): readonly string[] {
  return [...shared, dtype.startsWith('complex') ? 'triangularSqrt' : 'distinct'];
}

export interface Failing {
  readonly failure?: string;
  readonly failureError?: 'LinalgError';
}

export function failingOf(name: string): Failing {
  return Object.hasOwn(failures, name) ? { failure: failures[name as keyof typeof failures], failureError: 'LinalgError' } : {};
}
