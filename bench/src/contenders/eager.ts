import { AdContext, createCatalog, type Engine, mul, type Operand, sub, tensor } from '@tf/core';
import { linalgExtension } from '@tf/linalg';
import { EagerRuntime, type EagerTensor, type EagerVariable } from '@tf/eager';
import type { ContenderSource, Prepared } from '../contender.ts';
import { type FloatDType, type Inputs, learningRate, parameterNames, type Task, type Workload } from '../workloads.ts';
import { digest, linalgTasks } from '../matrices.ts';
import { product } from '../product.ts';
import { inputNamed, joined, type Prepare, type Tasks, typed } from './adapter.ts';
import { dtypeOf, sourceOn } from './tf-engine.ts';
import { decompositions, linalgLosses } from './tf-linalg.ts';
import { networkLoss, operations, plainFunctions, stepLoss } from './tf-functions.ts';

const whyNot = ({ task }: Workload): string | undefined => (task === 'step compiled' ? 'runs operation by operation; tf traced does this one' : undefined);
const tasksOn = (engine: Engine): Tasks => tasksOf(new EagerRuntime({ context: new AdContext({ catalog: createCatalog([linalgExtension]) }) }), engine);

/** Our eager front end, in one session; each run is a scope, as in a training loop. */
export const eagerSource: ContenderSource = sourceOn('cpu-wasm', 'tf eager', 'tf', tasksOn, whyNot);
export const nativeEagerSource: ContenderSource = sourceOn('cpu-blas-native', 'tf native eager', 'native', tasksOn, whyNot);

type Constants = Readonly<Record<string, EagerTensor>>;

/** The scalar of a tensor that is known to be one. */
function scalar(value: EagerTensor): number {
  return value.item() as number;
}

function tasksOf(runtime: EagerRuntime, engine: Engine): Tasks {
  const constant = (inputs: Inputs, name: string, dtype: FloatDType): EagerTensor => {
    const input = inputNamed(inputs, name);
    return runtime.constant(tensor(typed(input, dtype), { shape: input.shape, dtype: dtypeOf(input, dtype) }));
  };
  const variable = (inputs: Inputs, name: string, dtype: FloatDType): EagerVariable => runtime.variable(constant(inputs, name, dtype));
  const inSession = (prepared: Prepared): Prepared => ({ ...prepared, run: () => runtime.session(engine, () => runtime.scope(() => prepared.run())) });
  const plain = Object.entries(plainFunctions).map(([task, f]): readonly [string, Prepare] => [task, (inputs, { dtype }) => {
    const constants: Constants = Object.fromEntries(Object.keys(inputs).map((name) => [name, constant(inputs, name, dtype)]));
    let latest: EagerTensor | undefined;
    return {
      run() {
        latest?.dispose();
        latest = runtime.session(engine, () => runtime.scope(() => f(constants) as EagerTensor));
      },
      result: async () => Float64Array.from((await latest?.data()) as ArrayLike<number>),
      dispose: () => latest?.dispose(),
    };
  }]);
  const tasks: Partial<Record<Task, Prepare>> = {
    ...Object.fromEntries(plain),
    operations: (inputs, { dtype }) => {
      const x = constant(inputs, 'x', dtype);
      let values: unknown;
      return inSession({ run: () => void (values = (operations({ x }) as EagerTensor).toArray()), result: () => values as number[] });
    },
    ...stepTasks(runtime, engine, constant, variable, inSession),
    ...matrixTasks(runtime, engine, constant, variable),
    'mlp step': (inputs, { dtype }) => {
      const [x, labels] = [constant(inputs, 'x', dtype), constant(inputs, 'labels', dtype)];
      const start = Object.fromEntries(parameterNames.map((name) => [name, constant(inputs, name, dtype)]));
      const parameters = Object.fromEntries(parameterNames.map((name) => [name, variable(inputs, name, dtype)]));
      return inSession({
        run() {
          runtime.clearGrads();
          // Each step starts from the same parameters: every run is the same work on the same numbers.
          for (const name of parameterNames) parameters[name]!.assign(start[name]!);
          runtime.backward(networkLoss(parameters, x, labels) as EagerTensor);
          runtime.noGrad(() => parameterNames.forEach((name) => parameters[name]!.assign(sub(parameters[name]!, mul(parameters[name]!.grad as Operand, learningRate)) as EagerTensor)));
        },
        result: async () => joined(await Promise.all(parameterNames.map((name) => parameters[name]!.data() as Promise<Float64Array>))),
      });
    },
  };
  return tasks;
}

type Make<T> = (inputs: Inputs, name: string, dtype: FloatDType) => T;

function stepTasks(runtime: EagerRuntime, engine: Engine, constant: Make<EagerTensor>, variable: Make<EagerVariable>, inSession: (prepared: Prepared) => Prepared): Tasks {
  return {
    'step forward': (inputs, { dtype }) => {
      const [x, c] = [variable(inputs, 'x', dtype), constant(inputs, 'c', dtype)];
      let value = 0;
      return inSession({ run: () => void (value = scalar(stepLoss(x, c) as EagerTensor)), result: () => [value] });
    },
    'step backward': (inputs, { dtype }) => {
      const [x, c] = [variable(inputs, 'x', dtype), constant(inputs, 'c', dtype)];
      const loss = runtime.session(engine, () => stepLoss(x, c) as EagerTensor);
      return inSession({
        run() {
          x.clearGrad();
          loss.backward();
        },
        result: async () => (await x.grad?.data()) as Float64Array,
        dispose: () => loss.dispose(),
      });
    },
    'step forward and backward': (inputs, { dtype }) => {
      const [x, c] = [variable(inputs, 'x', dtype), constant(inputs, 'c', dtype)];
      let value = 0;
      return inSession({
        run() {
          x.clearGrad();
          const loss = stepLoss(x, c) as EagerTensor;
          loss.backward();
          value = scalar(loss);
        },
        result: async () => joined([[value], (await x.grad?.data()) as Float64Array]),
      });
    },
  };
}

/** Decompositions, and the gradient of a loss made of one. */
function matrixTasks(runtime: EagerRuntime, engine: Engine, constant: Make<EagerTensor>, variable: Make<EagerVariable>): Tasks {
  return Object.fromEntries(linalgTasks.flatMap((of): readonly (readonly [string, Prepare])[] => [
    [of, (inputs, { dtype, size }) => {
      const constants: Constants = Object.fromEntries(Object.keys(inputs).map((name) => [name, constant(inputs, name, dtype)]));
      let parts: readonly EagerTensor[] = [];
      const discard = (): void => parts.forEach((part) => part.dispose());
      return {
        run() {
          discard();
          parts = runtime.session(engine, () => runtime.scope(() => decompositions[of](constants) as readonly EagerTensor[]));
        },
        result: async () => digest(of, await Promise.all(parts.map((part) => part.data() as Promise<Float64Array>)), inputNamed(inputs, 'a').values, size, product),
        dispose: discard,
      };
    }],
    [`${of} gradient`, (inputs, { dtype }) => {
      const constants: Constants = Object.fromEntries(Object.keys(inputs).map((name) => [name, constant(inputs, name, dtype)]));
      const a = variable(inputs, 'a', dtype);
      let loss: EagerTensor | undefined;
      return {
        run() {
          loss?.dispose();
          a.clearGrad();
          loss = runtime.session(engine, () => runtime.scope(() => {
            const value = linalgLosses[of]({ ...constants, a }) as EagerTensor;
            value.backward();
            return value;
          }));
        },
        result: async () => joined(await Promise.all([loss!.data() as Promise<Float64Array>, a.grad!.data() as Promise<Float64Array>])),
        dispose: () => loss?.dispose(),
      };
    }],
  ]));
}
