/**
 * Derivatives of A = Q R where the leading k = min(m, n) columns of A are independent (Walter & Lehmann 2012, Algorithmic differentiation of
 * linear algebra functions; Roberts & Roberts 2020, QR and LQ decomposition matrix backpropagation algorithms for square, wide, and deep
 * matrices).
 *
 * Qᴴ dQ = Ω is skew-Hermitian and dR R⁻¹ = T upper with a real diagonal, so of C = Qᴴ dA R⁻¹ = Ω + T the Hermitian part 2C → C + Cᴴ = T + Tᴴ
 * gives T: its upper triangle, with half of the diagonal. R⁻¹ is that of the leading square of R.
 *
 *   m ≥ n:  W = dA R⁻¹,  C = Qᴴ W,  dQ = W − Q T (which is Q Ω + (I − Q Qᴴ) W),  dR = T R;
 *   m < n:  K = Qᴴ dA,  C = K₁ R₁⁻¹,  dQ = Q Ω,  dR = K − Ω R.
 *
 * The further columns Q₂ of a complete Q are determined up to a unitary factor. They turn as little as they can: with C₂ = Q₂ᴴ W,
 * dQ₂ = −Q₁ C₂ᴴ, and the Q₁ above has Q₂ C₂ in it.
 */
import { add, type Dim, equal, iotaBeside, type Kind, matmul, mul, neg, type Operand, reshape, select, sub, triu } from '@tf/core';
import { adjoint, times } from '../algebra.ts';
import { block, isAtMost, joined, leadingBlock, padded } from '../blocks.ts';
import { solveUpperRight } from '../lu/rule.ts';
import type { QrFactors } from './operation.ts';

/** The upper triangle, and half of the diagonal. */
export function upperHalf(x: Operand): Operand {
  const size = x.type.shape.at(-1) as Dim;
  const onDiagonal = equal(reshape(iotaBeside('qr', x, size), [size, 1]) as Operand, iotaBeside('qr', x, size));
  return triu(select(onDiagonal as Operand<Kind, 'bool'>, mul(x, 0.5) as Operand, x) as Operand) as Operand;
}

/** T of C = Ω + T. */
function triangleOf(c: Operand): Operand {
  return upperHalf(add(c, adjoint(c)) as Operand);
}

/** Tangents of Q and R from that of A, where Q has k columns. */
export function reducedTangents({ q, r }: QrFactors, da: Operand): QrFactors {
  const [m, n] = da.type.shape.slice(-2) as unknown as readonly [Dim, Dim];
  const k = r.type.shape.at(-2) as Dim;
  if (isAtMost(n, k)) {
    const w = solveUpperRight(leadingBlock(r, k, k), da);
    const t = triangleOf(times(adjoint(q), w));
    return { q: sub(w, matmul(q, t)) as Operand, r: triu(matmul(t, r) as Operand) as Operand };
  }
  const turned = times(adjoint(q), da);
  const c = solveUpperRight(leadingBlock(r, m, m), leadingBlock(turned, m, m));
  const omega = sub(c, triangleOf(c)) as Operand;
  return { q: times(q, omega), r: triu(sub(turned, matmul(omega, r)) as Operand) as Operand };
}

/** The same where Q is square. */
export function completeTangents({ q, r }: QrFactors, da: Operand): QrFactors {
  const [m, n] = da.type.shape.slice(-2) as unknown as readonly [Dim, Dim];
  if (isAtMost(m, n)) return reducedTangents({ q, r }, da);
  const upper = leadingBlock(r, n, n);
  const first = block(q, [0, m], [0, n]);
  const tangents = reducedTangents({ q: first, r: upper }, da);
  const c2 = times(adjoint(block(q, [0, m], [n, m])), solveUpperRight(upper, da));
  return { q: joined([tangents.q, neg(times(first, adjoint(c2))) as Operand], -1), r: padded(tangents.r, m, n) };
}
