/** The step table while it is written: where the next record goes, and the words that every kind of record has. */
import { type BufferView, dtypes, execution, type LoopKernel, type LoopStep, type Plan, type Step, TfError } from '@tf/core';
import { axisRecord, builtins, bytesWord, functionWord } from '../codegen/record.ts';
import { PatchList } from './patches.ts';
import { tableWords } from './table-words.ts';

/** A loop's record, which later steps with the same kernel, extents and strides copy. */
export interface KnownRecord {
  readonly step: LoopStep;
  readonly tiling: execution.Tiling;
  readonly at: number;
  /** The axis of the record that begins with the outermost of the step. */
  readonly outer: number;
}

/** A repeat whose steps are being written. */
export interface OpenRepeat {
  readonly counter: string;
  /** Word of the table where its header begins. */
  readonly header: number;
  readonly entries: number[];
}

/** Writes the record of a step, and those of the steps inside it; `element` is its place in the function table. */
export type RecordWriter = (table: TableWriter, step: Step, element: number) => void;

export class TableWriter {
  readonly words: Int32Array;
  readonly fixed: PatchList = new PatchList();
  readonly varying: PatchList = new PatchList();
  /** Bytes of each slot of tile steps. */
  readonly tileSlots: number[] = [];
  readonly known: Map<LoopKernel, KnownRecord> = new Map<LoopKernel, KnownRecord>();
  readonly plan: Plan;
  readonly limits: execution.TileLimits;
  readonly value: execution.DimValue;
  /** Per record, its element of the function table. */
  readonly #elements: readonly number[];
  readonly #write: RecordWriter;
  readonly #repeats: OpenRepeat[] = [];
  #nextElement = 0;
  #nextSite = 0;
  #at = 0;

  constructor(plan: Plan, elements: readonly number[], limits: execution.TileLimits, value: execution.DimValue, write: RecordWriter) {
    this.plan = plan;
    this.limits = limits;
    this.value = value;
    this.#elements = elements;
    this.#write = write;
    this.words = new Int32Array(tableWords(plan));
  }

  /** The first word of the record that is being written. */
  get at(): number {
    return this.#at;
  }

  advance(words: number): void {
    this.#at += words;
  }

  end(): void {
    this.words[this.#at + functionWord] = builtins.end;
  }

  /** Of the next step in the order of the records. */
  nextElement(): number {
    return this.#elements[this.#nextElement++]!;
  }

  /** The number of a call in its plan: in the order of the records. */
  nextSite(): number {
    return this.#nextSite++;
  }

  steps(steps: readonly Step[]): void {
    for (const step of steps) this.#write(this, step, this.nextElement());
  }

  /** Addresses that depend on the counter become entries of the repeat's header. */
  repeated(repeat: OpenRepeat, steps: readonly Step[]): void {
    this.#repeats.push(repeat);
    this.steps(steps);
    this.#repeats.pop();
  }

  /** Goes back to a header when what follows it is written; `write` is told how many words both have. */
  header(header: number, write: (words: number) => void): void {
    const end = this.#at;
    this.#at = header;
    write(end - header);
    this.#at = end;
  }

  begin(element: number, words: number): void {
    this.put(functionWord, element);
    this.put(bytesWord, 4 * words);
  }

  /** Words are taken modulo 2^32, as addresses are. */
  put(word: number, value: number): void {
    this.words[this.#at + word] = value;
  }

  address(word: number, { buffer, offset }: execution.Address): void {
    const { dtype, place } = this.plan.buffers[buffer]!;
    const { bytes } = dtypes[dtype];
    const patches = place.kind === 'input' || place.kind === 'output' ? this.varying : this.fixed;
    const start = this.#repeats.length === 0 ? offset : execution.startOf(offset, this.#repeats.map(({ counter }) => counter));
    patches.add(this.#at + word, buffer, this.value(start) * bytes);
    for (const { counter, header, entries } of this.#repeats) {
      if (execution.dependsOn(offset, counter)) entries.push(4 * (this.#at + word - header), this.value(execution.incrementOf(offset, counter)) * bytes);
    }
  }

  /** In bytes. */
  strides({ buffer, strides }: BufferView, rank: number): number[] {
    const { bytes } = dtypes[this.plan.buffers[buffer]!.dtype];
    return strides.slice(0, rank).map((stride) => this.value(stride) * bytes);
  }

  /** The first `rank` of the axes. */
  odometer(record: { readonly rank: number; readonly axes: number }, axes: readonly execution.Axis[], rank: number): void {
    this.put(record.rank, rank);
    for (let axis = 0; axis < rank; axis++) {
      const at = record.axes + axis * axisRecord.words;
      this.put(at + axisRecord.extent, counterValue(axes[axis]!.extent));
      for (let operand = 0; operand < 3; operand++) this.put(at + axisRecord.delta(operand), execution.deltaOf(axes, axis, operand));
    }
  }
}

/** A count as the table holds it. */
export function counterValue(count: number): number {
  if (count < 2 ** 32) return count;
  throw new TfError('TooLargeError', `cpu-wasm: a loop over ${count} elements exceeds 2^32 − 1. Split the operation.`, { engine: 'cpu-wasm', requested: count, maximum: 2 ** 32 - 1 });
}
