/**
 * Derivatives of A = U diag(s) Vᴴ (Giles 2008, §3.2; Townsend 2016; Seeger et al. 2017; complex: Wan & Zhang 2019). With dP = Uᴴ dA V, its
 * Hermitian part H and its skew-Hermitian part K, both U and V turn by skew-Hermitian Ω_U = Uᴴ dU, Ω_V = Vᴴ dV, and
 *
 *   ds = Re diag dP,   dU = U Ω_U + (I − UUᴴ) dA V S⁺,   dV = V Ω_V + (I − VVᴴ) dAᴴ U S⁺.
 *
 * Off the diagonal Ω_U S − S Ω_V = dP, which F_ij = 1/(s_j² − s_i²) solves: Ω_U = F∘(dP S + S dPᴴ), Ω_V = F∘(S dP + dPᴴ S). Written
 * in H and K, where (s_j + s_i)F = 1/(s_j − s_i) and (s_j − s_i)F = 1/(s_j + s_i):
 *
 *   Ω_U = E∘H + G∘K,   Ω_V = E∘H − G∘K,   E_ij = (s_i + s_j) F_ij,   G_ij = 1/(s_i + s_j).
 *
 * Only E is singular where values are equal, and it is what is broadened or left out there (contracts.md §11); the difference of the
 * rotations, which products such as UVᴴ see, stays right. On the diagonal K = i Im dP says how the phases of uᵢ and vᵢ move against
 * each other; either takes half of it (the gauge terms). S⁺ is broadened like F, also in the projector terms.
 *
 * The adjoint, with M = Uᴴ Ū and N = Vᴴ V̄, both of which count by their skew-Hermitian parts since E is antisymmetric and G symmetric:
 *
 *   P̄ = diag s̄ + E∘skew(M + N) + G∘skew(M − N),
 *   Ā = U P̄ Vᴴ + (I − UUᴴ) Ū S⁺ Vᴴ + U S⁺ V̄ᴴ (I − VVᴴ).
 */
import { add, convert, diagEmbed, diagonal, type Dim, div, type Kind, lessEqual, mul, mulDims, neg, type Operand, type Params, sameDim, select, sub } from '@tf/core';
import { adjoint, asColumn, asRow, hermitianPart, realPartOf, scaleColumns, scaleRows, skewPart, times } from '../algebra.ts';
import { distinct } from '../distinct/operation.ts';
import { broadenedInverse, broadeningOf, equalityFactor, inverseGaps, largestOf, roundoff } from '../spectrum.ts';

type Truth = Operand<Kind, 'bool'>;

/** The parts that derivatives are computed from: U [m, k], s, Vᴴ [k, n]. */
export interface Factors {
  readonly u: Operand;
  readonly s: Operand;
  readonly vh: Operand;
}

/** What values divide by. */
export interface Inverses {
  /** E: (s_i + s_j)/(s_j² − s_i²). */
  readonly gaps: Operand;
  /** G: 1/(s_i + s_j). */
  readonly sums: Operand;
  /** S⁺. */
  readonly values: Operand;
}

/** 1/x broadened, of relative values ≥ 0, and 0 where they are numerically zero. */
function pseudoInverse(x: Operand, broadening: number, tolerance: Operand | number): Operand {
  const isZero = lessEqual(x, tolerance as Operand) as Truth;
  return select(isZero, 0, broadenedInverse(select(isZero, 1, x) as Operand, broadening)) as Operand;
}

/** The larger of m and n, one of which is k. */
function largerDim({ u, s, vh }: Factors): Dim {
  const [m, n] = [u.type.shape.at(-2) as Dim, vh.type.shape.at(-1) as Dim];
  return sameDim(m, s.type.shape.at(-1) as Dim) ? n : m;
}

function hasRest({ u, s, vh }: Factors): readonly [left: boolean, right: boolean] {
  const k = s.type.shape.at(-1) as Dim;
  return [!sameDim(u.type.shape.at(-2) as Dim, k), !sameDim(vh.type.shape.at(-1) as Dim, k)];
}

export function inversesOf(factors: Factors, params: Params): Inverses {
  const { s } = factors;
  const size = largerDim(factors);
  const given = params['onDegenerate'] === 'throw' ? distinct(s, { ulps: mulDims(equalityFactor, size), squares: true, zeroUlps: hasRest(factors).includes(true) ? size : -1 }) : s;
  const broadening = broadeningOf(params, s.type.dtype);
  const scale = largestOf(given);
  const relative = div(given, scale) as Operand;
  const zero = roundoff(s, 1, size);
  const sum = add(asColumn(relative), asRow(relative)) as Operand;
  const gaps = mul(sum, inverseGaps(mul(relative, relative) as Operand, broadening, roundoff(s, equalityFactor, size))) as Operand;
  return { gaps: div(gaps, asColumn(scale)) as Operand, sums: div(pseudoInverse(sum, broadening, zero), asColumn(scale)) as Operand, values: div(pseudoInverse(relative, broadening, zero), scale) as Operand };
}

/** dU, dVᴴ and ds; vectors are computed where they are asked for. */
export interface Tangents {
  readonly ds: Operand;
  readonly du: Operand;
  readonly dvh: Operand;
}

export function svdTangents(factors: Factors, da: Operand, params: Params): Tangents {
  const { u, vh } = factors;
  const v = adjoint(vh);
  const [uh, dav] = [adjoint(u), times(da, v)];
  const dp = times(uh, dav);
  const inverses = inversesOf(factors, params);
  const { turnU, turnV } = rotations(dp, inverses);
  const [left, right] = hasRest(factors);
  const rest = (projected: Operand): Operand => scaleColumns(projected, inverses.values);
  const du = times(u, turnU);
  const dv = times(v, turnV);
  return {
    ds: realPartOf(diagonal(dp) as Operand),
    du: left ? (add(du, rest(sub(dav, times(u, dp)) as Operand)) as Operand) : du,
    dvh: adjoint(right ? (add(dv, rest(sub(times(adjoint(da), u), times(v, adjoint(dp))) as Operand)) as Operand) : dv),
  };
}

/** Ω_U and Ω_V. */
function rotations(dp: Operand, { gaps, sums }: Inverses): { readonly turnU: Operand; readonly turnV: Operand } {
  const [along, against] = [mul(gaps, hermitianPart(dp)) as Operand, mul(sums, skewPart(dp)) as Operand];
  return { turnU: add(along, against) as Operand, turnV: sub(along, against) as Operand };
}

/** Cotangents of the parts; undefined of one that nobody reads. */
export interface Cotangents {
  readonly u: Operand | undefined;
  readonly s: Operand | undefined;
  readonly vh: Operand | undefined;
}

/** Ā; at least one part has a cotangent. */
export function svdCotangent(factors: Factors, given: Cotangents, params: Params): Operand {
  const { u, vh } = factors;
  if (given.u === undefined && given.vh === undefined) return times(scaleColumns(u, given.s as Operand), vh);
  const m = given.u && times(adjoint(u), given.u);
  const nh = given.vh && times(given.vh, adjoint(vh));
  const inverses = inversesOf(factors, params);
  const inner = innerCotangent(m, nh && adjoint(nh), given.s, inverses);
  const [left, right] = hasRest(factors);
  const columns = m === undefined || !left ? times(u, inner) : (add(times(u, inner), scaleColumns(sub(given.u as Operand, times(u, m)) as Operand, inverses.values)) as Operand);
  const product = times(columns, vh);
  if (nh === undefined || !right) return product;
  return add(product, times(u, scaleRows(inverses.values, sub(given.vh as Operand, times(nh, vh)) as Operand))) as Operand;
}

/** P̄. */
function innerCotangent(m: Operand | undefined, n: Operand | undefined, s: Operand | undefined, { gaps, sums }: Inverses): Operand {
  const [both, difference] = [m && n ? (add(m, n) as Operand) : ((m ?? n) as Operand), m && n ? (sub(m, n) as Operand) : (m ?? (neg(n as Operand) as Operand))];
  const turning = add(mul(gaps, skewPart(both)), mul(sums, skewPart(difference)) as Operand) as Operand;
  return s === undefined ? turning : (add(turning, convert(diagEmbed(s), turning.type.dtype)) as Operand);
}
