/**
 * Products of complex matrices through real ones: with A = A₀ + iA₁ and B = B₀ + iB₁, packed part by part,
 *
 *     re = Σ A₀B₀ − Σ A₁B₁        im = Σ A₀B₁ + Σ A₁B₀
 *
 * for each block of k, four real micro tiles, each sum in the order of a real product. Three products would do (Higham, Accuracy
 * and Stability, §23.2.4), at the price of accuracy in the imaginary part.
 */
import { add, advance, call, type Code, forLoop, get, i32, ifElse, instr, least, load, loadWord, type Local, mul, repeat, set, store, sub } from '../../encoder/code.ts';
import { FunctionScope } from '../../encoder/function.ts';
import type { ModuleBuilder } from '../../encoder/module.ts';
import { contractRecord as words } from '../record.ts';
import { zeroScalar } from './arithmetic.ts';
import { type Blocking, workspaceOf } from './blocking.ts';
import { addComplexDot } from './complex-dot.ts';
import { MicroKernels } from './micro.ts';
import { addPack } from './pack.ts';
import { addBlockedProduct } from './product.ts';

type Parameters = readonly [Local, Local, Local, Local, Local, Local, Local, Local];

/** Adds (workspace, out, rows, columns, depth, outRow, outColumn, first): all micro tiles of one block of the result. */
function addComplexTiles(module: ModuleBuilder, blocking: Blocking): number {
  const { bytes, mr, nr } = blocking;
  const offsets = workspaceOf(blocking);
  const sums = addTileSums(module, blocking);
  const combine = addCombine(module, blocking);
  const scope = new FunctionScope(['i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'i32']);
  const [workspace, out, rows, columns, depth, outRow, outColumn, first] = scope.parameters as readonly Local[] as Parameters;
  const [row, column, height, width, lhs, rhs] = scope.locals('i32', 6) as readonly Local[] as readonly [Local, Local, Local, Local, Local, Local];
  const tile = add(get(workspace), i32(offsets.tile));
  const at = (offset: number, index: Local): Code => add(add(get(workspace), i32(offset)), mul(mul(get(index), get(depth)), i32(bytes)));
  const one = [
    set(height, sub(get(rows), get(row))),
    set(height, least(get(height), i32(mr))),
    set(lhs, at(offsets.lhs, row)),
    call(sums, get(depth), get(lhs), get(rhs), tile, get(height), get(width)),
    call(combine, tile, add(get(out), add(mul(get(row), get(outRow)), mul(get(column), get(outColumn)))), get(height), get(width), get(outRow), get(outColumn), get(first)),
  ];
  return module.addFunction(scope, forLoop(column, get(columns), nr, [
    set(width, sub(get(columns), get(column))),
    set(width, least(get(width), i32(nr))),
    set(rhs, at(offsets.rhs, column)),
    forLoop(row, get(rows), mr, one),
  ]));
}

/** Adds (depth, lhs, rhs, tile, height, width): A₀B₀, A₁B₁ and A₀B₁ + A₁B₀, one after the other, by the smallest kernel that covers them. */
function addTileSums(module: ModuleBuilder, blocking: Blocking): number {
  const { bytes, lanes, mr, nr } = blocking;
  const { lhsPart, rhsPart, tilePart } = workspaceOf(blocking);
  const kernels = new MicroKernels(module, blocking, false);
  const scope = new FunctionScope(['i32', 'i32', 'i32', 'i32', 'i32', 'i32']);
  const [depth, lhs, rhs, tile, height, width] = scope.parameters as readonly Local[] as readonly [Local, Local, Local, Local, Local, Local];
  const product = (kernel: number, left: 0 | 1, right: 0 | 1, at: number, first: 0 | 1): Code =>
    call(kernel, get(depth), add(get(lhs), i32(left * lhsPart)), add(get(rhs), i32(right * rhsPart)), add(get(tile), i32(at * tilePart)), i32(nr * bytes), i32(first));
  const withShape = (rows: number, vectors: number): Code => {
    const kernel = kernels.of(rows, vectors);
    return [product(kernel, 0, 0, 0, 1), product(kernel, 1, 1, 1, 1), product(kernel, 0, 1, 2, 1), product(kernel, 1, 0, 2, 0)];
  };
  const withRows = (rows: number): Code => ifElse(instr('i32.le_u', get(width), i32(lanes)), withShape(rows, 1), withShape(rows, 2));
  const byHeight = kernels.heights.reduceRight<Code>((taller, rows) => (rows === mr ? withRows(rows) : ifElse(instr('i32.le_u', get(height), i32(rows)), withRows(rows), taller)), []);
  return module.addFunction(scope, byHeight);
}

/** Adds (tile, out, rows ≥ 1, columns ≥ 1, outRow, outColumn, first): out = the tile's elements if `first`, else out += them. */
function addCombine(module: ModuleBuilder, blocking: Blocking): number {
  const { type, bytes, nr } = blocking;
  const { tilePart } = workspaceOf(blocking);
  const scope = new FunctionScope(['i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'i32']);
  const [tile, out, rows, columns, outRow, outColumn, first] = scope.parameters as readonly Local[] as readonly [Local, Local, Local, Local, Local, Local, Local];
  const [from, to, rowCounter, columnCounter] = scope.locals('i32', 4) as readonly Local[] as readonly [Local, Local, Local, Local];
  const number = (part: number): Code => load(`${type}.load`, get(from), part * tilePart);
  const parts = [instr(`${type}.sub`, number(0), number(1)), number(2)];
  const write = (sums: boolean): Code => parts.map((value, part) => store(`${type}.store`, get(to), sums ? instr(`${type}.add`, load(`${type}.load`, get(to), part * bytes), value) : value, part * bytes));
  return module.addFunction(scope, repeat(rowCounter, get(rows), [
    set(from, get(tile)),
    set(to, get(out)),
    repeat(columnCounter, get(columns), [ifElse(get(first), write(false), write(true)), advance(from, i32(bytes)), advance(to, get(outColumn))]),
    advance(tile, i32(nr * bytes)),
    advance(out, get(outRow)),
  ]));
}

export interface ComplexPaths {
  /** (record, lhs, rhs, out) where n = 1; m, k ≥ 1. */
  readonly vector: number;
  /** (record): all batch positions; m, n, k ≥ 1. */
  readonly blocked: number;
  /** (record, lhs, rhs, out) where k = 0. */
  readonly zero: number;
}

export function addComplexPaths(module: ModuleBuilder, blocking: Blocking): ComplexPaths {
  const lhs = addPack(module, blocking, blocking.mr);
  const rhs = blocking.nr === blocking.mr ? lhs : addPack(module, blocking, blocking.nr);
  return {
    vector: addComplexVector(module, addComplexDot(module, blocking)),
    blocked: addBlockedProduct(module, blocking, { lhs, rhs }, addComplexTiles(module, blocking)),
    zero: addComplexZero(module, blocking),
  };
}

/** Adds (record, lhs, rhs, out): a matrix times a vector, row by row, each in the order of a product of two vectors. */
function addComplexVector(module: ModuleBuilder, dot: number): number {
  const scope = new FunctionScope(['i32', 'i32', 'i32', 'i32']);
  const [record, lhs, rhs, out] = scope.parameters as readonly Local[] as readonly [Local, Local, Local, Local];
  const row = scope.local('i32');
  const word = (position: number): Code => loadWord(get(record), position);
  return module.addFunction(scope, repeat(row, word(words.m), [call(dot, get(record), get(lhs), get(rhs), get(out)), advance(lhs, word(words.lhsM)), advance(out, word(words.outM))]));
}

/** Adds (record, lhs, rhs, out): a sum over nothing is 0. */
function addComplexZero(module: ModuleBuilder, blocking: Blocking): number {
  const scope = new FunctionScope(['i32', 'i32', 'i32', 'i32']);
  const [record, , , out] = scope.parameters as readonly Local[] as readonly [Local, Local, Local, Local];
  const [row, column, to] = scope.locals('i32', 3) as readonly Local[] as readonly [Local, Local, Local];
  const word = (position: number): Code => loadWord(get(record), position);
  return module.addFunction(scope, repeat(row, word(words.m), [
    set(to, get(out)),
    repeat(column, word(words.n), [[0, blocking.bytes].map((at) => store(`${blocking.type}.store`, get(to), zeroScalar(blocking), at)), advance(to, word(words.outN))]),
    advance(out, word(words.outM)),
  ]));
}
