import { TfError } from '../../errors.ts';
import { chooseListener } from '../../program/dispatch.ts';
import { describe, requireFunction } from '../../types/argument.ts';
import { isOperand, type Operand } from '../../types/operand.ts';
import { type TensorType, typeText } from '../../types/tensor-type.ts';
import { flattenTree, unflattenTree } from '../../types/tree.ts';
import { argumentAs } from '../arguments.ts';
import { convert } from '../convert.ts';
import { branchPrimitive } from './branch-primitive.ts';
import { leafTypes, openRegion, type OpenedRegion, range, requireLeaves, requireSameStructure, withInputs } from './region.ts';
import type { OpenedTree } from './tree-types.ts';

type Branch<A extends readonly unknown[], R> = (...operands: { readonly [Index in keyof A]: OpenedTree<A[Index]> }) => R;

/**
 * `onTrue(...operands)` where the predicate, one bool, is true, else `onFalse(...operands)`: only one of the two is run. Both give
 * trees of the same structure and types. To choose element by element use `select`.
 *
 * @throws DTypeError or ShapeError for a predicate that is no bool scalar, or when the branches give different types.
 * @example
 * import { cond, greater, tensor } from '@tf/core';
 * import { createEngine } from '@tf/engine-cpu-wasm';
 * import { jit, type TracedTensor } from '@tf/traced';
 * type T = TracedTensor<'float64'>;
 * const f = jit((x: T) => cond(greater(x.sum(), 0), (y: T) => y.mul(2), (y: T) => y.mul(y), x), { engine: await createEngine() });
 * console.log(f(tensor([1, 2])).toArray(), f(tensor([-3, 1])).toArray()); // → [ 2, 4 ] [ 9, 1 ]
 */
export function cond<A extends readonly unknown[], R>(predicate: Operand | boolean, onTrue: Branch<A, R>, onFalse: Branch<A, R>, ...operands: A): R {
  requireFunction('cond', 'onTrue', onTrue, 'cond(p, (x) => …, (x) => …, x)');
  requireFunction('cond', 'onFalse', onFalse, 'cond(p, (x) => …, (x) => …, x)');
  if (typeof predicate === 'boolean') return (predicate ? onTrue : onFalse)(...(operands as never));
  if (!isOperand(predicate)) throw new TfError('ArgumentError', `cond: the predicate is ${describe(predicate)}, not a bool tensor. Compare: greater(x, 0).`, { op: 'cond', argument: 'predicate' });
  if (predicate.type.dtype !== 'bool' || predicate.type.shape.length !== 0) throw new TfError(predicate.type.dtype === 'bool' ? 'ShapeError' : 'DTypeError', `cond: the predicate is ${typeText(predicate.type)}; it must be one bool. Compare and reduce, e.g. greater(sum(x), 0); select chooses element by element.`, { op: 'cond', argument: 'predicate' });
  return branchOf('cond', convert(predicate, 'int32') as Operand, [onFalse, onTrue] as never, operands, ['onFalse', 'onTrue']) as R;
}

/**
 * `branches[index](...operands)`: only that branch is run; an index below 0 takes the first, one beyond the end the last (as XLA does).
 *
 * @throws DTypeError or ShapeError for an index that is no int32 scalar, or when branches give different types.
 */
export function switchCase<A extends readonly unknown[], R>(index: Operand | number, branches: readonly Branch<A, R>[], ...operands: A): R {
  if (!Array.isArray(branches) || branches.length === 0) throw new TfError('ArgumentError', `switchCase: branches is ${describe(branches)}; it must be a list of at least one function.`, { op: 'switchCase', argument: 'branches' });
  branches.forEach((branch, at) => requireFunction('switchCase', `branches[${at}]`, branch, 'switchCase(index, [(x) => …, (x) => …], x)'));
  if (typeof index === 'number' && !Number.isInteger(index)) throw new TfError('ArgumentError', `switchCase: the index is ${index}, not a whole number. Round it: Math.trunc(index).`, { op: 'switchCase', argument: 'index' });
  if (typeof index === 'number') return (branches[Math.min(branches.length - 1, Math.max(0, index))] as Branch<A, R>)(...(operands as never));
  if (!isOperand(index) || index.type.dtype !== 'int32' || index.type.shape.length !== 0) throw new TfError(isOperand(index) && index.type.dtype === 'int32' ? 'ShapeError' : 'DTypeError', `switchCase: the index is ${isOperand(index) ? typeText(index.type) : describe(index)}; it must be one int32. Convert it: convert(index, 'int32').`, { op: 'switchCase', argument: 'index' });
  return branchOf('switchCase', index, branches as never, operands, branches.map((_, at) => `branch ${at}`)) as R;
}

function branchOf(op: string, index: Operand, branches: readonly ((...args: readonly unknown[]) => unknown)[], operands: readonly unknown[], names: readonly string[]): unknown {
  const flat = flattenTree(operands);
  const leaves = requireLeaves(op, 'an operand', flat);
  const types = leafTypes(leaves);
  const regions = branches.map((branch) => openRegion(op, [index, ...leaves], (tree) => branch(...(tree as readonly unknown[])), [{ structure: flat.structure, types }]));
  const first = regions[0] as OpenedRegion;
  regions.forEach((region, at) => requireAlike(op, first, region, [names[0] as string, names[at] as string]));
  const captures = [...new Set(regions.flatMap((region) => region.captures))];
  const all = [...captures.map(({ type }) => type), ...types];
  const programs = regions.map((region) => withInputs(region.program, all, [...region.captures.map((capture) => captures.indexOf(capture)), ...range(types.length, captures.length)]));
  const listener = chooseListener(op, [index, ...captures, ...leaves]);
  const inputs = [argumentAs(listener, index, 'int32', op, 0), ...[...captures, ...leaves].map((leaf, at) => argumentAs(listener, leaf, (all[at] as TensorType).dtype, op, at + 1))];
  return unflattenTree(first.structure, listener.apply(branchPrimitive.operation, inputs, { branches: programs, linear: [] }));
}

function requireAlike(op: string, first: OpenedRegion, other: OpenedRegion, [one, another]: readonly [string, string]): void {
  requireSameStructure(op, `the result of ${another}`, other.structure, first.structure);
  first.program.outputs.forEach(({ type }, result) => {
    const own = (other.program.outputs[result] as typeof first.program.outputs[number]).type;
    if (own.key === type.key) return;
    throw new TfError(own.dtype === type.dtype ? 'ShapeError' : 'DTypeError', `${op}: ${one} gives ${typeText(type)} as result ${result}, ${another} gives ${typeText(own)}. All branches must give the same types: convert or broadcast one.`, { op, expected: type.key, got: own.key });
  });
}
