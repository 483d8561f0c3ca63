/** Kernels of the spectral decompositions, of the equations that their forms solve, and of the root of a triangular matrix. */
import type { HostKernel } from '@tf/core';
import { failures } from '../failures.ts';
import { kernelSymbol } from '../family.ts';
import { batchedKernel, type BatchedDefinition, type Element, type Extent, type Extents, type KernelDType } from './batched.ts';
import { complexSchur } from './complex-schur.ts';
import { generalVectors } from './eig.ts';
import type { SchurForm } from './hessenberg.ts';
import { hermitian, hermitianVectors } from './jacobi-eigh.ts';
import { singularVectors, type SingularVectors } from './jacobi-svd.ts';
import { conjugated, type Matrix, realColumn, transposed } from './matrix.ts';
import { realSchur } from './real-schur.ts';
import { triangularSylvester } from './sylvester.ts';
import { triangularRoot } from './triangular-sqrt.ts';

type Definition = Omit<BatchedDefinition, 'dtype'>;

const matrix = (rows: number, columns: number): Extent => ({ rows, columns });
const reals = (rows: number): Extent => ({ rows, columns: 1, is: 'real' });

/** U, s, Vᴴ or some of them. */
function svdKernel(parts: (given: SingularVectors) => readonly Matrix[], sides: (m: number, n: number) => readonly [left: number, right: number], outputs: (m: number, n: number) => readonly Extent[]): Definition {
  return {
    extents: ([m, n]) => ({ inputs: [matrix(m as number, n as number)], outputs: outputs(m as number, n as number) }),
    run: ([a], { integers: [m, n] }) => parts(singularVectors(a as Matrix, ...sides(m as number, n as number))),
  };
}

const leftOf = ({ left }: SingularVectors): Matrix => transposed(left);
const valuesOf = ({ s }: SingularVectors): Matrix => realColumn(s);
const rightOf = ({ right }: SingularVectors): Matrix => conjugated(right);

const svdKernels: Readonly<Record<string, Definition>> = {
  svd: svdKernel((all) => [leftOf(all), valuesOf(all), rightOf(all)], (m, n) => [Math.min(m, n), Math.min(m, n)], (m, n) => [matrix(m, Math.min(m, n)), reals(Math.min(m, n)), matrix(Math.min(m, n), n)]),
  svdFull: svdKernel((all) => [leftOf(all), valuesOf(all), rightOf(all)], (m, n) => [m, n], (m, n) => [matrix(m, m), reals(Math.min(m, n)), matrix(n, n)]),
  svdLeft: svdKernel((all) => [leftOf(all), valuesOf(all)], (m, n) => [Math.min(m, n), 0], (m, n) => [matrix(m, Math.min(m, n)), reals(Math.min(m, n))]),
  svdRight: svdKernel((all) => [valuesOf(all), rightOf(all)], (m, n) => [0, Math.min(m, n)], (m, n) => [reals(Math.min(m, n)), matrix(Math.min(m, n), n)]),
  svdvals: svdKernel((all) => [valuesOf(all)], () => [0, 0], (m, n) => [reals(Math.min(m, n))]),
};

function squareExtents(outputs: (n: number) => readonly Extent[]): (integers: readonly number[]) => Extents {
  return ([n]) => ({ inputs: [matrix(n as number, n as number)], outputs: outputs(n as number) });
}

/** The triangle that is not read counts as the reflection of the one that is. */
const oneTriangle = (a: Matrix, [, upper]: readonly number[]): Matrix => hermitian(a, upper === 1);

const eighKernels: Readonly<Record<string, Definition>> = {
  eigh: {
    extents: squareExtents((n) => [reals(n), matrix(n, n)]),
    read: oneTriangle,
    run([a]) {
      const { w, vectors } = hermitianVectors(a as Matrix, true);
      return [realColumn(w), transposed(vectors)];
    },
  },
  eigvalsh: { extents: squareExtents((n) => [reals(n)]), read: oneTriangle, run: ([a]) => [realColumn(hermitianVectors(a as Matrix, false).w)] },
};

function eig([a]: readonly Matrix[], { isReal }: Element): readonly Matrix[] | undefined {
  const found = generalVectors(a as Matrix, isReal);
  return found && [found.w, found.v];
}

function schur([a]: readonly Matrix[], { isReal }: Element): readonly Matrix[] | undefined {
  const form: SchurForm | undefined = (isReal ? realSchur : complexSchur)(a as Matrix, true);
  return form && [form.t, form.z];
}

const complexes = (rows: number, columns: number): Extent => ({ rows, columns, is: 'complex' });

const generalKernels: Readonly<Record<string, Definition>> = {
  eig: { extents: squareExtents((n) => [complexes(n, 1), complexes(n, n)]), run: eig },
  eigvals: { extents: squareExtents((n) => [complexes(n, 1)]), run: (inputs, element) => eig(inputs, element)?.slice(0, 1) },
  schur: { extents: squareExtents((n) => [matrix(n, n), matrix(n, n)]), run: schur },
  triangularSylvester: {
    failure: failures.triangularSylvester,
    extents: ([m, n]) => ({ inputs: [matrix(m as number, m as number), matrix(n as number, n as number), matrix(m as number, n as number)], outputs: [matrix(m as number, n as number)] }),
    run([t, u, c], { integers: [, , adjoint], unit }) {
      const x = triangularSylvester(t as Matrix, u as Matrix, c as Matrix, adjoint === 1, unit);
      return x && [x];
    },
  },
};

const rootKernel: Definition = { extents: squareExtents((n) => [matrix(n, n)]), run: ([t]) => [triangularRoot(t as Matrix)] };

function ofDTypes(definitions: Readonly<Record<string, Definition>>, dtypes: readonly KernelDType[]): Readonly<Record<string, HostKernel>> {
  return Object.fromEntries(Object.entries(definitions).flatMap(([name, definition]) => dtypes.map((dtype) => [kernelSymbol(name, dtype), batchedKernel({ dtype, ...definition })])));
}

/** By symbol. */
export const spectralKernels: Readonly<Record<string, HostKernel>> = {
  ...ofDTypes({ ...svdKernels, ...eighKernels, ...generalKernels }, ['float32', 'float64', 'complex64', 'complex128']),
  ...ofDTypes({ triangularSqrt: rootKernel }, ['complex64', 'complex128']),
};
