/**
 * Derivatives of X = op(A)⁻¹ B (Giles 2008, §2.3.1): dX = op(A)⁻¹ (dB − op(dA) X), and B̄ = op(A)⁻ᴴ X̄, Ā that of −op(dA) X under B̄. All by
 * the factors of the value; they themselves are constant.
 */
import { type DerivativeRule, matmul, neg, type Operand, type RuleContext, sub, type Var } from '@tf/core';
import { type FamilyOperation, withRule } from '../family.ts';
import type { SystemOf } from '../triangular/operation.ts';
import { matrixCotangent, solveAdjoint, systemOf } from '../triangular/rule.ts';
import { luFullPivotSolve, luFullPivotSolveOperation, luSolve, luSolveOperation } from './operation.ts';

type SolveAs = (ctx: RuleContext, of: SystemOf, c: Operand) => Operand;

/** The rule of a solve whose operands are the matrix, `witnesses` parts of its factors, and the right sides. */
function solveRule(witnesses: number, solveAs: SolveAs): DerivativeRule {
  const right = witnesses + 1;
  const ofSystem = (ctx: RuleContext): SystemOf => ctx.params['of'] as SystemOf;
  const shares = (ctx: RuleContext, a: Var | undefined, b: Var | undefined): readonly (Var | undefined)[] => [a, ...new Array<undefined>(witnesses).fill(undefined), b];
  return {
    kind: 'rule',
    linear: { inputs: [right], how: 'together' },
    linearize: (ctx, tangents) => {
      const [da, db] = [tangents[0], tangents[right]];
      const of = ofSystem(ctx);
      if (da === undefined) return [db && (solveAs(ctx, of, db) as Var)];
      const moved = matmul(systemOf(of, da), ctx.output(0) as Operand) as Operand;
      return [solveAs(ctx, of, (db === undefined ? neg(moved) : sub(db, moved)) as Operand) as Var];
    },
    transpose: (ctx, [ct]) => shares(ctx, undefined, ct && (solveAdjoint(ofSystem(ctx), ct, (of, c) => solveAs(ctx, of, c)) as Var)),
    residuals: { inputs: Array.from({ length: right }, (_, at) => at), outputs: [0] },
    vjp: (ctx, [ct]) => {
      const bBar = solveAdjoint(ofSystem(ctx), ct as Operand, (of, c) => solveAs(ctx, of, c));
      return shares(ctx, ctx.active[0] === true ? (matrixCotangent(ofSystem(ctx), bBar, ctx.output(0) as Operand) as Var) : undefined, bBar as Var);
    },
    caveats: ['the factors among its operands are constant for derivatives, which the matrix itself has'],
  };
}

const luSolveRule: DerivativeRule = solveRule(2, (ctx, of, c) => luSolve(ctx.input(0), { packed: ctx.input(1), order: ctx.input(2) }, c, of));
const luFullPivotSolveRule: DerivativeRule = solveRule(3, (ctx, of, c) => luFullPivotSolve(ctx.input(0), { packed: ctx.input(1), rows: ctx.input(2), columns: ctx.input(3) }, c, of));

export const solveMembers: readonly FamilyOperation[] = [withRule(luSolveOperation, luSolveRule), withRule(luFullPivotSolveOperation, luFullPivotSolveRule)];
