import type { RuleContext, Var } from '../contract.ts';
import * as scalar from '../loop/scalar.ts';
import type { Argument, Joined } from '../types/operand.ts';
import { applyPromoted } from './arguments.ts';
import { mul } from './arithmetic.ts';
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

export const extremaPrimitives: readonly Primitive[] = [maximumPrimitive, minimumPrimitive];
