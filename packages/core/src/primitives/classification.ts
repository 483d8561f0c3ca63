import * as scalar from '../loop/scalar.ts';
import type { DType } from '../types/dtype.ts';
import type { ScalarExpr } from '../types/loop-language.ts';
import type { Kind, Of, Operand } from '../types/operand.ts';
import { floats, type Primitive } from './define.ts';
import { defineElementwise } from './elementwise.ts';
import { applyFunction } from './functions.ts';
import { noRule } from './rules.ts';

function defineClass(name: string, test: (x: ScalarExpr) => ScalarExpr): Primitive {
  return defineElementwise({ name, inputs: 1, dtypes: floats, result: () => 'bool', real: (x) => test(x!), rule: noRule('a classification is piecewise constant; its result is boolean') });
}

const infinity = (x: ScalarExpr): ScalarExpr => scalar.constant(x.type, Infinity);

export const isNanPrimitive: Primitive = defineClass('isNan', (x) => scalar.ne(x, x));
export const isFinitePrimitive: Primitive = defineClass('isFinite', (x) => scalar.lt(scalar.abs(x), infinity(x)));
export const isInfPrimitive: Primitive = defineClass('isInf', (x) => scalar.eq(scalar.abs(x), infinity(x)));
/** The sign of a NaN differs between machines, so it counts as positive. */
export const signbitPrimitive: Primitive = defineClass('signbit', (x) => scalar.and(scalar.eq(x, x), scalar.lt(scalar.copysign(scalar.constant(x.type, 1), x), scalar.constant(x.type, 0))));

function applyClass<K extends Kind>(primitive: Primitive, x: Operand<K, DType>): Of<K, 'bool'> {
  return applyFunction(primitive.operation, x) as unknown as Of<K, 'bool'>;
}

/**
 * Whether x is NaN, elementwise, as bool; false for integers.
 *
 * @throws DTypeError for complex.
 * @example
 * import { Builder, isNan, tensorType } from '@tf/core';
 * const x = new Builder().input(tensorType('float64', [3]), 'x');
 * if (isNan(x).type.key !== 'bool[3]') throw new Error('unexpected');
 */
export function isNan<K extends Kind>(x: Operand<K, DType>): Of<K, 'bool'> {
  return applyClass(isNanPrimitive, x);
}

/** Whether x is neither infinite nor NaN, elementwise, as bool; true for integers. */
export function isFinite<K extends Kind>(x: Operand<K, DType>): Of<K, 'bool'> {
  return applyClass(isFinitePrimitive, x);
}

/** Whether x is +Inf or −Inf, elementwise, as bool. */
export function isInf<K extends Kind>(x: Operand<K, DType>): Of<K, 'bool'> {
  return applyClass(isInfPrimitive, x);
}

/** Whether x is negative or −0, elementwise, as bool; false for NaN, whatever sign its bits have. */
export function signbit<K extends Kind>(x: Operand<K, DType>): Of<K, 'bool'> {
  return applyClass(signbitPrimitive, x);
}

export const classificationPrimitives: readonly Primitive[] = [isNanPrimitive, isFinitePrimitive, isInfPrimitive, signbitPrimitive];
