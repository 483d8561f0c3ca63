import { type AdContext, isOperand, isTypedArray, type Operand, tensor, type TensorType, type TypedArray, flattenTree, unflattenTree } from '@tf/core';
import { explainScalars } from './arguments.ts';
import { refuseAsync } from './leak.ts';
import type { Trace } from './origin.ts';
import { dataType } from './run.ts';
import { inputLeaf, type TracedTensor } from './traced-tensor.ts';

/** Whether a leaf is data that may differ from call to call; others belong to the signature. */
export function isDynamic(leaf: unknown): leaf is Operand | number | TypedArray {
  return typeof leaf === 'number' || isOperand(leaf) || isTypedArray(leaf);
}

/** A typed array is a vector. */
export function tensorLeaf(leaf: Operand | number | TypedArray): Operand | number {
  return isTypedArray(leaf) ? tensor(leaf) : leaf;
}

export interface TracedRun {
  readonly result: unknown;
  readonly inputs: readonly TracedTensor[];
  readonly names: readonly string[];
}

export type AnyFunction = (...args: never[]) => unknown;

/** Runs a user's function on traced arguments; what it makes of them is open until it returns. `given` are the arguments before. */
export function callTraced(trace: Trace, f: AnyFunction, args: readonly unknown[], given: readonly unknown[]): unknown {
  try {
    const result = f(...(args as never[]));
    refuseAsync(trace.name, result);
    return result;
  } catch (error) {
    throw explainScalars(trace.name, given, error);
  } finally {
    trace.open = false;
  }
}

/** Runs a function on inputs in place of its arguments; numbers become weak scalars. */
export function traceFunction(f: AnyFunction, name: string, args: readonly unknown[], context: AdContext | undefined): TracedRun {
  const trace: Trace = { name, open: true };
  const { structure, leaves, paths } = flattenTree(args);
  const inputs: TracedTensor[] = [];
  const names: string[] = [];
  const opened = leaves.map((leaf, at) => {
    if (!isDynamic(leaf)) return leaf;
    const label = `argument ${(paths[at] as string).replace(/^\[(\d+)\]/, '$1')}`;
    const input = inputLeaf(dataType(leaf) as TensorType, label, { trace, context, weak: typeof leaf === 'number' });
    names.push(label);
    inputs.push(input);
    return input;
  });
  return { result: callTraced(trace, f, unflattenTree(structure, opened) as readonly unknown[], args), inputs, names };
}
