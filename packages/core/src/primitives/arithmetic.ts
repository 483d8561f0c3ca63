import type { Rule, Var } from '../contract.ts';
import * as scalar from '../loop/scalar.ts';
import type { Argument, Joined, Kind, Of, Operand } from '../types/operand.ts';
import type { DType } from '../types/dtype.ts';
import { applyPromoted, applyUnary } from './arguments.ts';
import { numeric, type Primitive } from './define.ts';
import { complexProduct, defineElementwise, lanewise } from './elementwise.ts';
import { productRule } from './multiply-or-zero.ts';

const addRule: Rule = {
  kind: 'rule',
  linear: { inputs: [0, 1], how: 'together' },
  linearize: (_ctx, [dx, dy]) => [dx === undefined ? dy : dy === undefined ? dx : add(dx, dy)],
  transpose: (ctx, [ct]) => [ctx.active[0] ? ct : undefined, ctx.active[1] ? ct : undefined],
};

export const addPrimitive: Primitive = defineElementwise({ name: 'add', inputs: 2, dtypes: numeric, real: (a, b) => scalar.add(a!, b!), complex: lanewise((a, b) => scalar.add(a!, b!)), rule: addRule });

const subRule: Rule = {
  kind: 'rule',
  linear: { inputs: [0, 1], how: 'together' },
  linearize: (_ctx, [dx, dy]) => [dx === undefined ? negate(dy) : dy === undefined ? dx : sub(dx, dy)],
  transpose: (ctx, [ct]) => [ctx.active[0] ? ct : undefined, ctx.active[1] ? negate(ct) : undefined],
};

export const subPrimitive: Primitive = defineElementwise({ name: 'sub', inputs: 2, dtypes: numeric, real: (a, b) => scalar.sub(a!, b!), complex: lanewise((a, b) => scalar.sub(a!, b!)), rule: subRule });

function negate(x: Var | undefined): Var | undefined {
  return x === undefined ? undefined : (neg(x) as Var);
}

export const mulPrimitive: Primitive = defineElementwise({ name: 'mul', inputs: 2, dtypes: numeric, real: (a, b) => scalar.mul(a!, b!), complex: complexProduct, rule: productRule });

export const negPrimitive: Primitive = defineElementwise({
  name: 'neg', inputs: 1, dtypes: numeric,
  real: (a) => scalar.neg(a!), complex: lanewise((a) => scalar.neg(a!)),
  rule: { kind: 'rule', linear: { inputs: [0], how: 'together' }, transpose: (_ctx, [ct]) => [negate(ct)] },
});

/**
 * a + b, elementwise, with broadcasting and dtype promotion.
 *
 * @throws ShapeError when shapes do not broadcast, DTypeError for bool.
 * @example
 * import { add, Builder, tensorType } from '@tf/core';
 * const x = new Builder().input(tensorType('float64', [2, 3]), 'x');
 * if (add(x, 1).type.key !== 'f64[2, 3]') throw new Error('unexpected');
 */
export function add<A extends Argument, B extends Argument>(a: A, b: B): Joined<A, B> {
  return applyPromoted(addPrimitive.operation, [a, b], {}, 'common') as Joined<A, B>;
}

/** a − b, elementwise, with broadcasting and dtype promotion. Errors as {@link add}. */
export function sub<A extends Argument, B extends Argument>(a: A, b: B): Joined<A, B> {
  return applyPromoted(subPrimitive.operation, [a, b], {}, 'common') as Joined<A, B>;
}

/** a · b, elementwise, with broadcasting and dtype promotion. Errors as {@link add}. */
export function mul<A extends Argument, B extends Argument>(a: A, b: B): Joined<A, B> {
  return applyPromoted(mulPrimitive.operation, [a, b], {}, 'common') as Joined<A, B>;
}

/** −x. */
export function neg<K extends Kind, D extends DType>(x: Operand<K, D>): Of<K, D> {
  return applyUnary(negPrimitive.operation, x, {}) as Of<K, D>;
}

export const arithmeticPrimitives: readonly Primitive[] = [addPrimitive, subPrimitive, mulPrimitive, negPrimitive];
