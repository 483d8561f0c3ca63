/**
 * Derivatives of A V = V diag(w) (Giles 2008, §3.1; normalised vectors: Boeddeker et al. 2017). With dP = V⁻¹ dA V,
 *
 *   dw = diag dP,   X = V (F∘dP),  F_ij = 1/(w_j − w_i), F_ii = 0,   dvᵢ = xᵢ − vᵢ (vᵢᴴ xᵢ):
 *
 * vectors keep their norm, and their phases move such that vᵢᴴ dvᵢ = 0. F is conj(ĝ)/(|ĝ|² + ε²) of the gaps relative to the largest |w|, and
 * 0 where they are numerically equal (contracts.md §11).
 */
import { abs, add, conj, type DerivativeRule, type Dim, div, greater, type Kind, lessEqual, mul, mulDims, type Operand, type RuleContext, select, sort, sub, sum, type Var } from '@tf/core';
import { asColumn, asRow, diagonalOf, scaleColumns, times } from '../algebra.ts';
import { distinct } from '../distinct/operation.ts';
import { type FamilyOperation, withRule } from '../family.ts';
import { luSolve, luWitness } from '../solve/operation.ts';
import { broadeningOf, equalityFactor, largestOf, roundoff } from '../spectrum.ts';
import { eigOperation, eigvalsOperation } from './operation.ts';

/** F. */
function inverseGapsOf(ctx: RuleContext, w: Operand): Operand {
  const scale = largestOf(w);
  const relative = div(w, scale) as Operand;
  const gap = sub(asRow(relative), asColumn(relative)) as Operand;
  const distance = abs(gap) as Operand;
  const isEqual = lessEqual(distance, roundoff(w, equalityFactor, w.type.shape.at(-1) as Dim) as Operand) as Operand<Kind, 'bool'>;
  const length = select(isEqual, 1, distance) as Operand;
  const squares = add(mul(length, length) as Operand, broadeningOf(ctx.params, w.type.dtype) ** 2) as Operand;
  return select(isEqual, 0, div(div(conj(gap) as Operand, squares) as Operand, asColumn(scale)) as Operand) as Operand;
}

/** V⁻¹ dA V; the run fails where V is numerically singular. */
function movedMatrix(v: Operand, da: Operand): Operand {
  const factors = luWitness(v);
  return select(spans(factors.packed), luSolve(v, factors, times(da, v)), NaN) as Operand;
}

/** Whether the vectors span, [..., 1, 1]: no pivot is numerically zero, which `distinct` looks at; true where it lets pass. */
function spans(packed: Operand): Operand<Kind, 'bool'> {
  const pivots = sort(abs(diagonalOf(packed)) as Operand, -1, { descending: true }) as Operand;
  const checked = distinct(pivots, { ulps: -1, squares: false, zeroUlps: mulDims(equalityFactor, pivots.type.shape.at(-1) as Dim) });
  return asColumn(greater(sum(checked, { axes: -1, keepdims: true }) as Operand, 0) as Operand) as Operand<Kind, 'bool'>;
}

/** xᵢ − vᵢ (vᵢᴴ xᵢ). */
function withoutOwnShare(v: Operand, x: Operand): Operand {
  return sub(x, scaleColumns(v, sum(mul(conj(v), x) as Operand, { axes: -2 }) as Operand)) as Operand;
}

const eigRule: DerivativeRule = {
  kind: 'rule',
  linearize: (ctx, [da]) => {
    const [w, v] = [ctx.output(0) as Operand, ctx.output(1) as Operand];
    const dp = movedMatrix(v, da as Operand);
    const turned = times(v, mul(inverseGapsOf(ctx, w), dp) as Operand);
    return [diagonalOf(dp) as Var, withoutOwnShare(v, turned) as Var];
  },
  caveats: [
    'phases of vectors, and vectors of equal values, are not determined: losses that depend on them get the derivative of the broadened spectrum',
    'a defective matrix has no derivative: where its vectors are numerically dependent the run fails, and near that it is inaccurate',
  ],
};

const eigvalsRule: DerivativeRule = {
  kind: 'rule',
  augment: ({ params }) => ({ operation: eigOperation, params, exact: false }),
  linearize: (ctx, [da]) => {
    const [, v] = ctx.apply(eigOperation, [ctx.input(0)], ctx.params) as unknown as readonly [Operand, Operand];
    return [diagonalOf(movedMatrix(v, da as Operand)) as Var];
  },
  caveats: ['a defective matrix has no derivative: where its vectors are numerically dependent the run fails, and near that it is inaccurate'],
};

export const eigMembers: readonly FamilyOperation[] = [withRule(eigOperation, eigRule), withRule(eigvalsOperation, eigvalsRule)];
