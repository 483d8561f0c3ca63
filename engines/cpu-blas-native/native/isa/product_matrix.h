/*
 * Products of two matrices without packing more than a panel of the right side: what is small, thin, or of integers. A tile is `rows` by `vectors` accumulators, which
 * take the products of a block of k in turn. A complex matrix is a real one with two rows (re, im) for each of the left side's, and two columns for each of the right's.
 */

/* to[row][column] = Σ rows[row][p·depth]·rhs[p·rhs_row + column] over p < k, `vectors` vectors wide, the last of which has `last` columns. */
INLINE void OF(tile)(const int rows, const int vectors, T *to, i64 to_row, const T *const *lhs, i64 lhs_k, const T *rhs, i64 rhs_k, i64 k, i64 last) {
  V sums[TILE_ROWS][TILE_VECTORS];
  UNROLL for (int i = 0; i < rows; i++)
    UNROLL for (int v = 0; v < vectors; v++) sums[i][v] = (V){0};
  const T *own[TILE_ROWS];
  UNROLL for (int i = 0; i < rows; i++) own[i] = lhs[i];
  for (i64 p = 0, at = 0; p < k; p++, at += lhs_k, rhs += rhs_k) {
    V right[TILE_VECTORS];
    UNROLL for (int v = 0; v < vectors - 1; v++) right[v] = OF(load)(rhs + v * WIDTH);
    right[vectors - 1] = OF(load_part)(rhs + (vectors - 1) * WIDTH, last);
    UNROLL for (int i = 0; i < rows; i++) {
      const V left = OF(splat)(own[i][at]);
      UNROLL for (int v = 0; v < vectors; v++) sums[i][v] = OF(multiply_add)(left, right[v], sums[i][v]);
    }
  }
  UNROLL for (int i = 0; i < rows; i++) {
    UNROLL for (int v = 0; v < vectors - 1; v++) OF(store)(to + i * to_row + v * WIDTH, sums[i][v]);
    OF(store_part)(to + i * to_row + (vectors - 1) * WIDTH, sums[i][vectors - 1], last);
  }
}

typedef void (*OF(tile_kernel))(T *to, i64 to_row, const T *const *lhs, i64 lhs_k, const T *rhs, i64 rhs_k, i64 k, i64 last);
#define TILE(rows, vectors)                                                                                                                          \
  static void OF(tile_##rows##_##vectors)(T *to, i64 to_row, const T *const *lhs, i64 lhs_k, const T *rhs, i64 rhs_k, i64 k, i64 last) {              \
    OF(tile)(rows, vectors, to, to_row, lhs, lhs_k, rhs, rhs_k, k, last);                                                                            \
  }
#define TILES(rows) TILE(rows, 1) TILE(rows, 2)
TILES(1) TILES(2) TILES(3) TILES(4)
#if TILE_ROWS > 4
TILES(5) TILES(6)
#endif
#if TILE_ROWS > 6
TILES(7) TILES(8)
#endif
static const OF(tile_kernel) OF(tiles)[TILE_ROWS + 1][TILE_VECTORS + 1] = {
#define ROW(rows) {0, OF(tile_##rows##_1), OF(tile_##rows##_2)}
  {0, 0, 0}, ROW(1), ROW(2), ROW(3), ROW(4),
#if TILE_ROWS > 4
  ROW(5), ROW(6),
#endif
#if TILE_ROWS > 6
  ROW(7), ROW(8),
#endif
};
#undef TILE
#undef TILES
#undef ROW

#define PANEL (TILE_VECTORS * WIDTH)

/* A tile of sums into the result, or onto it. */
INLINE void OF(finish)(const int lanes, T *restrict out, i64 out_m, i64 out_n, const T *restrict sums, i64 rows, i64 columns, int is_first) {
  for (i64 i = 0; i < rows; i += lanes, out += out_m, sums += lanes * PANEL) {
    if (lanes == 1 && out_n == 1) {
      for (i64 j = 0; j < columns; j++) out[j] = is_first ? sums[j] : out[j] + sums[j];
    } else if (lanes == 1) {
      for (i64 j = 0; j < columns; j++) out[j * out_n] = is_first ? sums[j] : out[j * out_n] + sums[j];
    } else {
      for (i64 j = 0; 2 * j < columns; j++) {
        const T re = sums[2 * j] - sums[PANEL + 2 * j + 1], im = sums[2 * j + 1] + sums[PANEL + 2 * j];
        T *to = out + j * out_n;
        to[0] = is_first ? re : to[0] + re;
        to[1] = is_first ? im : to[1] + im;
      }
    }
  }
}

/* Columns of a block of the right side next to each other. */
INLINE void OF(pack)(const int lanes, T *restrict to, const T *restrict from, i64 depth, i64 columns, i64 rhs_k, i64 rhs_n) {
  for (i64 j = 0; j < columns / lanes; j++)
    for (i64 p = 0; p < depth; p++)
      for (int lane = 0; lane < lanes; lane++) to[p * PANEL + j * lanes + lane] = from[p * rhs_k + j * rhs_n + lane];
}

INLINE void OF(multiply)(const int lanes, const tf_product *is, T *out, const T *lhs, const T *rhs) {
  T *panel = (T *)is->scratch, *tile = panel + TF_DEPTH * PANEL;
  const i64 rows = is->m * lanes, columns = is->n * lanes;
  for (i64 block = 0; block < is->k; block += TF_DEPTH) {
    const i64 depth = is->k - block < TF_DEPTH ? is->k - block : TF_DEPTH;
    for (i64 column = 0; column < columns; column += PANEL) {
      const i64 width = columns - column < PANEL ? columns - column : PANEL;
      const int vectors = width > WIDTH ? 2 : 1;
      const T *right = rhs + block * is->rhs_k + column / lanes * is->rhs_n;
      i64 right_k = is->rhs_k;
      if (is->rhs_n != lanes && width > lanes) {
        OF(pack)(lanes, panel, right, depth, width, is->rhs_k, is->rhs_n);
        right = panel;
        right_k = PANEL;
      }
      for (i64 row = 0; row < rows; row += TILE_ROWS) {
        const i64 height = rows - row < TILE_ROWS ? rows - row : TILE_ROWS;
        const T *left[TILE_ROWS];
        for (i64 i = 0; i < height; i++) left[i] = lhs + block * is->lhs_k + (row + i) / lanes * is->lhs_m + (row + i) % lanes;
        T *to = out + row / lanes * is->out_m + column / lanes * is->out_n;
        const int is_direct = lanes == 1 && block == 0 && is->out_n == 1;
        OF(tiles)[height][vectors](is_direct ? to : tile, is_direct ? is->out_m : PANEL, left, is->lhs_k, right, right_k, depth, width - (vectors - 1) * WIDTH);
        if (!is_direct) OF(finish)(lanes, to, is->out_m, is->out_n, tile, height, width, block == 0);
      }
    }
  }
}

static void JOIN(OF(matrix), 1)(const tf_product *product, void *out, const void *lhs, const void *rhs) { OF(multiply)(1, product, out, lhs, rhs); }
#ifndef IS_INTEGER
static void JOIN(OF(matrix), 2)(const tf_product *product, void *out, const void *lhs, const void *rhs) { OF(multiply)(2, product, out, lhs, rhs); }
#endif
#undef PANEL
