/**
 * Derivatives of P A = L U, and of P A Q = L U (de Hoog, Anderssen & Lukas 2011; for rectangular factors as below). The orders are locally
 * constant. With dA' = P dA (Q), and ◣ the part strictly below the diagonal, ◥ the rest:
 *
 *   m ≤ n:  Y = L⁻¹ dA',  F = Y₁ U₁⁻¹ (U₁ the leading square of U, Y₁ the same columns of Y),
 *           dL = L ◣F,  dU = Y − ◣F U;
 *   m > n:  X = dA' U⁻¹,  F = L₁⁻¹ X₁ (the leading rows),
 *           dU = ◥F U,  dL = X − L ◥F.
 *
 * The adjoint goes by blocks, which takes less arithmetic: see ./cotangent.ts. Both need that the leading square of U is not singular; where m ≤ n its last pivot may be 0, which ◣F does not depend on. Where another
 * pivot is exactly 0 the factors have no derivative.
 */
import { add, type DerivativeRule, type Dim, matmul, type Operand, sub, tril, triu, type Var } from '@tf/core';
import { transposed } from '../algebra.ts';
import { block, isAtMost, leadingBlock, padded } from '../blocks.ts';
import { type FamilyOperation, smallerDim, withRule } from '../family.ts';
import { inverseOrder, permutedColumns, permutedRows } from '../permute.ts';
import { solveTriangle } from '../triangular/operation.ts';
import { luFullPivotOperation, luOperation } from './operation.ts';
import { packedCotangent } from './cotangent.ts';
import { lowerFactor, upperFactor, withLastPivot } from './unpack.ts';

/** X with X U = B. */
export function solveUpperRight(u: Operand, b: Operand): Operand {
  return transposed(solveTriangle(u, transposed(b), { upper: true, of: 'transpose' }));
}

/** The tangent of packed factors, from that of the matrix in their order. */
function packedTangent(packed: Operand, da: Operand): Operand {
  const { shape } = packed.type;
  const [m, n] = [shape.at(-2) as Dim, shape.at(-1) as Dim];
  const k = smallerDim('lu', m, n);
  const square = leadingBlock(packed, k, k);
  const [l, u] = [lowerFactor(packed), upperFactor(packed)];
  if (isAtMost(m, k)) {
    const y = solveTriangle(square, da, { unit: true });
    const f = tril(solveUpperRight(withLastPivot(square), leadingBlock(y, k, k)), -1) as Operand;
    return add(padded(tril(matmul(l, f) as Operand, -1) as Operand, m, n), triu(sub(y, matmul(f, u)) as Operand) as Operand) as Operand;
  }
  const x = solveUpperRight(square, da);
  const f = triu(solveTriangle(square, block(x, [0, k], [0, k]), { unit: true })) as Operand;
  return add(tril(sub(x, matmul(l, f)) as Operand, -1) as Operand, padded(triu(matmul(f, u) as Operand) as Operand, m, n)) as Operand;
}

const caveats: readonly string[] = ['the choice of pivots is locally constant; where a pivot is exactly 0 the factors have no derivative, and the run fails'];

export const luRule: DerivativeRule = {
  kind: 'rule',
  linearize: (ctx, [da]) => [packedTangent(ctx.output(0), permutedRows(da as Operand, ctx.output(1))) as Var, undefined, undefined],
  residuals: { outputs: [0, 1] },
  vjp: (ctx, [ct]) => [permutedRows(packedCotangent(ctx.output(0), ct as Operand), inverseOrder(ctx.output(1))) as Var],
  caveats,
};

export const luFullPivotRule: DerivativeRule = {
  kind: 'rule',
  linearize: (ctx, [da]) => [packedTangent(ctx.output(0), permutedColumns(permutedRows(da as Operand, ctx.output(1)), ctx.output(2))) as Var, undefined, undefined, undefined],
  residuals: { outputs: [0, 1, 2] },
  vjp: (ctx, [ct]) => [permutedColumns(permutedRows(packedCotangent(ctx.output(0), ct as Operand), inverseOrder(ctx.output(1))), inverseOrder(ctx.output(2))) as Var],
  caveats,
};

export const luMembers: readonly FamilyOperation[] = [withRule(luOperation, luRule), withRule(luFullPivotOperation, luFullPivotRule)];
