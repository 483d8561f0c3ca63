import * as scalar from '../loop/scalar.ts';
import type { DType } from '../types/dtype.ts';
import type { ScalarExpr } from '../types/loop-language.ts';
import type { Argument, Joined, Kind, Of, Operand } from '../types/operand.ts';
import { applyPromoted, applyUnary } from './arguments.ts';
import type { Primitive } from './define.ts';
import { defineElementwise } from './elementwise.ts';
import { noRule } from './rules.ts';

const integers: readonly DType[] = ['int32', 'int64'];

function defineBits(name: string, inputs: 1 | 2, dtypes: readonly DType[], combine: (a: ScalarExpr, b: ScalarExpr) => ScalarExpr): Primitive {
  return defineElementwise({ name, inputs, dtypes, real: (a, b) => combine(a!, b!), rule: noRule('integers and booleans carry no tangents') });
}

/** The machine takes counts modulo the width; a count beyond it, or below 0, shifts everything out, as in NumPy. */
function shift(x: ScalarExpr, count: ScalarExpr, within: ScalarExpr, beyond: ScalarExpr): ScalarExpr {
  const number = (value: number): ScalarExpr => scalar.constant(x.type, value);
  const isWithin = scalar.and(scalar.ge(count, number(0)), scalar.lt(count, number(widthOf(x))));
  return scalar.select(isWithin, within, beyond);
}

const widthOf = (x: ScalarExpr): 32 | 64 => (x.type === 'i64' ? 64 : 32);

export const bitwiseAndPrimitive: Primitive = defineBits('bitwiseAnd', 2, ['bool', ...integers], scalar.and);
export const bitwiseOrPrimitive: Primitive = defineBits('bitwiseOr', 2, ['bool', ...integers], scalar.or);
export const bitwiseXorPrimitive: Primitive = defineBits('bitwiseXor', 2, ['bool', ...integers], scalar.xor);
export const bitwiseNotPrimitive: Primitive = defineBits('bitwiseNot', 1, ['bool', ...integers], scalar.not);
export const leftShiftPrimitive: Primitive = defineBits('leftShift', 2, integers, (x, count) => shift(x, count, scalar.shl(x, count), scalar.constant(x.type, 0)));
export const rightShiftPrimitive: Primitive = defineBits('rightShift', 2, integers, (x, count) => shift(x, count, scalar.shrS(x, count), scalar.shrS(x, scalar.constant(x.type, widthOf(x) - 1))));

/**
 * The bits that a and b both have, elementwise, with broadcasting; of booleans, a ∧ b.
 *
 * @throws DTypeError for floats and complex numbers, ShapeError when shapes do not broadcast.
 * @example
 * import { bitwiseAnd, Builder, tensorType } from '@tf/core';
 * const n = new Builder().input(tensorType('int32', [3]), 'n');
 * if (bitwiseAnd(n, 1).type.key !== 'i32[3]') throw new Error('unexpected');
 */
export function bitwiseAnd<A extends Argument, B extends Argument>(a: A, b: B): Joined<A, B> {
  return applyPromoted(bitwiseAndPrimitive.operation, [a, b], {}, 'common') as Joined<A, B>;
}

/** The bits that a or b has, elementwise; as {@link bitwiseAnd}. */
export function bitwiseOr<A extends Argument, B extends Argument>(a: A, b: B): Joined<A, B> {
  return applyPromoted(bitwiseOrPrimitive.operation, [a, b], {}, 'common') as Joined<A, B>;
}

/** The bits that exactly one of a and b has, elementwise; as {@link bitwiseAnd}. */
export function bitwiseXor<A extends Argument, B extends Argument>(a: A, b: B): Joined<A, B> {
  return applyPromoted(bitwiseXorPrimitive.operation, [a, b], {}, 'common') as Joined<A, B>;
}

/** The bits that x lacks, elementwise: −x − 1 of integers, ¬x of booleans; as {@link bitwiseAnd}. */
export function bitwiseNot<K extends Kind, D extends DType>(x: Operand<K, D>): Of<K, D> {
  return applyUnary(bitwiseNotPrimitive.operation, x, {}) as Of<K, D>;
}

/** x with its bits moved up by `count`, elementwise; what leaves the dtype is lost, so a count beyond its width, or below 0, gives 0. Integers only. */
export function leftShift<A extends Argument, B extends Argument>(x: A, count: B): Joined<A, B> {
  return applyPromoted(leftShiftPrimitive.operation, [x, count], {}, 'common') as Joined<A, B>;
}

/** ⌊x/2^count⌋, elementwise: the sign fills the bits that become free; a count beyond the width, or below 0, gives 0 or −1. Integers only. */
export function rightShift<A extends Argument, B extends Argument>(x: A, count: B): Joined<A, B> {
  return applyPromoted(rightShiftPrimitive.operation, [x, count], {}, 'common') as Joined<A, B>;
}

export const bitPrimitives: readonly Primitive[] = [bitwiseAndPrimitive, bitwiseOrPrimitive, bitwiseXorPrimitive, bitwiseNotPrimitive, leftShiftPrimitive, rightShiftPrimitive];
