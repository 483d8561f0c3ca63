/**
 * Derivatives of X with op(A) X + X op(B) = C, op being nothing or the adjoint: dX solves the same equation for dC − op(dA) X − X op(dB).
 * With C̄ the solution of the adjoint equation for X̄, op(A)‾ = −C̄ Xᴴ and op(B)‾ = −Xᴴ C̄.
 */
import { type DerivativeRule, neg, type Operand, type RuleContext, sub, type Var } from '@tf/core';
import { adjoint, times } from '../algebra.ts';
import { type FamilyOperation, withRule } from '../family.ts';
import { solveSylvester, solveTriangularSylvester, sylvesterOperation, triangularSylvesterOperation } from './operation.ts';

const as = (ctx: RuleContext, a: Operand): Operand => (ctx.params['adjoint'] === true ? adjoint(a) : a);

/** The same solution with the factors of a context, of op(A) and op(B) or of their adjoints. */
function solved(ctx: RuleContext, c: Operand, isOpposite: boolean): Operand {
  const [a, b, t, z, u, w] = [0, 1, 2, 3, 4, 5].map((at) => ctx.input(at) as Operand) as [Operand, Operand, Operand, Operand, Operand, Operand];
  return solveSylvester(a, b, { t, z, u, w }, c, (ctx.params['adjoint'] === true) !== isOpposite);
}

const shares = (a: Operand | undefined, b: Operand | undefined, c: Operand | undefined): readonly (Var | undefined)[] => [a, b, undefined, undefined, undefined, undefined, c] as readonly (Var | undefined)[];

/** dC − op(dA) X − X op(dB), of what is there. */
function movedSide(ctx: RuleContext, [da, db, dc]: readonly (Operand | undefined)[]): Operand | undefined {
  const x = ctx.output(0) as Operand;
  const moves = [da && times(as(ctx, da), x), db && times(x, as(ctx, db))].filter((move) => move !== undefined);
  return moves.reduce<Operand | undefined>((sum, move) => (sum === undefined ? (neg(move) as Operand) : (sub(sum, move) as Operand)), dc);
}

const sylvesterRule: DerivativeRule = {
  kind: 'rule',
  linear: { inputs: [6], how: 'together' },
  linearize: (ctx, tangents) => {
    const side = movedSide(ctx, [tangents[0], tangents[1], tangents[6]]);
    return [side && (solved(ctx, side, false) as Var)];
  },
  transpose: (ctx, [ct]) => shares(undefined, undefined, ct && solved(ctx, ct, true)),
  residuals: { inputs: [0, 1, 2, 3, 4, 5], outputs: [0] },
  vjp: (ctx, [ct]) => {
    const c = solved(ctx, ct as Operand, true);
    const xh = adjoint(ctx.output(0));
    const [a, b] = ctx.active;
    return shares(a === true ? as(ctx, neg(times(c, xh)) as Operand) : undefined, b === true ? as(ctx, neg(times(xh, c)) as Operand) : undefined, c);
  },
  caveats: ['the factors among its operands are constant for derivatives, which the matrices themselves have'],
};

/** Linear in C; its triangles are factors, which have no derivative. */
const triangularRule: DerivativeRule = {
  kind: 'rule',
  linear: { inputs: [2], how: 'together' },
  transpose: (ctx, [ct]) => [undefined, undefined, ct && (solveTriangularSylvester(ctx.input(0), ctx.input(1), ct, ctx.params['adjoint'] !== true) as Var)],
  caveats: ['differentiable in the right side alone: the triangles are factors of schur'],
};

export const sylvesterMembers: readonly FamilyOperation[] = [withRule(triangularSylvesterOperation, triangularRule), withRule(sylvesterOperation, sylvesterRule)];
