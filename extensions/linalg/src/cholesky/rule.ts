/**
 * Derivatives of A = L Lᴴ (Giles 2008, §3.3; Murray 2016, Differentiation of the Cholesky decomposition, §3).
 *
 * A counts as Hermitian: of dA its Hermitian part. With S = L⁻¹ dA L⁻ᴴ, Hermitian, and Φ the lower triangle with half of the diagonal,
 *
 *   dL = L Φ(S).
 *
 * The adjoint: Ā = L⁻ᴴ herm Φ(Lᴴ L̄) L⁻¹, herm M = (M + Mᴴ)/2, of large matrices by blocks (./cotangent.ts). The upper factor is U = Lᴴ.
 */
import type { DerivativeRule, Operand, RuleContext, Var } from '@tf/core';
import { adjoint, hermitianPart, times } from '../algebra.ts';
import { type FamilyOperation, withRule } from '../family.ts';
import { solveTriangle } from '../triangular/operation.ts';
import { choleskyCotangent, lowerHalf } from './cotangent.ts';
import { choleskyOperation } from './operation.ts';

const isUpper = (ctx: RuleContext): boolean => ctx.params['upper'] === true;

/** L⁻¹ C, by the factor that there is. */
function solveLower(ctx: RuleContext, c: Operand): Operand {
  return solveTriangle(ctx.output(0), c, isUpper(ctx) ? { upper: true, of: 'adjoint' } : {});
}

export const choleskyRule: DerivativeRule = {
  kind: 'rule',
  linearize: (ctx, [da]) => {
    const half = solveLower(ctx, hermitianPart(da as Operand));
    const phi = lowerHalf(hermitianPart(solveLower(ctx, adjoint(half))));
    const factor = ctx.output(0) as Operand;
    return [(isUpper(ctx) ? times(adjoint(phi), factor) : times(factor, phi)) as Var];
  },
  residuals: { outputs: [0] },
  vjp: (ctx, [ct]) => {
    const factor = ctx.output(0) as Operand;
    return [(isUpper(ctx) ? choleskyCotangent(adjoint(factor), adjoint(ct as Operand)) : choleskyCotangent(factor, ct as Operand)) as Var];
  },
  caveats: ['the matrix counts as Hermitian: of a tangent its Hermitian part counts, and gradients are Hermitian'],
};

export const choleskyMembers: readonly FamilyOperation[] = [withRule(choleskyOperation, choleskyRule)];
