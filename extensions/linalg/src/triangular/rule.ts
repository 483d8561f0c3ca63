/**
 * Derivatives of op(A) X = B with a triangular A (Giles 2008, §2.3.1): dX = op(A)⁻¹ (dB − op(dA) X), where of dA the triangle counts
 * that is read. The adjoint: B̄ = op(A)⁻ᴴ X̄, and −B̄ Xᴴ is that of op(A), of which the triangle counts.
 */
import { conj, type DerivativeRule, isComplex, matmul, neg, type Operand, type Params, type RuleContext, sub, tril, triu, type Var } from '@tf/core';
import { adjoint, transposed } from '../algebra.ts';
import { type FamilyOperation, withRule } from '../family.ts';
import { solveTriangle, type SystemOf, type Triangle, triangularSolveOperation } from './operation.ts';

/** op(A). */
export function systemOf(of: SystemOf, a: Operand): Operand {
  return of === 'matrix' ? a : of === 'transpose' ? transposed(a) : adjoint(a);
}

/**
 * op(A)⁻ᴴ C, by a function that solves op(A) X = C for each op; the adjoint of the transpose is the conjugate, which is no system of A
 * itself.
 */
export function solveAdjoint(of: SystemOf, c: Operand, solve: (of: SystemOf, c: Operand) => Operand): Operand {
  if (of !== 'transpose') return solve(of === 'matrix' ? 'adjoint' : 'matrix', c);
  return isComplex(c.type.dtype) ? (conj(solve('matrix', conj(c) as Operand)) as Operand) : solve('matrix', c);
}

/** The cotangent of A from that of B. */
export function matrixCotangent(of: SystemOf, bBar: Operand, x: Operand): Operand {
  if (of === 'adjoint') return neg(matmul(x, adjoint(bBar)) as Operand) as Operand;
  const product = neg(matmul(bBar, adjoint(x)) as Operand) as Operand;
  return of === 'matrix' ? product : transposed(product);
}

function triangleOf(params: Params, a: Operand): Operand {
  const { upper, unit } = params as Required<Omit<Triangle, 'of'>>;
  return (upper ? triu(a, unit ? 1 : 0) : tril(a, unit ? -1 : 0)) as Operand;
}

function solveAs(ctx: RuleContext, of: SystemOf, c: Operand): Operand {
  return solveTriangle(ctx.input(0), c, { ...(ctx.params as Triangle), of });
}

function ofSystem(params: Params): SystemOf {
  return params['of'] as SystemOf;
}

export const triangularSolveRule: DerivativeRule = {
  kind: 'rule',
  linear: { inputs: [1], how: 'together' },
  linearize: (ctx, [da, db]) => {
    const of = ofSystem(ctx.params);
    const moved = da && (matmul(systemOf(of, triangleOf(ctx.params, da)), ctx.output(0) as Operand) as Operand);
    const change = moved === undefined ? (db as Operand) : db === undefined ? (neg(moved) as Operand) : (sub(db, moved) as Operand);
    return [solveAs(ctx, of, change) as Var];
  },
  transpose: (ctx, [ct]) => [undefined, ct && (solveAdjoint(ofSystem(ctx.params), ct, (of, c) => solveAs(ctx, of, c)) as Var)],
  residuals: { inputs: [0], outputs: [0] },
  vjp: (ctx, [ct]) => {
    const bBar = solveAdjoint(ofSystem(ctx.params), ct as Operand, (of, c) => solveAs(ctx, of, c));
    if (ctx.active[0] !== true) return [undefined, bBar as Var];
    return [triangleOf(ctx.params, matrixCotangent(ofSystem(ctx.params), bBar, ctx.output(0) as Operand)) as Var, bBar as Var];
  },
  caveats: ['the triangle that is not read has the gradient 0, as has the diagonal where it counts as 1'],
};

export const triangularMembers: readonly FamilyOperation[] = [withRule(triangularSolveOperation, triangularSolveRule)];
