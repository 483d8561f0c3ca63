/**
 * Derivatives of the logarithm: d log A = L(A, dA), linear in dA, and its adjoint under Re⟨·,·⟩ is L(Aᴴ, ·). For B = [[A, E], [0, A]]
 * log B = [[log A, L(A, E)], [0, log A]] (Mathias 1996; Al-Mohy, Higham & Relton 2013), so the derivative of L(A, E) is that block of
 * L(B, [[dA, dE], [0, dA]]).
 */
import { type DerivativeRule, type Dim, type Operand, type Var } from '@tf/core';
import { adjoint } from '../algebra.ts';
import { type FamilyOperation, withRule } from '../family.ts';
import { jordanBlocks, matrixLogOperation, matrixLogTangent, matrixLogTangentOperation, upperRight } from './operation.ts';

const matrixLogRule: DerivativeRule = {
  kind: 'rule',
  linearize: (ctx, [da]) => [matrixLogTangent(ctx.input(0), da as Operand) as Var],
  caveats: ['there is no derivative where an eigenvalue is 0; on the negative axis the logarithm jumps'],
};

const matrixLogTangentRule: DerivativeRule = {
  kind: 'rule',
  linear: { inputs: [1], how: 'together' },
  linearize: (ctx, [da, de]) => {
    const [a, e] = [ctx.input(0) as Operand, ctx.input(1) as Operand];
    if (da === undefined) return [matrixLogTangent(a, de as Operand) as Var];
    const whole = matrixLogTangent(jordanBlocks(a, e), jordanBlocks(da, de ?? ctx.zeros(da.type)));
    return [upperRight(whole, a.type.shape.at(-1) as Dim) as Var];
  },
  transpose: (ctx, [ct]) => [undefined, ct && (matrixLogTangent(adjoint(ctx.input(0)), ct) as Var)],
};

export const matrixLogMembers: readonly FamilyOperation[] = [withRule(matrixLogOperation, matrixLogRule), withRule(matrixLogTangentOperation, matrixLogTangentRule)];
