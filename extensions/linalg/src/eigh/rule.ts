/**
 * Derivatives of A = V diag(w) Vᴴ (Giles 2008, §3.1; Seeger et al. 2017, §4.2; complex: the phases of V are chosen such that vᵢᴴ dvᵢ = 0).
 *
 * A counts as Hermitian: of dA its Hermitian part. With dP = Vᴴ dA V, Hermitian,
 *
 *   dw = diag dP,   dV = V (F∘dP),   F_ij = 1/(w_j − w_i), F_ii = 0,
 *
 * F broadened and 0 for equal values (contracts.md §11). F is antisymmetric, so F∘dP is skew-Hermitian: V stays orthonormal. The adjoint
 * of both, with M = Vᴴ V̄: Re⟨M, F∘dP⟩ = Re⟨F∘M, dP⟩, of which the Hermitian part counts, F∘(M − Mᴴ)/2, so
 *
 *   Ā = V (diag w̄ + F∘(M − Mᴴ)/2) Vᴴ.
 */
import { add, convert, type DerivativeRule, diagEmbed, diagonal, type Dim, div, mul, mulDims, type Operand, type RuleContext, type Var } from '@tf/core';
import { adjoint, asColumn, hermitianPart, realPartOf, scaleColumns, skewPart, times } from '../algebra.ts';
import { distinct } from '../distinct/operation.ts';
import { type FamilyOperation, withRule } from '../family.ts';
import { broadeningOf, equalityFactor, inverseGaps, largestOf, roundoff } from '../spectrum.ts';
import { eighOperation, eigvalshOperation } from './operation.ts';

/** F for the values of a decomposition. */
function inverseGapsOf(ctx: RuleContext): Operand {
  const { params } = ctx;
  const given = ctx.output(0) as Operand;
  const size = given.type.shape.at(-1) as Dim;
  const values = params['onDegenerate'] === 'throw' ? distinct(given, { ulps: mulDims(equalityFactor, size), squares: false, zeroUlps: -1 }) : given;
  const scale = largestOf(values);
  const inverse = inverseGaps(div(values, scale) as Operand, broadeningOf(params, given.type.dtype), roundoff(given, equalityFactor, size));
  return div(inverse, asColumn(scale)) as Operand;
}

export const eighRule: DerivativeRule = {
  kind: 'rule',
  linearize: (ctx, [da]) => {
    const vectors = ctx.output(1) as Operand;
    const dp = hermitianPart(times(adjoint(vectors), hermitianPart(da as Operand), vectors));
    return [realPartOf(diagonal(dp) as Operand) as Var, times(vectors, mul(inverseGapsOf(ctx), dp) as Operand) as Var];
  },
  residuals: { outputs: [0, 1] },
  vjp: (ctx, [valuesBar, vectorsBar]) => {
    const vectors = ctx.output(1) as Operand;
    const turning = (): Operand => mul(inverseGapsOf(ctx), skewPart(times(adjoint(vectors), vectorsBar as Operand))) as Operand;
    const stretching = (): Operand => convert(diagEmbed(valuesBar as Operand) as Operand, vectors.type.dtype) as Operand;
    const [values, turns] = ctx.live;
    if (values === true && turns !== true) return [hermitianPart(times(scaleColumns(vectors, valuesBar as Operand), adjoint(vectors))) as Var];
    const inner = values === true ? (add(stretching(), turning()) as Operand) : turning();
    return [hermitianPart(times(vectors, inner, adjoint(vectors))) as Var];
  },
  caveats: [
    'the matrix counts as Hermitian: of a tangent its Hermitian part counts, and gradients are Hermitian',
    'vectors of equal values and phases are not determined; losses that depend on them get the derivative of the broadened spectrum, or an error with onDegenerate: throw',
  ],
};

export const eigvalshRule: DerivativeRule = {
  kind: 'rule',
  augment: ({ params }) => ({ operation: eighOperation, params, exact: false }),
  linearize: (ctx, [da]) => {
    const [, vectors] = ctx.apply(eighOperation, [ctx.input(0)], ctx.params) as unknown as readonly [Operand, Operand];
    return [realPartOf(diagonal(times(adjoint(vectors), hermitianPart(da as Operand), vectors)) as Operand) as Var];
  },
  caveats: ['the matrix counts as Hermitian: of a tangent its Hermitian part counts, and gradients are Hermitian'],
};

export const eighMembers: readonly FamilyOperation[] = [withRule(eighOperation, eighRule), withRule(eigvalshOperation, eigvalshRule)];
