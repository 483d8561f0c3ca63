/** The walk over the axes that a reduction folds: in runs that end where the innermost of them does. */
import { type Code, advance, get, i32, ifElse, instr, type Local, mul, set, sub } from '../encoder/code.ts';
import { stepCode } from './inner.ts';
import type { Nest } from './nest.ts';

export class ReducedAxes {
  readonly #nest: Nest;
  /** Elements left along each axis. */
  readonly #left: readonly Local[];

  constructor(nest: Nest) {
    this.#nest = nest;
    this.#left = nest.scope.locals('i32', nest.kernel.reduce!.axes);
  }

  /** Elements left in the present run. */
  get run(): Local {
    return this.#left.at(-1)!;
  }

  start(): Code {
    return this.#left.map((left, i) => set(left, this.#nest.extent(this.#first + i)));
  }

  /** Moves the reads along the innermost axis by `count`; where it ends, the axes outside it step. */
  advance(count: Code): Code {
    return [this.move(count), this.leave(count)];
  }

  /** The first half of {@link advance}: pointers only. */
  move(count: Code): Code {
    return this.#reads.map((pointer, operand) => (this.#nest.kernel.reads[operand]!.inner === 'broadcast' ? [] : advance(pointer, mul(count, this.step(operand)))));
  }

  /** The second half: what is left, and the axes outside. */
  leave(count: Code): Code {
    return [set(this.run, sub(get(this.run), count)), this.#carry(this.#left.length - 1, this.#reads)];
  }

  /** Bytes from one element of a read to the next along the innermost axis. */
  step(operand: number): Code {
    const { reads, rank } = this.#nest.kernel;
    return stepCode(reads[operand]!, () => this.#nest.delta(operand, rank - 1));
  }

  get #reads(): readonly Local[] {
    return this.#nest.pointers.slice(0, this.#nest.kernel.reads.length);
  }

  get #first(): number {
    return this.#nest.kernel.rank - this.#left.length;
  }

  #carry(position: number, pointers: readonly Local[]): Code {
    if (position === 0) return [];
    const left = this.#left[position]!;
    const outer = this.#left[position - 1]!;
    const axis = this.#first + position;
    return ifElse(instr('i32.eqz', get(left)), [
      set(left, this.#nest.extent(axis)),
      this.#nest.move(axis - 1, pointers),
      set(outer, sub(get(outer), i32(1))),
      this.#carry(position - 1, pointers),
    ]);
  }
}
