import type { Contender, Prepared, Unsupported } from '../contender.ts';
import type { FloatDType, Input, Inputs, Task, Workload } from '../workloads.ts';

export type Prepare = (inputs: Inputs, workload: Workload) => Prepared | Promise<Prepared>;

/** What a contender can do; what is missing it cannot. */
export type Tasks = Readonly<Partial<Record<Task, Prepare>>>;

/** `why` says what is missing, or undefined; it is asked first. */
export function prepareFrom(tasks: Tasks, why: (workload: Workload) => string | undefined): Contender['prepare'] {
  return (workload, inputs): Prepared | Unsupported | Promise<Prepared> => {
    const reason = why(workload);
    if (reason !== undefined) return { unsupported: reason };
    const prepare = tasks[workload.task];
    return prepare === undefined ? { unsupported: `has no ${workload.task}` } : prepare(inputs, workload);
  };
}

/** An input's values in the array that the dtype has. */
export function typed({ values }: Input, dtype: FloatDType): Float32Array | Float64Array {
  return dtype === 'float32' ? Float32Array.from(values) : values;
}

export function inputNamed(inputs: Inputs, name: string): Input {
  const input = inputs[name];
  if (input === undefined) throw new Error(`bench: there is no input ${name}, only ${Object.keys(inputs).join(', ')}.`);
  return input;
}

/** Values one after the other. */
export function joined(parts: readonly ArrayLike<number>[]): Float64Array {
  const whole = new Float64Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
