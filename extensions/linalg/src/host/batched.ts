/** Kernels on batches, made of functions of one element. */
import type { HostKernel, TypedArray } from '@tf/core';
import { filled, isFiniteMatrix, type Matrix, zeroMatrix } from './matrix.ts';

export type KernelDType = 'float32' | 'float64' | 'complex64' | 'complex128';

/** The size of one operand or result; `is`: its dtype's part beside that of the kernel, which it has when absent. */
export interface Extent {
  readonly rows: number;
  readonly columns: number;
  readonly is?: 'real' | 'complex';
}

export interface Extents {
  readonly inputs: readonly Extent[];
  readonly outputs: readonly Extent[];
}

/** What the function of one element is told beside its matrices. */
export interface Element {
  readonly integers: readonly number[];
  readonly isReal: boolean;
  /** The unit roundoff of the dtype. */
  readonly unit: number;
}

/** The results for one element, in float64; nothing where there are none. */
export type ElementFunction = (inputs: readonly Matrix[], element: Element) => readonly Matrix[] | undefined;

export interface BatchedDefinition {
  readonly dtype: KernelDType;
  /** From the integers after the first, which is the number of elements. */
  readonly extents: (integers: readonly number[]) => Extents;
  readonly run: ElementFunction;
  /** Why there may be no result; where it is absent, every finite element has one. */
  readonly failure?: string;
  /** What counts of an input: elsewhere it may hold anything. The input as it is when absent. */
  readonly read?: (input: Matrix, integers: readonly number[]) => Matrix;
}

/**
 * A kernel that computes in float64 and rounds once, also for single precision. An element with an input that is not finite has results
 * that are not a number; so has one without a result, and the first of them is reported where that may be.
 */
export function batchedKernel({ dtype, extents, run, failure, read = (input) => input }: BatchedDefinition): HostKernel {
  const isReal = dtype === 'float32' || dtype === 'float64';
  const unit = dtype === 'float32' || dtype === 'complex64' ? 2 ** -24 : 2 ** -53;
  return {
    ...(failure !== undefined && { failure, failureError: 'LinalgError' as const }),
    run({ inputs, outputs, integers: [batch, ...integers] }) {
      const { inputs: given, outputs: wanted } = extents(integers);
      let failed: number | undefined;
      for (let i = 0; i < (batch as number); i++) {
        const matrices = given.map((extent, k) => read(loaded(inputs[k] as TypedArray, extent, i, isReal), integers));
        const isFinite = matrices.every(isFiniteMatrix);
        const results = isFinite ? run(matrices, { integers, isReal, unit }) : undefined;
        if (isFinite && results === undefined) failed ??= i;
        wanted.forEach((extent, k) => stored(outputs[k] as TypedArray, extent, i, isReal, results?.[k] ?? filled(extent.rows, extent.columns, NaN)));
      }
      return failure === undefined ? undefined : failed;
    },
  };
}

function isRealPart({ is }: Extent, isReal: boolean): boolean {
  return is === undefined ? isReal : is === 'real';
}

function loaded(array: TypedArray, extent: Extent, element: number, isReal: boolean): Matrix {
  const matrix = zeroMatrix(extent.rows, extent.columns);
  const count = extent.rows * extent.columns;
  const lanes = isRealPart(extent, isReal) ? 1 : 2;
  for (let i = 0; i < count; i++) {
    const at = (element * count + i) * lanes;
    matrix.re[i] = array[at] as number;
    if (lanes === 2) matrix.im[i] = array[at + 1] as number;
  }
  return matrix;
}

function stored(array: TypedArray, extent: Extent, element: number, isReal: boolean, { re, im }: Matrix): void {
  const count = extent.rows * extent.columns;
  const lanes = isRealPart(extent, isReal) ? 1 : 2;
  for (let i = 0; i < count; i++) {
    const at = (element * count + i) * lanes;
    array[at] = re[i]!;
    if (lanes === 2) array[at + 1] = im[i]!;
  }
}
