/** Loops over the same rows become one step that an engine runs for some rows at a time (docs/passes/tile.md). */
import type { BufferView, LoopStep, PlanBuffer, Step } from '../contract.ts';
import { type Dim, divideDims, isKnown, mulDims, sameDim, subDims } from '../types/dim.ts';
import { isNeverNegative, mentionsIntroduced } from '../types/extent.ts';

/** Puts loops that follow each other into tile steps where one reads what another writes. */
export function tileSteps(buffers: readonly PlanBuffer[], steps: readonly Step[]): readonly Step[] {
  if (steps.length < 2) return steps;
  const tiled: Step[] = [];
  const writers = new Int32Array(buffers.length);
  let run = new Run(buffers, writers, 1);
  let runs = 1;
  for (const step of steps) {
    if (step.kind === 'loop' && run.take(step)) continue;
    for (const done of run.result()) tiled.push(done);
    run = new Run(buffers, writers, ++runs);
    if (step.kind !== 'loop' || !run.take(step)) tiled.push(step);
  }
  for (const done of run.result()) tiled.push(done);
  return tiled;
}

/** Loops that may run row by row, as far as they are known. */
class Run {
  readonly #buffers: readonly PlanBuffer[];
  readonly #steps: LoopStep[] = [];
  /** Per buffer: the last run that writes it. */
  readonly #writers: Int32Array;
  readonly #number: number;
  /** Buffers that a loop reads otherwise than row by row. */
  readonly #crossed = new Set<number>();
  #rows: Dim | undefined;
  #shares = false;

  /** `number` is this run's own among all that note in `writers` what they write. */
  constructor(buffers: readonly PlanBuffer[], writers: Int32Array, number: number) {
    this.#buffers = buffers;
    this.#writers = writers;
    this.#number = number;
  }

  /** Adds the loop if it can be. */
  take(step: LoopStep): boolean {
    // How many rows fit a tile would depend on the run.
    if (mentions(step)) return false;
    const outer = outermost(step);
    if (outer === undefined) return false;
    const shares = step.reads.some(({ buffer }) => this.#writes(buffer));
    const rows = this.#rowsWith(outer, shares);
    if (rows === undefined || !this.#fits(step, rows)) return false;
    this.#rows = rows;
    this.#shares ||= shares;
    this.#steps.push(step);
    for (const { buffer } of step.writes) this.#writers[buffer] = this.#number;
    for (const view of step.reads) if (!this.#writes(view.buffer) && !this.#isByRows(view, step.extents, rows)) this.#crossed.add(view.buffer);
    return true;
  }

  result(): readonly Step[] {
    return this.#shares ? [{ kind: 'tile', rows: this.#rows as Dim, steps: this.#steps }] : this.#steps;
  }

  #writes(buffer: number): boolean {
    return this.#writers[buffer] === this.#number;
  }

  /** The rows of this run and a loop of `outer` outermost iterations. What reads nothing of this run does not change them. */
  #rowsWith(outer: Dim, shares: boolean): Dim | undefined {
    const rows = this.#rows;
    if (rows === undefined || sameDim(rows, outer)) return outer;
    if (!shares) return undefined;
    if (divideDims(outer, rows) !== undefined) return rows;
    return divideDims(rows, outer) === undefined ? undefined : outer;
  }

  /** Everything written by this run is written and read row by row. Fewer rows, each of several of before, keep that true. */
  #fits({ kernel, extents, reads, writes }: LoopStep, rows: Dim): boolean {
    const written = extents.slice(0, kernel.rank - (kernel.reduce?.axes ?? 0));
    const own = (buffer: number): boolean => this.#writes(buffer) || writes.some((write) => write.buffer === buffer);
    return writes.every((view) => !this.#crossed.has(view.buffer) && this.#isByRows(view, written, rows))
      && reads.every((view) => !own(view.buffer) || this.#isByRows(view, extents, rows));
  }

  /** Whether each row of the iteration stays within its row of the buffer, for every binding. */
  #isByRows({ buffer, offset, strides }: BufferView, extents: readonly Dim[], rows: Dim): boolean {
    const [outer, stride] = [extents[0], strides[0]] as [Dim, Dim];
    const row = divideDims((this.#buffers[buffer] as PlanBuffer).elements, rows);
    const each = divideDims(outer, rows);
    if (row === undefined || each === undefined || !sameDim(mulDims(each, stride), row)) return false;
    let left = subDims(subDims(row, 1), offset);
    for (let axis = 0; axis < extents.length; axis++) {
      const own = strides[axis] as Dim;
      if (!isNeverNegative(own)) return false;
      left = subDims(left, mulDims(subDims(axis === 0 ? each : (extents[axis] as Dim), 1), own));
    }
    return isNeverNegative(offset) && isKnown(left) && left >= 0;
  }
}

function inView({ offset, strides }: BufferView): boolean {
  return mentionsIntroduced(offset) || strides.some(mentionsIntroduced);
}

function mentions({ extents, reads, writes }: LoopStep): boolean {
  return extents.some(mentionsIntroduced) || reads.some(inView) || writes.some(inView);
}

/** The extent of the outermost axis, if it is one that the results have. */
function outermost({ kernel, extents }: LoopStep): Dim | undefined {
  const outer = kernel.rank === (kernel.reduce?.axes ?? 0) ? 0 : (extents[0] as Dim);
  return outer === 0 ? undefined : outer;
}
