import type { RuleContext, Var } from '../contract.ts';
import * as scalar from '../loop/scalar.ts';
import { hasOtherSign } from '../loop/functions/remainder.ts';
import type { DType } from '../types/dtype.ts';
import type { ScalarExpr } from '../types/loop-language.ts';
import type { Argument, Joined } from '../types/operand.ts';
import { applyPromoted } from './arguments.ts';
import { neg, sub } from './arithmetic.ts';
import type { Primitive } from './define.ts';
import { div } from './division.ts';
import { defineElementwise } from './elementwise.ts';
import { divideIntegers } from './integer-division.ts';
import { multiplyOrZero } from './multiply-or-zero.ts';
import { round } from './rounding.ts';
import { partials } from './rules.ts';

const realNumbers: readonly DType[] = ['float32', 'float64', 'int32', 'int64'];

/** −q of the remainder x − q·y, from the remainder itself: x/y rounded may be the next integer. */
function minusQuotient(ctx: RuleContext): Var {
  const [x, y] = [ctx.input(0), ctx.input(1)];
  return neg(round(div(sub(x, ctx.output(0)), y))) as Var;
}

function defineRemainder(name: string, ofIntegers: (x: ScalarExpr, y: ScalarExpr) => ScalarExpr): Primitive {
  return defineElementwise({
    name, inputs: 2, dtypes: realNumbers,
    real: (x, y) => (scalar.isFloat(x!.type) ? scalar.call(name, x!.type, x!, y!) : ofIntegers(x!, y!)),
    // Between the jumps the quotient is constant.
    rule: partials((_ctx, dx) => dx, (ctx, dy) => multiplyOrZero(dy, minusQuotient(ctx))),
  });
}

function truncatedRemainder(x: ScalarExpr, y: ScalarExpr): ScalarExpr {
  const { remainder: rest } = divideIntegers(x, y);
  return scalar.select(hasOtherSign(rest, x), scalar.sub(rest, y), rest);
}

/** As NumPy's: (x − r)/y, r the truncated remainder, one less where r has another sign than y; y = 0 gives x/y. */
function floorQuotient(x: ScalarExpr, y: ScalarExpr): ScalarExpr {
  const [zero, one] = [scalar.constant(x.type, 0), scalar.constant(x.type, 1)];
  const rest = scalar.call('fmod', x.type, x, y);
  const quotient = scalar.nearest(scalar.div(scalar.sub(x, rest), y));
  const floor = scalar.sub(quotient, scalar.select(hasOtherSign(rest, y), one, zero));
  const ratio = scalar.div(x, y);
  return scalar.select(scalar.eq(y, zero), ratio, scalar.select(scalar.eq(floor, zero), scalar.copysign(zero, ratio), floor));
}

export const fmodPrimitive: Primitive = defineRemainder('fmod', truncatedRemainder);
export const remainderPrimitive: Primitive = defineRemainder('remainder', (x, y) => divideIntegers(x, y).remainder);

/** Constant wherever it has a derivative. */
export const floorDividePrimitive: Primitive = defineElementwise({
  name: 'floorDivide', inputs: 2, dtypes: realNumbers,
  real: (x, y) => (scalar.isFloat(x!.type) ? floorQuotient(x!, y!) : divideIntegers(x!, y!).quotient),
  rule: partials(undefined, undefined),
});

/**
 * x − y·⌊x/y⌋, elementwise with broadcasting: the remainder with the sign of y, as Python's %. In floats exact but where the result is
 * rounded because the signs of x and y differ; NaN for y = 0 or infinite x. Of integers 0 for y = 0. ∂/∂x = 1, ∂/∂y = −⌊x/y⌋.
 *
 * @throws DTypeError for complex and bool, ShapeError when shapes do not broadcast.
 * @example
 * import { Builder, remainder, tensorType } from '@tf/core';
 * const n = new Builder().input(tensorType('int32', [3]), 'n');
 * if (remainder(n, 7).type.key !== 'i32[3]') throw new Error('unexpected');
 */
export function remainder<A extends Argument, B extends Argument>(x: A, y: B): Joined<A, B> {
  return applyPromoted(remainderPrimitive.operation, [x, y], {}, 'common') as Joined<A, B>;
}

/** x − y·trunc(x/y), elementwise, exactly: the remainder with the sign of x, as C's fmod. Otherwise as {@link remainder}; ∂/∂y = −trunc(x/y). */
export function fmod<A extends Argument, B extends Argument>(x: A, y: B): Joined<A, B> {
  return applyPromoted(fmodPrimitive.operation, [x, y], {}, 'common') as Joined<A, B>;
}

/** ⌊x/y⌋, elementwise with broadcasting; of integers 0 for y = 0, of floats x/y. Its gradient is 0 everywhere. Errors as {@link remainder}. */
export function floorDivide<A extends Argument, B extends Argument>(x: A, y: B): Joined<A, B> {
  return applyPromoted(floorDividePrimitive.operation, [x, y], {}, 'common') as Joined<A, B>;
}

export const remainderPrimitives: readonly Primitive[] = [fmodPrimitive, remainderPrimitive, floorDividePrimitive];
