import * as scalar from '../loop/scalar.ts';
import type { DType } from '../types/dtype.ts';
import type { ScalarExpr } from '../types/loop-language.ts';
import type { Kind, Of, Operand } from '../types/operand.ts';
import { floats, inexact, type Primitive } from './define.ts';
import { defineElementwise, type Lanes } from './elementwise.ts';
import { applyFunction } from './functions.ts';
import { noRule } from './rules.ts';

/** `parts`: how a complex number's parts decide; without, it takes real ones only. */
function defineClass(name: string, test: (x: ScalarExpr) => ScalarExpr, parts?: typeof scalar.and): Primitive {
  const complex = parts === undefined ? {} : { complex: (z?: Lanes) => [z!.map(test).reduce(parts)] };
  return defineElementwise({ name, inputs: 1, dtypes: parts === undefined ? floats : inexact, result: () => 'bool', real: (x) => test(x!), ...complex, rule: noRule('a classification is piecewise constant; its result is boolean') });
}

const infinity = (x: ScalarExpr): ScalarExpr => scalar.constant(x.type, Infinity);

export const isNanPrimitive: Primitive = defineClass('isNan', (x) => scalar.ne(x, x), scalar.or);
export const isFinitePrimitive: Primitive = defineClass('isFinite', (x) => scalar.lt(scalar.abs(x), infinity(x)), scalar.and);
export const isInfPrimitive: Primitive = defineClass('isInf', (x) => scalar.eq(scalar.abs(x), infinity(x)), scalar.or);
/** The sign of a NaN differs between machines, so it counts as positive. */
export const signbitPrimitive: Primitive = defineClass('signbit', (x) => scalar.and(scalar.eq(x, x), scalar.lt(scalar.copysign(scalar.constant(x.type, 1), x), scalar.constant(x.type, 0))));

function applyClass<K extends Kind>(primitive: Primitive, x: Operand<K, DType>): Of<K, 'bool'> {
  return applyFunction(primitive.operation, x) as unknown as Of<K, 'bool'>;
}

/**
 * Whether x, or a part of a complex one, is NaN, elementwise, as bool; false for integers.
 *
 * @example
 * import { Builder, isNan, tensorType } from '@tf/core';
 * const x = new Builder().input(tensorType('float64', [3]), 'x');
 * if (isNan(x).type.key !== 'bool[3]') throw new Error('unexpected');
 */
export function isNan<K extends Kind>(x: Operand<K, DType>): Of<K, 'bool'> {
  return applyClass(isNanPrimitive, x);
}

/** Whether x, in both parts where it is complex, is neither infinite nor NaN, elementwise, as bool; true for integers. */
export function isFinite<K extends Kind>(x: Operand<K, DType>): Of<K, 'bool'> {
  return applyClass(isFinitePrimitive, x);
}

/** Whether x, or a part of a complex one, is +Inf or −Inf, elementwise, as bool. */
export function isInf<K extends Kind>(x: Operand<K, DType>): Of<K, 'bool'> {
  return applyClass(isInfPrimitive, x);
}

/** Whether x is negative or −0, elementwise, as bool; false for NaN, whatever sign its bits have. */
export function signbit<K extends Kind>(x: Operand<K, DType>): Of<K, 'bool'> {
  return applyClass(signbitPrimitive, x);
}

export const classificationPrimitives: readonly Primitive[] = [isNanPrimitive, isFinitePrimitive, isInfPrimitive, signbitPrimitive];
