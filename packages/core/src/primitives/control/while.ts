import { TfError } from '../../errors.ts';
import { chooseListener } from '../../program/dispatch.ts';
import { checkOptions, requireCount, requireFlag, requireFunction } from '../../types/argument.ts';
import { isOperand, type Kind, type Operand } from '../../types/operand.ts';
import { type TensorType, tensorType, typeText } from '../../types/tensor-type.ts';
import { flattenTree, unflattenTree } from '../../types/tree.ts';
import { argumentAs } from '../arguments.ts';
import { minimum } from '../extrema.ts';
import { logicalNot } from '../logic.ts';
import { cond } from './cond.ts';
import { leafTypes, openRegion, type OpenedRegion, requireLeaves, requireSameStructure, requireSynchronous } from './region.ts';
import { requireBackTypes, requireSameTypes, runScan, settledTypes } from './scan.ts';
import type { OpenedTree } from './tree-types.ts';
import { whilePrimitive } from './while-primitive.ts';

export interface WhileOptions {
  /**
   * At most so many iterations; then reverse mode can keep what it needs. It stops there without a word, also where the condition still
   * holds: ask for `finished` to know.
   */
  readonly maxSteps?: number;
  /** Beside the carry, one bool: false where `maxSteps` stopped the loop while the condition still held. Only with `maxSteps`. */
  readonly finished?: boolean;
}

/**
 * Runs `body(carry) → carry` as long as `condition(carry)`, one bool, is true; the carry is a tree of tensors that keeps its types.
 * Forward mode differentiates it always, reverse mode with `maxSteps`. With `{ maxSteps, finished: true }` it gives `[carry, finished]`.
 *
 * @throws DTypeError or ShapeError when the condition is no bool scalar or the carry comes back with another type.
 * @example
 * import { less, tensor, whileLoop } from '@tf/core';
 * import { createEngine } from '@tf/engine-cpu-wasm';
 * import { jit, type TracedTensor } from '@tf/traced';
 * type T = TracedTensor<'float64'>;
 * const f = jit((x: T) => whileLoop((y: T) => less(y, 100), (y: T) => y.mul(3), x), { engine: await createEngine() });
 * console.log(f(2).item()); // → 162
 */
export function whileLoop<C, S = OpenedTree<C>>(condition: (carry: S) => Operand, body: (carry: S) => S, init: C, options: WhileOptions & { readonly maxSteps: number; readonly finished: true }): readonly [S, Operand<Kind, 'bool'>];
export function whileLoop<C, S = OpenedTree<C>>(condition: (carry: S) => Operand, body: (carry: S) => S, init: C, options?: WhileOptions & { readonly finished?: false }): S;
export function whileLoop<C, S = OpenedTree<C>>(condition: (carry: S) => Operand, body: (carry: S) => S, init: C, options: WhileOptions = {}): unknown {
  const op = 'whileLoop';
  requireFunction(op, 'condition', condition, 'whileLoop((c) => less(c, 10), (c) => …, init)');
  requireFunction(op, 'body', body, 'whileLoop((c) => less(c, 10), (c) => …, init)');
  checkOptions(op, options, { maxSteps: requireCount, finished: requireFlag }, 'whileLoop(condition, body, init, { maxSteps: 100 })');
  const { maxSteps, finished = false } = options;
  if (maxSteps !== undefined) {
    const [last, ended] = bounded(condition, body, init, maxSteps);
    return finished ? [last, ended()] : last;
  }
  if (finished) throw new TfError('ArgumentError', 'whileLoop: finished is asked for without maxSteps, but then the loop always ends where the condition fails. Give maxSteps, or leave finished out.', { op, argument: 'finished' });
  const flat = flattenTree(init);
  const leaves = requireLeaves(op, 'init', flat);
  let types = leafTypes(leaves);
  const bodyOf = (own: readonly TensorType[]): OpenedRegion => openRegion(op, leaves, (tree) => {
    const next = body(tree as S);
    requireSynchronous(op, next);
    requireSameStructure(op, 'the carry', flattenTree(next).structure, flat.structure);
    return next;
  }, [{ structure: flat.structure, types: own }]);
  let region = bodyOf(types);
  const settled = settledTypes(leaves, types, region, []);
  if (settled !== types) region = bodyOf((types = settled));
  const holds = openRegion(op, leaves, (tree) => requireCondition(condition(tree as S)), [{ structure: flat.structure, types }]);
  requireSameTypes(op, flat, types, region);
  const listener = chooseListener(op, [...holds.captures, ...region.captures, ...leaves]);
  const captures = [...holds.captures, ...region.captures];
  const inputs = [...captures.map((capture, at) => argumentAs(listener, capture, capture.type.dtype, op, at)), ...leaves.map((leaf, at) => argumentAs(listener, leaf, (types[at] as TensorType).dtype, op, at))];
  const outputs = listener.apply(whilePrimitive.operation, inputs, { condition: holds.program, body: region.program, conditionConstants: holds.captures.length, bodyConstants: region.captures.length, linear: [] });
  return unflattenTree(flat.structure, outputs) as S;
}

function requireCondition(result: unknown): Operand {
  requireSynchronous('whileLoop', result);
  if (isOperand(result) && result.type.dtype === 'bool' && result.type.shape.length === 0) return result;
  const what = isOperand(result) ? typeText(result.type) : String(result);
  throw new TfError(isOperand(result) && result.type.dtype === 'bool' ? 'ShapeError' : 'DTypeError', `whileLoop: the condition gives ${what}; it must give one bool tensor. Compare and reduce, e.g. less(sum(x), 10).`, { op: 'whileLoop', argument: 'condition' });
}

/** As many iterations as may be, of which those after the end do nothing; and whether there was an end. */
function bounded<S>(condition: (carry: S) => Operand, body: (carry: S) => S, init: unknown, maxSteps: number): readonly [S, () => Operand] {
  const step = (carry: unknown): readonly [unknown, unknown] => {
    const [going, own] = carry as readonly [Operand<never, 'bool'>, S];
    const goesOn = minimum(going as Operand, requireCondition(condition(own))) as Operand;
    const next = cond(goesOn, (tree: unknown) => checkedNext(body(tree as S), tree), (tree: unknown) => tree as S, own);
    return [[goesOn, next], []];
  };
  const [[going, last]] = runScan('whileLoop', step, flattenTree([true, init]), { structure: flattenTree([]).structure, stacks: [] }, maxSteps, false, [tensorType('bool', [])]) as readonly [readonly [unknown, unknown], unknown];
  return [last as S, () => logicalNot(minimum(going as Operand, requireCondition(condition(last as S))) as Operand) as Operand];
}

/** What a body gives back: the carry in its structure and types. */
function checkedNext<S>(next: S, before: unknown): S {
  requireSynchronous('whileLoop', next);
  const [given, taken] = [flattenTree(next), flattenTree(before)];
  requireSameStructure('whileLoop', 'the carry', given.structure, taken.structure);
  const leaves = requireLeaves('whileLoop', 'what the body returns', given);
  requireBackTypes('whileLoop', taken, (taken.leaves as readonly Operand[]).map(({ type }) => type), leafTypes(leaves));
  return next;
}
