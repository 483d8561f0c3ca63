import * as scalar from '../loop/scalar.ts';
import type { DType } from '../types/dtype.ts';
import type { ScalarExpr } from '../types/loop-language.ts';
import type { Kind, Of, Operand } from '../types/operand.ts';
import { applyUnary } from './arguments.ts';
import type { Primitive } from './define.ts';
import { defineElementwise } from './elementwise.ts';
import { partials } from './rules.ts';

/** Integers are their own result. The function is constant wherever it has a derivative, so nothing flows. */
function defineRounding(name: string, round: (x: ScalarExpr) => ScalarExpr): Primitive {
  return defineElementwise({
    name, inputs: 1, dtypes: ['float32', 'float64', 'int32', 'int64'],
    real: (x) => (scalar.isFloat(x!.type) ? round(x!) : x!),
    rule: partials(undefined),
  });
}

export const floorPrimitive: Primitive = defineRounding('floor', scalar.floor);
export const ceilPrimitive: Primitive = defineRounding('ceil', scalar.ceil);
export const truncPrimitive: Primitive = defineRounding('trunc', scalar.trunc);
export const roundPrimitive: Primitive = defineRounding('round', scalar.nearest);

/**
 * The largest integer that is not above x, elementwise, in x's dtype; −0, ±Inf and NaN stay. Its gradient is 0 everywhere.
 *
 * @throws DTypeError for complex and bool.
 * @example
 * import { Builder, floor, tensorType } from '@tf/core';
 * const x = new Builder().input(tensorType('float64', [3]), 'x');
 * if (floor(x).type.key !== 'f64[3]') throw new Error('unexpected');
 */
export function floor<K extends Kind, D extends DType>(x: Operand<K, D>): Of<K, D> {
  return applyUnary(floorPrimitive.operation, x, {}) as Of<K, D>;
}

/** The smallest integer that is not below x, elementwise; as {@link floor}. From −1 (exclusive) to −0 the result is −0. */
export function ceil<K extends Kind, D extends DType>(x: Operand<K, D>): Of<K, D> {
  return applyUnary(ceilPrimitive.operation, x, {}) as Of<K, D>;
}

/** x without its fraction, elementwise; as {@link floor}. The sign stays, also of a zero. */
export function trunc<K extends Kind, D extends DType>(x: Operand<K, D>): Of<K, D> {
  return applyUnary(truncPrimitive.operation, x, {}) as Of<K, D>;
}

/** The nearest integer, elementwise, halves to the even one (IEEE 754 roundToIntegralTiesToEven); as {@link floor}. The sign stays. */
export function round<K extends Kind, D extends DType>(x: Operand<K, D>): Of<K, D> {
  return applyUnary(roundPrimitive.operation, x, {}) as Of<K, D>;
}

export const roundingPrimitives: readonly Primitive[] = [floorPrimitive, ceilPrimitive, truncPrimitive, roundPrimitive];
