import { broadcastTo, checkOptions, type Dim, dimText, isKnown, isOperand, type Literal, normaliseAxis, type OptionChecks, replayProgram, requireFunction, sameDim, tensorType, TfError, transpose, type Var, wrongArgument, type AdContext, requireContext, type FlatTree, flattenTree, type TreeStructure, unflattenTree, renameExtents } from '@tf/core';
import { contextFor } from './context.ts';
import { extractDependent } from './extract.ts';
import type { Trace, TracedAtom, TracedValue } from './origin.ts';
import { asTraced, inputLeaf, replay, traced, type TracedTensor } from './traced-tensor.ts';
import { type AnyFunction, callTraced, isDynamic, tensorLeaf } from './tracing.ts';
import type { ArgumentsOf } from './tree-types.ts';

/** Which axis of a value is the batch: null where it has none. A list or record says it for the parts of a tree. */
export type BatchAxes = number | null | readonly BatchAxes[] | { readonly [name: string]: BatchAxes };

export interface VmapOptions {
  /** Per argument, or one for all: the axis that is mapped over, null for an argument that all calls share. Default 0. */
  readonly inAxes?: BatchAxes;
  /** Where the batch axis goes in the results; null for a result that does not depend on the batch. Default 0. */
  readonly outAxes?: BatchAxes;
  /** Rules and caches; by default those that the values carry, else core's rules. */
  readonly context?: AdContext;
}

const vmapOptions: OptionChecks = { inAxes: requireAxes, outAxes: requireAxes, context: requireContext };

/**
 * The function that maps `f` over an axis of its arguments, by one program over all of them at once: what a loop over
 * the axis and a stack of the results would give, to rounding. Arguments are trees of tensors and numbers; what `f` captures
 * from outside is shared. It nests with itself, with `grad` and its relatives, and with `jit`.
 *
 * @throws AxisError when an argument has no such axis; ShapeError when the sizes along it differ; UnsupportedRuleError when an
 * operation has no batch rule.
 * @example
 * import { tensor } from '@tf/core';
 * import { createEngine } from '@tf/engine-cpu-wasm';
 * import { evaluate, grad, vmap } from '@tf/traced';
 * const slopes = vmap(grad((x) => x.mul(x).mul(x)));
 * console.log(evaluate(slopes(tensor([1, 2, 3])), await createEngine()).toArray()); // → [ 3, 12, 27 ]
 */
export function vmap<A extends readonly unknown[] = readonly TracedTensor<'float64'>[], R = TracedTensor<'float64'>>(f: (...args: A) => R, options: VmapOptions = {}): (...args: NoInfer<ArgumentsOf<A>>) => R {
  requireFunction('vmap', 'f', f, 'vmap((x) => …)');
  checkOptions('vmap', options, vmapOptions, 'vmap(f, { inAxes: 0, outAxes: 0 })');
  return (...args: readonly unknown[]) => mapped(f as AnyFunction, args, options) as R;
}

function requireAxes(op: string, argument: string, value: unknown): void {
  const { leaves } = flattenTree(value);
  if (leaves.every((axis) => axis === null || (typeof axis === 'number' && Number.isInteger(axis)))) return;
  throw wrongArgument(op, argument, value, 'an integer, null, or a list or record of them', 'Write { inAxes: [0, null] }: the first argument has the batch as its axis 0, the second is shared.');
}

/** A leaf of the arguments: what the function sees of it, and the value with the batch axis first where it is mapped. */
interface Opened {
  readonly seen: unknown;
  readonly mapped: { readonly element: TracedTensor; readonly whole: TracedTensor } | undefined;
}

function mapped(f: AnyFunction, args: readonly unknown[], { inAxes = 0, outAxes = 0, context: given }: VmapOptions): unknown {
  if (Array.isArray(inAxes) && inAxes.length !== args.length) throw new TfError('ArgumentError', `vmap: inAxes has ${inAxes.length} entries, and the function was called with ${args.length} arguments. Give one entry per argument, null where it is shared.`, { op: 'vmap', argument: 'inAxes' });
  const flat = flattenTree(args);
  const axes = axesPerLeaf('inAxes', inAxes, flat);
  const trace: Trace = { name: 'vmap', open: true };
  const size = sizeOf(flat, axes);
  const opened = flat.leaves.map((leaf, at) => openLeaf(leaf, axes[at] ?? null, `argument ${labelOf(flat, at)}`, trace, given));
  const result = callTraced(trace, f, unflattenTree(flat.structure, opened.map(({ seen }) => seen)) as readonly unknown[], args);
  const results = flattenTree(result);
  const outputs = results.leaves.map((leaf) => (isDynamic(leaf) ? traced(tensorLeaf(leaf)) : undefined));
  const there = outputs.filter((output) => output !== undefined);
  const pairs = opened.flatMap((leaf) => (leaf.mapped === undefined ? [] : [leaf.mapped]));
  const batched = batchValues(there, pairs, size, given);
  const where = axesPerLeaf('outAxes', outAxes, results);
  let next = 0;
  return unflattenTree(results.structure, results.leaves.map((leaf, at) => (outputs[at] === undefined ? leaf : placed(batched[next++] as BatchedValue, size, where[at] ?? null, labelOf(results, at)))));
}

function openLeaf(leaf: unknown, axis: number | null, label: string, trace: Trace, context: AdContext | undefined): Opened {
  if (!isDynamic(leaf)) return { seen: leaf, mapped: undefined };
  const whole = traced(tensorLeaf(leaf));
  if (axis === null) return { seen: whole, mapped: undefined };
  const rank = whole.type.shape.length;
  const at = normaliseAxis('vmap', axis, rank, 'inAxes');
  const shape = whole.type.shape.filter((_, index) => index !== at);
  const element = inputLeaf(tensorType(whole.type.dtype, shape), label, { trace, context: context ?? whole.context });
  return { seen: element, mapped: { element, whole: moved(whole, at, 0) } };
}

interface BatchedValue {
  readonly value: TracedTensor;
  readonly isBatched: boolean;
}

/** What `outputs`, computed from the elements, are over the whole batch. */
function batchValues(outputs: readonly TracedTensor[], pairs: readonly { readonly element: TracedTensor; readonly whole: TracedTensor }[], size: Dim, given: AdContext | undefined): readonly BatchedValue[] {
  const elements = pairs.map(({ element }) => element);
  const { context, inherited } = contextFor('vmap', [...outputs, ...pairs.map(({ whole }) => whole)], given);
  const { program, leaves, extents } = extractDependent(outputs, elements);
  const wholeOf = new Map<TracedValue, TracedTensor>(pairs.map(({ element, whole }) => [element, whole]));
  const batched = context.batch({ program, batched: leaves.map((leaf) => wholeOf.has(leaf)), size });
  const whole = renameExtents(batched.program, extents);
  const env = new Map<Var, TracedAtom>(whole.inputs.map((input, at) => [input, wholeOf.get(leaves[at] as TracedValue) ?? (leaves[at] as TracedValue)]));
  const symbolic = pairs.map(({ whole }) => whole).filter(({ type }) => !type.shape.every(isKnown));
  const results = replayProgram<TracedAtom>(whole, env, (atom) => atom as Literal, (instruction, inputs) => replay(instruction, inputs, whole.constraints, inherited, symbolic.length === 0 ? undefined : symbolic));
  return results.map((result, at) => ({ value: asTraced(result), isBatched: batched.batched[at] === true }));
}

/** A result with the batch axis where the caller wants it. */
function placed({ value, isBatched }: BatchedValue, size: Dim, axis: number | null, label: string): TracedTensor {
  if (axis === null) {
    if (!isBatched) return value;
    throw new TfError('AxisError', `vmap: outAxes is null for the result${label === '' ? '' : ` ${label}`}, and it differs from one element of the batch to the next. Give the axis where the batch goes.`, { op: 'vmap', argument: 'outAxes' });
  }
  const whole = isBatched ? value : broadcastTo(value, [size, ...value.type.shape]);
  return moved(whole, 0, normaliseAxis('vmap', axis, whole.type.shape.length, 'outAxes'));
}

function moved(x: TracedTensor, from: number, to: number): TracedTensor {
  if (from === to) return x;
  const order = x.type.shape.map((_, axis) => axis).filter((axis) => axis !== from);
  order.splice(to, 0, from);
  return transpose(x, order);
}

/** The one extent along all mapped axes. */
function sizeOf(flat: FlatTree, axes: readonly (number | null | undefined)[]): Dim {
  let size: Dim | undefined;
  let from = '';
  flat.leaves.forEach((leaf, at) => {
    const axis = axes[at] ?? null;
    if (axis === null || !isDynamic(leaf)) return;
    const label = `argument ${labelOf(flat, at)}`;
    const operand = tensorLeaf(leaf);
    if (!isOperand(operand) || operand.type.shape.length === 0) throw new TfError('AxisError', `vmap: ${label} is a scalar and has no axis ${axis} to map over. Share it: inAxes with null in its place.`, { op: 'vmap', argument: label, axis });
    const dim = operand.type.shape[normaliseAxis('vmap', axis, operand.type.shape.length, 'inAxes')] as Dim;
    if (size !== undefined && !sameDim(size, dim)) throw new TfError('ShapeError', `vmap: ${from} has ${dimText(size)} elements along its mapped axis, ${label} has ${dimText(dim)}. They must be equal; share an argument with inAxes: null.`, { op: 'vmap', argument: label });
    size = dim;
    from = label;
  });
  if (size === undefined) throw new TfError('ArgumentError', 'vmap: no argument is mapped over: there is no tensor, or inAxes is null for all. Give at least one argument an axis.', { op: 'vmap', argument: 'inAxes' });
  return size;
}

function labelOf({ paths }: FlatTree, at: number): string {
  return (paths[at] ?? '').replace(/^\[(\d+)\]/, '$1');
}

/** The axis of each leaf: what the axes' tree says of the leaf, or of a part that it lies in. */
function axesPerLeaf(argument: string, axes: BatchAxes, { structure }: FlatTree): readonly (number | null)[] {
  const result: (number | null)[] = [];
  const visit = (node: TreeStructure, at: BatchAxes, path: string): void => {
    if (node.kind === 'leaf' || at === null || typeof at === 'number') {
      if (at !== null && typeof at === 'object') throw mismatch(argument, path);
      for (let leaf = 0; leaf < countLeaves(node); leaf++) result.push(at);
      return;
    }
    const parts = node.items.map((_, index): BatchAxes | undefined => (node.kind === 'list' ? (Array.isArray(at) ? (at as readonly BatchAxes[])[index] : undefined) : (at as { readonly [name: string]: BatchAxes })[node.keys[index] as string]));
    const length = Array.isArray(at) ? at.length : Object.keys(at).length;
    if (length !== node.items.length || parts.includes(undefined) || Array.isArray(at) !== (node.kind === 'list')) throw mismatch(argument, path);
    node.items.forEach((item, index) => visit(item, parts[index] as BatchAxes, `${path}[${node.kind === 'list' ? index : (node.keys[index] as string)}]`));
  };
  visit(structure, axes, '');
  return result;
}

function countLeaves(structure: TreeStructure): number {
  return structure.kind === 'leaf' ? 1 : structure.items.reduce((sum, item) => sum + countLeaves(item), 0);
}

function mismatch(argument: string, path: string): TfError {
  return new TfError('ArgumentError', `vmap: ${argument}${path} does not have the structure of what it describes. Give one integer or null for a whole part, or a list or record with an entry for each of its parts.`, { op: 'vmap', argument });
}
