/** Derivatives of Q and R by the matrix (see ../qr/tangent.ts); the reflections say how they are computed, and have no share. */
import type { DerivativeRule, Dim, Operand, Rule, RuleContext, Var } from '@tf/core';
import { block, isAtMost, padded } from '../blocks.ts';
import { type FamilyOperation, withRule } from '../family.ts';
import { completeTangents, reducedTangents } from '../qr/tangent.ts';
import { applyReflections, householderApplyOperation, householderColumns, householderColumnsOperation, householderOperation, householderUpper, householderUpperOperation, type ReflectedMatrix } from './operation.ts';

const householderRule: Rule = {
  kind: 'none',
  reason: 'reflections do not exist as smooth functions where a column is 0 below the diagonal; Q and R do: take them from householderQr',
};

/** Linear in what the reflections are applied to. */
const householderApplyRule: DerivativeRule = {
  kind: 'rule',
  linear: { inputs: [2], how: 'together' },
  linearize: (ctx, [, , dc]) => [dc && (applyReflections({ h: ctx.input(0), tau: ctx.input(1) }, dc, ctx.params['adjoint'] === true) as Var)],
  transpose: (ctx, [ct]) => [undefined, undefined, ct && (applyReflections({ h: ctx.input(0), tau: ctx.input(1) }, ct, ctx.params['adjoint'] !== true) as Var)],
  caveats: ['the reflections are constant for derivatives, which Q and R have by their matrix'],
};

const reflected = (ctx: RuleContext): ReflectedMatrix => ({ matrix: ctx.input(0), h: ctx.input(1), tau: ctx.input(2) });

const caveats: readonly string[] = ['the reflections are constant for derivatives, which the matrix itself has, where its leading min(m, n) columns are independent; else the run fails'];

const householderUpperRule: DerivativeRule = {
  kind: 'rule',
  linearize: (ctx, [da]) => {
    if (da === undefined) return [undefined];
    const r = ctx.output(0) as Operand;
    return [reducedTangents({ q: householderColumns(reflected(ctx), 0, r.type.shape.at(-2) as Dim), r }, da).r as Var];
  },
  caveats,
};

const householderColumnsRule: DerivativeRule = {
  kind: 'rule',
  linearize: (ctx, [da]) => {
    if (da === undefined) return [undefined];
    const [m, n] = da.type.shape.slice(-2) as unknown as readonly [Dim, Dim];
    const [start, stop] = [ctx.params['start'] as Dim, ctx.params['stop'] as Dim];
    const r = householderUpper(reflected(ctx));
    const k = r.type.shape.at(-2) as Dim;
    const tangents = isAtMost(stop, k) ? reducedTangents({ q: householderColumns(reflected(ctx), 0, k), r }, da) : completeTangents({ q: householderColumns(reflected(ctx), 0, m), r: padded(r, m, n) }, da);
    return [block(tangents.q, [0, m], [start, stop]) as Var];
  },
  caveats: [...caveats, 'columns beyond the rank are determined up to a unitary factor: losses that depend on more than the space they span have no gradient'],
};

export const householderMembers: readonly FamilyOperation[] = [
  withRule(householderOperation, householderRule),
  withRule(householderApplyOperation, householderApplyRule),
  withRule(householderUpperOperation, householderUpperRule),
  withRule(householderColumnsOperation, householderColumnsRule),
];
