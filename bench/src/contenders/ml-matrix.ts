import type { ContenderSource, Prepared } from '../contender.ts';
import { loadPeer, peerVersion } from '../peers.ts';
import { chainLength, type Inputs, layerNormEpsilon, type Task } from '../workloads.ts';
import { digest, linalgTask, type Decomposition } from '../matrices.ts';
import { product } from '../product.ts';
import { inputNamed, type Prepare, prepareFrom, type Tasks } from './adapter.ts';

/** What is used of ml-matrix, whose own types are there only once it is installed. Names without `add` work in place. */
interface MlMatrix {
  clone(): MlMatrix;
  mul(other: MlMatrix | number): MlMatrix;
  add(other: MlMatrix | number): MlMatrix;
  mmul(other: MlMatrix): MlMatrix;
  sum(by?: 'row' | 'column'): number | readonly number[];
  mean(by?: 'row' | 'column'): number | readonly number[];
  variance(by: 'row', options: { readonly unbiased: boolean }): readonly number[];
  exp(): MlMatrix;
  sqrt(): MlMatrix;
  subColumnVector(vector: readonly number[]): MlMatrix;
  divColumnVector(vector: readonly number[]): MlMatrix;
  to1DArray(): readonly number[];
  transpose(): MlMatrix;
}

interface MlDecompositions {
  readonly SVD: new (a: MlMatrix) => { readonly leftSingularVectors: MlMatrix; readonly diagonal: readonly number[]; readonly rightSingularVectors: MlMatrix };
  readonly EVD: new (a: MlMatrix, options: { readonly assumeSymmetric: boolean }) => { readonly realEigenvalues: readonly number[]; readonly imaginaryEigenvalues: readonly number[]; readonly eigenvectorMatrix: MlMatrix };
  readonly QR: new (a: MlMatrix) => { readonly orthogonalMatrix: MlMatrix; readonly upperTriangularMatrix: MlMatrix };
  readonly CHO: new (a: MlMatrix) => { readonly lowerTriangularMatrix: MlMatrix };
  solve(a: MlMatrix, b: MlMatrix): MlMatrix;
  inverse(a: MlMatrix): MlMatrix;
}

interface MlMatrixModule extends MlDecompositions {
  readonly Matrix: { from1DArray(rows: number, columns: number, values: ArrayLike<number>): MlMatrix };
}

const name = 'ml-matrix';

export const mlMatrixSource: ContenderSource = {
  name,
  kind: 'javascript',
  async open() {
    const module = await loadPeer<MlMatrixModule>(name);
    return {
      name,
      kind: 'javascript',
      version: peerVersion(name),
      prepare: prepareFrom({ ...tasksOf(module.Matrix), ...decompositions(module) }, ({ task, dtype, size }) => {
        if (dtype === 'float32') return 'has no float32';
        if (task === 'gelu chain') return 'has no erf, so no exact gelu';
        if (linalgTask(task) !== undefined && size > 256) return 'takes seconds';
        if ((linalgTask(task)?.mode ?? 'value') !== 'value') return 'has no derivatives';
        return task === 'mlp step' || (task.startsWith('step') && task !== 'step forward') ? 'has no derivatives' : undefined;
      }),
    };
  },
};

function softmax(x: MlMatrix): MlMatrix {
  const powers = x.clone().exp();
  return powers.divColumnVector(powers.sum('row') as readonly number[]);
}

function layerNorm(x: MlMatrix): MlMatrix {
  const deviations = x.variance('row', { unbiased: false }).map((variance) => Math.sqrt(variance + layerNormEpsilon));
  return x.clone().subColumnVector(x.mean('row') as readonly number[]).divColumnVector(deviations);
}

function tasksOf(Matrix: MlMatrixModule['Matrix']): Tasks {
  const matrix = (inputs: Inputs, name: string): MlMatrix => {
    const { shape, values } = inputNamed(inputs, name);
    const [rows, columns] = shape.length === 1 ? [1, shape[0] as number] : (shape as readonly [number, number]);
    return Matrix.from1DArray(rows, columns, values);
  };
  const called = (names: readonly string[], f: (...args: readonly MlMatrix[]) => MlMatrix | number | readonly number[]): Prepare => (inputs): Prepared => {
    const args = names.map((name) => matrix(inputs, name));
    let result: MlMatrix | number | readonly number[] = 0;
    return {
      run: () => void (result = f(...args)),
      result: () => (typeof result === 'number' ? [result] : 'to1DArray' in result ? result.to1DArray() : result),
    };
  };
  const unary = (f: (x: MlMatrix) => MlMatrix | number | readonly number[]): Prepare => called(['x'], (x) => f(x as MlMatrix));
  const tasks: Partial<Record<Task, Prepare>> = {
    operations: unary((x) => {
      let y = x;
      for (let times = 0; times < chainLength; times++) y = y.clone().mul(x).clone().add(x);
      return y;
    }),
    'step forward': called(['x', 'c'], (x, c) => {
      const h = (x as MlMatrix).clone().mul(c as MlMatrix);
      return h.clone().mul(h).sum();
    }),
    matmul: called(['a', 'b'], (a, b) => (a as MlMatrix).mmul(b as MlMatrix)),
    sum: unary((x) => x.sum()),
    mean: unary((x) => x.mean()),
    'sum axis 1': unary((x) => x.sum('row')),
    'sum axis 0': unary((x) => x.sum('column')),
    softmax: unary(softmax),
    'layer norm': unary(layerNorm),
  };
  return tasks;
}

/** All factors are made in the time measured, as other libraries do. */
function decompositions({ Matrix, SVD, EVD, QR, CHO, solve, inverse }: MlMatrixModule): Tasks {
  type Parts = readonly (MlMatrix | readonly number[])[];
  const run: Readonly<Partial<Record<Decomposition, (a: MlMatrix, b: MlMatrix) => Parts>>> = {
    svd: (a) => {
      const { leftSingularVectors, diagonal, rightSingularVectors } = new SVD(a);
      return [leftSingularVectors, diagonal, rightSingularVectors.transpose()];
    },
    eigh: (a) => {
      const { realEigenvalues, eigenvectorMatrix } = new EVD(a, { assumeSymmetric: true });
      return [realEigenvalues, eigenvectorMatrix];
    },
    eig: (a) => {
      const { realEigenvalues, imaginaryEigenvalues } = new EVD(a, { assumeSymmetric: false });
      return [realEigenvalues.flatMap((re, at) => [re, imaginaryEigenvalues[at] as number])];
    },
    qr: (a) => {
      const { orthogonalMatrix, upperTriangularMatrix } = new QR(a);
      return [orthogonalMatrix, upperTriangularMatrix];
    },
    cholesky: (a) => [new CHO(a).lowerTriangularMatrix],
    solve: (a, b) => [solve(a, b)],
    inv: (a) => [inverse(a)],
  };
  return Object.fromEntries(Object.entries(run).map(([task, f]): readonly [string, Prepare] => [task, (inputs, { size }) => {
    const values = inputNamed(inputs, 'a').values;
    const a = Matrix.from1DArray(size, size, values);
    const b = Matrix.from1DArray(size, 1, inputs['b']?.values ?? new Float64Array(size));
    let parts: Parts = [];
    return {
      run: () => void (parts = f(a, b)),
      result: () => digest(task as Decomposition, parts.map((part) => ('to1DArray' in part ? part.to1DArray() : part)), values, size, product),
    };
  }]));
}
