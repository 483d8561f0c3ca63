import { AdContext, createCatalog, type Engine, mul, type Operand, ResidentTensor, sub } from '@tf/core';
import { einsumExtension } from '@tf/einsum';
import { linalgExtension } from '@tf/linalg';
import { jit, jvp, type TracedTensor, valueAndGrad } from '@tf/traced';
import type { ContenderSource, Prepared } from '../contender.ts';
import { digest, linalgTasks } from '../matrices.ts';
import { product } from '../product.ts';
import { type FloatDType, type Input, type Inputs, learningRate, type ParameterName, parameterNames, type Task, type Workload } from '../workloads.ts';
import { joined, type Prepare, type Tasks, typed } from './adapter.ts';
import { dtypeOf, freshEngine, sourceOn } from './tf-engine.ts';
import { decompositions, linalgLosses } from './tf-linalg.ts';
import { programTasks } from './tf-scaling.ts';
import { networkLoss, plainFunctions, ringTrace, stateNorm, stepLoss, type Tensors } from './tf-functions.ts';

type Traced = TracedTensor<'float64'>;
type Resident = ResidentTensor<'float64'>;
type Tree = Readonly<Record<string, Resident>>;
type TracedTree = Readonly<Record<string, Traced>>;

/** Our traced front end, compiled by `jit`. */
export const tracedSource: ContenderSource = sourceOn('cpu-wasm', 'tf traced', 'tf', tasksOn, whyNot);
export const nativeTracedSource: ContenderSource = sourceOn('cpu-blas-native', 'tf native', 'native', tasksOn, whyNot);

function whyNot({ task }: Workload): string | undefined {
  const eager = task === 'operations' || (task.startsWith('step') && task !== 'step compiled');
  return eager ? 'compiles whole functions; tf eager does this one' : undefined;
}

/** The data on the engine. The dtype is known at run time only: the types below say float64 for both. */
function upload(engine: Engine, inputs: Inputs, dtype: FloatDType): Tree {
  return Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, new ResidentTensor(engine.upload(dtypeOf(input, dtype), input.shape, typed(input, dtype))) as Resident]));
}

function tasksOn(engine: Engine): Tasks {
  const prepared = (dtype: FloatDType, inputs: Inputs, call: (tree: Tree) => readonly Resident[], compared: (parts: readonly ArrayLike<number>[]) => Float64Array = joined): Prepared => {
    const tree = upload(engine, inputs, dtype);
    let results: readonly Resident[] = [];
    const discard = (): void => results.forEach((result) => result.dispose());
    return {
      run() {
        discard();
        results = call(tree);
      },
      result: async () => compared(await Promise.all(results.map((result) => result.data()))),
      dispose() {
        discard();
        Object.values(tree).forEach((value) => value.dispose());
      },
    };
  };
  const plain = Object.entries(plainFunctions).map(([task, f]): readonly [string, Prepare] => [task, (inputs, { dtype }) => {
    const compiled = jit((tree: TracedTree) => f(tree) as Traced, { engine, name: task });
    return prepared(dtype, inputs, (tree) => [compiled(tree)]);
  }]);
  const context = new AdContext({ catalog: createCatalog([einsumExtension, linalgExtension]) });
  const gradients = (f: (tensors: Tensors) => Operand): Prepare => (inputs, { dtype }) => {
    const compiled = jit(valueAndGrad((tree: TracedTree) => f(tree) as Traced, { context }), { engine });
    return prepared(dtype, inputs, (tree) => {
      const [value, shares] = compiled(tree) as unknown as readonly [Resident, Tree];
      return [value, ...Object.keys(tree).map((name) => shares[name] as Resident)];
    });
  };
  const tasks: Partial<Record<Task, Prepare>> = {
    ...Object.fromEntries(plain),
    ...Object.fromEntries(linalgTasks.flatMap((of): readonly (readonly [string, Prepare])[] => [
      [of, (inputs, { dtype, size }) => {
        const compiled = jit((tree: TracedTree) => decompositions[of](tree) as readonly Traced[], { engine });
        return prepared(dtype, inputs, (tree) => compiled(tree) as unknown as readonly Resident[], (parts) => digest(of, parts, (inputs['a'] as Input).values, size, product));
      }],
      [`${of} gradient`, (inputs, { dtype }) => {
        const compiled = jit((tree: TracedTree) => valueAndGrad((a: Traced) => linalgLosses[of]({ ...tree, a }) as Traced, { context })(tree['a'] as Traced), { engine });
        return prepared(dtype, inputs, (tree) => compiled(tree) as unknown as readonly Resident[]);
      }],
      [`${of} tangent`, (inputs, { dtype }) => {
        const compiled = jit((tree: TracedTree) => jvp((a: Traced) => linalgLosses[of]({ ...tree, a }) as Traced, [tree['a'] as Traced], [tree['t'] as Traced], { context }), { engine });
        return prepared(dtype, inputs, (tree) => compiled(tree) as unknown as readonly Resident[]);
      }],
    ])),
    'step compiled': (inputs, { dtype }) => {
      const compiled = jit(valueAndGrad((x: Traced, c: Traced) => stepLoss(x, c) as Traced), { engine });
      return prepared(dtype, inputs, ({ x, c }) => compiled(x as Resident, c as Resident) as unknown as readonly Resident[]);
    },
    'ring gradients': gradients(ringTrace),
    'matrix chain gradients': gradients(ringTrace),
    ...programTasks(engine, () => freshEngine(engine)),
    'state gradients': gradients(stateNorm),
    'mlp step': (inputs, { dtype }) => {
      const compiled = jit(networkStep, { engine });
      return prepared(dtype, inputs, ({ x, labels, ...parameters }) => Object.values(compiled(parameters, x as Resident, labels as Resident, learningRate)) as unknown as readonly Resident[]);
    },
  };
  return tasks;
}

/** Parameters after a step of gradient descent, in the order of `parameterNames`. */
function networkStep(parameters: TracedTree, x: Traced, labels: Traced, rate: TracedTensor<never>): readonly Traced[] {
  const [, gradient] = valueAndGrad((at: TracedTree) => networkLoss(at, x, labels) as Traced)(parameters);
  return parameterNames.map((name: ParameterName) => sub(parameters[name] as Operand, mul(gradient[name] as Operand, rate as Operand)) as Traced);
}
