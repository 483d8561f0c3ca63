/*
 * C += alpha·A·B of real matrices (Goto & van de Geijn 2008): panels of A and B packed, 2 vectors × 4 columns of C in registers.
 */
#include "views.h"

#define MR (2 * LANES)
#define NR 4
#define KC 256
#define MC (PANEL_A / KC)
#define NC (PANEL_B / KC)

/* LANES rows by LANES columns: columns `stride` apart are read along themselves, and lie side by side in `to`, rows `width` apart. */
INLINE void transpose_block(const R *from, int stride, R factor, R *to, int width) {
  const V scale_by = SPLAT(factor);
#if LANES == 2
  const V first = load(from) * scale_by, second = load(from + stride) * scale_by;
  store(to, SHUFFLE(first, second, 0, 2));
  store(to + width, SHUFFLE(first, second, 1, 3));
#else
  const V a = load(from) * scale_by, b = load(from + stride) * scale_by, c = load(from + 2 * stride) * scale_by, d = load(from + 3 * stride) * scale_by;
  const V ab = SHUFFLE(a, b, 0, 4, 1, 5), cd = SHUFFLE(c, d, 0, 4, 1, 5), ab2 = SHUFFLE(a, b, 2, 6, 3, 7), cd2 = SHUFFLE(c, d, 2, 6, 3, 7);
  store(to, SHUFFLE(ab, cd, 0, 1, 4, 5));
  store(to + width, SHUFFLE(ab, cd, 2, 3, 6, 7));
  store(to + 2 * width, SHUFFLE(ab2, cd2, 0, 1, 4, 5));
  store(to + 3 * width, SHUFFLE(ab2, cd2, 2, 3, 6, 7));
#endif
}

/* `width` lines of k numbers, each of unit stride, side by side. */
INLINE void pack_lines(int k, int width, R factor, const R *from, int stride, R *to) {
  int p = 0;
  for (; p + LANES <= k; p += LANES) {
    for (int line = 0; line < width; line += LANES) transpose_block(from + line * stride + p, stride, factor, to + p * width + line, width);
  }
  for (; p < k; p++) for (int line = 0; line < width; line++) to[p * width + line] = factor * from[line * stride + p];
}

/* Rows of A as panels: MR elements of a column after another. */
APART void pack_rows(int m, int k, View a, R *to) {
  for (int i = 0; i < m; i += MR) {
    const int here = m - i < MR ? m - i : MR;
    const R *from = a.at + i * a.row;
    if (here == MR && a.row == 1) {
      for (int p = 0; p < k; p++, from += a.column, to += MR) {
        store(to, load(from));
        store(to + LANES, load(from + LANES));
      }
    } else if (here == MR && a.column == 1) {
      pack_lines(k, MR, 1, from, a.row, to);
      to += k * MR;
    } else if (here == MR) {
      for (int p = 0; p < k; p++, from += a.column, to += MR) {
        UNROLL for (int r = 0; r < MR; r++) to[r] = from[r * a.row];
      }
    } else {
      for (int p = 0; p < k; p++, from += a.column, to += MR) {
        for (int r = 0; r < here; r++) to[r] = from[r * a.row];
        for (int r = here; r < MR; r++) to[r] = 0;
      }
    }
  }
}

/* Columns of alpha·B as panels: NR elements of a row after another. */
APART void pack_columns(int k, int n, R alpha, View b, R *to) {
  for (int j = 0; j < n; j += NR) {
    const int here = n - j < NR ? n - j : NR;
    const R *from = b.at + j * b.column;
    if (here == NR && b.row == 1) {
      pack_lines(k, NR, alpha, from, b.column, to);
      to += k * NR;
    } else if (here == NR) {
      for (int p = 0; p < k; p++, from += b.row, to += NR) {
        UNROLL for (int c = 0; c < NR; c++) to[c] = alpha * from[c * b.column];
      }
    } else {
      for (int p = 0; p < k; p++, from += b.row, to += NR) {
        for (int c = 0; c < here; c++) to[c] = alpha * from[c * b.column];
        for (int c = here; c < NR; c++) to[c] = 0;
      }
    }
  }
}

/* One tile of C, one step of k a round: V8 spills the sums when the loop is unrolled. c.row is 1 or the tile is written element by element. */
INLINE void tile(int k, const R *a, const R *b, View c, int rows, int columns) {
  V sums[NR][2] = {};
  for (int p = 0; p < k; p++, a += MR, b += NR) {
    const V a0 = load(a), a1 = load(a + LANES);
    UNROLL for (int j = 0; j < NR; j++) {
      const V here = SPLAT(b[j]);
      sums[j][0] += a0 * here;
      sums[j][1] += a1 * here;
    }
  }
  if (rows == MR && columns == NR && c.row == 1) {
    UNROLL for (int j = 0; j < NR; j++) {
      R *to = c.at + j * c.column;
      store(to, load(to) + sums[j][0]);
      store(to + LANES, load(to + LANES) + sums[j][1]);
    }
    return;
  }
  R whole[NR][MR];
  UNROLL for (int j = 0; j < NR; j++) {
    store(whole[j], sums[j][0]);
    store(whole[j] + LANES, sums[j][1]);
  }
  for (int j = 0; j < columns; j++) for (int i = 0; i < rows; i++) c.at[i * c.row + j * c.column] += whole[j][i];
}

APART void tiles(int m, int n, int k, const R *a, const R *b, View c) {
  for (int j = 0; j < n; j += NR) {
    for (int i = 0; i < m; i += MR) {
      tile(k, a + i * k, b + j * k, part_of(c, i, j), m - i < MR ? m - i : MR, n - j < NR ? n - j : NR);
    }
  }
}

/* Columns of C where unit strides are, else its transpose: then rows. */
INLINE int is_better_transposed(View c, int m, int n) {
  if (c.row == 1 || c.row == -1) return 0;
  return c.column == 1 || c.column == -1 || m < n;
}

APART void multiply(int m, int n, int k, R alpha, View a, View b, View c) {
  if (m <= 0 || n <= 0 || k <= 0 || alpha == 0) return;
  if (is_better_transposed(c, m, n)) {
    const View kept = a;
    const int rows = m;
    a = transposed(b), b = transposed(kept), c = transposed(c), m = n, n = rows;
  }
  if (c.row == -1) a = rows_reversed(a, m), c = rows_reversed(c, m);
  for (int j = 0; j < n; j += NC) {
    const int columns = n - j < NC ? n - j : NC;
    for (int p = 0; p < k; p += KC) {
      const int depth = k - p < KC ? k - p : KC;
      pack_columns(depth, columns, alpha, part_of(b, p, j), R_(panel_b));
      for (int i = 0; i < m; i += MC) {
        const int rows = m - i < MC ? m - i : MC;
        pack_rows(rows, depth, part_of(a, i, p), R_(panel_a));
        tiles(rows, columns, depth, R_(panel_a), R_(panel_b), part_of(c, i, j));
      }
    }
  }
}

/* C := beta·C; what a beta of 0 meets is not read. */
APART void scale_matrix(int m, int n, R beta, View c) {
  if (beta == 1) return;
  if (c.row == 1) {
    for (int j = 0; j < n; j++) {
      R *column = c.at + j * c.column;
      if (beta == 0) for (int i = 0; i < m; i++) column[i] = 0;
      else scale(m, beta, column);
    }
    return;
  }
  for (int j = 0; j < n; j++) for (int i = 0; i < m; i++) {
    R *at = c.at + i * c.row + j * c.column;
    *at = beta == 0 ? 0 : beta * *at;
  }
}
