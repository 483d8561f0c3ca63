/**
 * Derivatives of A = L Lᴴ (Giles 2008, §3.3; Murray 2016, Differentiation of the Cholesky decomposition, §3).
 *
 * A counts as Hermitian: of dA its Hermitian part. With S = L⁻¹ dA L⁻ᴴ, Hermitian, and Φ the lower triangle with half of the diagonal,
 *
 *   dL = L Φ(S).
 *
 * The adjoint: Ā = L⁻ᴴ herm Φ(Lᴴ L̄) L⁻¹, herm M = (M + Mᴴ)/2. The upper factor is U = Lᴴ.
 */
import { type DerivativeRule, type Dim, equal, iotaBeside, type Kind, mul, type Operand, reshape, type RuleContext, select, tril, type Var } from '@tf/core';
import { adjoint, hermitianPart, times } from '../algebra.ts';
import { type FamilyOperation, withRule } from '../family.ts';
import { solveTriangle } from '../triangular/operation.ts';
import { choleskyOperation } from './operation.ts';

/** Φ: the lower triangle, and half of the diagonal. */
export function lowerHalf(x: Operand): Operand {
  const size = x.type.shape.at(-1) as Dim;
  const onDiagonal = equal(reshape(iotaBeside('cholesky', x, size), [size, 1]) as Operand, iotaBeside('cholesky', x, size));
  return tril(select(onDiagonal as Operand<Kind, 'bool'>, mul(x, 0.5) as Operand, x) as Operand) as Operand;
}

const isUpper = (ctx: RuleContext): boolean => ctx.params['upper'] === true;

/** L⁻¹ C, or L⁻ᴴ C, by the factor that there is. */
function solveLower(ctx: RuleContext, c: Operand, adjointed: boolean): Operand {
  const upper = isUpper(ctx);
  return solveTriangle(ctx.output(0), c, { upper, of: upper === adjointed ? 'matrix' : 'adjoint' });
}

export const choleskyRule: DerivativeRule = {
  kind: 'rule',
  linearize: (ctx, [da]) => {
    const half = solveLower(ctx, hermitianPart(da as Operand), false);
    const phi = lowerHalf(hermitianPart(solveLower(ctx, adjoint(half), false)));
    const factor = ctx.output(0) as Operand;
    return [(isUpper(ctx) ? times(adjoint(phi), factor) : times(factor, phi)) as Var];
  },
  residuals: { outputs: [0] },
  vjp: (ctx, [ct]) => {
    const factor = ctx.output(0) as Operand;
    const product = isUpper(ctx) ? times(factor, adjoint(ct as Operand)) : times(adjoint(factor), ct as Operand);
    const inner = hermitianPart(lowerHalf(product));
    const half = solveLower(ctx, inner, true);
    return [hermitianPart(solveLower(ctx, adjoint(half), true)) as Var];
  },
  caveats: ['the matrix counts as Hermitian: of a tangent its Hermitian part counts, and gradients are Hermitian'],
};

export const choleskyMembers: readonly FamilyOperation[] = [withRule(choleskyOperation, choleskyRule)];
