import type { Var } from '../contract.ts';
import { call } from '../loop/scalar.ts';
import type { DType, FloatResult } from '../types/dtype.ts';
import type { Argument, JoinDType, JoinKind, Kind, Of, Operand } from '../types/operand.ts';
import { applyPromoted } from './arguments.ts';
import { mul, sub } from './arithmetic.ts';
import { isInf } from './classification.ts';
import { equal } from './compare.ts';
import { floats, type Primitive } from './define.ts';
import { divideOrZero } from './division.ts';
import { defineElementwise } from './elementwise.ts';
import { applyFunction, defineFunction } from './functions.ts';
import { logicalAnd } from './logic.ts';
import { multiplyOrZero } from './multiply-or-zero.ts';
import { partials } from './rules.ts';
import { select } from './select.ts';
import { sigmoid } from './special.ts';

export const exp2Primitive: Primitive = defineFunction('exp2', (ctx, dx) => multiplyOrZero(mul(dx, Math.LN2), ctx.output(0)));
export const log2Primitive: Primitive = defineFunction('log2', (ctx, dx) => divideOrZero(mul(dx, Math.LOG2E), ctx.input(0)));
export const log10Primitive: Primitive = defineFunction('log10', (ctx, dx) => divideOrZero(mul(dx, Math.LOG10E), ctx.input(0)));

/** The share e^mine/(e^mine + e^other), ½ where both are the same infinity. */
function share(mine: Var, other: Var): Var {
  const isTie = logicalAnd(equal(mine, other), isInf(mine));
  return sigmoid(select(isTie, 0, sub(mine, other))) as Var;
}

export const logAddExpPrimitive: Primitive = defineElementwise({
  name: 'logAddExp', inputs: 2, dtypes: floats,
  real: (x, y) => call('logAddExp', x!.type, x!, y!),
  rule: partials((ctx, dx) => multiplyOrZero(dx, share(ctx.input(0), ctx.input(1))), (ctx, dy) => multiplyOrZero(dy, share(ctx.input(1), ctx.input(0)))),
});

/** 2ˣ, elementwise; exact for integers. Of complex numbers 2ˣ·(cos t + i·sin t) with t = y·ln 2. */
export function exp2<K extends Kind, D extends DType>(x: Operand<K, D>): Of<K, FloatResult<D>> {
  return applyFunction(exp2Primitive.operation, x);
}

/** The binary logarithm, elementwise: exact for powers of two, −Inf at ±0, NaN below. Of complex numbers the principal branch. */
export function log2<K extends Kind, D extends DType>(x: Operand<K, D>): Of<K, FloatResult<D>> {
  return applyFunction(log2Primitive.operation, x);
}

/** The decimal logarithm, elementwise: −Inf at ±0, NaN below. Of complex numbers the principal branch. */
export function log10<K extends Kind, D extends DType>(x: Operand<K, D>): Of<K, FloatResult<D>> {
  return applyFunction(log10Primitive.operation, x);
}

/**
 * log(eᵃ + eᵇ), elementwise with broadcasting, without overflow; −Inf where both are −Inf. Its gradients are the shares of eᵃ and eᵇ in
 * the sum, ½ where both are the same infinity.
 *
 * @throws DTypeError for complex, ShapeError when shapes do not broadcast.
 * @example
 * import { Builder, logAddExp, tensorType } from '@tf/core';
 * const x = new Builder().input(tensorType('float64', [3]), 'x');
 * if (logAddExp(x, 0).type.key !== 'f64[3]') throw new Error('unexpected');
 */
export function logAddExp<A extends Argument, B extends Argument>(a: A, b: B): Of<JoinKind<A, B>, FloatResult<JoinDType<A, B>>> {
  return applyPromoted(logAddExpPrimitive.operation, [a, b], {}, 'float') as Of<JoinKind<A, B>, FloatResult<JoinDType<A, B>>>;
}

export const logarithmPrimitives: readonly Primitive[] = [exp2Primitive, log2Primitive, log10Primitive, logAddExpPrimitive];
