/**
 * The product of small or thin matrices: operands are read where they lie, since copying them costs about as much as it
 * saves. Only what has no whole micro tile, and a right side whose rows are not contiguous, is packed, a panel at a time.
 */
import { add, call, type Code, forLoop, get, i32, ifElse, instr, least, loadWord, type Local, mul, set, sub } from '../../encoder/code.ts';
import { FunctionScope } from '../../encoder/function.ts';
import type { ModuleBuilder } from '../../encoder/module.ts';
import { contractRecord as words } from '../record.ts';
import { type Blocking, workspaceOf } from './blocking.ts';
import { addEdgeTile } from './edge.ts';
import { MicroKernels } from './micro.ts';
import type { PackFunctions } from './product.ts';

/** Adds (record, lhs, rhs, out) for one batch position; m, n, k ≥ 1. */
export function addDirectProduct(module: ModuleBuilder, blocking: Blocking, pack: PackFunctions): number {
  return new DirectEmitter(module, blocking, pack).add();
}

const both = (a: Code, b: Code): Code => instr('i32.and', a, b);
const equal = (a: Code, value: number): Code => instr('i32.eq', a, i32(value));

class DirectEmitter {
  readonly #module: ModuleBuilder;
  readonly #blocking: Blocking;
  readonly #pack: PackFunctions;
  readonly #kernels: MicroKernels;
  readonly #edge: number;
  readonly #scope: FunctionScope = new FunctionScope(['i32', 'i32', 'i32', 'i32']);
  readonly #record: Local = this.#scope.parameter(0);
  readonly #block: Local = this.#scope.local('i32');
  readonly #depth: Local = this.#scope.local('i32');
  readonly #column: Local = this.#scope.local('i32');
  readonly #width: Local = this.#scope.local('i32');
  readonly #row: Local = this.#scope.local('i32');
  readonly #height: Local = this.#scope.local('i32');
  readonly #lhs: Local = this.#scope.local('i32');
  readonly #lhsRow: Local = this.#scope.local('i32');
  readonly #lhsDepth: Local = this.#scope.local('i32');
  readonly #rhs: Local = this.#scope.local('i32');
  readonly #rhsDepth: Local = this.#scope.local('i32');
  readonly #target: Local = this.#scope.local('i32');

  constructor(module: ModuleBuilder, blocking: Blocking, pack: PackFunctions) {
    this.#module = module;
    this.#blocking = blocking;
    this.#pack = pack;
    this.#kernels = new MicroKernels(module, blocking, true);
    this.#edge = addEdgeTile(module, blocking, this.#kernels, pack.scatter, true);
  }

  add(): number {
    const { mr, kc, nr } = this.#blocking;
    return this.#module.addFunction(this.#scope, this.#over(this.#block, this.#depth, words.k, kc, this.#over(this.#column, this.#width, words.n, nr, [
      this.#placeRhs(),
      this.#over(this.#row, this.#height, words.m, mr, [this.#placeLhs(), this.#multiply()]),
    ])));
  }

  #word(position: number): Code {
    return loadWord(get(this.#record), position);
  }

  #over(start: Local, size: Local, extentWord: number, step: number, body: Code): Code {
    const extent = this.#word(extentWord);
    return forLoop(start, extent, step, [set(size, sub(extent, get(start))), set(size, least(get(size), i32(step))), body]);
  }

  #workspace(part: 'lhs' | 'rhs' | 'tile'): Code {
    return add(this.#word(words.workspace), i32(workspaceOf(this.#blocking)[part]));
  }

  #at(operand: number, row: Local, rowStride: number, column: Local, columnStride: number): Code {
    return add(get(this.#scope.parameter(operand)), add(mul(get(row), this.#word(rowStride)), mul(get(column), this.#word(columnStride))));
  }

  #placeRhs(): Code {
    const { bytes, lanes, nr } = this.#blocking;
    const isWhole = instr('i32.or', equal(get(this.#width), nr), equal(get(this.#width), lanes));
    const packed = [
      call(this.#pack.rhs, this.#workspace('rhs'), get(this.#rhs), get(this.#width), get(this.#depth), this.#word(words.rhsN), this.#word(words.rhsK)),
      set(this.#rhs, this.#workspace('rhs')),
      set(this.#rhsDepth, i32(nr * bytes)),
    ];
    return [
      set(this.#rhs, this.#at(2, this.#block, words.rhsK, this.#column, words.rhsN)),
      ifElse(both(isWhole, equal(this.#word(words.rhsN), bytes)), set(this.#rhsDepth, this.#word(words.rhsK)), packed),
    ];
  }

  /** A kernel reads an even number of rows; an odd one is packed with the last row repeated. */
  #placeLhs(): Code {
    const { bytes, mr } = this.#blocking;
    const packed = [
      call(this.#pack.lhs, this.#workspace('lhs'), get(this.#lhs), get(this.#height), get(this.#depth), this.#word(words.lhsM), this.#word(words.lhsK)),
      set(this.#lhs, this.#workspace('lhs')),
      set(this.#lhsRow, i32(bytes)),
      set(this.#lhsDepth, i32(mr * bytes)),
    ];
    return [
      set(this.#lhs, this.#at(1, this.#row, words.lhsM, this.#block, words.lhsK)),
      set(this.#lhsRow, this.#word(words.lhsM)),
      set(this.#lhsDepth, this.#word(words.lhsK)),
      ifElse(both(get(this.#height), i32(1)), packed),
    ];
  }

  #multiply(): Code {
    const { bytes, mr, nr } = this.#blocking;
    const isWhole = both(equal(this.#word(words.outN), bytes), both(equal(get(this.#height), mr), equal(get(this.#width), nr)));
    const first = instr('i32.eqz', get(this.#block));
    const operands = [get(this.#depth), get(this.#lhs), get(this.#rhs), get(this.#target), this.#word(words.outM), first, get(this.#lhsRow), get(this.#lhsDepth), get(this.#rhsDepth)];
    return [
      set(this.#target, this.#at(3, this.#row, words.outM, this.#column, words.outN)),
      ifElse(isWhole, call(this.#kernels.of(mr, 2), ...operands), call(this.#edge, ...operands, get(this.#height), get(this.#width), this.#word(words.outN), this.#workspace('tile'))),
    ];
  }
}
