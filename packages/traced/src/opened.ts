import { type AdContext, isInexact, isOperand, TfError, type FlatTree, flattenTree, sameStructure, unflattenTree } from '@tf/core';
import type { TracedAtom } from './origin.ts';
import { asTraced, atomOfType, traced, type TracedTensor, zerosOf } from './traced-tensor.ts';
import { openCall, type OpenedCall } from './transforms.ts';
import { type AnyFunction, isDynamic, tensorLeaf } from './tracing.ts';

/** A function that ran on fresh arguments, and the values of its result that carry tangents. */
export interface OpenedMap extends OpenedCall {
  readonly flat: FlatTree;
  /** Per leaf of the result: the traced value, where it carries tangents. */
  readonly outputs: readonly (TracedTensor | undefined)[];
}

/** Runs a function on its arguments, fresh in those that `argnums` names (all of them by default). */
export function openMap(op: string, f: AnyFunction, primals: readonly unknown[], context?: AdContext, argnums?: number | readonly number[]): OpenedMap {
  const call = openCall(op, f, primals, context, argnums);
  const flat = flattenTree(call.result);
  const outputs = flat.leaves.map((leaf) => (isOperand(leaf) && isInexact(leaf.type.dtype) ? traced(leaf) : undefined));
  return { ...call, flat, outputs };
}

/** The values of a result that carry tangents. */
export function liveOutputs({ outputs }: OpenedMap): readonly TracedTensor[] {
  return outputs.filter((output) => output !== undefined);
}

/** A tree like the result: `leafOf` for each of {@link liveOutputs}, undefined elsewhere. */
export function resultTree({ flat, outputs }: OpenedMap, leafOf: (at: number, output: TracedTensor) => unknown): unknown {
  let next = 0;
  return unflattenTree(flat.structure, outputs.map((output) => (output === undefined ? undefined : leafOf(next++, output))));
}

/** Values with the seeds that belong to them. */
export interface Seeded {
  readonly values: readonly TracedTensor[];
  readonly seeds: readonly TracedAtom[];
}

/** The leaves of all arguments that were given a tangent, and those tangents: one tree per argument. */
export function seedArguments(op: string, call: OpenedCall, tangents: readonly unknown[]): Seeded {
  if (call.args.length !== tangents.length) throw new TfError('ArgumentError', `${op}: ${call.args.length} primals and ${tangents.length} tangents; there must be one tangent per primal.`, { op, argument: 'tangents' });
  return seeded(call.args.flatMap(({ flat, fresh }, index) => pairs(op, 'tangent', tangents[index], flat, fresh)));
}

/** The outputs that were given a cotangent, and those cotangents. */
export function seedResult(op: string, { flat, outputs }: OpenedMap, cotangents: unknown): Seeded {
  return seeded(pairs(op, 'cotangent', cotangents, flat, outputs));
}

type Pair = readonly [TracedTensor, TracedAtom];

function seeded(pairs: readonly Pair[]): Seeded {
  return { values: pairs.map(([value]) => value), seeds: pairs.map(([, seed]) => seed) };
}

/** The leaves of a tangent or cotangent tree with the values they belong to; undefined stands for zero and stays out. */
function pairs(op: string, what: string, tree: unknown, flat: FlatTree, values: readonly (TracedTensor | undefined)[]): readonly Pair[] {
  const given = flattenTree(tree);
  if (tree === undefined) return [];
  if (!sameStructure(given.structure, flat.structure)) {
    throw new TfError('ArgumentError', `${op}: the ${what}s have another structure than the values they belong to: leaves ${given.paths.join(', ') || '(one)'} instead of ${flat.paths.join(', ') || '(one)'}.`, { op, argument: what });
  }
  return values.flatMap((value, at): readonly Pair[] => {
    const leaf = given.leaves[at];
    if (leaf === undefined || leaf === null) return [];
    const label = `the ${what}${flat.paths[at] === '' ? '' : ` ${flat.paths[at]}`}`;
    if (!isDynamic(leaf)) throw new TfError('ArgumentError', `${op}: ${label} is no tensor or number.`, { op, argument: what });
    if (value === undefined) throw new TfError('NotDifferentiableError', `${op}: ${label} belongs to a value that carries no tangent; leave it undefined.`, { op, argument: what });
    return [[value, atomOfType(op, label, tensorLeaf(leaf), value.type)]];
  });
}

/** What a derivative found for `like`; where nothing flows, zero. */
export function orZeros(atom: TracedAtom | undefined, like: TracedTensor): TracedTensor {
  return atom === undefined ? zerosOf(like.type) : asTraced(atom);
}
