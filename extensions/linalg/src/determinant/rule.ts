/**
 * Derivatives of determinants (Giles 2008, §2.2.4).
 *
 * d det A = Σ C_ij dA_ij with the cofactors C, which exist for singular matrices too. d log det A = tr(A⁻¹ dA) = t: log |det A| has Re t, and
 * the phase, of modulus 1, is turned by i·Im t; of a real matrix it is constant.
 *
 * The cofactors are Cᵀ = adj(A). With complete pivoting A = X D Y, where D has the pivots, X = Pᵀ L and Y = U' Q are well conditioned and of
 * determinant ±1, so adj(A) = ±Y⁻¹ adj(D) X⁻¹, and with M = X⁻¹ dA Y⁻¹
 *
 *   d adj(A) = ±Y⁻¹ N X⁻¹,   N_ii = Σ_{j≠i} M_jj Π_ij,   N_ij = −M_ij Π_ij,
 *
 * Π_ij being the product of all pivots but those of i and j: minors of A of size n − 2. Nothing is divided by a pivot, so it is right
 * for every rank.
 */
import { complex, convert, cumprod, type DerivativeRule, diagEmbed, type Dim, div, equal, extentOf, greater, imag, iotaBeside, isComplex, type Kind, less, mul, type Operand, reshape, roll, type RuleContext, select, sub, sum, type Var } from '@tf/core';
import { asColumn, asRow, diagonalOf, realPartOf, transposed } from '../algebra.ts';
import { type FamilyOperation, withRule } from '../family.ts';
import { packedFullLu, type PackedLu } from '../lu/operation.ts';
import { inverseOrder, permutedColumns, permutedRows } from '../permute.ts';
import { luSolve } from '../solve/operation.ts';
import { solveTriangle } from '../triangular/operation.ts';
import { cofactorOperation, cofactors, detOperation, logDeterminantOperation } from './operation.ts';

type Truth = Operand<Kind, 'bool'>;

const witnessOf = (ctx: RuleContext): PackedLu => ({ packed: ctx.input(1), order: ctx.input(2), parity: ctx.input(3) });

export const detRule: DerivativeRule = {
  kind: 'rule',
  linearize: (ctx, [da]) => [da && (sum(mul(cofactors(ctx.input(0), witnessOf(ctx)), da) as Operand, { axes: [-2, -1] }) as Var)],
  caveats: ['the factors among its operands are constant for derivatives, which the matrix itself has'],
};

export const logDeterminantRule: DerivativeRule = {
  kind: 'rule',
  linearize: (ctx, [da]) => {
    if (da === undefined) return [undefined, undefined];
    const t = sum(diagonalOf(luSolve(ctx.input(0), witnessOf(ctx), da)), { axes: -1 }) as Operand;
    if (!isComplex(t.type.dtype)) return [undefined, t as Var];
    return [mul(ctx.output(0), complex(0, imag(t) as Operand) as Operand) as Var, realPartOf(t) as Var];
  },
  caveats: ['the factors among its operands are constant for derivatives, which the matrix itself has', 'of a singular matrix the logarithm is −Infinity and has no derivative: the run fails'],
};

/** Products over the last axis of what comes before each element, or after it. */
function productsBeside(x: Operand, reverse: boolean): Operand {
  const size = x.type.shape.at(-1) as Dim;
  const column = iotaBeside('det', x, size);
  const isFirst = equal(column, reverse ? (sub(extentOf(x, size), 1) as Operand) : 0) as Truth;
  return cumprod(select(isFirst, 1, roll(x, reverse ? -1 : 1, -1) as Operand) as Operand, -1, { reverse }) as Operand;
}

/** Products over the last axis of all but elements i and j, [..., n] → [..., n, n]; 0 on the diagonal. */
export function productsWithoutTwo(d: Operand): Operand {
  const size = d.type.shape.at(-1) as Dim;
  const column = iotaBeside('det', d, size);
  const row = reshape(column, [size, 1]) as Operand;
  // For i < j: what is before i, between the two, and after j; no division.
  const between = productsBeside(select(greater(column, row) as Truth, asRow(d), 1) as Operand, false);
  const upper = mul(mul(asColumn(productsBeside(d, false)), between) as Operand, asRow(productsBeside(d, true))) as Operand;
  const isUpper = less(row, column) as Truth;
  return select(isUpper, upper, select(greater(row, column) as Truth, transposed(upper), 0) as Operand) as Operand;
}

/** d C for d A, by complete pivoting: see above. */
function cofactorTangent(a: Operand, da: Operand): Operand {
  const { packed, rows, columns, parity } = packedFullLu(a);
  const pivots = diagonalOf(packed);
  const isZero = equal(pivots, 0) as Truth;
  // U with a diagonal of 1, which is not read; where the rank has ended, the identity.
  const unit = select(asColumn(isZero as Operand) as Truth, 0, div(packed, asColumn(select(isZero, 1, pivots) as Operand)) as Operand) as Operand;
  const rightOf = (triangle: Operand, b: Operand, upper: boolean): Operand => transposed(solveTriangle(triangle, transposed(b), { upper, of: 'transpose', unit: true }));
  const m = rightOf(unit, solveTriangle(packed, permutedColumns(permutedRows(da, rows), columns), { unit: true }), true);
  const products = productsWithoutTwo(pivots);
  const n = sub(diagEmbed(sum(mul(products, asRow(diagonalOf(m))) as Operand, { axes: -1 }) as Operand), mul(m, products)) as Operand;
  const adjugate = rightOf(packed, solveTriangle(unit, n, { upper: true, unit: true }), false);
  const tangent = permutedRows(permutedColumns(transposed(adjugate), inverseOrder(columns)), inverseOrder(rows));
  return mul(tangent, asColumn(asColumn(convert(parity, a.type.dtype) as Operand))) as Operand;
}

export const cofactorRule: DerivativeRule = {
  kind: 'rule',
  linearize: (ctx, [da]) => [da && (cofactorTangent(ctx.input(0), da) as Var)],
};

export const determinantMembers: readonly FamilyOperation[] = [withRule(detOperation, detRule), withRule(logDeterminantOperation, logDeterminantRule), withRule(cofactorOperation, cofactorRule)];
