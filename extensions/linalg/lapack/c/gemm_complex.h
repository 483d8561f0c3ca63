/*
 * C += alpha·A·B of complex matrices, as gemm_real.h: panels hold real and imaginary parts apart, so that the inner loop is four
 * real products, 2 vectors × 2 columns.
 */
#include "views.h"

#define MR (2 * LANES)
#define NR 2
#define KC 128
#define MC (PANEL_A / KC / 2)
#define NC (PANEL_B / KC / 2)

/* Rows of A as panels: MR real parts of a column, MR imaginary ones, then the next column. */
APART void pack_rows(int m, int k, int is_conjugated, View a, R *to) {
  const R sign = is_conjugated ? -1 : 1;
  const V signs = SPLAT(sign);
  for (int i = 0; i < m; i += MR) {
    const int here = m - i < MR ? m - i : MR;
    const R *from = a.at + i * a.row;
    for (int p = 0; p < k; p++, from += a.column, to += 2 * MR) {
      if (here == MR && a.row == 2) {
        UNROLL for (int v = 0; v < 2; v++) {
          const V first = load(from + 2 * v * LANES), second = load(from + 2 * v * LANES + LANES);
          store(to + v * LANES, EVEN(first, second));
          store(to + MR + v * LANES, signs * ODD(first, second));
        }
        continue;
      }
      for (int r = 0; r < here; r++) to[r] = from[r * a.row], to[MR + r] = sign * from[r * a.row + 1];
      for (int r = here; r < MR; r++) to[r] = to[MR + r] = 0;
    }
  }
}

/* Columns of alpha·B as panels: NR pairs of a row after another. */
APART void pack_columns(int k, int n, C alpha, int is_conjugated, View b, R *to) {
  const R sign = is_conjugated ? -1 : 1;
  for (int j = 0; j < n; j += NR) {
    const int here = n - j < NR ? n - j : NR;
    const R *from = b.at + j * b.column;
    for (int p = 0; p < k; p++, from += b.row, to += 2 * NR) {
      for (int c = 0; c < here; c++) {
        const R re = from[c * b.column], im = sign * from[c * b.column + 1];
        to[2 * c] = alpha.r * re - alpha.i * im;
        to[2 * c + 1] = alpha.r * im + alpha.i * re;
      }
      for (int c = here; c < NR; c++) to[2 * c] = to[2 * c + 1] = 0;
    }
  }
}

INLINE void tile(int k, const R *a, const R *b, View c, int rows, int columns) {
  V re[NR][2] = {}, im[NR][2] = {};
  for (int p = 0; p < k; p++, a += 2 * MR, b += 2 * NR) {
    const V r0 = load(a), r1 = load(a + LANES), i0 = load(a + MR), i1 = load(a + MR + LANES);
    UNROLL for (int j = 0; j < NR; j++) {
      const V br = SPLAT(b[2 * j]), bi = SPLAT(b[2 * j + 1]);
      re[j][0] += r0 * br;
      re[j][1] += r1 * br;
      im[j][0] += i0 * br;
      im[j][1] += i1 * br;
      re[j][0] -= i0 * bi;
      re[j][1] -= i1 * bi;
      im[j][0] += r0 * bi;
      im[j][1] += r1 * bi;
    }
  }
  if (rows == MR && columns == NR && c.row == 2) {
    UNROLL for (int j = 0; j < NR; j++) UNROLL for (int v = 0; v < 2; v++) {
      R *to = c.at + j * c.column + 2 * v * LANES;
      store(to, load(to) + LOWER(re[j][v], im[j][v]));
      store(to + LANES, load(to + LANES) + UPPER(re[j][v], im[j][v]));
    }
    return;
  }
  R whole[NR][2 * MR];
  UNROLL for (int j = 0; j < NR; j++) UNROLL for (int v = 0; v < 2; v++) {
    store(whole[j] + 2 * v * LANES, LOWER(re[j][v], im[j][v]));
    store(whole[j] + 2 * v * LANES + LANES, UPPER(re[j][v], im[j][v]));
  }
  for (int j = 0; j < columns; j++) for (int i = 0; i < rows; i++) {
    R *to = c.at + i * c.row + j * c.column;
    to[0] += whole[j][2 * i];
    to[1] += whole[j][2 * i + 1];
  }
}

APART void tiles(int m, int n, int k, const R *a, const R *b, View c) {
  for (int j = 0; j < n; j += NR) {
    for (int i = 0; i < m; i += MR) {
      tile(k, a + 2 * i * k, b + 2 * j * k, part_of(c, i, j), m - i < MR ? m - i : MR, n - j < NR ? n - j : NR);
    }
  }
}

INLINE int is_better_transposed(View c, int m, int n) {
  if (c.row == 2 || c.row == -2) return 0;
  return c.column == 2 || c.column == -2 || m < n;
}

APART void multiply(int m, int n, int k, C alpha, int conjugated, View a, View b, View c) {
  if (m <= 0 || n <= 0 || k <= 0 || (alpha.r == 0 && alpha.i == 0)) return;
  int on_a = conjugated & CONJUGATED_A, on_b = conjugated & CONJUGATED_B;
  if (is_better_transposed(c, m, n)) {
    const View kept = a;
    const int rows = m, on_kept = on_a;
    a = transposed(b), b = transposed(kept), c = transposed(c), m = n, n = rows, on_a = on_b, on_b = on_kept;
  }
  if (c.row == -2) a = rows_reversed(a, m), c = rows_reversed(c, m);
  for (int j = 0; j < n; j += NC) {
    const int columns = n - j < NC ? n - j : NC;
    for (int p = 0; p < k; p += KC) {
      const int depth = k - p < KC ? k - p : KC;
      pack_columns(depth, columns, alpha, on_b, part_of(b, p, j), R_(panel_b));
      for (int i = 0; i < m; i += MC) {
        const int rows = m - i < MC ? m - i : MC;
        pack_rows(rows, depth, on_a, part_of(a, i, p), R_(panel_a));
        tiles(rows, columns, depth, R_(panel_a), R_(panel_b), part_of(c, i, j));
      }
    }
  }
}

APART void scale_matrix(int m, int n, C beta, View c) {
  if (beta.r == 1 && beta.i == 0) return;
  const int is_zero = beta.r == 0 && beta.i == 0;
  for (int j = 0; j < n; j++) for (int i = 0; i < m; i++) {
    R *at = c.at + i * c.row + j * c.column;
    const R re = is_zero ? 0 : beta.r * at[0] - beta.i * at[1], im = is_zero ? 0 : beta.r * at[1] + beta.i * at[0];
    at[0] = re, at[1] = im;
  }
}
