import { type AdContext, type DType, type Engine, isInexact, isOperand, type Operand, type TypedArray } from '@tf/core';
import { compile, input, jvp, type TracedTensor, vjp } from '@tf/traced';
import { oracleContext } from '../context.ts';
import type { HostValue } from '../format.ts';
import type { Directions, Front, Task } from './front.ts';
import { readValue } from './read.ts';

type Traced = TracedTensor;
type Function = (...xs: readonly Traced[]) => readonly Operand[];
interface Options {
  readonly context: AdContext;
}
/** The functional transforms on functions of and to lists, without the types that follow a user's tree. */
type Pullback = (f: Function, ...primals: readonly Traced[]) => readonly [readonly Operand[], (cotangents: readonly (Traced | undefined)[], options: Options) => readonly Traced[]];
type Pushforward = (f: Function, primals: readonly Traced[], tangents: readonly Traced[], options: Options) => readonly [readonly Operand[], readonly (Operand | undefined)[]];

const pullbackOf = vjp as unknown as Pullback;
const pushforwardOf = jvp as unknown as Pushforward;

/** Inputs of one program, and the data that they will be given. */
class Inputs {
  readonly #data = new Map<string, TypedArray>();

  add({ dtype, shape, data }: HostValue): Traced {
    const name = `v${this.#data.size}`;
    this.#data.set(name, data);
    return input<DType>(name, { dtype, shape });
  }

  addAll(values: readonly HostValue[]): readonly Traced[] {
    return values.map((value) => this.add(value));
  }

  /** `undefined` where there is no direction. */
  directions(values: Directions): readonly (Traced | undefined)[] {
    return values.map((value) => (value === null || !isInexact(value.dtype) ? undefined : this.add(value)));
  }

  /** What the values that are there are, computed from the data. */
  run(compute: Compute, values: readonly (Operand | undefined)[]): Promise<readonly (HostValue | undefined)[]> {
    return compute(values, this.#data);
  }
}

/** Computes traced values, where there is one, from the data of their inputs by name. */
export type Compute = (values: readonly (Operand | undefined)[], data: ReadonlyMap<string, TypedArray>) => Promise<readonly (HostValue | undefined)[]>;

/** Compiles the values and runs them. */
function onEngine(engine: Engine): Compute {
  return async (values, data) => {
    const compiled = compile(values, { engine });
    const used = compiled.program.inputs.map(({ name }) => name as string);
    const results = compiled(Object.fromEntries(used.map((name) => [name, data.get(name) as TypedArray]))) as unknown as readonly unknown[];
    return Promise.all(results.map((result) => (isOperand(result) ? readValue(result) : undefined)));
  };
}

/** The function of some of the inputs; the others are captured, constant for the transform. */
function restrict({ body }: Task, xs: readonly Traced[], positions: readonly number[]): Function {
  return (...chosen) => {
    const inputs: Traced[] = [...xs];
    positions.forEach((position, at) => {
      inputs[position] = chosen[at] as Traced;
    });
    return body(inputs);
  };
}

function pick<T>(values: readonly T[], positions: readonly number[]): readonly T[] {
  return positions.map((position) => values[position] as T);
}

/** Where there is a tangent. */
function moving(tangents: readonly (Traced | undefined)[]): readonly number[] {
  return [...tangents.keys()].filter((at) => tangents[at] !== undefined);
}

function along(f: (positions: readonly number[]) => Function, xs: readonly Traced[], tangents: readonly (Traced | undefined)[], options: Options): readonly (Operand | undefined)[] {
  const moved = moving(tangents);
  return pushforwardOf(f(moved), pick(xs, moved), pick(tangents, moved) as readonly Traced[], options)[1];
}

/** Cases as programs built from inputs, compiled and run; derivatives by the functional transforms. */
export function tracedFront(engine: Engine): Front {
  return tracedFrontBy(onEngine(engine));
}

/** The same, computed in any way. */
export function tracedFrontBy(compute: Compute): Front {
  const options: Options = { context: oracleContext() };
  return {
    name: 'traced',
    async outputs(task) {
      const inputs = new Inputs();
      return (await inputs.run(compute, task.body(inputs.addAll(task.inputs)))) as readonly HostValue[];
    },
    async vjp(task, wrt, cotangents) {
      const inputs = new Inputs();
      const xs = inputs.addAll(task.inputs);
      const [, pullback] = pullbackOf(restrict(task, xs, wrt), ...pick(xs, wrt));
      return (await inputs.run(compute, pullback(inputs.directions(cotangents), options))) as readonly HostValue[];
    },
    async jvp(task, tangents) {
      const inputs = new Inputs();
      const xs = inputs.addAll(task.inputs);
      return inputs.run(compute, along((moved) => restrict(task, xs, moved), xs, inputs.directions(tangents), options));
    },
    async hvp(task, wrt, cotangents, tangents) {
      const inputs = new Inputs();
      const xs = inputs.addAll(task.inputs);
      const cts = inputs.directions(cotangents);
      const gradients = (points: readonly Operand[]): readonly Operand[] => {
        const at = points as readonly Traced[];
        return pullbackOf(restrict(task, at, wrt), ...pick(at, wrt))[1](cts, options);
      };
      const moved = along((positions) => restrict({ ...task, body: gradients }, xs, positions), xs, inputs.directions(tangents), options);
      return (await inputs.run(compute, moved)) as readonly HostValue[];
    },
  };
}
