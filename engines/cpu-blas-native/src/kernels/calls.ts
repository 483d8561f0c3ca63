/** The calls of one plan: their functions and tables in the step table, and kernels in JavaScript, which get arrays on the memory that C works on. */
import { arrayConstructor, type CallOperand, type CallStep, dtypes, execution, failedElement, type HostCall, type HostKernel, isTfError, kernelError, kernelFault, type Plan, type TfError, type TypedArray } from '@tf/core';
import type { Place } from '../memory/place.ts';
import { callsOf } from '../table/records.ts';
import { callRecord, header, VIEW_STRIDES } from '../table/words.ts';
import type { Kernel, Kernels } from './kernels.ts';

/** One call step of the plan. */
interface Site {
  readonly step: CallStep;
  readonly kernel: Kernel;
  readonly operands: readonly CallOperand[];
  integers: readonly number[];
  table: execution.Table<Place> | undefined;
  /** Elements of operands and workspace. */
  elements: readonly number[];
}

/** Where a run's memory is, as far as calls see it. */
export interface CallFrame {
  readonly words: Float64Array;
  /** By plan buffer. */
  readonly places: readonly Pick<Place, 'memory' | 'offset' | 'address'>[];
}

export class PlanCalls {
  readonly #sites: readonly Site[];
  readonly #tables: execution.TableCache<Place>;
  #failed: TfError | undefined;

  constructor(plan: Plan, kernels: Kernels, tables: execution.TableCache<Place>) {
    this.#tables = tables;
    this.#sites = callsOf(plan.steps).map((step): Site => ({ step, kernel: kernels.of(step.symbol), operands: [...step.inputs, ...step.outputs, ...(step.workspace === undefined ? [] : [step.workspace])], integers: [], table: undefined, elements: [] }));
  }

  /** Whether the run needs JavaScript while it runs. */
  get hasHost(): boolean {
    return this.#sites.some(({ kernel }) => kernel.host !== undefined);
  }

  /** Other sizes. */
  bind(words: Float64Array, records: readonly number[], value: execution.DimValue): void {
    this.#sites.forEach((site, i) => {
      const begin = records[i]! + callRecord.views + VIEW_STRIDES * site.operands.length;
      site.integers = Object.freeze(Array.from(words.subarray(begin, begin + site.step.integers.length)));
      site.elements = site.operands.map(({ elements }) => value(elements));
      site.table = undefined;
    });
  }

  /** What failed before is forgotten. */
  begin(words: Float64Array, records: readonly number[]): void {
    this.#failed = undefined;
    this.fill(words, records);
  }

  /** Where the tables of the run that has begun lie. */
  blocks(): readonly Place[] {
    return this.#sites.flatMap(({ table }) => table?.block ?? []);
  }

  /** Before the words are written anew within a run. */
  keepFailure(words: Float64Array, records: readonly number[]): void {
    this.#failed = this.failed(words, records);
  }

  /** Writes functions and tables into a frame's words. */
  fill(words: Float64Array, records: readonly number[]): void {
    this.#sites.forEach((site, i) => {
      const record = records[i]!;
      if (site.kernel.tables !== undefined) {
        if (site.table === undefined) site.table = this.#tables.find(site.kernel, site.integers);
        else this.#tables.use(site.table);
      }
      words[record + callRecord.function] = site.kernel.address;
      words[record + callRecord.status] = 0;
      words[record + callRecord.batched] = site.kernel.isBatched ? 1 : 0;
      words[record + callRecord.tables] = site.table?.block.address ?? 0;
    });
  }

  /** The error for the first element for which a kernel found no result. `records`: those of the run, which in the background may have other sizes than the last that began. */
  failed(words: Float64Array, records: readonly number[]): TfError | undefined {
    if (this.#failed !== undefined) return this.#failed;
    for (const [i, { kernel }] of this.#sites.entries()) {
      const status = words[records[i]! + callRecord.status]!;
      if (status !== 0) return kernelError(kernel.registered, status - 1);
    }
    return undefined;
  }

  /** Runs the kernel of a call in JavaScript. */
  callHost(index: number, frame: CallFrame, records: readonly number[]): void {
    const site = this.#sites[index]!;
    const { registered, host } = site.kernel;
    try {
      const given = (host as HostKernel).run(this.#callOf(site, records[index]!, frame));
      const failed = given === undefined ? undefined : failedElement('cpu-blas-native', registered, given);
      if (failed !== undefined) this.#failed ??= kernelError(registered, failed);
    } catch (thrown) {
      throw isTfError(thrown) ? thrown : kernelFault('cpu-blas-native', registered, thrown);
    }
  }

  #callOf({ step, operands, integers, elements, table }: Site, record: number, frame: CallFrame): HostCall {
    const arrays = operands.map(({ dtype }, i) => arrayAt(frame, record + callRecord.views + VIEW_STRIDES * i, dtype, elements[i]! * dtypes[dtype].lanes));
    const count = step.inputs.length + step.outputs.length;
    return Object.freeze({
      inputs: Object.freeze(arrays.slice(0, step.inputs.length)),
      outputs: Object.freeze(arrays.slice(step.inputs.length, count)),
      integers,
      tables: table === undefined ? undefined : new (arrayConstructor(table.dtype))(table.block.memory, table.block.offset, table.length),
      workspace: arrays[count] as Uint8Array | undefined,
    });
  }
}

/** The operand of a view: its offset, moved by the counters of the repeats around it. */
function arrayAt({ words, places }: CallFrame, view: number, dtype: CallOperand['dtype'], length: number): TypedArray {
  const place = places[words[view]!]!;
  let offset = place.offset + words[view + 1]!;
  const moves = words[view + 2]!;
  if (moves !== 0) {
    const counters = words[header.counters]!;
    for (let i = 0; i < words[moves]!; i++) offset += words[counters + words[moves + 1 + 2 * i]!]! * words[moves + 2 + 2 * i]!;
  }
  return new (arrayConstructor(dtype))(place.memory, offset, length);
}
