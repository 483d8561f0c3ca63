/** The blocked product of two matrices of any strides: loops over blocks, packing, micro tiles. */
import { add, call, type Code, forLoop, get, i32, ifElse, instr, least, loadWord, type Local, mul, repeat, set, store, sub } from '../../encoder/code.ts';
import { FunctionScope } from '../../encoder/function.ts';
import type { ModuleBuilder } from '../../encoder/module.ts';
import { contractRecord as words } from '../record.ts';
import { type Blocking, workspaceOf } from './blocking.ts';
import { addMicroKernel } from './micro.ts';
import { addPack } from './pack.ts';
import { addScatter } from './scatter.ts';

/** Adds (record, lhs, rhs, out) for one batch position; m, n ≥ 1. */
export function addProduct(module: ModuleBuilder, blocking: Blocking): number {
  const packLhs = addPack(module, blocking, blocking.mr);
  const packRhs = addPack(module, blocking, blocking.nr);
  const tiles = addTiles(module, blocking, addMicroKernel(module, blocking), addScatter(module, blocking));
  const zero = addZero(module, blocking);
  return new ProductEmitter(module, blocking, { packLhs, packRhs, tiles, zero }).add();
}

interface Parts {
  readonly packLhs: number;
  readonly packRhs: number;
  readonly tiles: number;
  readonly zero: number;
}

class ProductEmitter {
  readonly #module: ModuleBuilder;
  readonly #blocking: Blocking;
  readonly #parts: Parts;
  readonly #scope: FunctionScope = new FunctionScope(['i32', 'i32', 'i32', 'i32']);
  readonly #record: Local = this.#scope.parameter(0);
  readonly #columnBlock: readonly [Local, Local];
  readonly #depthBlock: readonly [Local, Local];
  readonly #rowBlock: readonly [Local, Local];

  constructor(module: ModuleBuilder, blocking: Blocking, parts: Parts) {
    this.#module = module;
    this.#blocking = blocking;
    this.#parts = parts;
    const pair = (): readonly [Local, Local] => this.#scope.locals('i32', 2) as readonly Local[] as readonly [Local, Local];
    [this.#columnBlock, this.#depthBlock, this.#rowBlock] = [pair(), pair(), pair()];
  }

  add(): number {
    const { mc, kc, nc } = this.#blocking;
    const product = this.#over(this.#columnBlock, words.n, nc, this.#over(this.#depthBlock, words.k, kc, [
      this.#packRhs(),
      this.#over(this.#rowBlock, words.m, mc, [this.#packLhs(), this.#multiply()]),
    ]));
    const zero = call(this.#parts.zero, get(this.#record), get(this.#scope.parameter(3)));
    return this.#module.addFunction(this.#scope, ifElse(this.#word(words.k), product, zero));
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

  #workspace(part: 'lhs' | 'rhs'): Code {
    return add(this.#word(words.workspace), i32(workspaceOf(this.#blocking)[part]));
  }

  #packRhs(): Code {
    const from = this.#at(this.#scope.parameter(2), this.#depthBlock, words.rhsK, this.#columnBlock, words.rhsN);
    return call(this.#parts.packRhs, this.#workspace('rhs'), from, get(this.#columnBlock[1]), get(this.#depthBlock[1]), this.#word(words.rhsN), this.#word(words.rhsK));
  }

  #packLhs(): Code {
    const from = this.#at(this.#scope.parameter(1), this.#rowBlock, words.lhsM, this.#depthBlock, words.lhsK);
    return call(this.#parts.packLhs, this.#workspace('lhs'), from, get(this.#rowBlock[1]), get(this.#depthBlock[1]), this.#word(words.lhsM), this.#word(words.lhsK));
  }

  #multiply(): Code {
    const out = this.#at(this.#scope.parameter(3), this.#rowBlock, words.outM, this.#columnBlock, words.outN);
    const first = instr('i32.eqz', get(this.#depthBlock[0]));
    return call(this.#parts.tiles, this.#word(words.workspace), out, get(this.#rowBlock[1]), get(this.#columnBlock[1]), get(this.#depthBlock[1]), this.#word(words.outM), this.#word(words.outN), first);
  }
}

/** Adds (workspace, out, rows, columns, depth, outRow, outColumn, first): all micro tiles of one block of the result. */
function addTiles(module: ModuleBuilder, blocking: Blocking, micro: number, scatter: number): number {
  const { bytes, mr, nr } = blocking;
  const offsets = workspaceOf(blocking);
  const scope = new FunctionScope(['i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'i32']);
  const [workspace, out, rows, columns, depth, outRow, outColumn, first] = scope.parameters as readonly Local[] as readonly [Local, Local, Local, Local, Local, Local, Local, Local];
  const [row, column, height, width, lhs, rhs, target] = scope.locals('i32', 7) as readonly Local[] as readonly [Local, Local, Local, Local, Local, Local, Local];
  const tile = add(get(workspace), i32(offsets.tile));
  const isWhole = instr('i32.and', instr('i32.eq', get(outColumn), i32(bytes)), instr('i32.and', instr('i32.eq', get(height), i32(mr)), instr('i32.eq', get(width), i32(nr))));
  const one = [
    set(height, sub(get(rows), get(row))),
    set(height, least(get(height), i32(mr))),
    set(lhs, add(add(get(workspace), i32(offsets.lhs)), mul(mul(get(row), get(depth)), i32(bytes)))),
    set(target, add(get(out), add(mul(get(row), get(outRow)), mul(get(column), get(outColumn))))),
    ifElse(isWhole, call(micro, get(depth), get(lhs), get(rhs), get(target), get(outRow), get(first)), [
      call(micro, get(depth), get(lhs), get(rhs), tile, i32(nr * bytes), i32(1)),
      call(scatter, tile, get(target), get(height), get(width), get(outRow), get(outColumn), get(first)),
    ]),
  ];
  return module.addFunction(scope, forLoop(column, get(columns), nr, [
    set(width, sub(get(columns), get(column))),
    set(width, least(get(width), i32(nr))),
    set(rhs, add(add(get(workspace), i32(offsets.rhs)), mul(mul(get(column), get(depth)), i32(bytes)))),
    forLoop(row, get(rows), mr, one),
  ]));
}

/** Adds (record, out): a sum over nothing is 0. */
function addZero(module: ModuleBuilder, { type }: Blocking): number {
  const scope = new FunctionScope(['i32', 'i32']);
  const [record, out] = scope.parameters as readonly Local[] as readonly [Local, Local];
  const [row, column, to] = scope.locals('i32', 3) as readonly Local[] as readonly [Local, Local, Local];
  const word = (position: number): Code => loadWord(get(record), position);
  const zero = type === 'f32' ? [0x43, 0, 0, 0, 0] : [0x44, 0, 0, 0, 0, 0, 0, 0, 0];
  return module.addFunction(scope, repeat(row, word(words.m), [
    set(to, get(out)),
    repeat(column, word(words.n), [store(`${type}.store`, get(to), zero), set(to, add(get(to), word(words.outN)))]),
    set(out, add(get(out), word(words.outM))),
  ]));
}
