/**
 * A matrix times a vector: the operand that is read once decides the speed, so it is read along whichever axis is
 * contiguous. Both ways have the same order of sums (`vectorSum`), so a transposed matrix gives the same bits.
 */
import { add, advance, call, type Code, forLoop, get, i32, ifElse, instr, least, load, loadWord, type Local, mul, repeat, set, store, sub } from '../../encoder/code.ts';
import { FunctionScope } from '../../encoder/function.ts';
import type { ModuleBuilder } from '../../encoder/module.ts';
import { contractRecord as words } from '../record.ts';
import { type Blocking, stripBytes, vectorSum } from './blocking.ts';
import { addColumnSums } from './columns.ts';
import { addRowSums } from './rows.ts';

/** Bytes of the workspace: sums of a strip, the vector's block, four packed rows, then what rows and columns use. */
export const vectorWorkspace = { sums: 0, vector: 4096, panel: 16384, lanes: 65536 } as const;

/** Adds (record, lhs, rhs, out) for one batch position where n = 1; m, k ≥ 1. */
export function addMatrixVector(module: ModuleBuilder, blocking: Blocking, pack: number): number {
  return new MatrixVectorEmitter(module, blocking, pack).add();
}

/** Adds (to, from, count ≥ 1, stride): copies elements side by side. */
export function addGather(module: ModuleBuilder, { type, bytes }: Blocking): number {
  const scope = new FunctionScope(['i32', 'i32', 'i32', 'i32']);
  const [to, from, count, stride] = scope.parameters as readonly Local[] as readonly [Local, Local, Local, Local];
  return module.addFunction(scope, repeat(count, get(count), [store(`${type}.store`, get(to), load(`${type}.load`, get(from))), advance(to, i32(bytes)), advance(from, get(stride))]));
}

class MatrixVectorEmitter {
  readonly #module: ModuleBuilder;
  readonly #blocking: Blocking;
  readonly #pack: number;
  readonly #scope: FunctionScope = new FunctionScope(['i32', 'i32', 'i32', 'i32']);
  readonly #record: Local = this.#scope.parameter(0);
  readonly #block: Local = this.#scope.local('i32');
  readonly #depth: Local = this.#scope.local('i32');
  readonly #row: Local = this.#scope.local('i32');
  readonly #rows: Local = this.#scope.local('i32');
  readonly #vector: Local = this.#scope.local('i32');
  readonly #matrix: Local = this.#scope.local('i32');

  constructor(module: ModuleBuilder, blocking: Blocking, pack: number) {
    this.#module = module;
    this.#blocking = blocking;
    this.#pack = pack;
  }

  add(): number {
    const { bytes } = this.#blocking;
    const columns = addColumnSums(this.#module, this.#blocking);
    const rows = addRowSums(this.#module, this.#blocking);
    const gather = addGather(this.#module, this.#blocking);
    const finish = addFinish(this.#module, this.#blocking);
    const strip = [
      set(this.#matrix, add(get(this.#scope.parameter(1)), add(mul(get(this.#row), this.#word(words.lhsM)), mul(get(this.#block), this.#word(words.lhsK))))),
      this.#sum(columns, rows),
      call(finish, this.#workspace('sums'), add(get(this.#scope.parameter(3)), mul(get(this.#row), this.#word(words.outM))), get(this.#rows), this.#word(words.outM), instr('i32.eqz', get(this.#block))),
    ];
    return this.#module.addFunction(this.#scope, this.#over(this.#block, this.#depth, words.k, vectorSum.span, [
      set(this.#vector, add(get(this.#scope.parameter(2)), mul(get(this.#block), this.#word(words.rhsK)))),
      ifElse(instr('i32.ne', this.#word(words.rhsK), i32(bytes)), [
        call(gather, this.#workspace('vector'), get(this.#vector), get(this.#depth), this.#word(words.rhsK)),
        set(this.#vector, this.#workspace('vector')),
      ]),
      this.#over(this.#row, this.#rows, words.m, stripBytes / bytes, strip),
    ]));
  }

  /** Columns that are contiguous, rows that are, or packed panels of four rows, which are columns again. */
  #sum(columns: number, rows: number): Code {
    const { bytes, lanes } = this.#blocking;
    const [row, left] = this.#scope.locals('i32', 2) as readonly Local[] as readonly [Local, Local];
    const lanesAt = this.#workspace('lanes');
    const byColumns = call(columns, get(this.#matrix), this.#word(words.lhsK), get(this.#vector), get(this.#depth), get(this.#rows), this.#workspace('sums'), lanesAt);
    const byRows = call(rows, get(this.#matrix), this.#word(words.lhsM), get(this.#vector), get(this.#depth), get(this.#rows), this.#workspace('sums'), lanesAt);
    const packed = forLoop(row, get(this.#rows), 4, [
      set(left, sub(get(this.#rows), get(row))),
      set(left, least(get(left), i32(4))),
      call(this.#pack, this.#workspace('panel'), add(get(this.#matrix), mul(get(row), this.#word(words.lhsM))), get(left), get(this.#depth), this.#word(words.lhsM), this.#word(words.lhsK)),
      call(columns, this.#workspace('panel'), i32(4 * bytes), get(this.#vector), get(this.#depth), i32(4), add(this.#workspace('sums'), mul(get(row), i32(bytes))), lanesAt),
    ]);
    const areColumns = instr('i32.and', instr('i32.eq', this.#word(words.lhsM), i32(bytes)), instr('i32.ge_u', get(this.#rows), i32(lanes)));
    return ifElse(instr('i32.eq', this.#word(words.lhsK), i32(bytes)), byRows, ifElse(areColumns, byColumns, packed));
  }

  #word(position: number): Code {
    return loadWord(get(this.#record), position);
  }

  #workspace(part: keyof typeof vectorWorkspace): Code {
    return add(this.#word(words.workspace), i32(vectorWorkspace[part]));
  }

  #over(start: Local, size: Local, extentWord: number, step: number, body: Code): Code {
    const extent = this.#word(extentWord);
    return forLoop(start, extent, step, [set(size, sub(extent, get(start))), set(size, least(get(size), i32(step))), body]);
  }
}

/** Adds (sums, out, count ≥ 1, stride, first): out = sums if `first`, else out += them. */
function addFinish(module: ModuleBuilder, { type, bytes }: Blocking): number {
  const scope = new FunctionScope(['i32', 'i32', 'i32', 'i32', 'i32']);
  const [sums, out, count, stride, first] = scope.parameters as readonly Local[] as readonly [Local, Local, Local, Local, Local];
  const value = load(`${type}.load`, get(sums));
  const each = (result: Code): Code => repeat(count, get(count), [store(`${type}.store`, get(out), result), advance(sums, i32(bytes)), advance(out, get(stride))]);
  return module.addFunction(scope, ifElse(get(first), each(value), each(instr(`${type}.add`, load(`${type}.load`, get(out)), value))));
}
