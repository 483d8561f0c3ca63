/** Kernels that are compiled from C, of every engine that runs such: their symbols, functions and tables. */
import type { TypedArray } from '@tf/core';
import { fftFamily } from './family.ts';
import type { VectorBytes } from './plan/layout.ts';
import { kernelTables, type RealBytes } from './plan/tables.ts';
import type { Transformation } from './plan/workspace.ts';

export interface CompiledKernel {
  readonly tables: (integers: readonly number[]) => TypedArray | undefined;
  readonly tableIntegers: readonly number[];
}

const kernels: readonly (readonly [dtype: string, name: Transformation, real: RealBytes])[] = [
  ['complex64', 'dft', 4], ['complex128', 'dft', 8], ['float32', 'rdft', 4], ['float64', 'rdft', 8], ['complex64', 'hdft', 4], ['complex128', 'hdft', 8],
];

/** `vectorBytes`: of the vectors that the tables are laid out for. `kernelOf` adds how an engine calls the function. */
export function compiledKernels<K>(vectorBytes: VectorBytes, kernelOf: (exported: string, kernel: CompiledKernel) => K): Readonly<Record<string, K>> {
  return Object.fromEntries(kernels.map(([dtype, name, real]): [string, K] => {
    const kernel: CompiledKernel = { tables: ([n]) => kernelTables(name, n as number, real, vectorBytes), tableIntegers: [0] };
    return [`${fftFamily}.${name}.${dtype}`, kernelOf(`${name}_f${8 * real}`, kernel)];
  }));
}
