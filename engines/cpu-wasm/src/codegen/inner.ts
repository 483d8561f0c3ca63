/**
 * The innermost loop of a kernel as a function of its own: (pointers of reads and writes, strides of the strided ones,
 * count ≥ 1). Drivers call it in pieces, so that V8 replaces its first quick translation by the optimised one: a function
 * is exchanged at its next call, never within a loop (engine-wasm.md: 29 ms → 3.3 ms).
 */
import type { KernelAccess, ScalarExpr } from '@tf/core';
import { advance, type Code, doWhile, get, i32, load, type Local, set, store, sub } from '../encoder/code.ts';
import { FunctionScope } from '../encoder/function.ts';
import type { ModuleBuilder } from '../encoder/module.ts';
import { buildGraph } from './graph.ts';
import { emitScalars } from './scalar.ts';
import { storageOf } from './storage.ts';

/** Elements per call of an inner loop. */
export const CHUNK = 4096;

export interface InnerLoop {
  readonly reads: readonly KernelAccess[];
  readonly writes: readonly KernelAccess[];
  readonly body: readonly ScalarExpr[];
}

export function stridedOperands({ reads, writes }: InnerLoop): readonly number[] {
  return [...reads, ...writes].flatMap(({ inner }, operand) => (inner === 'strided' ? [operand] : []));
}

/** Adds the function and gives its index. */
export function addInnerLoop(module: ModuleBuilder, inner: InnerLoop): number {
  const operands = [...inner.reads, ...inner.writes];
  const strided = stridedOperands(inner);
  const scope = new FunctionScope([...operands, ...strided, 0].map(() => 'i32' as const));
  const count = scope.parameter(operands.length + strided.length);
  const pointers = operands.map((_, operand) => scope.parameter(operand));
  const step = (operand: number): Code => stepCode(operands[operand]!, () => get(scope.parameter(operands.length + strided.indexOf(operand))));

  const { prelude, values } = emitScalars(buildGraph(inner.body), {
    scope,
    read: (input) => load(storageOf(operands[input]!.dtype).load, get(pointers[input]!)),
    fixed: (input) => operands[input]!.inner === 'broadcast',
    dataAddress: (bytes) => module.dataAddress(bytes),
  });
  const stores = values.map((value, i) => storeElement(inner.writes[i]!, pointers[inner.reads.length + i]!, value));
  const moves = operands.flatMap(({ inner: how }, operand) => (how === 'broadcast' ? [] : [advance(pointers[operand]!, step(operand))]));
  const body = [prelude, doWhile([stores, moves], [set(count, sub(get(count), i32(1))), get(count)])];
  return module.addFunction(scope, body);
}

function storeElement({ dtype }: KernelAccess, pointer: Local, value: Code): Code {
  return store(storageOf(dtype).store, get(pointer), value);
}

/** Bytes from one element to the next along the innermost axis. */
export function stepCode(access: KernelAccess, stride: () => Code): Code {
  switch (access.inner) {
    case 'contiguous':
      return i32(storageOf(access.dtype).bytes);
    case 'broadcast':
      return i32(0);
    case 'strided':
      return stride();
  }
}
