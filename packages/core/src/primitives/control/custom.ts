import { TfError } from '../../errors.ts';
import { chooseListener } from '../../program/dispatch.ts';
import { checkOptions, describe, requireFunction } from '../../types/argument.ts';
import { isKnown } from '../../types/dim.ts';
import { isInexact } from '../../types/dtype.ts';
import { isOperand, type Operand } from '../../types/operand.ts';
import type { TensorType } from '../../types/tensor-type.ts';
import { type FlatTree, flattenTree, sameStructure, type TreeStructure, unflattenTree } from '../../types/tree.ts';
import { argumentAs } from '../arguments.ts';
import type { Primitive } from '../define.ts';
import { customJvpPrimitive, customVjpPrimitive } from './custom-primitive.ts';
import { leafTypes, openRegion, range, requireLeaves, requireSynchronous, withInputs } from './region.ts';

/** Where a rule is used: the arguments of the function and its result there. */
export interface CustomRuleSite<A extends readonly unknown[], R> {
  readonly inputs: A;
  readonly output: R;
}

export interface CustomVjpRule<A extends readonly unknown[], R> {
  /**
   * One cotangent per argument, of its structure, shape and dtype, from that of the result: undefined for a number that does not
   * matter, and for integers and bools, whose cotangents in the result are undefined too.
   */
  readonly vjp: (at: CustomRuleSite<A, R>, cotangent: R) => { readonly [Index in keyof A]: A[Index] | undefined };
}

export interface CustomJvpRule<A extends readonly unknown[], R> {
  /** The tangent of the result from those of the arguments: zeros where none flows in, undefined for integers and bools. */
  readonly jvp: (at: CustomRuleSite<A, R>, tangents: A) => R | undefined;
}

/**
 * The function, with this reverse rule in place of its derivative. Arguments and results are trees of tensors. Function and rule
 * run once per call, to build programs. The rule is differentiated for higher orders; tangents are the adjoint of a rule that is
 * linear in the cotangents, and an UnsupportedRuleError otherwise. What is captured is constant.
 *
 * Residuals are not declared: the rule is a program, so which arguments and results it reads is known, and these are kept for the
 * reverse pass. An intermediate value of the function is computed again in the rule, or made a further result of the function.
 *
 * @throws ExtensionError where the rule gives another number of cotangents, or one of another structure, shape or dtype;
 * UnsupportedRuleError for a derivative with respect to what was captured.
 * @example
 * import { clamp, customVjp, tensor } from '@tf/core';
 * import { createEngine } from '@tf/engine-cpu-wasm';
 * import { grad, jit, type TracedTensor } from '@tf/traced';
 * type T = TracedTensor<'float64'>;
 * // The identity, whose gradient is clipped.
 * const clipped = customVjp((x: T) => x, { vjp: (_at, ct) => [clamp(ct, -1, 1)] });
 * const slope = jit(grad((x: T) => clipped(x).mul(x).sum()), { engine: await createEngine() });
 * console.log(slope(tensor([0.5, 3])).toArray()); // → [ 1, 4 ]
 */
export function customVjp<A extends readonly unknown[], R>(f: (...args: A) => R, rule: CustomVjpRule<A, R>): (...args: A) => R {
  requireFunction('customVjp', 'f', f, 'customVjp((x) => …, { vjp: ({ inputs: [x] }, ct) => [mul(ct, x)] })');
  checkOptions('customVjp', rule, { vjp: requireFunction }, 'customVjp(f, { vjp: ({ inputs: [x] }, ct) => [mul(ct, x)] })');
  requireFunction('customVjp', 'vjp', rule.vjp, '{ vjp: ({ inputs: [x] }, ct) => [mul(ct, x)] }');
  return (...args: A) => called(customVjpPrimitive, f as Opened, args, ({ args: taken, results }) => ({
    seeds: results,
    apply: (at, cotangent) => perArgument(rule.vjp(at as CustomRuleSite<A, R>, cotangent as R), taken),
  })) as R;
}

/**
 * The function, with this forward rule in place of its derivative; reverse is the adjoint of the rule, which must be linear in the
 * tangents. Otherwise as `customVjp`.
 *
 * @throws ExtensionError where the rule gives a tangent of another structure, shape or dtype; UnsupportedRuleError for a
 * derivative with respect to what was captured, or reverse of a rule that is not linear in the tangents.
 * @example
 * import { customJvp, exp, log, mul, sigmoid, tensor } from '@tf/core';
 * import { createEngine } from '@tf/engine-cpu-wasm';
 * import { grad, jit, type TracedTensor } from '@tf/traced';
 * type T = TracedTensor<'float64'>;
 * // log(1 + eˣ), with a slope that does not overflow.
 * const soft = customJvp((x: T) => log(exp(x).add(1)), { jvp: ({ inputs: [x] }, [dx]) => mul(dx, sigmoid(x)) });
 * const slope = jit(grad((x: T) => soft(x).sum()), { engine: await createEngine() });
 * console.log(slope(tensor([0, 1000])).toArray()); // → [ 0.5, 1 ]
 */
export function customJvp<A extends readonly unknown[], R>(f: (...args: A) => R, rule: CustomJvpRule<A, R>): (...args: A) => R {
  requireFunction('customJvp', 'f', f, 'customJvp((x) => …, { jvp: ({ inputs: [x] }, [dx]) => mul(dx, x) })');
  checkOptions('customJvp', rule, { jvp: requireFunction }, 'customJvp(f, { jvp: ({ inputs: [x] }, [dx]) => mul(dx, x) })');
  requireFunction('customJvp', 'jvp', rule.jvp, '{ jvp: ({ inputs: [x] }, [dx]) => mul(dx, x) }');
  return (...args: A) => called(customJvpPrimitive, f as Opened, args, ({ args: taken, results }) => ({
    seeds: taken,
    apply: (at, tangents) => {
      const tangent = rule.jvp(at as CustomRuleSite<A, R>, tangents as A);
      requireSynchronous('customJvp', tangent);
      return matched('customJvp', 'the tangent of the result', 'result', tangent, results);
    },
  })) as R;
}

type Opened = (...args: readonly unknown[]) => unknown;

/** Leaves of known types. */
interface Typed {
  readonly structure: TreeStructure;
  readonly types: readonly TensorType[];
}

/** A rule as functions of trees: what its seeds are the tangents or cotangents of, and what it gives, leaf by leaf. */
interface RuleFunction {
  readonly seeds: Typed;
  apply(at: unknown, seeds: unknown): readonly (Operand | undefined)[];
}

function called({ operation }: Primitive, f: Opened, args: readonly unknown[], ruleOf: (signature: { readonly args: Typed; readonly results: Typed }) => RuleFunction): unknown {
  const op = operation.name;
  const flat = flattenTree(args);
  const leaves = requireLeaves(op, 'an argument', flat);
  const taken: Typed = { structure: flat.structure, types: leafTypes(leaves) };
  const body = openRegion(op, leaves, (tree) => f(...(tree as readonly unknown[])), [taken]);
  const results: Typed = { structure: body.structure, types: body.program.outputs.map(({ type }) => type) };
  const { seeds, apply } = ruleOf({ args: taken, results });
  const floats = seeds.types.filter(({ dtype }) => isInexact(dtype));
  let flows: readonly number[] = [];
  const rule = openRegion(op, leaves, (inputs, output, given) => {
    const found = apply({ inputs, output }, spread(seeds, given as readonly unknown[]));
    let next = 0;
    flows = found.map((value) => (value === undefined ? -1 : next++));
    return found.filter((value) => value !== undefined);
  }, [taken, results, { structure: { kind: 'list', items: floats.map(() => ({ kind: 'leaf' })) }, types: floats }]);
  const captures = [...new Set([...body.captures, ...rule.captures])];
  const types = [...captures.map(({ type }) => type), ...taken.types];
  const places = (own: readonly Operand[], further: number): readonly number[] => [...own.map((capture) => captures.indexOf(capture)), ...range(further, captures.length)];
  const listener = chooseListener(op, [...captures, ...leaves]);
  const inputs = [...captures, ...leaves].map((leaf, at) => argumentAs(listener, leaf, (types[at] as TensorType).dtype, op, at));
  return unflattenTree(body.structure, listener.apply(operation, inputs, {
    body: withInputs(body.program, types, places(body.captures, taken.types.length)),
    rule: withInputs(rule.program, [...types, ...results.types, ...floats], places(rule.captures, rule.program.inputs.length - rule.captures.length)),
    captures: captures.length,
    flows,
  }));
}

/** The tree of tangents or cotangents: undefined for values that carry none. */
function spread({ structure, types }: Typed, given: readonly unknown[]): unknown {
  let next = 0;
  return unflattenTree(structure, types.map(({ dtype }) => (isInexact(dtype) ? given[next++] : undefined)));
}

/** The cotangents that a reverse rule gave, one tree per argument, as leaves. */
function perArgument(given: unknown, { structure, types }: Typed): readonly (Operand | undefined)[] {
  requireSynchronous('customVjp', given);
  const items = structure.kind === 'leaf' ? [] : structure.items;
  if (!Array.isArray(given) || given.length !== items.length) {
    throw wrongRule('customVjp', 'vjp', `its vjp gave ${Array.isArray(given) ? `${given.length} cotangents` : describe(given)} for ${items.length} argument${items.length === 1 ? '' : 's'}. Give a list with one per argument, undefined where nothing flows: [mul(ct, x)]`);
  }
  let next = 0;
  return items.flatMap((item, at) => matched('customVjp', `the cotangent of argument ${at}`, 'argument', given[at], { structure: item, types: types.slice(next, (next += leavesOf(item))) }));
}

function leavesOf(structure: TreeStructure): number {
  return structure.kind === 'leaf' ? 1 : structure.items.reduce((count, item) => count + leavesOf(item), 0);
}

/** The leaves of a tree that must have this structure and these types; undefined stands for all of it, or for one leaf. */
function matched(op: string, what: string, of: string, given: unknown, { structure, types }: Typed): readonly (Operand | undefined)[] {
  if (given === undefined) return types.map(() => undefined);
  const flat: FlatTree = flattenTree(given);
  if (!sameStructure(flat.structure, structure)) throw wrongRule(op, what, `${what} is nested otherwise than the ${of}. Give arrays and records of the same form`);
  return flat.leaves.map((leaf, at) => {
    if (leaf === undefined) return undefined;
    const type = types[at] as TensorType;
    const where = flat.paths[at] === '' ? what : `${what} at ${String(flat.paths[at])}`;
    if (!isOperand(leaf)) throw wrongRule(op, what, `${where} is ${describe(leaf)}, not a tensor. Wrap numbers: full(shape, number), or give undefined where nothing flows`);
    if (!isInexact(type.dtype)) throw wrongRule(op, what, `${where} is ${leaf.type.key}, but a ${type.key} carries none. Give undefined`);
    if (!fits(leaf.type, type)) throw wrongRule(op, what, `${where} is ${leaf.type.key}, not ${type.key}. It has the dtype and shape of its ${of}: convert, sum or broadcast it`);
    return leaf;
  });
}

/** Symbolic extents may be equal though their texts differ. */
function fits(a: TensorType, b: TensorType): boolean {
  return a.dtype === b.dtype && a.shape.length === b.shape.length && a.shape.every((dim, axis) => {
    const other = b.shape[axis];
    return dim === other || !isKnown(dim) || other === undefined || !isKnown(other);
  });
}

function wrongRule(op: string, role: string, message: string): TfError {
  return new TfError('ExtensionError', `${op}: ${message}.`, { op, family: 'tf.core', role });
}
