import type { DerivativeRule, NoRule, RuleContext, Var } from '../contract.ts';
import { add } from './arithmetic.ts';

/** One input's share of the tangent of an operation with one output: ∂f/∂xᵢ applied to `dx`. Linear in `dx`. */
export type Partial = (ctx: RuleContext, dx: Var) => Var;

/**
 * The rule of a differentiable operation with one output: dy = Σᵢ ∂f/∂xᵢ · dxᵢ, in the order of the inputs.
 * `undefined` marks an input through which nothing flows.
 */
export function partials(...shares: readonly (Partial | undefined)[]): DerivativeRule {
  return {
    kind: 'rule',
    linearize: (ctx, tangents) => [sumTangents(shares.map((share, index) => {
      const dx = tangents[index];
      return share === undefined || dx === undefined ? undefined : share(ctx, dx);
    }))],
  };
}

/** A rule of partial derivatives, and the cotangents of ½y². */
export function withHalfSquare(rule: DerivativeRule, halfSquare: NonNullable<DerivativeRule['halfSquare']>): DerivativeRule {
  return { ...rule, halfSquare };
}

/** The sum of those that are there, left to right; undefined when none is. */
export function sumTangents(tangents: readonly (Var | undefined)[]): Var | undefined {
  let sum: Var | undefined;
  for (const tangent of tangents) if (tangent !== undefined) sum = sum === undefined ? tangent : (add(sum, tangent) as Var);
  return sum;
}

/** The rule of an operation that is linear in its one input. */
export function linear(transpose: (ctx: RuleContext, ct: Var) => Var): DerivativeRule {
  return {
    kind: 'rule',
    linear: { inputs: [0], how: 'together' },
    transpose: (ctx, [ct]) => [ct === undefined ? undefined : transpose(ctx, ct)],
  };
}

/** The rule of an operation linear in each of two inputs; each adjoint is asked for when the other input is a value. */
export function bilinear(left: (ctx: RuleContext, ct: Var) => Var, right: (ctx: RuleContext, ct: Var) => Var): DerivativeRule {
  return {
    kind: 'rule',
    linear: { inputs: [0, 1], how: 'each' },
    transpose: (ctx, [ct]) => [
      ct !== undefined && ctx.active[0] ? left(ctx, ct) : undefined,
      ct !== undefined && ctx.active[1] ? right(ctx, ct) : undefined,
    ],
  };
}

/** An operation whose result is piecewise constant or discrete. */
export function noRule(reason: string): NoRule {
  return { kind: 'none', reason };
}
