/**
 * The adjoint of the Cholesky factor by blocks (Murray 2016, Differentiation of the Cholesky decomposition, §4.3): of the steps
 * L₂₁ = A₂₁ L₁₁⁻ᴴ, S = A₂₂ − L₂₁ L₂₁ᴴ, L₂₂ = chol S one after the other backwards,
 *
 *   S̄ = that of L₂₂,  Ā₂₁ = (L̄₂₁ − 2 S̄ L₂₁) L₁₁⁻¹,  L̄₁₁ ← L̄₁₁ − ◣(Ā₂₁ᴴ L₂₁),  Ā₁₁ = that of L₁₁,
 *
 * which for halves of halves is a fifth of the arithmetic of Ā = L⁻ᴴ herm Φ(Lᴴ L̄) L⁻¹. Cotangents are Hermitian: A₂₁ and A₁₂ share one.
 */
import { type Dim, equal, iotaBeside, isKnown, type Kind, matmul, mul, type Operand, reshape, select, sub, tril } from '@tf/core';
import { adjoint, hermitianPart, times } from '../algebra.ts';
import { block, joined } from '../blocks.ts';
import { solveTriangle } from '../triangular/operation.ts';

/** Blocks of at most this size are not parted. */
const smallest = 48;

/** Φ: the lower triangle, and half of the diagonal. */
export function lowerHalf(x: Operand): Operand {
  const size = x.type.shape.at(-1) as Dim;
  const onDiagonal = equal(reshape(iotaBeside('cholesky', x, size), [size, 1]) as Operand, iotaBeside('cholesky', x, size));
  return tril(select(onDiagonal as Operand<Kind, 'bool'>, mul(x, 0.5) as Operand, x) as Operand) as Operand;
}

/** C L⁻¹. */
function solveRight(l: Operand, c: Operand): Operand {
  return adjoint(solveTriangle(l, adjoint(c), { of: 'adjoint' }));
}

/** The Hermitian cotangent of A from that of L. */
export function choleskyCotangent(l: Operand, ct: Operand): Operand {
  const size = l.type.shape.at(-1) as Dim;
  if (!isKnown(size) || size <= smallest) return ofSmall(l, ct);
  const half = Math.ceil(size / 2);
  const [first, second] = [[0, half], [half, size]] as const;
  const l21 = block(l, second, first);
  const s = choleskyCotangent(block(l, second, second), block(ct, second, second));
  const a21 = solveRight(block(l, first, first), sub(block(ct, second, first), mul(matmul(s, l21) as Operand, 2)) as Operand);
  const rest = sub(block(ct, first, first), tril(matmul(adjoint(a21), l21) as Operand)) as Operand;
  const shared = mul(a21, 0.5) as Operand;
  return joined([joined([choleskyCotangent(block(l, first, first), rest), adjoint(shared)], -1), joined([shared, s], -1)], -2);
}

function ofSmall(l: Operand, ct: Operand): Operand {
  const inner = hermitianPart(lowerHalf(times(adjoint(l), ct)));
  const half = solveTriangle(l, inner, { of: 'adjoint' });
  return hermitianPart(solveTriangle(l, adjoint(half), { of: 'adjoint' }));
}
