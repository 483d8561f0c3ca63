import type { ContenderSource, Prepared } from '../contender.ts';
import { loadPeer, peerVersion } from '../peers.ts';
import { chainLength, type Inputs, type Task, type Workload } from '../workloads.ts';
import { inputNamed, joined, type Prepare, prepareFrom, type Tasks } from './adapter.ts';

/** What is used of js-pytorch, whose own types are there only once it is installed. Its data are nested arrays. */
interface TorchTensor {
  readonly data: Nested;
  readonly grad: Nested | undefined;
  add(other: TorchTensor): TorchTensor;
  mul(other: TorchTensor): TorchTensor;
  matmul(other: TorchTensor): TorchTensor;
  sum(dimension?: number): TorchTensor;
  mean(dimension?: number): TorchTensor;
  backward(): void;
  zero_grad(): void;
}

type Nested = number | readonly Nested[];

interface TorchModule {
  readonly torch: { tensor(data: Nested, requiresGrad: boolean): TorchTensor };
}

const name = 'js-pytorch';

export const jsPytorchSource: ContenderSource = {
  name,
  kind: 'javascript',
  async open() {
    const { torch } = await loadPeer<TorchModule>(name);
    return {
      name,
      kind: 'javascript',
      version: peerVersion(name),
      prepare: prepareFrom(tasksOf(torch), whyNot),
    };
  },
};

function whyNot({ task, dtype, size }: Workload): string | undefined {
  if (dtype === 'float32') return 'has no float32';
  if (task === 'step compiled') return 'has no compiler';
  if (task === 'gelu chain') return 'has no erf, so no exact gelu';
  if (task === 'step backward') return 'its backward consumes the graph: see forward and backward';
  if (task === 'matmul' && size > 256) return 'takes seconds: nested arrays';
  return undefined;
}

function nested(values: Float64Array, [rows, columns]: readonly number[]): Nested {
  if (columns === undefined) return Array.from(values);
  return Array.from({ length: rows as number }, (_, row) => Array.from(values.subarray(row * columns, (row + 1) * columns)));
}

function flat(data: Nested): ArrayLike<number> {
  return typeof data === 'number' ? [data] : (data as readonly unknown[]).flat(Infinity) as number[];
}

function tasksOf(torch: TorchModule['torch']): Tasks {
  const tensor = (inputs: Inputs, name: string, requiresGrad = false): TorchTensor => {
    const { shape, values } = inputNamed(inputs, name);
    return torch.tensor(nested(values, shape), requiresGrad);
  };
  const called = (names: readonly string[], f: (...args: readonly TorchTensor[]) => TorchTensor, requiresGrad = false): Prepare => (inputs): Prepared => {
    const args = names.map((name) => tensor(inputs, name, requiresGrad));
    let result: TorchTensor | undefined;
    return { run: () => void (result = f(...args)), result: () => flat((result as TorchTensor).data) };
  };
  const stepLoss = (x: TorchTensor, c: TorchTensor): TorchTensor => {
    const h = x.mul(c);
    return h.mul(h).sum();
  };
  const tasks: Partial<Record<Task, Prepare>> = {
    operations: called(['x'], (x) => {
      let y = x as TorchTensor;
      for (let times = 0; times < chainLength; times++) y = y.mul(x as TorchTensor).add(x as TorchTensor);
      return y;
    }),
    'step forward': called(['x', 'c'], (x, c) => stepLoss(x as TorchTensor, c as TorchTensor), true),
    'step forward and backward': (inputs) => {
      const [x, c] = [tensor(inputs, 'x', true), tensor(inputs, 'c')];
      let loss: TorchTensor | undefined;
      return {
        run() {
          x.zero_grad();
          loss = stepLoss(x, c);
          loss.backward();
        },
        result: () => joined([flat((loss as TorchTensor).data), flat(x.grad ?? [])]),
      };
    },
    matmul: called(['a', 'b'], (a, b) => (a as TorchTensor).matmul(b as TorchTensor)),
    // Without a dimension it takes the last one.
    sum: called(['x'], (x) => (x as TorchTensor).sum().sum()),
    mean: called(['x'], (x) => (x as TorchTensor).mean().mean()),
    'sum axis 1': called(['x'], (x) => (x as TorchTensor).sum(1)),
    'sum axis 0': called(['x'], (x) => (x as TorchTensor).sum(0)),
  };
  return tasks;
}
