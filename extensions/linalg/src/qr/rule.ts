/** Derivatives of QR decompositions: the algebra is that of ./tangent.ts and, backwards, of ./cotangent.ts. */
import type { DerivativeRule, Operand, Var } from '@tf/core';
import { type FamilyOperation, withRule } from '../family.ts';
import { qrCotangent } from './cotangent.ts';
import { qrCompleteOperation, qrOf, qrOperation, qrUpperOperation } from './operation.ts';
import { completeTangents, reducedTangents } from './tangent.ts';

const fullRank = 'the leading min(m, n) columns are independent; where one of them depends on those before it, there is no derivative, and the run fails';

const qrRule: DerivativeRule = {
  kind: 'rule',
  linearize: (ctx, [da]) => {
    const { q, r } = reducedTangents({ q: ctx.output(0), r: ctx.output(1) }, da as Operand);
    return [q as Var, r as Var];
  },
  residuals: { outputs: [0, 1] },
  vjp: (ctx, [qBar, rBar]) => {
    const [hasQ, hasR] = ctx.live;
    return [qrCotangent({ q: ctx.output(0), r: ctx.output(1) }, { ...(hasQ === true && { q: qBar as Operand }), ...(hasR === true && { r: rBar as Operand }) }) as Var];
  },
  caveats: [fullRank],
};

/** Q is needed where R alone is differentiated: of the decomposition that covers it. */
const qrUpperRule: DerivativeRule = {
  kind: 'rule',
  linearize: (ctx, [da]) => [reducedTangents(qrOf(qrOperation, ctx.input(0)), da as Operand).r as Var],
  residuals: { inputs: [0] },
  vjp: (ctx, [rBar]) => [qrCotangent(qrOf(qrOperation, ctx.input(0)), { r: rBar as Operand }) as Var],
  caveats: [fullRank],
};

const qrCompleteRule: DerivativeRule = {
  kind: 'rule',
  linearize: (ctx, [da]) => {
    const { q, r } = completeTangents({ q: ctx.output(0), r: ctx.output(1) }, da as Operand);
    return [q as Var, r as Var];
  },
  caveats: [fullRank, 'the columns of Q beyond the rank are determined up to a unitary factor: losses that depend on more than the space they span have no gradient'],
};

export const qrMembers: readonly FamilyOperation[] = [withRule(qrOperation, qrRule), withRule(qrUpperOperation, qrUpperRule), withRule(qrCompleteOperation, qrCompleteRule)];
