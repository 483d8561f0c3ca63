import { allocate, type Engine, isInexact, tensor, zeros } from '@tf/core';
import { EagerRuntime, type EagerTensor, grad } from '@tf/eager';
import { oracleContext } from '../context.ts';
import type { HostValue } from '../format.ts';
import type { Directions, Front, Task } from './front.ts';
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

/** Inputs that have a direction. */
function moving(directions: Directions): readonly number[] {
  return [...directions.keys()].filter((at) => directions[at] !== null && isInexact((directions[at] as HostValue).dtype));
}

/** The tangents of some tensors when the inputs move; zero where nothing depends on them, undefined where none is carried. */
function along(runtime: EagerRuntime, ys: readonly EagerTensor[], xs: readonly EagerTensor[], directions: Directions): readonly (EagerTensor | undefined)[] {
  const moved = moving(directions);
  const tangents = moved.map((at) => hostTensor(directions[at] as HostValue));
  return ys.map((y) => {
    if (!isInexact(y.type.dtype)) return undefined;
    return y.tracksGrad ? runtime.jvpMany(y, moved.map((at) => xs[at] as EagerTensor), tangents) : runtime.constant(zeros(y.type.shape as readonly number[], { dtype: y.type.dtype }));
  });
}

/** Cases run at once in a session; gradients by `backward` into variables, tangents by the functional forms. */
export function eagerFront(engine: Engine): Front {
  const context = oracleContext();
  return {
    name: 'eager',
    async outputs(task) {
      const runtime = new EagerRuntime({ context });
      const outputs = runtime.session(engine, () => task.body(place(runtime, task, [])));
      return Promise.all(outputs.map(readValue));
    },
    async vjp(task, wrt, cotangents) {
      const runtime = new EagerRuntime({ context });
      const xs = place(runtime, task, wrt);
      runtime.session(engine, () => backwardAll(task.body(xs) as readonly EagerTensor[], cotangents));
      return Promise.all(wrt.map((at) => gradientOf(xs[at] as EagerTensor, task.inputs[at] as HostValue)));
    },
    async jvp(task, directions) {
      const runtime = new EagerRuntime({ context });
      const xs = place(runtime, task, moving(directions));
      const tangents = runtime.session(engine, () => along(runtime, task.body(xs) as readonly EagerTensor[], xs, directions));
      return Promise.all(tangents.map((tangent) => (tangent === undefined ? undefined : readValue(tangent))));
    },
    async hvp(task, wrt, cotangents, directions) {
      const runtime = new EagerRuntime({ context });
      const xs = place(runtime, task, [...new Set([...wrt, ...moving(directions)])]);
      const moved = runtime.session(engine, () => {
        const outputs = task.body(xs) as readonly EagerTensor[];
        const live = [...outputs.keys()].filter((at) => cotangents[at] !== null && isInexact((cotangents[at] as HostValue).dtype) && (outputs[at] as EagerTensor).tracksGrad);
        const gradients = grad(live.map((at) => outputs[at] as EagerTensor), wrt.map((at) => xs[at] as EagerTensor), live.map((at) => hostTensor(cotangents[at] as HostValue)), { allowUnused: true });
        return along(runtime, gradients, xs, directions);
      });
      return Promise.all(moved.map((tangent) => readValue(tangent as EagerTensor)));
    },
  };
}
