/** The contraction of one dtype as a module: a loop over batch positions around the product of two matrices. */
import { advance, call, type Code, get, i32, ifElse, instr, loadWord, type Local, repeat, set, store } from '../../encoder/code.ts';
import { FunctionScope } from '../../encoder/function.ts';
import { type MemoryLimits, ModuleBuilder } from '../../encoder/module.ts';
import { driverSignature } from '../nest.ts';
import { odometer } from '../odometer.ts';
import { contractRecord as words } from '../record.ts';
import type { NumericDType } from '../storage.ts';
import { zeroScalar } from './arithmetic.ts';
import { type Blocking, blockingOf, complexBlockingOf, workspaceOf } from './blocking.ts';
import { addComplexPaths } from './complex.ts';
import { addDirectProduct } from './direct.ts';
import { addDot } from './dot.ts';
import { addIntegerProduct } from './integer.ts';
import { addTurn, shouldTurn } from './orient.ts';
import { addOuterProduct, isOuter } from './outer.ts';
import { addPack } from './pack.ts';
import { addBlockedProduct, addTiles } from './product.ts';
import { addScatter } from './scatter.ts';
import { addGather, addMatrixVector } from './vector.ts';

/** The workspace that any contraction may use, in bytes. */
export const contractWorkspaceBytes: number = Math.max(...[false, true].flatMap((fused) => [blockingOf('float32', fused), blockingOf('float64', fused), complexBlockingOf('complex64', fused), complexBlockingOf('complex128', fused)]).map((blocking) => workspaceOf(blocking).bytes));

/** Extents up to which operands are not packed. */
const SMALL = 80;

/** Exports `contract`, a driver: (record, scratch). `fused`: see {@link hasFusedProducts}. */
export function contractModule(dtype: NumericDType, memory: MemoryLimits, fused: boolean): Uint8Array {
  const module = new ModuleBuilder(memory);
  module.exportFunction('contract', addContract(module, dtype, fused));
  return module.encode();
}

function addContract(module: ModuleBuilder, dtype: NumericDType, fused: boolean): number {
  switch (dtype) {
    case 'int32':
      return addBatchLoop(module, addIntegerProduct(module, 'i32'));
    case 'int64':
      return addBatchLoop(module, addIntegerProduct(module, 'i64'));
    case 'float32':
    case 'float64':
      return addFloatContract(module, blockingOf(dtype, fused));
    case 'complex64':
    case 'complex128':
      return addComplexContract(module, complexBlockingOf(dtype, fused));
  }
}

/** A product with a vector has its own order of sums; all others share one. */
function addComplexContract(module: ModuleBuilder, blocking: Blocking): number {
  const { vector, blocked, zero } = addComplexPaths(module, blocking);
  const turn = addTurn(module);
  const scope = new FunctionScope(driverSignature.parameters);
  const [record, scratch] = scope.parameters as readonly [Local, Local];
  const [vectors, zeros] = [vector, zero].map((product) => addBatchLoop(module, product)) as [number, number];
  const product = ifElse(instr('i32.eq', loadWord(get(record), words.n), i32(1)), call(vectors, get(record), get(scratch)), call(blocked, get(record)));
  return module.addFunction(scope, [
    ifElse(shouldTurn(blocking, record), [call(turn, get(record), get(scratch)), set(record, get(scratch))]),
    ifElse(instr('i32.eqz', loadWord(get(record), words.k)), call(zeros, get(record), get(scratch)), product),
  ]);
}

/** Adds (record, scratch) that calls (record, lhs, rhs, out) for each batch position. */
function addBatchLoop(module: ModuleBuilder, product: number): number {
  const scope = new FunctionScope(driverSignature.parameters);
  const record = scope.parameter(0);
  const pointers = scope.locals('i32', 3);
  return module.addFunction(scope, [
    pointers.map((pointer, i) => set(pointer, loadWord(get(record), [words.lhs, words.rhs, words.out][i]!))),
    odometer(scope, words, pointers, call(product, get(record), ...pointers.map(get))),
  ]);
}

/** The path is chosen by sizes and layout; the order of sums, by sizes alone. */
function addFloatContract(module: ModuleBuilder, blocking: Blocking): number {
  const packs = new Map([...new Set([4, blocking.mr, blocking.nr] as const)].map((width) => [width, addPack(module, blocking, width)] as const));
  const pack = { lhs: packs.get(blocking.mr)!, rhs: packs.get(blocking.nr)!, scatter: addScatter(module, blocking) };
  const zero = addBatchLoop(module, addZero(module, blocking));
  const dot = addBatchLoop(module, addDot(module, blocking, addGather(module, blocking)));
  const matrixVector = addBatchLoop(module, addMatrixVector(module, blocking, packs.get(4)!));
  const direct = addBatchLoop(module, addDirectProduct(module, blocking, pack));
  const outer = addBatchLoop(module, addOuterProduct(module, blocking));
  const blocked = addBlockedProduct(module, blocking, pack, addTiles(module, blocking, pack.scatter));
  const turn = addTurn(module);

  const scope = new FunctionScope(driverSignature.parameters);
  const [record, scratch] = scope.parameters as readonly [Local, Local];
  const word = (position: number): Code => loadWord(get(record), position);
  const path = (index: number): Code => call(index, get(record), get(scratch));
  const isOne = (position: number): Code => instr('i32.eq', word(position), i32(1));
  const matrix = ifElse(isOuter(blocking, word), path(outer), ifElse(isSmall(blocking, word), path(direct), call(blocked, get(record))));
  const single = ifElse(isOne(words.m), path(dot), path(matrixVector));
  return module.addFunction(scope, [
    ifElse(shouldTurn(blocking, record), [call(turn, get(record), get(scratch)), set(record, get(scratch))]),
    ifElse(instr('i32.eqz', word(words.k)), path(zero), ifElse(isOne(words.n), single, matrix)),
  ]);
}

/**
 * Whether packing would cost more than it saves, as measured: little of everything, or few rows or columns to use a packed
 * panel for. Long strides between the elements of a panel meet few sets of the cache, so packing pays earlier there.
 */
function isSmall({ bytes, mr, nr }: Blocking, word: (position: number) => Code): Code {
  const atMost = (position: number, limit: number): Code => instr('i32.le_u', word(position), i32(limit));
  const isContiguous = (position: number): Code => instr('i32.eq', word(position), i32(bytes));
  const all = (...codes: readonly Code[]): Code => codes.reduce((a, b) => instr('i32.and', a, b));
  const any = (...codes: readonly Code[]): Code => codes.reduce((a, b) => instr('i32.or', a, b));
  return any(
    all(atMost(words.m, SMALL), atMost(words.n, SMALL), atMost(words.k, SMALL)),
    atMost(words.n, nr),
    all(atMost(words.n, 4 * nr), isContiguous(words.lhsK)),
    atMost(words.m, 2 * mr),
    all(atMost(words.m, 4 * mr), instr('i32.eqz', isContiguous(words.rhsN))),
  );
}

/** Adds (record, lhs, rhs, out): a sum over nothing is 0. */
function addZero(module: ModuleBuilder, blocking: Blocking): number {
  const scope = new FunctionScope(['i32', 'i32', 'i32', 'i32']);
  const [record, , , out] = scope.parameters as readonly Local[] as readonly [Local, Local, Local, Local];
  const [row, column, to] = scope.locals('i32', 3) as readonly Local[] as readonly [Local, Local, Local];
  const word = (position: number): Code => loadWord(get(record), position);
  return module.addFunction(scope, repeat(row, word(words.m), [
    set(to, get(out)),
    repeat(column, word(words.n), [store(`${blocking.type}.store`, get(to), zeroScalar(blocking)), advance(to, word(words.outN))]),
    advance(out, word(words.outM)),
  ]));
}
