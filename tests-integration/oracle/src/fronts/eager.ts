import { allocate, type Engine, isInexact, tensor } from '@tf/core';
import { EagerRuntime, type EagerTensor } from '@tf/eager';
import type { HostValue } from '../format.ts';
import { type Directions, type Front, MissingApi, type Task } from './front.ts';
import { readValue } from './read.ts';

function hostTensor({ data, shape, dtype }: HostValue): ReturnType<typeof tensor> {
  return tensor(data, { shape, dtype });
}

/** Variables where a gradient is wanted, constants elsewhere. */
function place(runtime: EagerRuntime, { inputs }: Task, wrt: readonly number[]): readonly EagerTensor[] {
  return inputs.map((value, at) => (wrt.includes(at) ? runtime.variable(hostTensor(value)) : runtime.constant(hostTensor(value))));
}

/** What `backward` has not reached has no gradient: it is zero. */
async function gradientOf(variable: EagerTensor, { dtype, shape }: HostValue): Promise<HostValue> {
  const { grad } = variable;
  return grad === undefined ? { dtype, shape, data: allocate(dtype, shape.reduce((product, extent) => product * extent, 1)) } : readValue(grad);
}

/** Gradients accumulate: one backward for each output that has a cotangent gives the sum of their shares. */
function backwardAll(outputs: readonly EagerTensor[], cotangents: Directions): void {
  cotangents.forEach((cotangent, at) => {
    const output = outputs[at];
    if (cotangent === null || !isInexact(cotangent.dtype) || output === undefined || !output.tracksGrad) return;
    output.backward({ cotangent: hostTensor(cotangent) });
  });
}

function missing(name: string): never {
  throw new MissingApi(`eager offers no ${name} yet`);
}

/** Cases run at once in a session; gradients by `backward` into variables. */
export function eagerFront(engine: Engine): Front {
  return {
    name: 'eager',
    async outputs(task) {
      const runtime = new EagerRuntime();
      const outputs = runtime.session(engine, () => task.body(place(runtime, task, [])));
      return Promise.all(outputs.map(readValue));
    },
    async vjp(task, wrt, cotangents) {
      const runtime = new EagerRuntime();
      const xs = place(runtime, task, wrt);
      runtime.session(engine, () => backwardAll(task.body(xs) as readonly EagerTensor[], cotangents));
      return Promise.all(wrt.map((at) => gradientOf(xs[at] as EagerTensor, task.inputs[at] as HostValue)));
    },
    jvp: async () => missing('jvp'),
    hvp: async () => missing('hvp'),
  };
}
