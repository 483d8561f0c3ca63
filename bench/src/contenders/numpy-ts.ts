import type { ContenderSource, Prepared } from '../contender.ts';
import { loadPeer, peerVersion } from '../peers.ts';
import { chainLength, type Inputs, layerNormEpsilon, type Task, type Workload } from '../workloads.ts';
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
  /** Gives its WebAssembly memory back at once. */
  dispose?(): void;
}

interface NumpyTs {
  array(values: ArrayLike<number>, dtype: string): NumpyArray;
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
      prepare: prepareFrom(tasksOf(numpy), ({ task }) => {
        if (task === 'gelu chain') return 'has no erf, so no exact gelu';
        return task === 'mlp step' || (task.startsWith('step') && task !== 'step forward') ? 'has no derivatives' : undefined;
      }),
    };
  },
};

function softmax(x: NumpyArray): NumpyArray {
  const powers = x.subtract(x.max(-1, true)).exp();
  return powers.divide(powers.sum(-1, true) as NumpyArray);
}

function layerNorm(x: NumpyArray): NumpyArray {
  const centred = x.subtract(x.mean(-1, true) as NumpyArray);
  const variance = centred.multiply(centred).mean(-1, true) as NumpyArray;
  return centred.divide(variance.add(layerNormEpsilon).sqrt());
}

function tasksOf(numpy: NumpyTs): Tasks {
  const array = (inputs: Inputs, name: string, { dtype }: Workload): NumpyArray => {
    const input = inputNamed(inputs, name);
    return numpy.array(typed(input, dtype), dtype).reshape(...input.shape);
  };
  const called = (names: readonly string[], f: (...args: readonly NumpyArray[]) => NumpyArray | number): Prepare => (inputs, workload): Prepared => {
    const args = names.map((name) => array(inputs, name, workload));
    let result: NumpyArray | number = 0;
    return { run: () => void (result = f(...args)), result: () => (typeof result === 'number' ? [result] : result.data) };
  };
  const unary = (f: (x: NumpyArray) => NumpyArray | number): Prepare => called(['x'], (x) => f(x as NumpyArray));
  const tasks: Partial<Record<Task, Prepare>> = {
    operations: unary((x) => {
      let y = x;
      for (let times = 0; times < chainLength; times++) y = y.multiply(x).add(x);
      return y;
    }),
    'step forward': called(['x', 'c'], (x, c) => {
      const h = (x as NumpyArray).multiply(c as NumpyArray);
      return h.multiply(h).sum();
    }),
    matmul: called(['a', 'b'], (a, b) => (a as NumpyArray).matmul(b as NumpyArray)),
    sum: unary((x) => x.sum()),
    mean: unary((x) => x.mean()),
    'sum axis 1': unary((x) => x.sum(1)),
    'sum axis 0': unary((x) => x.sum(0)),
    softmax: unary(softmax),
    'layer norm': unary(layerNorm),
  };
  return tasks;
}
