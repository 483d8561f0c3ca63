/** The step table of a plan for one binding of its sizes, while it is written. */
import { type BufferView, dtypes, execution, type GatherStep, type LoopKernel, type Plan, type ScanKernel, type ScatterStep, type Step, TfError } from '@tf/core';
import { type KernelSize, type Operations, writeLoopKernel, writeScanKernel } from './kernel-words.ts';
import { header, kinds } from './words.ts';
import { WordList } from './word-list.ts';

/** A counter whose steps are being written: it makes views move. */
interface OpenCounter {
  readonly index: number;
  /** Bytes by which a view moves with each count. */
  readonly move: (view: execution.Address) => number;
  /** The symbol that offsets mention; tiles have none. */
  readonly symbol: string | undefined;
}

/** Where a kernel's words begin, and what it needs. */
export interface PlacedKernel {
  readonly at: number;
  readonly size: KernelSize;
}

/** How deep loops lie in loops at most: as many counters there are. */
export const MAXIMUM_DEPTH = 64;

export class TableWriter {
  readonly words: WordList = new WordList();
  readonly plan: Plan;
  readonly value: execution.DimValue;
  /** Words behind the records of top-level steps that define an extent, by index of the step. */
  readonly extentEnds: Map<number, number> = new Map<number, number>();
  /** Bytes of each slot of tile steps. */
  readonly tileSlots: number[] = [];
  /** Words of contraction records, for whoever asks how much working memory they need. */
  readonly contractions: number[] = [];
  readonly kernels: PlacedKernel[] = [];
  /** Steps that can fail on what they read, by the word of their record. */
  readonly indexed: Map<number, GatherStep | ScatterStep> = new Map<number, GatherStep | ScatterStep>();
  /** Words where records of calls begin, in their order. */
  readonly calls: number[] = [];
  readonly #operations: Operations;
  readonly #known = new Map<LoopKernel | ScanKernel, PlacedKernel>();
  readonly #counters: OpenCounter[] = [];

  constructor(plan: Plan, operations: Operations, value: execution.DimValue) {
    this.plan = plan;
    this.value = value;
    this.#operations = operations;
    this.words.reserve(header.length + plan.buffers.length + MAXIMUM_DEPTH);
  }

  /** All kernels lie before the records. */
  addKernels(steps: readonly Step[]): void {
    for (const step of steps) {
      if (step.kind !== 'loop' && step.kind !== 'scan') continue;
      if (this.#known.has(step.kernel)) continue;
      const at = this.words.length;
      const size = step.kind === 'loop' ? writeLoopKernel(this.words, step.kernel, this.#operations) : writeScanKernel(this.words, step.kernel, this.#operations);
      const placed = { at, size };
      this.#known.set(step.kernel, placed);
      this.kernels.push(placed);
    }
  }

  kernel(kernel: LoopKernel | ScanKernel): PlacedKernel {
    return this.#known.get(kernel)!;
  }

  /** A record whose body `write` adds. Views that move must have been announced by {@link moves}. */
  record(kind: number, write: () => void): void {
    const at = this.words.length;
    this.words.push(kind, 0);
    write();
    this.words.set(at + 1, this.words.length - at);
  }

  /** Words of the moves of each view, 0 for one that stays: they lie in a record of their own that does nothing. */
  moves(views: readonly execution.Address[]): readonly number[] {
    if (this.#counters.length === 0) return views.map(() => 0);
    const all = views.map((view) => this.#counters.map(({ index, move }) => [index, move(view)] as const).filter(([, bytes]) => bytes !== 0));
    if (all.every((moves) => moves.length === 0)) return views.map(() => 0);
    const places: number[] = [];
    this.record(kinds.nothing, () => {
      for (const moves of all) {
        places.push(moves.length === 0 ? 0 : this.words.length);
        if (moves.length > 0) this.words.push(moves.length, ...moves.flat());
      }
    });
    return places;
  }

  /** Buffer, offset, moves; the strides follow. */
  view({ buffer, offset }: execution.Address, moves: number): void {
    const symbols = this.#counters.flatMap(({ symbol }) => symbol ?? []);
    const start = symbols.length === 0 ? offset : execution.startOf(offset, symbols);
    this.words.push(buffer, this.value(start) * this.bytesOf(buffer), moves);
  }

  /** In bytes. */
  strides({ buffer, strides }: BufferView, rank: number): number[] {
    const bytes = this.bytesOf(buffer);
    return strides.slice(0, rank).map((stride) => this.value(stride) * bytes);
  }

  bytesOf(buffer: number): number {
    return dtypes[this.plan.buffers[buffer]!.dtype].bytes;
  }

  /** The index of a new counter, which makes views move while `write` adds its steps. */
  counting(symbol: string | undefined, move: (view: execution.Address) => number, write: (index: number) => void): void {
    const index = this.#counters.length;
    if (index >= MAXIMUM_DEPTH) throw new TfError('TooLargeError', `cpu-blas-native: loops lie ${index + 1} deep in each other, ${MAXIMUM_DEPTH} at most are possible. Split the program.`, { engine: 'cpu-blas-native', maximum: MAXIMUM_DEPTH });
    this.#counters.push({ index, move, symbol });
    write(index);
    this.#counters.pop();
  }
}
