/**
 * The adjoint of ./tangent.ts (Roberts & Roberts 2020, QR and LQ decomposition matrix backpropagation algorithms). With R̄ the upper
 * triangle of what is given, M = R̄ Rᴴ − Qᴴ Q̄, U its upper triangle with half of the diagonal, and S = U + Uᴴ,
 *
 *   m ≥ n:  Ā = (Q̄ + Q S) R⁻ᴴ;
 *   m < n:  Ā = Q K̄,  K̄ = R̄ but for the leading square, K̄₁ = R̄₁ + (S − M) R₁⁻ᴴ.
 *
 * Of a square M only the upper triangle counts. It is made of blocks, of which those below the diagonal are left out, and in those of
 * R̄ Rᴴ the columns before the block's: half of the arithmetic of both products.
 */
import { add, type Dim, isKnown, neg, type Operand, pad, sub, triu } from '@tf/core';
import { adjoint, times } from '../algebra.ts';
import { block, isAtMost, joined, leadingBlock, padded } from '../blocks.ts';
import { solveTriangle } from '../triangular/operation.ts';
import type { QrFactors } from './operation.ts';
import { upperHalf } from './tangent.ts';

/** Blocks of at most this size are not parted. */
const smallest = 64;

type Range = readonly [number, number];

/** Cotangents of those factors that have one. */
export type QrCotangents = Partial<QrFactors>;

/** C R⁻ᴴ. */
function solveRight(r: Operand, c: Operand): Operand {
  return adjoint(solveTriangle(r, adjoint(c), { upper: true }));
}

function sumOf(parts: readonly (Operand | undefined)[]): Operand {
  return parts.filter((part) => part !== undefined).reduce((sum, part) => add(sum, part) as Operand);
}

/** A matrix of which the upper triangle counts, by those of its blocks that have to do with it; zeros elsewhere. */
function upperBlocks(product: (rows: Range, columns: Range) => Operand, [from, to]: Range): Operand {
  if (to - from <= smallest) return product([from, to], [from, to]);
  const middle = from + Math.ceil((to - from) / 2);
  const [first, second] = [[from, middle], [middle, to]] as const;
  const [corner, beside, last] = [upperBlocks(product, first), product(first, second), upperBlocks(product, second)];
  const zeros = last.type.shape.map(() => 0);
  const below = pad(last, { low: [...zeros.slice(1), middle - from], high: zeros }) as Operand;
  return joined([joined([corner, beside], -1), below], -2);
}

/** M, or of a square one its upper triangle. */
function inner({ q, r }: QrFactors, bar: QrCotangents): Operand {
  const [rows, size] = q.type.shape.slice(-2) as unknown as readonly [Dim, Dim];
  const columns = r.type.shape.at(-1) as Dim;
  const product = (left: readonly [Dim, Dim], right: readonly [Dim, Dim], from: Dim): Operand => sumOf([
    bar.r && times(block(bar.r, left, [from, columns]), adjoint(block(r, right, [from, columns]))),
    bar.q && (neg(times(adjoint(block(q, [0, rows], left)), block(bar.q, [0, rows], right))) as Operand),
  ]);
  if (isKnown(size) && columns === size) return upperBlocks((left, right) => product(left, right, right[0]), [0, size]);
  return product([0, size], [0, size], 0);
}

/** The cotangent of A from those of Q and R, of which at least one is there. */
export function qrCotangent(factors: QrFactors, given: QrCotangents): Operand {
  const { q, r } = factors;
  const [k, n] = r.type.shape.slice(-2) as unknown as readonly [Dim, Dim];
  const bar: QrCotangents = given.r === undefined ? given : { ...given, r: triu(given.r) as Operand };
  const m = inner(factors, bar);
  const u = upperHalf(m);
  const s = add(u, adjoint(u)) as Operand;
  if (isAtMost(n, k)) return solveRight(leadingBlock(r, k, k), sumOf([bar.q, times(q, s)]));
  const first = solveRight(leadingBlock(r, k, k), sub(s, m) as Operand);
  return times(q, sumOf([bar.r, padded(first, k, n)]));
}
