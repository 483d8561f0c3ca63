/** Equations of triangular matrices that neither StableHLO nor JAX's runtime has: loops over columns and over diagonals. */
import { add, complexOf, convert, div, equal, type FloatDType, fori, iotaBeside, isComplex, type Kind, matmul, mul, type Operand, real, reshape, select, sqrt, sub } from '@tf/core';
import type { NativeRole, StableHloRole, StableHloSite, StableHloValue as Value } from '@tf/export-stablehlo';
import { adjoint, asColumn, asRow, diagonalOf, times } from '../algebra.ts';
import { identityColumns } from '../permute.ts';
import { schurFactors } from '../schur/operation.ts';
import { solveTriangle } from '../triangular/operation.ts';
import { element, oneHot } from './elements.ts';

type Mask = Operand<Kind, 'bool'>;

/** Column after column: (T + uⱼⱼ) xⱼ = cⱼ − Σ xₖ uₖⱼ over the columns that are known, or with the adjoints, from the last one on. */
function triangularSylvester(t: Operand, u: Operand, c: Operand, isAdjoint: boolean): Operand {
  const n = u.type.shape.at(-1) as number;
  const m = t.type.shape.at(-1) as number;
  const right = isAdjoint ? adjoint(u) : u;
  const diagonal = diagonalOf(u);
  return fori(n, (i, x: Operand) => {
    const j = isAdjoint ? (sub(n - 1, i) as Operand) : (i as Operand);
    // Columns that are not yet known are zero, as are those of U on the other side.
    const column = sub(element(c, j), reshape(matmul(x, asColumn(element(right, j))) as Operand, x.type.shape.slice(0, -1)) as Operand) as Operand;
    const shifted = add(t, mul(identityColumns(t, m, m), asColumn(reshape(element(diagonal, j), [...t.type.shape.slice(0, -2), 1]) as Operand)) as Operand) as Operand;
    const solved = solveTriangle(shifted, asColumn(column), { upper: true, of: isAdjoint ? 'adjoint' : 'matrix' });
    return select(oneHot(x, j), solved, x) as Operand;
  }, mul(c, 0) as Operand) as Operand;
}

/** Quasi-triangular T and U become triangular ones of complex numbers. */
function sylvester({ operands, params, apply }: StableHloSite): readonly Value[] {
  const isAdjoint = params['adjoint'] === true;
  return apply((...given) => {
    const [t, u, c] = given as unknown as readonly [Operand, Operand, Operand];
    if (isComplex(t.type.dtype)) return triangularSylvester(t, u, c, isAdjoint);
    const [a, b, right] = given.map((x) => convert(x, complexOf(x.type.dtype as FloatDType)) as Operand) as unknown as readonly [Operand, Operand, Operand];
    const [[left, z], [upper, w]] = [schurFactors(a), schurFactors(b)];
    const y = triangularSylvester(left, upper, times(adjoint(z), right, w), isAdjoint);
    return real(times(z, y, adjoint(w))) as Operand;
  }, ...operands);
}

/** Diagonal after diagonal: of S² = T, (sᵢ + sⱼ) sᵢⱼ = tᵢⱼ − Σ sᵢₖ sₖⱼ, whose terms lie on diagonals that are known (Björck & Hammarling 1983). */
function triangularSqrt({ operands: [t], apply }: StableHloSite): readonly Value[] {
  return apply((given) => {
    const a = given as Operand;
    const n = a.type.shape.at(-1) as number;
    const roots = sqrt(diagonalOf(a)) as Operand;
    const sums = add(asColumn(roots), asRow(roots)) as Operand;
    const [row, column] = [reshape(iotaBeside('sqrt', a, n), [n, 1]) as Operand, iotaBeside('sqrt', a, n)];
    const start = mul(identityColumns(a, n, n), asColumn(roots)) as Operand;
    return fori([1, Math.max(1, n)], (d, s: Operand) => {
      const isHere = equal(sub(column, row) as Operand, d) as Mask;
      const rest = sub(a, matmul(s, s) as Operand) as Operand;
      const isNothing = equal(rest, 0) as Mask;
      return select(isHere, select(isNothing, 0, div(rest, sums) as Operand) as Operand, s) as Operand;
    }, start) as Operand;
  }, t as Value);
}

const loop = (steps: string, further: Partial<NativeRole>): Omit<NativeRole, 'toStableHlo'> => ({ becomes: `a while loop over ${steps}`, caveats: ['where there is no solution the result is infinite or NaN: XLA has no errors'], ...further });

export const triangleRoles: { readonly [operation: string]: StableHloRole } = {
  triangularSylvester: { ...loop('columns, with triangular_solve; of real matrices, custom calls of lapack_*gees_ffi', { platforms: ['cpu'] }), toStableHlo: sylvester },
  triangularSqrt: { ...loop('diagonals, with dot_general', {}), toStableHlo: triangularSqrt },
};
