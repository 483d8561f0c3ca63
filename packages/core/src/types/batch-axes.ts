/** The axes that `vmap` maps over, for front ends. */
import { TfError } from '../errors.ts';
import { wrongArgument } from './argument.ts';
import { type Dim, dimText, sameDim } from './dim.ts';
import { normaliseAxis, type Shape } from './shape.ts';
import { type FlatTree, flattenTree, type TreeStructure } from './tree.ts';

/** Which axis of a value is the batch: null where it has none. A list or record says it for the parts of a tree. */
export type BatchAxes = number | null | readonly BatchAxes[] | { readonly [name: string]: BatchAxes };

export function requireBatchAxes(op: string, argument: string, value: unknown): void {
  const { leaves } = flattenTree(value);
  if (leaves.every((axis) => axis === null || (typeof axis === 'number' && Number.isInteger(axis)))) return;
  throw wrongArgument(op, argument, value, 'an integer, null, or a list or record of them', 'Write { inAxes: [0, null] }: the first argument has the batch as its axis 0, the second is shared.');
}

/** The one extent along all mapped axes; `shapeOf` is undefined for leaves that are no data. */
export function batchSize(flat: FlatTree, axes: readonly (number | null)[], shapeOf: (leaf: unknown) => Shape | undefined): Dim {
  let size: Dim | undefined;
  let from = '';
  flat.leaves.forEach((leaf, at) => {
    const axis = axes[at] ?? null;
    const shape = shapeOf(leaf);
    if (axis === null || shape === undefined) return;
    const label = `argument ${leafLabel(flat, at)}`;
    if (shape.length === 0) throw new TfError('AxisError', `vmap: ${label} is a scalar and has no axis ${axis} to map over. Share it: inAxes with null in its place.`, { op: 'vmap', argument: label, axis });
    const dim = shape[normaliseAxis('vmap', axis, shape.length, 'inAxes')] as Dim;
    if (size !== undefined && !sameDim(size, dim)) throw new TfError('ShapeError', `vmap: ${from} has ${dimText(size)} elements along its mapped axis, ${label} has ${dimText(dim)}. They must be equal; share an argument with inAxes: null.`, { op: 'vmap', argument: label });
    size = dim;
    from = label;
  });
  if (size === undefined) throw new TfError('ArgumentError', 'vmap: no argument is mapped over: there is no tensor, or inAxes is null for all. Give at least one argument an axis.', { op: 'vmap', argument: 'inAxes' });
  return size;
}

/** Where a leaf of the arguments lies: `0.weights`. */
export function leafLabel({ paths }: FlatTree, at: number): string {
  return (paths[at] ?? '').replace(/^\[(\d+)\]/, '$1');
}

/** The axis of each leaf: what the axes' tree says of the leaf, or of a part that it lies in. */
export function batchAxesPerLeaf(argument: string, axes: BatchAxes, { structure }: FlatTree): readonly (number | null)[] {
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

/** The axes of every leaf of the arguments; a list of axes has one entry per argument. */
export function argumentAxes(args: readonly unknown[], inAxes: BatchAxes, flat: FlatTree): readonly (number | null)[] {
  if (Array.isArray(inAxes) && inAxes.length !== args.length) throw new TfError('ArgumentError', `vmap: inAxes has ${inAxes.length} entries, and the function was called with ${args.length} arguments. Give one entry per argument, null where it is shared.`, { op: 'vmap', argument: 'inAxes' });
  return batchAxesPerLeaf('inAxes', inAxes, flat);
}

/** What is wrong with `outAxes: null` for a result that has the batch. */
export function mustHaveBatch(flat: FlatTree, at: number): TfError {
  const label = leafLabel(flat, at);
  return new TfError('AxisError', `vmap: outAxes is null for the result${label === '' ? '' : ` ${label}`}, and it differs from one element of the batch to the next. Give the axis where the batch goes.`, { op: 'vmap', argument: 'outAxes' });
}
