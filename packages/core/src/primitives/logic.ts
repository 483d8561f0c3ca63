import * as scalar from '../loop/scalar.ts';
import type { ScalarExpr } from '../types/loop-language.ts';
import type { Argument, JoinKind, Kind, Of, Operand } from '../types/operand.ts';
import { applyPromoted, applyUnary } from './arguments.ts';
import type { Primitive } from './define.ts';
import { defineElementwise } from './elementwise.ts';
import { noRule } from './rules.ts';

function defineLogic(name: string, inputs: 1 | 2, combine: (a: ScalarExpr, b: ScalarExpr) => ScalarExpr): Primitive {
  return defineElementwise({ name, inputs, dtypes: ['bool'], real: (a, b) => combine(a!, b!), rule: noRule('booleans carry no tangents') });
}

export const logicalAndPrimitive: Primitive = defineLogic('logicalAnd', 2, scalar.and);
export const logicalOrPrimitive: Primitive = defineLogic('logicalOr', 2, scalar.or);
export const logicalXorPrimitive: Primitive = defineLogic('logicalXor', 2, scalar.xor);
export const logicalNotPrimitive: Primitive = defineLogic('logicalNot', 1, scalar.not);

type Truth<A extends Argument, B extends Argument> = Of<JoinKind<A, B>, 'bool'>;

/**
 * a ∧ b of booleans, elementwise, with broadcasting.
 *
 * @throws DTypeError for other dtypes: `convert(x, 'bool')` is x ≠ 0. ShapeError when shapes do not broadcast.
 * @example
 * import { Builder, greater, less, logicalAnd, tensorType } from '@tf/core';
 * const x = new Builder().input(tensorType('float64', [3]), 'x');
 * if (logicalAnd(greater(x, 0), less(x, 1)).type.key !== 'bool[3]') throw new Error('unexpected');
 */
export function logicalAnd<A extends Argument, B extends Argument>(a: A, b: B): Truth<A, B> {
  return applyPromoted(logicalAndPrimitive.operation, [a, b], {}, 'common') as Truth<A, B>;
}

/** a ∨ b of booleans, elementwise; as {@link logicalAnd}. */
export function logicalOr<A extends Argument, B extends Argument>(a: A, b: B): Truth<A, B> {
  return applyPromoted(logicalOrPrimitive.operation, [a, b], {}, 'common') as Truth<A, B>;
}

/** Whether exactly one of a and b is true, elementwise; as {@link logicalAnd}. */
export function logicalXor<A extends Argument, B extends Argument>(a: A, b: B): Truth<A, B> {
  return applyPromoted(logicalXorPrimitive.operation, [a, b], {}, 'common') as Truth<A, B>;
}

/** ¬x of booleans, elementwise; as {@link logicalAnd}. */
export function logicalNot<K extends Kind>(x: Operand<K>): Of<K, 'bool'> {
  return applyUnary(logicalNotPrimitive.operation, x, {}) as Of<K, 'bool'>;
}

export const logicPrimitives: readonly Primitive[] = [logicalAndPrimitive, logicalOrPrimitive, logicalXorPrimitive, logicalNotPrimitive];
