import { allSteps, BoundedCache, type CallStep, type HostKernel, kernelTables, type Plan, type RegisteredKernel, requireKernel, type TfError, type TypedArray } from '@tf/core';

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

  of(step: CallStep): RegisteredKernel {
    return requireKernel(this.#engine, this.#kernels, step);
  }

  tables(registered: RegisteredKernel, integers: readonly number[]): TypedArray | undefined {
    const { tables, tableIntegers } = registered.kernel as HostKernel;
    return tables === undefined ? undefined : this.#tables.getOrCreate(`${registered.symbol} ${(tableIntegers?.map((at) => integers[at]) ?? integers).join()}`, () => kernelTables(this.#engine, registered, integers));
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
