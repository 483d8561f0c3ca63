/**
 * The calls of one plan. The generated code reaches kernels by one imported function, which gets the address of the record:
 * a WASM kernel then gets its arguments where they lie, a host kernel arrays on the engine's memory.
 */
import { arrayConstructor, type CallOperand, type CallStep, type DType, dtypes, execution, failedElement, type HostCall, type HostKernel, isTfError, kernelError, kernelFault, type Plan, type TfError, type TypedArray } from '@tf/core';
import { callRecord } from '../codegen/record.ts';
import type { Block } from '../memory/allocator.ts';
import type { Device } from '../memory/device.ts';
import type { Heap } from '../memory/heap.ts';
import { callPlaces } from '../plan/table-words.ts';
import type { CallTarget } from './gate.ts';
import { guardedCall, type Range } from './guarded-call.ts';
import type { Kernel, Kernels } from './kernels.ts';

/** A call as a host kernel gets it, and the words of the record and the memory that it was made from. */
interface LastCall {
  readonly buffer: ArrayBufferLike;
  readonly addresses: Int32Array;
  readonly call: HostCall;
}

/** One call step of the plan. */
interface Site {
  readonly step: CallStep;
  readonly kernel: Kernel;
  /** The word of the step table where its record begins. */
  readonly at: number;
  readonly operands: readonly CallOperand[];
  /** What a host kernel got last. */
  last: LastCall | undefined;
  integers: readonly number[];
  table: execution.Table<Block> | undefined;
}

export class PlanCalls implements CallTarget {
  readonly #kernels: Kernels;
  readonly #device: Device;
  readonly #sites: readonly Site[];
  #failed: TfError | undefined;

  constructor(plan: Plan, kernels: Kernels, device: Device) {
    this.#kernels = kernels;
    this.#device = device;
    this.#sites = callPlaces(plan.steps).map(({ step, at }): Site => ({ step, at, kernel: kernels.of(step.symbol), operands: [...step.inputs, ...step.outputs], last: undefined, integers: [], table: undefined }));
  }

  /** Other sizes: the integers of the calls whose records begin at word `first` or behind it. */
  bind(words: Int32Array, first = 0): void {
    for (const site of this.#sites) {
      if (site.at < first) continue;
      const begin = site.at + callRecord.integer(site.operands.length, 0);
      site.integers = Array.from(words.subarray(begin, begin + site.step.integers.length));
      site.table = undefined;
      site.last = undefined;
    }
  }

  /** Sees to it that the tables are in memory, and writes their addresses once nothing will be allocated any more. */
  findTables(first = 0): void {
    const { tables } = this.#device;
    for (const site of this.#sites) {
      if (site.at < first || site.kernel.tables === undefined) continue;
      if (site.table !== undefined && site.table.block.address !== 0) tables.use(site.table);
      else site.table = tables.find(site.kernel, site.integers);
    }
  }

  writeTables(words: Int32Array, table: number, first = 0): void {
    for (const site of this.#sites) {
      if (site.at >= first && site.table !== undefined) words[table + site.at + callRecord.tables(site.operands.length)] = site.table.block.address;
    }
  }

  begin(): void {
    this.#failed = undefined;
    this.#device.gate.current = this;
  }

  end(): void {
    this.#device.gate.current = undefined;
  }

  /** The error for the first element for which a kernel found no result. */
  get failed(): TfError | undefined {
    return this.#failed;
  }

  call(record: number): void {
    const { heap, guard } = this.#device;
    const site = this.#sites[heap.words[(record >>> 2) + callRecord.site]!]!;
    const status = guard === undefined ? this.#run(site, record) : guardedCall(heap, site.step.symbol, rangesOf(site, heap, record), () => this.#run(site, record));
    if (status !== 0) this.#failed ??= kernelError(site.kernel.registered, (status >>> 0) - 1);
  }

  /** After a trap, or whatever a kernel threw: what is wrong, and with whose kernel. */
  fault(step: CallStep, thrown: unknown): TfError {
    this.#kernels.resetStack();
    return kernelFault('cpu-wasm', this.#kernels.of(step.symbol).registered, thrown);
  }

  /** 0, or the index of the first element without a result, + 1. */
  #run(site: Site, record: number): number {
    const { code } = site.kernel;
    return code === undefined ? this.#runHost(site, record) : code(record + 4 * callRecord.args);
  }

  #runHost(site: Site, record: number): number {
    const call = callOf(site, this.#device.heap, record);
    try {
      const given = (site.kernel.host as HostKernel).run(call);
      return given === undefined ? 0 : failedElement('cpu-wasm', site.kernel.registered, given)! + 1;
    } catch (thrown) {
      throw isTfError(thrown) ? thrown : this.fault(site.step, thrown);
    }
  }
}

/** The call of last time where all lies where it lay: making arrays on the memory costs more than a small kernel. */
function callOf(site: Site, heap: Heap, record: number): HostCall {
  const { words, bytes: { buffer } } = heap;
  const first = (record >>> 2) + callRecord.args;
  const { last } = site;
  if (last === undefined || last.buffer !== buffer) return newCall(site, heap, record);
  for (let i = 0; i < last.addresses.length; i++) if (words[first + i] !== last.addresses[i]) return newCall(site, heap, record);
  return last.call;
}

function newCall(site: Site, heap: Heap, record: number): HostCall {
  const { step, operands, integers, table } = site;
  const arrays = operands.map((_, i) => viewOf(site, i, heap, record));
  const call = Object.freeze({
    inputs: Object.freeze(arrays.slice(0, step.inputs.length)),
    outputs: Object.freeze(arrays.slice(step.inputs.length)),
    integers: Object.freeze(integers),
    tables: table === undefined ? undefined : arrayOn(heap, table.dtype, table.block.address, table.length),
    workspace: step.workspace === undefined ? undefined : (viewOf(site, operands.length, heap, record) as Uint8Array),
  });
  const first = (record >>> 2) + callRecord.args;
  // Operands, workspace and tables; integers and elements are those of the plan's sizes.
  site.last = { buffer: heap.bytes.buffer, addresses: heap.words.slice(first, first + operands.length + 2), call };
  return call;
}

/** Where an operand lies, the workspace being the one after the last, and how many elements of an array it has. */
function placeOf({ step, operands, integers }: Site, index: number, { words }: Heap, record: number): { readonly address: number; readonly length: number; readonly dtype: DType } {
  const count = operands.length;
  const { dtype } = operands[index] ?? step.workspace!;
  const word = (position: number): number => words[(record >>> 2) + position]! >>> 0;
  const address = word(index === count ? callRecord.workspace(count) : callRecord.operand(index));
  return { address, length: word(callRecord.elements(count, integers.length, index)) * dtypes[dtype].lanes, dtype };
}

function viewOf(site: Site, index: number, heap: Heap, record: number): TypedArray {
  const { address, length, dtype } = placeOf(site, index, heap, record);
  return arrayOn(heap, dtype, address, length);
}

function arrayOn({ bytes: { buffer } }: Heap, dtype: DType, address: number, length: number): TypedArray {
  return new (arrayConstructor(dtype))(buffer as ArrayBuffer, address, length);
}

/** What a kernel only reads. */
function rangesOf(site: Site, heap: Heap, record: number): readonly Range[] {
  const inputs = site.step.inputs.map((_, i): Range => {
    const { address, length, dtype } = placeOf(site, i, heap, record);
    return { what: `input ${i}`, address, bytes: (length / dtypes[dtype].lanes) * dtypes[dtype].bytes };
  });
  const { table } = site;
  return table === undefined ? inputs : [...inputs, { what: 'its tables', address: table.block.address, bytes: table.bytes }];
}
