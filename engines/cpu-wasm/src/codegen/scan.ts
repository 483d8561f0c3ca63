/**
 * Running values along one axis. Along the innermost axis they are a chain of scalars; where rows of results follow one another
 * (`columns`), each row is one call of an inner loop that reads the row before.
 */
import type { KernelAccess, LoopKernel, ScalarExpr, ScanKernel } from '@tf/core';
import { advance, call, type Code, doWhile, get, i32, least, load, type Local, mul, set, store, sub, whileLoop } from '../encoder/code.ts';
import { FunctionScope } from '../encoder/function.ts';
import type { ModuleBuilder } from '../encoder/module.ts';
import { buildGraph } from './graph.ts';
import { addInnerLoop, CHUNK, type InnerLoop, stepCode, stridedOperands } from './inner.ts';
import { Nest } from './nest.ts';
import { scalarEmitter } from './scalar.ts';
import { storageOf, valueTypeOf } from './storage.ts';

/** Adds the driver. Deltas of the scanned axis and of one inside it are strides, those of the others move from row to row. */
export function addScan(module: ModuleBuilder, kernel: ScanKernel): number {
  const shape: LoopKernel = { rank: kernel.rank, reads: kernel.reads, writes: [kernel.write], body: kernel.next };
  const nest = new Nest(shape);
  const body = kernel.columns ? columnScan(module, nest, kernel) : rowScan(module, nest, kernel);
  return module.addFunction(nest.scope, [nest.loadPointers(), nest.over(kernel.columns ? kernel.rank - 2 : kernel.rank - 1, body)]);
}

/** The pointers as they are now, to be moved. */
function copies(nest: Nest, pointers: readonly Local[]): { readonly cursors: readonly Local[]; readonly start: Code } {
  const cursors = nest.scope.locals('i32', pointers.length);
  return { cursors, start: cursors.map((cursor, operand) => set(cursor, get(pointers[operand]!))) };
}

// ---------------------------------------------------------------- along the innermost axis

/** One element by `first`, the rest by calls of the chain, each of which goes on from the result in memory. */
function rowScan(module: ModuleBuilder, nest: Nest, kernel: ScanKernel): Code {
  const axis = kernel.rank - 1;
  const [begin, follow] = [addChain(module, kernel, kernel.first, false), addChain(module, kernel, kernel.next, true)];
  const { cursors, start } = copies(nest, nest.pointers);
  const [remaining, count] = [nest.scope.local('i32'), nest.scope.local('i32')];
  const strides = cursors.map((_, operand) => nest.delta(operand, axis));
  const run = (chain: number, elements: Code): Code => [
    call(chain, ...cursors.map(get), ...strides, elements),
    cursors.map((cursor, operand) => advance(cursor, mul(elements, strides[operand]!))),
  ];
  return [
    start,
    run(begin, i32(1)),
    set(remaining, sub(nest.extent(axis), i32(1))),
    whileLoop(get(remaining), [
      set(count, least(get(remaining), i32(CHUNK))),
      run(follow, get(count)),
      set(remaining, sub(get(remaining), get(count))),
    ]),
  ];
}

/** (pointers, strides, count ≥ 1): results one after the other; where it goes on, from the one before the first. */
function addChain(module: ModuleBuilder, { reads, write }: ScanKernel, body: readonly ScalarExpr[], goesOn: boolean): number {
  const operands = reads.length + 1;
  const scope = new FunctionScope(new Array<'i32'>(2 * operands + 1).fill('i32'));
  const [out, stride, count] = [scope.parameter(reads.length), scope.parameter(2 * operands - 1), scope.parameter(2 * operands)];
  const storage = storageOf(write.dtype);
  const running = body.map(({ type }) => scope.local(valueTypeOf(type)));
  const results = body.map(({ type }) => scope.local(valueTypeOf(type)));
  const emitter = scalarEmitter(buildGraph(body), {
    scope,
    read: (input, lane) => {
      if (input === reads.length) return get(running[lane]!);
      const own = storageOf(reads[input]!.dtype);
      return load(own.load, get(scope.parameter(input)), lane * own.laneBytes);
    },
    fixed: () => false,
    dataAddress: (bytes) => module.dataAddress(bytes),
  });
  const before = running.map((local, lane) => set(local, load(storage.load, sub(get(out), get(stride)), lane * storage.laneBytes)));
  return module.addFunction(scope, [
    goesOn ? before : [],
    emitter.prelude(),
    doWhile([
      emitter.values().map((value, lane) => set(results[lane]!, value)),
      results.map((local, lane) => [set(running[lane]!, get(local)), store(storage.store, get(out), get(local), lane * storage.laneBytes)]),
      Array.from({ length: operands }, (_, operand) => advance(scope.parameter(operand), get(scope.parameter(operands + operand)))),
    ], [set(count, sub(get(count), i32(1))), get(count)]),
  ]);
}

// ---------------------------------------------------------------- rows of results

/** Some results of each row, then the same of the next row, so that the row before is still at hand. */
function columnScan(module: ModuleBuilder, nest: Nest, kernel: ScanKernel): Code {
  const { reads, write, rank, first, next } = kernel;
  const [axis, inside] = [rank - 2, rank - 1];
  const begin: InnerLoop = { reads, writes: [write], body: first };
  const follow: InnerLoop = { reads: [...reads, write], writes: [write], body: next };
  const [beginRow, followRow] = [addInnerLoop(module, begin), addInnerLoop(module, follow)];
  const bases = copies(nest, nest.pointers);
  const rows = copies(nest, bases.cursors);
  const [left, width, remaining] = nest.scope.locals('i32', 3) as readonly Local[] as readonly [Local, Local, Local];
  const accesses: readonly KernelAccess[] = [...reads, write];
  const inner = (operand: number): Code => nest.delta(operand, inside);
  // The row before is read as the row is written.
  const operandOf = (at: number): number => Math.min(at, reads.length);
  const strides = (loop: InnerLoop): readonly Code[] => stridedOperands(loop).map((at) => inner(operandOf(at)));
  const out = get(rows.cursors[reads.length]!);
  const sources = rows.cursors.slice(0, -1).map(get);
  const perRow = [
    rows.cursors.map((cursor, operand) => advance(cursor, nest.delta(operand, axis))),
    call(followRow, ...sources, sub(out, nest.delta(reads.length, axis)), out, ...strides(follow), get(width)),
    set(remaining, sub(get(remaining), i32(1))),
  ];
  return [
    bases.start,
    set(left, nest.extent(inside)),
    doWhile([
      set(width, least(get(left), i32(CHUNK))),
      rows.start,
      call(beginRow, ...rows.cursors.map(get), ...strides(begin), get(width)),
      set(remaining, sub(nest.extent(axis), i32(1))),
      whileLoop(get(remaining), perRow),
      bases.cursors.map((cursor, operand) => advance(cursor, mul(get(width), stepCode(accesses[operand]!, () => inner(operand))))),
      set(left, sub(get(left), get(width))),
    ], get(left)),
  ];
}
