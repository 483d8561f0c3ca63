import type { ContenderSource, Prepared } from '../contender.ts';
import { loadPeer, peerVersion } from '../peers.ts';
import { chainLength, type Inputs, layerNormEpsilon, type Task, type Workload } from '../workloads.ts';
import { type Decomposition, digest, linalgTask } from '../matrices.ts';
import { product } from '../product.ts';
import { inputNamed, type Prepare, prepareFrom, type Tasks, typed } from './adapter.ts';

/** What is used of numpy-ts, whose own types are there only once it is installed. */
interface NumpyArray {
  readonly data: ArrayLike<number>;
  reshape(...shape: readonly number[]): NumpyArray;
  add(other: NumpyArray | number): NumpyArray;
  subtract(other: NumpyArray): NumpyArray;
  multiply(other: NumpyArray): NumpyArray;
  divide(other: NumpyArray): NumpyArray;
  matmul(other: NumpyArray): NumpyArray;
  exp(): NumpyArray;
  sqrt(): NumpyArray;
  sum(axis?: number, keepDims?: boolean): NumpyArray | number;
  mean(axis?: number, keepDims?: boolean): NumpyArray | number;
  max(axis: number, keepDims: boolean): NumpyArray;
  /** Gives its WebAssembly memory back at once; once that is full, it computes in JavaScript. */
  dispose(): void;
}

interface NumpyTs {
  array(values: ArrayLike<unknown>, dtype: string): NumpyArray;
  einsum(equation: string, ...operands: readonly NumpyArray[]): NumpyArray;
  readonly Complex: new (re: number, im: number) => unknown;
  readonly linalg: {
    svd(a: NumpyArray): { readonly u: NumpyArray; readonly s: NumpyArray; readonly vt: NumpyArray };
    eigh(a: NumpyArray): { readonly w: NumpyArray; readonly v: NumpyArray };
    qr(a: NumpyArray): { readonly q: NumpyArray; readonly r: NumpyArray };
    cholesky(a: NumpyArray): NumpyArray;
    solve(a: NumpyArray, b: NumpyArray): NumpyArray;
    inv(a: NumpyArray): NumpyArray;
    slogdet(a: NumpyArray): { readonly logabsdet: number };
  };
  readonly fft: { fft(x: NumpyArray): NumpyArray; rfft(x: NumpyArray): NumpyArray };
}

const name = 'numpy-ts';

export const numpyTsSource: ContenderSource = {
  name,
  kind: 'javascript',
  async open() {
    const numpy = await loadPeer<NumpyTs>(name);
    return {
      name,
      kind: 'javascript',
      version: peerVersion(name),
      prepare: prepareFrom({ ...tasksOf(numpy), ...decompositions(numpy) }, ({ task, size }) => {
        if (task === 'gelu chain') return 'has no erf, so no exact gelu';
        if (task === 'eig') return 'has no complex eigenvalues';
        if ((linalgTask(task)?.mode ?? 'value') !== 'value') return 'has no derivatives';
        if (linalgTask(task) !== undefined && size > 64) return 'takes seconds';
        return task === 'mlp step' || (task.startsWith('step') && task !== 'step forward') ? 'has no derivatives' : undefined;
      }),
    };
  },
};

/** Marks an intermediate result, which is disposed after the run. */
type Mark = (value: NumpyArray | number) => NumpyArray;

function softmax(x: NumpyArray, mark: Mark): NumpyArray {
  const powers = mark(mark(x.subtract(mark(x.max(-1, true)))).exp());
  return powers.divide(mark(powers.sum(-1, true)));
}

function layerNorm(x: NumpyArray, mark: Mark): NumpyArray {
  const centred = mark(x.subtract(mark(x.mean(-1, true))));
  const variance = mark(mark(centred.multiply(centred)).mean(-1, true));
  return centred.divide(mark(mark(variance.add(layerNormEpsilon)).sqrt()));
}

function tasksOf(numpy: NumpyTs): Tasks {
  const array = (inputs: Inputs, name: string, { dtype }: Workload): NumpyArray => {
    const input = inputNamed(inputs, name);
    if (input.complex === true) return numpy.array(Array.from({ length: input.values.length / 2 }, (_, at) => new numpy.Complex(input.values[2 * at] as number, input.values[2 * at + 1] as number)), dtype === 'float32' ? 'complex64' : 'complex128');
    return numpy.array(typed(input, dtype), dtype).reshape(...input.shape);
  };
  const called = (names: readonly string[], f: (mark: Mark, ...args: readonly NumpyArray[]) => NumpyArray | number): Prepare => (inputs, workload): Prepared => {
    const args = names.map((name) => array(inputs, name, workload));
    const marked: NumpyArray[] = [];
    const mark: Mark = (value) => {
      marked.push(value as NumpyArray);
      return value as NumpyArray;
    };
    let result: NumpyArray | number = 0;
    const discard = (): void => {
      if (typeof result !== 'number') result.dispose();
    };
    return {
      run() {
        discard();
        result = f(mark, ...args);
        for (const value of marked) value.dispose();
        marked.length = 0;
      },
      result: () => (typeof result === 'number' ? [result] : result.data),
      dispose() {
        discard();
        args.forEach((arg) => arg.dispose());
      },
    };
  };
  const unary = (f: (x: NumpyArray, mark: Mark) => NumpyArray | number): Prepare => called(['x'], (mark, x) => f(x as NumpyArray, mark));
  const tasks: Partial<Record<Task, Prepare>> = {
    operations: unary((x, mark) => {
      let y = x;
      for (let times = 1; times < chainLength; times++) y = mark(mark(y.multiply(x)).add(x));
      return mark(y.multiply(x)).add(x);
    }),
    'step forward': called(['x', 'c'], (mark, x, c) => {
      const h = mark((x as NumpyArray).multiply(c as NumpyArray));
      return mark(h.multiply(h)).sum();
    }),
    matmul: called(['a', 'b'], (_mark, a, b) => (a as NumpyArray).matmul(b as NumpyArray)),
    sum: unary((x) => x.sum()),
    mean: unary((x) => x.mean()),
    'sum axis 1': unary((x) => x.sum(1)),
    'sum axis 0': unary((x) => x.sum(0)),
    softmax: unary(softmax),
    'layer norm': unary(layerNorm),
    fft: unary((x) => numpy.fft.fft(x)),
    rfft: unary((x) => numpy.fft.rfft(x)),
    // With more operands it goes through all labels at once, which takes minutes.
    'einsum batched': called(['a', 'b'], (_mark, a, b) => numpy.einsum('bij,bjk->bik', a as NumpyArray, b as NumpyArray)),
  };
  return tasks;
}

function decompositions({ array, linalg }: NumpyTs): Tasks {
  type Parts = readonly (NumpyArray | number)[];
  const run: Readonly<Partial<Record<Decomposition, (a: NumpyArray, b: NumpyArray) => Parts>>> = {
    svd: (a) => Object.values(linalg.svd(a)),
    eigh: (a) => Object.values(linalg.eigh(a)),
    qr: (a) => Object.values(linalg.qr(a)),
    cholesky: (a) => [linalg.cholesky(a)],
    solve: (a, b) => [linalg.solve(a, b)],
    inv: (a) => [linalg.inv(a)],
    slogdet: (a) => [linalg.slogdet(a).logabsdet],
  };
  return Object.fromEntries(Object.entries(run).map(([task, f]): readonly [string, Prepare] => [task, (inputs, workload) => {
    const { size } = workload;
    const values = inputNamed(inputs, 'a').values;
    const [a, b] = [array(values, 'float64').reshape(size, size), array(inputs['b']?.values ?? new Float64Array(size), 'float64')];
    let parts: Parts = [];
    const discard = (): void => parts.forEach((part) => typeof part === 'number' || part.dispose());
    return {
      run() {
        discard();
        parts = f(a, b);
      },
      result: () => digest(task as Decomposition, parts.map((part) => (typeof part === 'number' ? [part] : Array.from(part.data))), values, size, product),
      dispose: () => [a, b].forEach((part) => part.dispose()),
    };
  }]));
}
