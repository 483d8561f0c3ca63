/** What the drivers of loop kernels share: pointers from the record, nested loops over axes, moves along an axis. */
import type { LoopKernel } from '@tf/core';
import { advance, type Code, get, loadWord, type Local, repeat, set } from '../encoder/code.ts';
import { FunctionScope } from '../encoder/function.ts';
import { loopRecord } from './record.ts';

/** A driver: (record, scratch). */
export const driverSignature = { parameters: ['i32', 'i32'], results: [] } as const;

export class Nest {
  readonly kernel: LoopKernel;
  readonly scope: FunctionScope = new FunctionScope(driverSignature.parameters);
  readonly record: Local = this.scope.parameter(0);
  readonly scratch: Local = this.scope.parameter(1);
  /** Reads, then writes. */
  readonly pointers: readonly Local[];

  constructor(kernel: LoopKernel) {
    this.kernel = kernel;
    this.pointers = this.scope.locals('i32', kernel.reads.length + kernel.writes.length);
  }

  word(word: number): Code {
    return loadWord(get(this.record), word);
  }

  extent(axis: number): Code {
    return this.word(loopRecord.extent(axis));
  }

  delta(operand: number, axis: number): Code {
    return this.word(loopRecord.delta(this.kernel.rank, operand, axis));
  }

  loadPointers(): Code {
    return this.pointers.map((pointer, operand) => set(pointer, this.word(loopRecord.address(this.kernel.rank, operand))));
  }

  /** Moves every pointer along `axis` by its delta. */
  move(axis: number, operands: readonly Local[] = this.pointers): Code {
    return operands.map((pointer, operand) => advance(pointer, this.delta(operand, axis)));
  }

  /** The body once for every index of the axes 0 … axes − 1, moving along the axis after each. Extents are ≥ 1. */
  over(axes: number, body: Code): Code {
    let nested = body;
    for (let axis = axes - 1; axis >= 0; axis--) {
      nested = repeat(this.scope.local('i32'), this.extent(axis), [nested, this.move(axis)]);
    }
    return nested;
  }
}
