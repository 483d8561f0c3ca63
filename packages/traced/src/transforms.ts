import { type AdContext, describe, isInexact, isOperand, requireFunction, TfError, type FlatTree, flattenTree, unflattenTree } from '@tf/core';
import { type GradOptions, inactive, pullbackTraced, requireTangent, unitCotangent } from './differentiate.ts';
import type { Trace } from './origin.ts';
import { fresh, replay, traced, type TracedTensor, zerosOf, asTraced } from './traced-tensor.ts';
import { type AnyFunction, callTraced, isDynamic, tensorLeaf } from './tracing.ts';

export interface FunctionGradOptions<N = 0> extends GradOptions {
  /** Which arguments to differentiate with respect to: a number gives one tree, a list a tuple of trees. Default 0. */
  readonly argnums?: N;
}

/** One argument of a transformed function: every tensor leaf traced, those to differentiate by fresh. */
export interface OpenedArgument {
  readonly flat: FlatTree;
  /** Per leaf: the fresh value, or undefined where none is differentiated. */
  readonly fresh: readonly (TracedTensor | undefined)[];
  readonly value: unknown;
}

/** Traces the leaves of one argument; `differentiated` makes those that carry tangents fresh (contracts.md §7). */
export function openArgument(op: string, argument: unknown, index: number, differentiated: boolean, trace: Trace, context: AdContext | undefined): OpenedArgument {
  const flat = flattenTree(argument);
  const leaves = flat.leaves.map((leaf, at) => {
    if (isDynamic(leaf)) return traced(tensorLeaf(leaf));
    if (leaf === null || leaf === undefined || typeof leaf === 'string' || typeof leaf === 'boolean') return leaf;
    throw new TfError('ArgumentError', `${op}: argument ${index}${labelled(flat.paths[at])} is no tensor, number, string, boolean or null. Wrap arrays with tensor([...]).`, { op, argument: String(index) });
  });
  const opened = leaves.map((leaf) => (differentiated && isOperand(leaf) && isInexact(leaf.type.dtype) ? fresh(leaf as TracedTensor, context, trace) : undefined));
  return { flat, fresh: opened, value: unflattenTree(flat.structure, leaves.map((leaf, at) => opened[at] ?? leaf)) };
}

function labelled(path: string | undefined): string {
  return path === undefined || path === '' ? '' : ` at ${path}`;
}

/** A function that ran on traced arguments, of which some are differentiated by. */
export interface OpenedCall {
  readonly args: readonly OpenedArgument[];
  /** Which arguments are differentiated by, in the order in which their derivatives are given. */
  readonly chosen: readonly number[];
  /** The fresh leaves of the chosen arguments. */
  readonly wrt: readonly TracedTensor[];
  readonly result: unknown;
}

/** Runs a function on its arguments, fresh in those that `argnums` names (all of them by default). */
export function openCall(op: string, f: AnyFunction, args: readonly unknown[], context: AdContext | undefined, argnums?: number | readonly number[]): OpenedCall {
  requireFunction(op, 'f', f, `${op}((x) => …)`);
  const chosen = argnums === undefined ? args.map((_, at) => at) : (typeof argnums === 'number' ? [argnums] : argnums).map((at) => checkArgnum(op, at, args.length));
  const trace: Trace = { name: op, open: true };
  const opened = args.map((argument, index) => openArgument(op, argument, index, chosen.includes(index), trace, context));
  if (argnums === undefined) requireLeaves(op, 'arguments', opened);
  else for (const index of chosen) requireLeaves(op, `argument ${index}`, [opened[index] as OpenedArgument]);
  const result = callTraced(trace, f, opened.map(({ value }) => value), args);
  return { args: opened, chosen, wrt: chosen.flatMap((index) => freshLeaves(opened[index] as OpenedArgument)), result };
}

/** Refuses what has tensors, but none that carries a tangent. */
function requireLeaves(op: string, what: string, opened: readonly OpenedArgument[]): void {
  if (opened.some((argument) => freshLeaves(argument).length > 0)) return;
  const integer = opened.flatMap(({ flat }) => flat.leaves).find(isDynamic);
  if (integer !== undefined) requireTangent(`${op}: ${what}`, traced(tensorLeaf(integer)).type);
}

function freshLeaves({ fresh: leaves }: OpenedArgument): readonly TracedTensor[] {
  return leaves.filter((leaf) => leaf !== undefined);
}

/** One tree per chosen argument, with `leafOf` for each of `wrt` and undefined at leaves without tangents. */
export function treesOf({ args, chosen }: OpenedCall, leafOf: (at: number, leaf: TracedTensor, label: string) => unknown): readonly unknown[] {
  let next = 0;
  return chosen.map((index) => {
    const { flat, fresh: leaves } = args[index] as OpenedArgument;
    return unflattenTree(flat.structure, leaves.map((leaf, at) => (leaf === undefined ? undefined : leafOf(next++, leaf, `argument ${index}${labelled(flat.paths[at])}`))));
  });
}

/** What `argnums` asks for: one tree for a number, the list for a list. */
export function asAsked(argnums: number | readonly number[], trees: readonly unknown[]): unknown {
  return typeof argnums === 'number' ? trees[0] : trees;
}

export interface Differentiated {
  /** What the function returned. */
  readonly result: unknown;
  readonly gradients: unknown;
}

/** Runs a function on fresh leaves and differentiates its scalar result (the first of two with `hasAux`). */
export function differentiate(op: string, f: AnyFunction, args: readonly unknown[], options: FunctionGradOptions<number | readonly number[]> & { readonly hasAux?: boolean }, absent: 'throw' | 'undefined'): Differentiated {
  const { argnums = 0, hasAux = false } = options;
  const call = openCall(op, f, args, options.context, argnums);
  const y = scalarResult(op, call.result, hasAux);
  const found = pullbackTraced(replay, { op, outputs: [y], cotangents: [unitCotangent(op, y)], wrt: call.wrt, options });
  const gradients = treesOf(call, (at, leaf, label) => {
    const gradient = found[at];
    if (gradient !== undefined) return asTraced(gradient);
    if (options.allowUnused === true) return zerosOf(leaf.type);
    if (absent === 'undefined') return undefined;
    throw inactive(op, label, leaf.type);
  });
  return { result: call.result, gradients: asAsked(argnums, gradients) };
}

function checkArgnum(op: string, at: number, count: number): number {
  if (Number.isInteger(at) && at >= 0 && at < count) return at;
  throw new TfError('ArgumentError', `${op}: argnums names argument ${String(at)}, and the function was called with ${count}. Arguments count from 0.`, { op, argument: 'argnums' });
}

export function scalarResult(op: string, result: unknown, hasAux: boolean): TracedTensor {
  const pair = hasAux && Array.isArray(result) && result.length === 2;
  const y: unknown = pair ? (result as readonly unknown[])[0] : result;
  if (isDynamic(y) && pair === hasAux) return traced(tensorLeaf(y));
  const wanted = hasAux ? '[scalar, auxiliary value] (hasAux is true)' : 'a scalar tensor';
  throw new TfError('ArgumentError', `${op}: the function must return ${wanted}, got ${describe(y)}. Return the loss itself${hasAux ? ' first' : ', or use hasAux: true for [loss, rest]'}.`, { op, argument: 'f' });
}
