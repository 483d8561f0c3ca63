/**
 * Derivatives of the exponential: d e^A = L(A, dA), linear in dA, and its adjoint under Re⟨·,·⟩ is L(Aᴴ, ·). For B = [[A, E], [0, A]]
 * e^B = [[e^A, L(A, E)], [0, e^A]] (Mathias 1996), so the derivative of L(A, E) is that block of L(B, [[dA, dE], [0, dA]]): derivatives of
 * every order are L at larger matrices (Al-Mohy & Higham 2009).
 */
import { type DerivativeRule, type Dim, mul, mulDims, type Operand, type Var } from '@tf/core';
import { adjoint } from '../algebra.ts';
import { block, joined } from '../blocks.ts';
import { type FamilyOperation, withRule } from '../family.ts';
import { matrixExpOperation, matrixExpTangent, matrixExpTangentOperation } from './operation.ts';

/** [[A, E], [0, A]]. */
function blocks(a: Operand, e: Operand): Operand {
  return joined([joined([a, e], -1), joined([mul(a, 0) as Operand, a], -1)], -2);
}

const matrixExpRule: DerivativeRule = {
  kind: 'rule',
  linearize: (ctx, [da]) => [matrixExpTangent(ctx.input(0), da as Operand) as Var],
};

const matrixExpTangentRule: DerivativeRule = {
  kind: 'rule',
  linear: { inputs: [1], how: 'together' },
  linearize: (ctx, [da, de]) => {
    const [a, e] = [ctx.input(0), ctx.input(1)] as readonly [Operand, Operand];
    if (da === undefined) return [matrixExpTangent(a, de as Operand) as Var];
    const n = a.type.shape.at(-1) as Dim;
    const whole = matrixExpTangent(blocks(a, e), blocks(da, de ?? ctx.zeros(da.type)));
    return [block(whole, [0, n], [n, mulDims(2, n)]) as Var];
  },
  transpose: (ctx, [ct]) => [undefined, ct && (matrixExpTangent(adjoint(ctx.input(0)), ct) as Var)],
};

export const matrixExpMembers: readonly FamilyOperation[] = [withRule(matrixExpOperation, matrixExpRule), withRule(matrixExpTangentOperation, matrixExpTangentRule)];
