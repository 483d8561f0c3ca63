/**
 * Memory is idle while a loop computes. In a tile step such a loop brings in what a loop before it will read of the next tiles: by
 * loads whose values nobody takes (software prefetching: Mowry, Lam & Gupta, ASPLOS 1992; WebAssembly has no instruction for it).
 */
import { add, type Code, get, i32, instr, load, type Local, memoryPages, mul, set, sub } from '../encoder/code.ts';
import type { FunctionScope } from '../encoder/function.ts';

/** How far, in bytes: at least a tile of one operand, and little beside a second-level cache. */
const DISTANCE = 131072;

/** An operand that lies in a row: its pointer, which moves with the loop, and the bytes of an element. */
export interface Row {
  readonly pointer: Local;
  readonly bytes: number;
}

export class LookAhead {
  readonly #rows: readonly (Row & { readonly distance: Local })[];

  constructor(scope: FunctionScope, rows: readonly Row[]) {
    this.#rows = rows.map((row) => ({ ...row, distance: scope.local('i32') }));
  }

  /** Before the loop over `count` elements: where memory may end before that far, it looks at what it reads itself. In pages, as addresses would overflow. */
  start(count: Local): Code {
    const pageOf = (address: Code): Code => instr('i32.shr_u', address, i32(16));
    return this.#rows.map(({ pointer, bytes, distance }) => {
      const pagesLeft = sub(memoryPages, pageOf(get(pointer)));
      const isInside = instr('i32.gt_u', pagesLeft, add(pageOf(add(mul(get(count), i32(bytes)), i32(DISTANCE))), i32(1)));
      return set(distance, instr('select', i32(DISTANCE), i32(0), isInside));
    });
  }

  /** Once per pass, which takes a cache line or less of each. */
  touch(): Code {
    return this.#rows.map(({ pointer, distance }) => instr('drop', load('i32.load8_u', add(get(pointer), get(distance)))));
  }
}
