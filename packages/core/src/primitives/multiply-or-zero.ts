import type { Rule, RuleContext, Var } from '../contract.ts';
import * as scalar from '../loop/scalar.ts';
import type { ScalarExpr } from '../types/loop-language.ts';
import type { Argument, Joined } from '../types/operand.ts';
import { applyPromoted } from './arguments.ts';
import { conj } from './conjugate.ts';
import { inexact, type Primitive } from './define.ts';
import { complexProduct, defineElementwise, type Lanes } from './elementwise.ts';

/**
 * The rule of a product. Adjoint under Re⟨a, b⟩ = Re Σ conj(a)·b: multiplication by y becomes multiplication by conj(y). A
 * cotangent that is 0 stays 0 whatever y is, so x·log x that was not taken at 0 adds nothing; zeros are absorbed in either
 * factor, so derivatives of every order are free of 0·∞.
 */
export const productRule: Rule = {
  kind: 'rule',
  linear: { inputs: [0, 1], how: 'each' },
  transpose: (ctx, [ct]) => [share(ctx, ct, 0, 1), share(ctx, ct, 1, 0)],
};

function share(ctx: RuleContext, ct: Var | undefined, wanted: number, other: number): Var | undefined {
  return ct === undefined || !ctx.active[wanted] ? undefined : (multiplyOrZero(ct, conj(ctx.input(other))) as Var);
}

/** The product, but 0 where it is NaN and one factor is 0: elsewhere bit for bit the product. */
function absorbing(a: Lanes, b: Lanes, product: readonly ScalarExpr[]): readonly ScalarExpr[] {
  const absorbed = scalar.and(scalar.or(isZero(a), isZero(b)), product.map((lane) => scalar.ne(lane, lane)).reduce(scalar.or));
  return product.map((lane) => scalar.select(absorbed, scalar.constant(lane.type, 0), lane));
}

function isZero(lanes: Lanes): ScalarExpr {
  return lanes.map((lane) => scalar.eq(lane, scalar.constant(lane.type, 0))).reduce(scalar.and);
}

export const multiplyOrZeroPrimitive: Primitive = defineElementwise({
  name: 'multiplyOrZero',
  inputs: 2,
  dtypes: inexact,
  real: (a, b) => absorbing([a!], [b!], [scalar.mul(a!, b!)])[0]!,
  complex: (a, b) => absorbing(a!, b!, complexProduct(a!, b!)),
  rule: productRule,
});

/**
 * a · b, and 0 where a factor is 0, whatever the other: how a slope that may be infinite or NaN scales a cotangent, so that a
 * branch not taken adds exactly 0. Bilinear. The twin of `divideOrZero`.
 */
export function multiplyOrZero<A extends Argument, B extends Argument>(a: A, b: B): Joined<A, B> {
  return applyPromoted(multiplyOrZeroPrimitive.operation, [a, b], {}, 'float') as Joined<A, B>;
}
