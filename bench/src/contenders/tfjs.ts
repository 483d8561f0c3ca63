import { dirname } from 'node:path';
import { locate } from 'tf-bench-peers';
import type { ContenderSource, Prepared } from '../contender.ts';
import { loadPeer, peerVersion } from '../peers.ts';
import { chainLength, type Inputs, layerNormEpsilon, learningRate, parameterNames, type Task } from '../workloads.ts';
import { inputNamed, joined, type Prepare, prepareFrom, type Tasks, typed } from './adapter.ts';

/** What is used of tfjs, whose own types are there only once it is installed. */
interface TfTensor {
  add(other: TfTensor | number): TfTensor;
  sub(other: TfTensor): TfTensor;
  mul(other: TfTensor | number): TfTensor;
  div(other: TfTensor): TfTensor;
  matMul(other: TfTensor): TfTensor;
  relu(): TfTensor;
  erf(): TfTensor;
  sigmoid(): TfTensor;
  sqrt(): TfTensor;
  square(): TfTensor;
  sum(axis?: number, keepDims?: boolean): TfTensor;
  mean(axis?: number, keepDims?: boolean): TfTensor;
  logSumExp(axis: number): TfTensor;
  softmax(axis: number): TfTensor;
  dataSync(): ArrayLike<number>;
  dispose(): void;
}

interface Tf {
  setBackend(name: string): Promise<boolean>;
  tensor(values: ArrayLike<number>, shape: readonly number[]): TfTensor;
  tidy<T>(f: () => T): T;
  grads(f: (...args: readonly TfTensor[]) => TfTensor): (args: readonly TfTensor[]) => readonly TfTensor[];
  valueAndGrad(f: (x: TfTensor) => TfTensor): (x: TfTensor) => { readonly value: TfTensor; readonly grad: TfTensor };
}

interface TfWasm {
  setWasmPaths(folder: string): void;
  setThreadsCount(count: number): void;
}

const backend = '@tensorflow/tfjs-backend-wasm';

export const tfjsSource: ContenderSource = {
  name: 'tfjs',
  kind: 'javascript',
  async open() {
    const tf = await loadPeer<Tf>('@tensorflow/tfjs');
    const wasm = await loadPeer<TfWasm>(backend);
    wasm.setWasmPaths(`${dirname(locate(`${backend}/package.json`))}/dist/`);
    wasm.setThreadsCount(1);
    if (!(await tf.setBackend('wasm'))) throw new Error('its wasm backend did not start');
    return {
      name: 'tfjs',
      kind: 'javascript',
      version: `${peerVersion('@tensorflow/tfjs')} wasm`,
      prepare: prepareFrom(tasksOf(tf), ({ dtype, task }) => {
        if (dtype === 'float64') return 'has no float64';
        if (task === 'step compiled') return 'has no compiler';
        return task === 'step backward' ? 'its gradient runs forward again: see forward and backward' : undefined;
      }),
    };
  },
};

function stepLoss(x: TfTensor, c: TfTensor): TfTensor {
  const h = x.mul(c);
  return h.mul(h).sum();
}

function networkLoss(...args: readonly TfTensor[]): TfTensor {
  const [w1, b1, w2, b2, w3, b3, x, labels] = args as readonly [TfTensor, TfTensor, TfTensor, TfTensor, TfTensor, TfTensor, TfTensor, TfTensor];
  const scores = x.matMul(w1).add(b1).relu().matMul(w2).add(b2).relu().matMul(w3).add(b3);
  return scores.logSumExp(-1).sub(labels.mul(scores).sum(-1)).mean();
}

function layerNorm(x: TfTensor): TfTensor {
  const centred = x.sub(x.mean(-1, true));
  return centred.div(centred.square().mean(-1, true).add(layerNormEpsilon).sqrt());
}

function tasksOf(tf: Tf): Tasks {
  const tensors = (inputs: Inputs, names: readonly string[]): readonly TfTensor[] => names.map((name) => {
    const input = inputNamed(inputs, name);
    return tf.tensor(typed(input, 'float32'), input.shape);
  });
  /** A function of the inputs named, whose results stay in the backend's memory; all else is tidied up. */
  const called = (names: readonly string[], f: (...args: readonly TfTensor[]) => readonly TfTensor[]): Prepare => (inputs) => {
    const args = tensors(inputs, names);
    let results: readonly TfTensor[] = [];
    const discard = (): void => results.forEach((result) => result.dispose());
    return {
      run() {
        discard();
        results = tf.tidy(() => f(...args));
      },
      result: () => joined(results.map((result) => result.dataSync())),
      dispose() {
        discard();
        args.forEach((arg) => arg.dispose());
      },
    };
  };
  const unary = (f: (x: TfTensor) => TfTensor): Prepare => called(['x'], (x) => [f(x as TfTensor)]);
  const read = (names: readonly string[], f: (...args: readonly TfTensor[]) => TfTensor): Prepare => (inputs): Prepared => {
    const args = tensors(inputs, names);
    let values: ArrayLike<number> = [];
    return { run: () => void (values = tf.tidy(() => f(...args).dataSync())), result: () => values, dispose: () => args.forEach((arg) => arg.dispose()) };
  };
  const gradients = tf.grads((...args) => networkLoss(...args));
  const tasks: Partial<Record<Task, Prepare>> = {
    operations: read(['x'], (x) => {
      let y = x as TfTensor;
      for (let times = 0; times < chainLength; times++) y = y.mul(x as TfTensor).add(x as TfTensor);
      return y;
    }),
    'step forward': read(['x', 'c'], (x, c) => stepLoss(x as TfTensor, c as TfTensor)),
    'step forward and backward': called(['x', 'c'], (x, c) => {
      const { value, grad } = tf.valueAndGrad((at) => stepLoss(at, c as TfTensor))(x as TfTensor);
      return [value, grad];
    }),
    matmul: called(['a', 'b'], (a, b) => [(a as TfTensor).matMul(b as TfTensor)]),
    'gelu chain': called(['x', 'y', 'z'], (x, y, z) => [(x as TfTensor).mul((x as TfTensor).mul(Math.SQRT1_2).erf().add(1).mul(0.5)).mul((y as TfTensor).sigmoid()).add(z as TfTensor)]),
    sum: unary((x) => x.sum()),
    mean: unary((x) => x.mean()),
    'sum axis 1': unary((x) => x.sum(1)),
    'sum axis 0': unary((x) => x.sum(0)),
    softmax: unary((x) => x.softmax(-1)),
    'layer norm': unary(layerNorm),
    'mlp step': called([...parameterNames, 'x', 'labels'], (...args) => {
      const found = gradients(args);
      return parameterNames.map((_, at) => (args[at] as TfTensor).sub((found[at] as TfTensor).mul(learningRate)));
    }),
  };
  return tasks;
}
