/**
 * Derivatives of X = A⁺ B where the rank of A stays (Golub & Pereyra 1973, (4.12)):
 *
 *   dX = A⁺ (dB − dA X) + A⁺ A⁺ᴴ dAᴴ (B − A X) + (I − A⁺ A) dAᴴ A⁺ᴴ X.
 *
 * Values that were cut off count as 0. With R = B − A X and Y = A⁺ᴴ X the adjoint is
 *
 *   B̄ = A⁺ᴴ X̄,   Ā = −B̄ Xᴴ + R (A⁺ B̄)ᴴ + Y ((I − A⁺ A) X̄)ᴴ.
 */
import { add, type DerivativeRule, type Operand, type RuleContext, sub, type Var } from '@tf/core';
import { adjoint, times } from '../algebra.ts';
import { type FamilyOperation, withRule } from '../family.ts';
import { adjointOf, type Decomposed, pinvApply, pinvApplyOperation } from './operation.ts';

interface Application {
  /** A⁺ times. */
  readonly pseudo: (b: Operand) => Operand;
  /** A⁺ᴴ times. */
  readonly pseudoAdjoint: (b: Operand) => Operand;
  readonly a: Operand;
  readonly b: () => Operand;
  readonly x: () => Operand;
}

function applicationOf(ctx: RuleContext): Application {
  const rtol = ctx.params['rtol'] as number | null;
  const own: Decomposed = { a: ctx.input(0), u: ctx.input(1), s: ctx.input(2), vh: ctx.input(3) };
  return { pseudo: (b) => pinvApply(own, b, rtol), pseudoAdjoint: (b) => pinvApply(adjointOf(own), b, rtol), a: own.a, b: () => ctx.input(4), x: () => ctx.output(0) };
}

/** (I − A⁺ A) y. */
function withoutRange({ pseudo, a }: Application, y: Operand): Operand {
  return sub(y, pseudo(times(a, y))) as Operand;
}

const pinvApplyRule: DerivativeRule = {
  kind: 'rule',
  linear: { inputs: [4], how: 'together' },
  linearize: (ctx, [da, , , , db]) => {
    const application = applicationOf(ctx);
    const { pseudo, pseudoAdjoint, a, b, x } = application;
    if (da === undefined) return [db && (pseudo(db) as Var)];
    const dah = adjoint(da);
    const residual = sub(b(), times(a, x())) as Operand;
    const moved = sub(pseudoAdjoint(times(dah, residual)), times(da, x())) as Operand;
    return [add(pseudo(db === undefined ? moved : (add(moved, db) as Operand)), withoutRange(application, times(dah, pseudoAdjoint(x())))) as Var];
  },
  transpose: (ctx, [ct]) => [undefined, undefined, undefined, undefined, ct && (applicationOf(ctx).pseudoAdjoint(ct) as Var)],
  residuals: { inputs: [0, 1, 2, 3, 4], outputs: [0] },
  vjp: (ctx, [ct]) => {
    const application = applicationOf(ctx);
    const { pseudo, pseudoAdjoint, a, b, x } = application;
    const bBar = pseudoAdjoint(ct as Operand);
    if (ctx.active[0] !== true) return [undefined, undefined, undefined, undefined, bBar as Var];
    const residual = sub(b(), times(a, x())) as Operand;
    const range = sub(times(residual, adjoint(pseudo(bBar))), times(bBar, adjoint(x()))) as Operand;
    const aBar = add(range, times(pseudoAdjoint(x()), adjoint(withoutRange(application, ct as Operand)))) as Operand;
    return [aBar as Var, undefined, undefined, undefined, bBar as Var];
  },
  caveats: [
    'where the rank changes there is no derivative; it is the one at constant rank, and singular values that were cut off count as 0',
    'the factors among its operands are constant for derivatives, which the matrix itself has',
  ],
};

export const pinvMembers: readonly FamilyOperation[] = [withRule(pinvApplyOperation, pinvApplyRule)];
