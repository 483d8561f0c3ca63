import { type AdContext, argumentAxes, type BatchAxes, batchAxesPerLeaf, batchSize, broadcastTo, checkOptions, type Dim, flattenTree, isKnown, isOperand, leafLabel, type Literal, moveaxis, mustHaveBatch, normaliseAxis, type OptionChecks, renameExtents, replayProgram, requireBatchAxes, requireContext, requireFunction, type Shape, tensorType, type TfError, unflattenTree, type Var } from '@tf/core';
import { contextFor } from './context.ts';
import { extractDependent } from './extract.ts';
import type { Trace, TracedAtom, TracedValue } from './origin.ts';
import { asTraced, inputLeaf, replay, traced, type TracedTensor } from './traced-tensor.ts';
import { type AnyFunction, callTraced, isDynamic, tensorLeaf } from './tracing.ts';
import type { ArgumentsOf } from './tree-types.ts';

export interface VmapOptions {
  /** Per argument, or one for all: the axis that is mapped over, null for an argument that all calls share. Default 0. */
  readonly inAxes?: BatchAxes;
  /** Where the batch axis goes in the results; null for a result that does not depend on the batch. Default 0. */
  readonly outAxes?: BatchAxes;
  /** Rules and caches; by default those that the values carry, else core's rules. */
  readonly context?: AdContext;
}

const vmapOptions: OptionChecks = { inAxes: requireBatchAxes, outAxes: requireBatchAxes, context: requireContext };

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

/** A leaf of the arguments: what the function sees of it, and the value with the batch axis first where it is mapped. */
interface Opened {
  readonly seen: unknown;
  readonly mapped: { readonly element: TracedTensor; readonly whole: TracedTensor } | undefined;
}

function mapped(f: AnyFunction, args: readonly unknown[], { inAxes = 0, outAxes = 0, context: given }: VmapOptions): unknown {
  const flat = flattenTree(args);
  const axes = argumentAxes(args, inAxes, flat);
  const trace: Trace = { name: 'vmap', open: true };
  const size = batchSize(flat, axes, (leaf) => (isDynamic(leaf) ? shapeOf(tensorLeaf(leaf)) : undefined));
  const opened = flat.leaves.map((leaf, at) => openLeaf(leaf, axes[at] ?? null, `argument ${leafLabel(flat, at)}`, trace, given));
  const result = callTraced(trace, f, unflattenTree(flat.structure, opened.map(({ seen }) => seen)) as readonly unknown[], args);
  const results = flattenTree(result);
  const outputs = results.leaves.map((leaf) => (isDynamic(leaf) ? traced(tensorLeaf(leaf)) : undefined));
  const there = outputs.filter((output) => output !== undefined);
  const pairs = opened.flatMap((leaf) => (leaf.mapped === undefined ? [] : [leaf.mapped]));
  const batched = batchValues(there, pairs, size, given);
  const where = batchAxesPerLeaf('outAxes', outAxes, results);
  let next = 0;
  return unflattenTree(results.structure, results.leaves.map((leaf, at) => (outputs[at] === undefined ? leaf : placed(batched[next++] as BatchedValue, size, where[at] ?? null, () => mustHaveBatch(results, at)))));
}

function openLeaf(leaf: unknown, axis: number | null, label: string, trace: Trace, context: AdContext | undefined): Opened {
  if (!isDynamic(leaf)) return { seen: leaf, mapped: undefined };
  const whole = traced(tensorLeaf(leaf));
  if (axis === null) return { seen: whole, mapped: undefined };
  const rank = whole.type.shape.length;
  const at = normaliseAxis('vmap', axis, rank, 'inAxes');
  const shape = whole.type.shape.filter((_, index) => index !== at);
  const element = inputLeaf(tensorType(whole.type.dtype, shape), label, { trace, context: context ?? whole.context });
  return { seen: element, mapped: { element, whole: moveaxis(whole, at, 0) } };
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

function shapeOf(leaf: ReturnType<typeof tensorLeaf>): Shape {
  return isOperand(leaf) ? leaf.type.shape : [];
}

/** A result with the batch axis where the caller wants it. */
function placed({ value, isBatched }: BatchedValue, size: Dim, axis: number | null, refused: () => TfError): TracedTensor {
  if (axis === null) {
    if (isBatched) throw refused();
    return value;
  }
  const whole = isBatched ? value : broadcastTo(value, [size, ...value.type.shape]);
  return moveaxis(whole, 0, normaliseAxis('vmap', axis, whole.type.shape.length, 'outAxes'));
}
