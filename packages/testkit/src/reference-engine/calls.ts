import { allSteps, arrayConstructor, BoundedCache, type CallOperand, type CallStep, dtypes, evaluateDim, type HostCall, type HostKernel, kernelError, noKernel, type Plan, type RegisteredKernel, type TfError, type TypedArray } from '@tf/core';
import type { Memory } from './steps.ts';

/** The host kernels of one engine, and what they keep. */
export class Kernels {
  readonly #engine: string;
  readonly #kernels: ReadonlyMap<string, RegisteredKernel>;
  readonly #tables = new BoundedCache<string, TypedArray | undefined>({ hash: () => 0, same: (a, b) => a === b, maximumEntries: 64 });

  constructor(engine: string, kernels: ReadonlyMap<string, RegisteredKernel>) {
    this.#engine = engine;
    this.#kernels = kernels;
  }

  get symbols(): ReadonlySet<string> {
    return new Set(this.#kernels.keys());
  }

  /** Refuses a plan that calls what is not here. */
  require({ steps }: Plan): void {
    for (const step of allSteps(steps)) if (step.kind === 'call') this.of(step);
  }

  of({ symbol }: CallStep): RegisteredKernel {
    const kernel = this.#kernels.get(symbol);
    if (kernel === undefined) throw noKernel(this.#engine, symbol);
    return kernel;
  }

  tables({ symbol, kernel }: RegisteredKernel, integers: readonly number[]): TypedArray | undefined {
    const { tables } = kernel as HostKernel;
    return tables === undefined ? undefined : this.#tables.getOrCreate(`${symbol} ${integers.join()}`, () => tables(integers));
  }
}

/** Calls of one run: the first of them that found no result ends it after its last step. */
export class Calls {
  readonly kernels: Kernels;
  failed: TfError | undefined = undefined;

  constructor(kernels: Kernels) {
    this.kernels = kernels;
  }
}

export function runCall(step: CallStep, memory: Memory, run: (kernel: HostKernel, call: HostCall) => number | void): void {
  const { calls } = memory;
  const outputs = step.outputs.map((operand) => arrayOf(operand, memory));
  if (outputs.every(({ length }) => length === 0)) return;
  const kernel = calls.kernels.of(step);
  const integers = step.integers.map((dim) => evaluateDim(dim, memory.binding));
  const call: HostCall = {
    inputs: step.inputs.map((operand) => arrayOf(operand, memory)),
    outputs,
    integers,
    tables: calls.kernels.tables(kernel, integers),
    workspace: step.workspace === undefined ? undefined : (arrayOf(step.workspace, memory) as Uint8Array),
  };
  const element = run(kernel.kernel as HostKernel, call);
  if (typeof element === 'number') calls.failed ??= kernelError(kernel, element);
}

/** The elements themselves, not a copy. */
function arrayOf({ buffer, offset, dtype, elements }: CallOperand, { arrays, binding }: Memory): TypedArray {
  const data = arrays[buffer] as TypedArray;
  const { bytes, lanes } = dtypes[dtype];
  return new (arrayConstructor(dtype))(data.buffer as ArrayBuffer, data.byteOffset + evaluateDim(offset, binding) * bytes, evaluateDim(elements, binding) * lanes);
}
