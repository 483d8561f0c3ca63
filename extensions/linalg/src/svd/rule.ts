/** Rules of the decompositions into singular values and vectors; the algebra is in `derivative.ts`. */
import { concat, type DerivativeRule, neg, type Operand, type Operation, type RuleContext, type Var } from '@tf/core';
import { adjoint, times } from '../algebra.ts';
import { type FamilyOperation, withRule } from '../family.ts';
import { type Factors, svdCotangent, type Tangents, svdTangents } from './derivative.ts';
import { svdFromRightOperation, svdFromValuesOperation, svdFullOperation, svdLeftOperation, svdOperation, type SvdPart, svdRightOperation, svdvalsOperation } from './operation.ts';
import { columnsAt } from './parts.ts';

const caveats: readonly string[] = [
  'vectors of equal singular values and phases are not determined; losses that depend on them get the derivative of the broadened spectrum, or an error with onDegenerate: throw',
  'a singular value that is 0 takes no part in the derivatives of vectors',
];

const tangentNames = { u: 'du', s: 'ds', vh: 'dvh' } as const;

/** The rule of a decomposition that has all parts, in this order. */
function wholeRule(parts: readonly SvdPart[]): DerivativeRule {
  const factorsOf = (ctx: RuleContext): Factors => {
    const [u, s, vh] = (['u', 's', 'vh'] as const).map((part) => ctx.output(parts.indexOf(part)) as Operand) as [Operand, Operand, Operand];
    return { u, s, vh };
  };
  return {
    kind: 'rule',
    linearize: (ctx, [da]) => ordered(svdTangents(factorsOf(ctx), da as Operand, ctx.params), parts),
    residuals: { outputs: [0, 1, 2] },
    vjp: (ctx, cotangents) => {
      const of = (part: SvdPart): Operand | undefined => (ctx.live[parts.indexOf(part)] === true ? (cotangents[parts.indexOf(part)] as Operand) : undefined);
      return [svdCotangent(factorsOf(ctx), { u: of('u'), s: of('s'), vh: of('vh') }, ctx.params) as Var];
    },
    caveats,
  };
}

function ordered(tangents: Tangents, parts: readonly SvdPart[]): readonly Var[] {
  return parts.map((part) => tangents[tangentNames[part]] as Var);
}

/** The rule of a decomposition that lacks a part: where it is differentiated, one that has it runs instead. */
function partRule(parts: readonly SvdPart[], whole: Operation): DerivativeRule {
  return {
    kind: 'rule',
    augment: ({ params }) => ({ operation: whole, params, exact: false }),
    linearize: (ctx, [da]) => {
      const [u, s, vh] = ctx.apply(svdOperation, [ctx.input(0)], ctx.params) as unknown as readonly [Operand, Operand, Operand];
      return ordered(svdTangents({ u, s, vh }, da as Operand, ctx.params), parts);
    },
    caveats,
  };
}

/**
 * U₂ and V₂, what U and V have beyond the first k columns, turn with the others so that all stay orthonormal, and not within their own
 * span: dU₂ = −U₁ dU₁ᴴ U₂.
 */
const fullRule: DerivativeRule = {
  kind: 'rule',
  linearize: (ctx, [da]) => {
    const [u, s, v] = [ctx.output(0) as Operand, ctx.output(1) as Operand, adjoint(ctx.output(2) as Operand)];
    const [[u1, u2], [v1, v2]] = [columnsAt(u, s), columnsAt(v, s)];
    const { du, ds, dvh } = svdTangents({ u: u1, s, vh: adjoint(v1) }, da as Operand, ctx.params);
    const [dv, completed] = [adjoint(dvh), (own: Operand, turned: Operand, rest: Operand): Operand => concat([turned, neg(times(own, adjoint(turned), rest)) as Operand], -1) as Operand];
    return [completed(u1, du, u2) as Var, ds as Var, adjoint(completed(v1, dv, v2)) as Var];
  },
  caveats: [...caveats, 'of the vectors beyond the k-th only their span has a derivative'],
};

export const svdMembers: readonly FamilyOperation[] = [
  withRule(svdOperation, wholeRule(['u', 's', 'vh'])),
  withRule(svdFromValuesOperation, wholeRule(['s', 'u', 'vh'])),
  withRule(svdFromRightOperation, wholeRule(['s', 'vh', 'u'])),
  withRule(svdFullOperation, fullRule),
  withRule(svdLeftOperation, partRule(['u', 's'], svdOperation)),
  withRule(svdRightOperation, partRule(['s', 'vh'], svdFromRightOperation)),
  withRule(svdvalsOperation, partRule(['s'], svdFromValuesOperation)),
];
