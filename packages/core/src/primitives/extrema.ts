import type { RuleContext, Var } from '../contract.ts';
import * as scalar from '../loop/scalar.ts';
import type { DType } from '../types/dtype.ts';
import type { Argument, Joined, Kind, Of, Operand } from '../types/operand.ts';
import { applyPromoted, applyUnary } from './arguments.ts';
import { mul, neg } from './arithmetic.ts';
import { equal, greater, less } from './compare.ts';
import { ordered, type Primitive } from './define.ts';
import { defineElementwise } from './elementwise.ts';
import { partials } from './rules.ts';
import { select } from './select.ts';

type Beats = typeof greater | typeof less;

/** Ties split ½ and ½ (semantics.md §2); the operand that lost gets exactly 0. */
function winnerShare(ctx: RuleContext, beats: Beats, dx: Var, mine: 0 | 1): Var {
  const [x, y] = [ctx.input(mine), ctx.input(1 - mine)];
  return select(beats(x, y), dx, select(equal(x, y), mul(dx, 0.5), 0));
}

export const maximumPrimitive: Primitive = defineElementwise({
  name: 'maximum', inputs: 2, dtypes: ordered,
  real: (a, b) => (a!.type === 'bool' ? scalar.or(a!, b!) : scalar.max(a!, b!)),
  rule: partials((ctx, dx) => winnerShare(ctx, greater, dx, 0), (ctx, dy) => winnerShare(ctx, greater, dy, 1)),
});

export const minimumPrimitive: Primitive = defineElementwise({
  name: 'minimum', inputs: 2, dtypes: ordered,
  real: (a, b) => (a!.type === 'bool' ? scalar.and(a!, b!) : scalar.min(a!, b!)),
  rule: partials((ctx, dx) => winnerShare(ctx, less, dx, 0), (ctx, dy) => winnerShare(ctx, less, dy, 1)),
});

export const absPrimitive: Primitive = defineElementwise({
  name: 'abs', inputs: 1, dtypes: ['float32', 'float64', 'int32', 'int64'],
  real: (x) => scalar.abs(x!),
  rule: partials((ctx, dx) => select(greater(ctx.input(0), 0), dx, select(less(ctx.input(0), 0), neg(dx), 0))),
});

export const signPrimitive: Primitive = defineElementwise({
  name: 'sign', inputs: 1, dtypes: ['float32', 'float64', 'int32', 'int64'],
  // NaN and the signed zeros are their own sign.
  real: (x) => {
    const of = (value: number): ReturnType<typeof scalar.constant> => scalar.constant(x!.type, x!.type === 'i64' ? BigInt(value) : value);
    return scalar.select(scalar.gt(x!, of(0)), of(1), scalar.select(scalar.lt(x!, of(0)), of(-1), x!));
  },
  // Constant wherever it has a derivative.
  rule: partials(undefined),
});

/**
 * The larger of a and b, elementwise: NaN wins, −0 is below +0. Where they are equal, each gets half the gradient;
 * where one is NaN, neither gets any (it is 0).
 *
 * @example
 * import { Builder, maximum, tensorType } from '@tf/core';
 * const x = new Builder().input(tensorType('float64', [3]), 'x');
 * if (maximum(x, 0).type.key !== 'f64[3]') throw new Error('unexpected');
 */
export function maximum<A extends Argument, B extends Argument>(a: A, b: B): Joined<A, B> {
  return applyPromoted(maximumPrimitive.operation, [a, b], {}, 'common') as Joined<A, B>;
}

/** The smaller of a and b, elementwise; as {@link maximum}. */
export function minimum<A extends Argument, B extends Argument>(a: A, b: B): Joined<A, B> {
  return applyPromoted(minimumPrimitive.operation, [a, b], {}, 'common') as Joined<A, B>;
}

/** |x|, elementwise; its derivative at 0 is 0. */
export function abs<K extends Kind, D extends DType>(x: Operand<K, D>): Of<K, D> {
  return applyUnary(absPrimitive.operation, x, {}) as Of<K, D>;
}

/** −1, 0 or 1, elementwise; NaN and −0 stay. No gradient flows. */
export function sign<K extends Kind, D extends DType>(x: Operand<K, D>): Of<K, D> {
  return applyUnary(signPrimitive.operation, x, {}) as Of<K, D>;
}

export const extremaPrimitives: readonly Primitive[] = [maximumPrimitive, minimumPrimitive, absPrimitive, signPrimitive];
