import { type Matrix, unitRoundoff } from './matrix.ts';

const small: number = Number.MIN_VALUE * 2 ** 60;

function size({ columns, re, im }: Matrix, i: number, j: number): number {
  return Math.abs(re[i * columns + j]!) + Math.abs(im[i * columns + j]!);
}

/**
 * Whether the subdiagonal element of row i may be put to zero: |h_{i,i−1}| ≤ u (|h_{i,i}| + |h_{i−1,i−1}|) and, more careful for graded
 * matrices, |h_{i,i−1} h_{i−1,i}| ≤ u |h_{ii}| |h_{ii} − h_{i−1,i−1}| (Ahues & Tisseur 1997).
 */
export function isNegligible(h: Matrix, i: number): boolean {
  const n = h.columns;
  const below = size(h, i, i - 1);
  if (below <= small) return true;
  const [head, tail] = [size(h, i - 1, i - 1), size(h, i, i)];
  // Between two zeros, the elements before and after say what is small.
  const around = head + tail > 0 ? head + tail : (i > 1 ? size(h, i - 1, i - 2) : 0) + (i + 1 < n ? size(h, i + 1, i) : 0);
  if (below > unitRoundoff * around) return false;
  const above = size(h, i - 1, i);
  const gap = Math.abs(h.re[i * n + i]! - h.re[(i - 1) * (n + 1)]!) + Math.abs(h.im[i * n + i]! - h.im[(i - 1) * (n + 1)]!);
  const [larger, smaller] = [Math.max(below, above), Math.min(below, above)];
  const [most, least] = [Math.max(tail, gap), Math.min(tail, gap)];
  const sum = most + larger;
  return smaller * (larger / sum) <= Math.max(small, unitRoundoff * least * (most / sum));
}

/** The first row of the undivided block that ends at row `last`; subdiagonal elements that no longer count become 0. */
export function blockStart(h: Matrix, last: number): number {
  for (let i = last; i > 0; i--) {
    if (!isNegligible(h, i)) continue;
    h.re[i * h.columns + i - 1] = h.im[i * h.columns + i - 1] = 0;
    return i;
  }
  return 0;
}
