/** The blocked product of two matrices of any strides: loops over blocks, packing, micro tiles. */
import { add, call, type Code, doWhile, forLoop, get, i32, ifElse, instr, least, loadWord, type Local, mul, set, sub } from '../../encoder/code.ts';
import { FunctionScope } from '../../encoder/function.ts';
import type { ModuleBuilder } from '../../encoder/module.ts';
import { odometer } from '../odometer.ts';
import { axisRecord, contractRecord as words } from '../record.ts';
import { type Blocking, workspaceOf } from './blocking.ts';
import { addEdgeTile } from './edge.ts';
import { MicroKernels } from './micro.ts';

export interface PackFunctions {
  readonly lhs: number;
  readonly rhs: number;
  readonly scatter: number;
}

/** Adds (record): all batch positions; m, n, k ≥ 1. `tiles`: (workspace, out, rows, columns, depth, outRow, outColumn, first). */
export function addBlockedProduct(module: ModuleBuilder, blocking: Blocking, pack: Omit<PackFunctions, 'scatter'>, tiles: number): number {
  return new ProductEmitter(module, blocking, pack, tiles).add();
}

class ProductEmitter {
  readonly #module: ModuleBuilder;
  readonly #blocking: Blocking;
  readonly #pack: Omit<PackFunctions, 'scatter'>;
  readonly #tiles: number;
  readonly #scope: FunctionScope = new FunctionScope(['i32']);
  readonly #record: Local = this.#scope.parameter(0);
  readonly #lhs: Local = this.#scope.local('i32');
  readonly #rhs: Local = this.#scope.local('i32');
  readonly #out: Local = this.#scope.local('i32');
  readonly #isPacked: Local = this.#scope.local('i32');
  readonly #isShared: Local = this.#scope.local('i32');
  readonly #columnBlock: readonly [Local, Local];
  readonly #depthBlock: readonly [Local, Local];
  readonly #rowBlock: readonly [Local, Local];

  constructor(module: ModuleBuilder, blocking: Blocking, pack: Omit<PackFunctions, 'scatter'>, tiles: number) {
    this.#module = module;
    this.#blocking = blocking;
    this.#pack = pack;
    this.#tiles = tiles;
    const pair = (): readonly [Local, Local] => this.#scope.locals('i32', 2) as readonly Local[] as readonly [Local, Local];
    [this.#columnBlock, this.#depthBlock, this.#rowBlock] = [pair(), pair(), pair()];
  }

  /** The batch is the inner loop: one packing of a right side serves all positions that share it. */
  add(): number {
    const { mc, kc, nc } = this.#blocking;
    const pointers = [this.#lhs, this.#rhs, this.#out];
    const rows = this.#over(this.#rowBlock, words.m, mc, [this.#packLhs(), this.#multiply()]);
    const matrix = [ifElse(get(this.#isPacked), [], this.#packRhs()), set(this.#isPacked, get(this.#isShared)), rows];
    const batch = [
      pointers.map((pointer, i) => set(pointer, this.#word([words.lhs, words.rhs, words.out][i]!))),
      set(this.#isPacked, i32(0)),
      odometer(this.#scope, words, pointers, matrix),
    ];
    return this.#module.addFunction(this.#scope, [
      this.#findShared(),
      this.#over(this.#columnBlock, words.n, nc, this.#over(this.#depthBlock, words.k, kc, batch)),
    ]);
  }

  /** Whether the right side is the same at all batch positions: no axis moves it. */
  #findShared(): Code {
    const [axis, entry] = this.#scope.locals('i32', 2) as readonly Local[] as readonly [Local, Local];
    const moves = loadWord(get(entry), axisRecord.delta(1));
    return [
      set(this.#isShared, i32(1)),
      set(axis, i32(0)),
      set(entry, add(get(this.#record), i32(4 * words.axes))),
      ifElse(this.#word(words.rank), doWhile([
        ifElse(moves, set(this.#isShared, i32(0))),
        set(entry, add(get(entry), i32(4 * axisRecord.words))),
        set(axis, add(get(axis), i32(1))),
      ], instr('i32.lt_u', get(axis), this.#word(words.rank)))),
    ];
  }

  #word(position: number): Code {
    return loadWord(get(this.#record), position);
  }

  /** The body for each block [start, start + size) of an extent. */
  #over([start, size]: readonly [Local, Local], extentWord: number, step: number, body: Code): Code {
    const extent = this.#word(extentWord);
    return forLoop(start, extent, step, [set(size, sub(extent, get(start))), set(size, least(get(size), i32(step))), body]);
  }

  #at(base: Local, a: readonly [Local, Local], strideA: number, b: readonly [Local, Local], strideB: number): Code {
    return add(get(base), add(mul(get(a[0]), this.#word(strideA)), mul(get(b[0]), this.#word(strideB))));
  }

  #workspace(offset: number): Code {
    return add(this.#word(words.workspace), i32(offset));
  }

  /** The call for each part of the elements. */
  #eachPart(packPart: (part: number) => Code): Code {
    return Array.from({ length: this.#blocking.parts }, (_, part) => packPart(part));
  }

  #packRhs(): Code {
    const from = this.#at(this.#rhs, this.#depthBlock, words.rhsK, this.#columnBlock, words.rhsN);
    const { rhs, rhsPart } = workspaceOf(this.#blocking);
    return this.#eachPart((part) => call(this.#pack.rhs, this.#workspace(rhs + part * rhsPart), add(from, i32(part * this.#blocking.bytes)), get(this.#columnBlock[1]), get(this.#depthBlock[1]), this.#word(words.rhsN), this.#word(words.rhsK)));
  }

  #packLhs(): Code {
    const from = this.#at(this.#lhs, this.#rowBlock, words.lhsM, this.#depthBlock, words.lhsK);
    const { lhs, lhsPart } = workspaceOf(this.#blocking);
    return this.#eachPart((part) => call(this.#pack.lhs, this.#workspace(lhs + part * lhsPart), add(from, i32(part * this.#blocking.bytes)), get(this.#rowBlock[1]), get(this.#depthBlock[1]), this.#word(words.lhsM), this.#word(words.lhsK)));
  }

  #multiply(): Code {
    const out = this.#at(this.#out, this.#rowBlock, words.outM, this.#columnBlock, words.outN);
    const first = instr('i32.eqz', get(this.#depthBlock[0]));
    return call(this.#tiles, this.#word(words.workspace), out, get(this.#rowBlock[1]), get(this.#columnBlock[1]), get(this.#depthBlock[1]), this.#word(words.outM), this.#word(words.outN), first);
  }
}

/** Adds (workspace, out, rows, columns, depth, outRow, outColumn, first): all micro tiles of one block of the result. */
export function addTiles(module: ModuleBuilder, blocking: Blocking, scatter: number): number {
  const { bytes, mr, nr } = blocking;
  const kernels = new MicroKernels(module, blocking, false);
  const edge = addEdgeTile(module, blocking, kernels, scatter, false);
  const offsets = workspaceOf(blocking);
  const scope = new FunctionScope(['i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'i32']);
  const [workspace, out, rows, columns, depth, outRow, outColumn, first] = scope.parameters as readonly Local[] as readonly [Local, Local, Local, Local, Local, Local, Local, Local];
  const [row, column, height, width, lhs, rhs, target] = scope.locals('i32', 7) as readonly Local[] as readonly [Local, Local, Local, Local, Local, Local, Local];
  const tile = add(get(workspace), i32(offsets.tile));
  const isWhole = instr('i32.and', instr('i32.eq', get(outColumn), i32(bytes)), instr('i32.and', instr('i32.eq', get(height), i32(mr)), instr('i32.eq', get(width), i32(nr))));
  const operands = [get(depth), get(lhs), get(rhs), get(target), get(outRow), get(first)];
  const one = [
    set(height, sub(get(rows), get(row))),
    set(height, least(get(height), i32(mr))),
    set(lhs, add(add(get(workspace), i32(offsets.lhs)), mul(mul(get(row), get(depth)), i32(bytes)))),
    set(target, add(get(out), add(mul(get(row), get(outRow)), mul(get(column), get(outColumn))))),
    ifElse(isWhole, call(kernels.of(mr, 2), ...operands), call(edge, ...operands, get(height), get(width), get(outColumn), tile)),
  ];
  return module.addFunction(scope, forLoop(column, get(columns), nr, [
    set(width, sub(get(columns), get(column))),
    set(width, least(get(width), i32(nr))),
    set(rhs, add(add(get(workspace), i32(offsets.rhs)), mul(mul(get(column), get(depth)), i32(bytes)))),
    forLoop(row, get(rows), mr, one),
  ]));
}
