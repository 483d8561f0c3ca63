/**
 * The adjoint of packed LU factors by blocks. Of the steps U₁₂ = L₁₁⁻¹ A₁₂, L₂₁ = A₂₁ U₁₁⁻¹, S = A₂₂ − L₂₁ U₁₂, L₂₂ U₂₂ = S one after the other
 * backwards (as Murray 2016 does for Cholesky factors),
 *
 *   S̄ = that of L₂₂ U₂₂,  Ā₂₁ = (L̄₂₁ − S̄ U₁₂ᴴ) U₁₁⁻ᴴ,  Ā₁₂ = L₁₁⁻ᴴ (Ū₁₂ − L₂₁ᴴ S̄),
 *   C₁₁ ← C₁₁ − ◥(L₂₁ᴴ Ā₂₁) − ◣(Ā₁₂ U₁₂ᴴ),  Ā₁₁ = that of L₁₁ U₁₁,
 *
 * C being the packed cotangents; for halves of halves that is a third of the arithmetic of the formula for squares,
 * Ā = L⁻ᴴ (◥C + ◣(Lᴴ ◣C − ◥C Uᴴ) U⁻ᴴ). A matrix that is not square has its further rows or columns in the first step.
 */
import { add, type Dim, isKnown, matmul, type Operand, sub, tril, triu } from '@tf/core';
import { adjoint, times } from '../algebra.ts';
import { block, joined } from '../blocks.ts';
import { solveTriangle } from '../triangular/operation.ts';
import { lowerFactor, upperFactor, withLastPivot } from './unpack.ts';

/** Blocks of at most this size are not parted. */
const smallest = 48;

/** C U⁻ᴴ. */
function solveRight(u: Operand, c: Operand): Operand {
  return adjoint(solveTriangle(u, adjoint(c), { upper: true }));
}

/** The cotangent of the matrix, in the order of the factors, from that of the packed factors. */
export function packedCotangent(packed: Operand, ct: Operand): Operand {
  const [m, n] = packed.type.shape.slice(-2) as unknown as readonly [Dim, Dim];
  if (!isKnown(m) || !isKnown(n)) return ofSquare(packed, ct);
  const smaller = Math.min(m, n);
  if (m === n && smaller <= smallest) return ofSquare(packed, ct);
  const at = smaller <= smallest ? smaller : Math.ceil(smaller / 2);
  const part = (x: Operand, row: 0 | 1, column: 0 | 1): Operand => block(x, row === 0 ? [0, at] : [at, m], column === 0 ? [0, at] : [at, n]);
  const [w11, w12, w21] = [part(packed, 0, 0), part(packed, 0, 1), part(packed, 1, 0)];
  const s = m > at && n > at ? packedCotangent(part(packed, 1, 1), part(ct, 1, 1)) : undefined;
  const less = (c: Operand, product: () => Operand): Operand => (s === undefined ? c : (sub(c, product()) as Operand));
  const a21 = m > at ? solveRight(w11, less(part(ct, 1, 0), () => times(s as Operand, adjoint(w12)))) : undefined;
  const a12 = n > at ? solveTriangle(w11, less(part(ct, 0, 1), () => times(adjoint(w21), s as Operand)), { of: 'adjoint', unit: true }) : undefined;
  let rest = part(ct, 0, 0);
  if (a21 !== undefined) rest = sub(rest, triu(times(adjoint(w21), a21)) as Operand) as Operand;
  if (a12 !== undefined) rest = sub(rest, tril(times(a12, adjoint(w12)), -1) as Operand) as Operand;
  const rows = (parts: readonly (Operand | undefined)[]): Operand => joined(parts.filter((x) => x !== undefined), -1);
  const top = rows([packedCotangent(w11, rest), a12]);
  return a21 === undefined ? top : joined([top, rows([a21, s])], -2);
}

function ofSquare(packed: Operand, ct: Operand): Operand {
  const [l, u] = [lowerFactor(packed), upperFactor(packed)];
  const upper = triu(ct) as Operand;
  const inner = tril(sub(matmul(adjoint(l), tril(ct, -1)), matmul(upper, adjoint(u))) as Operand, -1) as Operand;
  const moved = add(upper, solveRight(withLastPivot(packed), inner)) as Operand;
  return solveTriangle(packed, moved, { of: 'adjoint', unit: true });
}
