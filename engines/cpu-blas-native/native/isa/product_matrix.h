/*
 * Products of two matrices without packing more than a panel of the right side: what is small, thin, or of integers. A tile is `rows` by `vectors` accumulators, which
 * take the products of a block of k in turn. A complex matrix is a real one with two rows (re, im) for each of the left side's, and two columns for each of the right's.
 */

/* to[row][column] = Σ lhs[row][p·lhs_k]·rhs[p·rhs_k + column] over p < k (at least one), `vectors` vectors wide, the last of which has `last` columns. */
INLINE void OF(tile)(const int rows, const int vectors, T *to, i64 to_row, const T *const *lhs, i64 lhs_k, const T *rhs, i64 rhs_k, i64 k, i64 last) {
  V sums[TILE_ROWS][THIN_VECTORS];
  UNROLL for (int i = 0; i < rows; i++)
    UNROLL for (int v = 0; v < vectors; v++) sums[i][v] = (V){0};
  const char *own[TILE_ROWS];
  UNROLL for (int i = 0; i < rows; i++) own[i] = (const char *)lhs[i];
  /* One loop, of at least one round: where the compiler makes another for lhs_k = 1, it copies the sums around in both. */
  i64 lhs_step = lhs_k * (i64)sizeof(T);
  __asm__("" : "+r"(lhs_step), "+r"(rhs_k));
  i64 at = 0;
  do {
    V right[THIN_VECTORS];
    UNROLL for (int v = 0; v < vectors - 1; v++) right[v] = OF(load)(rhs + v * WIDTH);
    right[vectors - 1] = OF(load_part)(rhs + (vectors - 1) * WIDTH, last);
    UNROLL for (int i = 0; i < rows; i++) {
      const V left = OF(splat)(*(const T *)(own[i] + at));
      UNROLL for (int v = 0; v < vectors; v++) sums[i][v] = OF(multiply_add)(left, right[v], sums[i][v]);
    }
    at += lhs_step, rhs += rhs_k;
  } while (--k > 0);
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
#define THIN_TILES(rows) TILES(rows) TILE(rows, 3) TILE(rows, 4)
#define ROW(rows) {0, OF(tile_##rows##_1), OF(tile_##rows##_2), 0, 0}
#define THIN_ROW(rows) {0, OF(tile_##rows##_1), OF(tile_##rows##_2), OF(tile_##rows##_3), OF(tile_##rows##_4)}
#if TF_LEVEL == 2
THIN_TILES(1) THIN_TILES(2) THIN_TILES(3) THIN_TILES(4) TILES(5) TILES(6) TILES(7) TILES(8)
static const OF(tile_kernel) OF(tiles)[][THIN_VECTORS + 1] = {{0}, THIN_ROW(1), THIN_ROW(2), THIN_ROW(3), THIN_ROW(4), ROW(5), ROW(6), ROW(7), ROW(8)};
#elif TF_LEVEL == 1
THIN_TILES(1) THIN_TILES(2) TILES(3) TILES(4) TILES(5) TILES(6)
static const OF(tile_kernel) OF(tiles)[][THIN_VECTORS + 1] = {{0}, THIN_ROW(1), THIN_ROW(2), ROW(3), ROW(4), ROW(5), ROW(6)};
#else
THIN_TILES(1) THIN_TILES(2) TILES(3) TILES(4)
static const OF(tile_kernel) OF(tiles)[][THIN_VECTORS + 1] = {{0}, THIN_ROW(1), THIN_ROW(2), ROW(3), ROW(4)};
#endif
#undef TILE
#undef TILES
#undef THIN_TILES
#undef ROW
#undef THIN_ROW

/* Rows of a tile in the working memory. */
#define TILE_ROW (THIN_VECTORS * WIDTH)

/* A tile of sums into the result, or onto it. */
INLINE void OF(finish)(const int lanes, T *restrict out, i64 out_m, i64 out_n, const T *restrict sums, i64 rows, i64 columns, int is_first) {
  for (i64 i = 0; i < rows; i += lanes, out += out_m, sums += lanes * TILE_ROW) {
    if (lanes == 1 && out_n == 1) {
      if (is_first) for (i64 j = 0; j < columns; j++) out[j] = sums[j];
      else for (i64 j = 0; j < columns; j++) out[j] += sums[j];
    } else if (lanes == 1) {
      for (i64 j = 0; j < columns; j++) out[j * out_n] = is_first ? sums[j] : out[j * out_n] + sums[j];
    } else if (out_n == 2 && is_first) {
      for (i64 j = 0; j < columns; j += 2) {
        out[j] = sums[j] - sums[TILE_ROW + j + 1];
        out[j + 1] = sums[j + 1] + sums[TILE_ROW + j];
      }
    } else {
      for (i64 j = 0; 2 * j < columns; j++) {
        const T re = sums[2 * j] - sums[TILE_ROW + 2 * j + 1], im = sums[2 * j + 1] + sums[TILE_ROW + 2 * j];
        T *to = out + j * out_n;
        to[0] = is_first ? re : to[0] + re;
        to[1] = is_first ? im : to[1] + im;
      }
    }
  }
}

/* Columns of a block of the right side next to each other, in rows of `panel` numbers. */
INLINE void OF(pack)(const int lanes, T *restrict to, i64 panel, const T *restrict from, i64 depth, i64 columns, i64 rhs_k, i64 rhs_n) {
  if (rhs_k == lanes) {
    transpose((int)sizeof(T) * lanes, (char *)to, panel * (i64)sizeof(T), (const char *)from, rhs_n * (i64)sizeof(T), columns / lanes, depth);
    return;
  }
  for (i64 p = 0; p < depth; p++)
    for (i64 j = 0; j < columns / lanes; j++)
      for (int lane = 0; lane < lanes; lane++) to[p * panel + j * lanes + lane] = from[p * rhs_k + j * rhs_n + lane];
}

/* What one tile needs. */
typedef struct {
  const T *right;
  i64 right_k, width, depth;
  int vectors, is_first;
} OF(column);

INLINE void OF(multiply_tile)(const int lanes, const tf_product *is, const OF(column) *of, T *out, const T *lhs, i64 row, i64 height, T *sums) {
  const T *left[TILE_ROWS];
  for (i64 i = 0; i < height; i++) left[i] = lhs + (row + i) / lanes * is->lhs_m + (row + i) % lanes;
  T *to = out + row / lanes * is->out_m;
  const int is_direct = lanes == 1 && of->is_first && is->out_n == 1;
  OF(tiles)[height][of->vectors](is_direct ? to : sums, is_direct ? is->out_m : TILE_ROW, left, is->lhs_k, of->right, of->right_k, of->depth, of->width - (of->vectors - 1) * WIDTH);
  if (!is_direct) OF(finish)(lanes, to, is->out_m, is->out_n, sums, height, of->width, of->is_first);
}

/* The vectors lie along the columns. */
INLINE void OF(multiply)(const int lanes, const tf_product *is, T *out, const T *lhs, const T *rhs) {
  const i64 rows = is->m * lanes, columns = is->n * lanes;
  const i64 panel = (rows <= THIN_ROWS ? THIN_VECTORS : TILE_VECTORS) * WIDTH;
  const int is_packed = is->rhs_n != lanes && is->n > 1;
  T *packed = (T *)is->scratch, *sums = packed + TF_DEPTH * THIN_VECTORS * WIDTH;
  for (i64 block = 0; block < is->k; block += TF_DEPTH, lhs += TF_DEPTH * is->lhs_k, rhs += TF_DEPTH * is->rhs_k) {
    const i64 depth = is->k - block < TF_DEPTH ? is->k - block : TF_DEPTH;
    /* Where little is summed, writing counts, and the result is written row after row; else a panel of the right side stays near. */
    const i64 band = depth <= SHALLOW && !is_packed ? TILE_ROWS : rows;
    for (i64 begin = 0; begin < rows; begin += band)
      for (i64 column = 0; column < columns; column += panel) {
        const i64 width = columns - column < panel ? columns - column : panel;
        OF(column) of = {rhs + column / lanes * is->rhs_n, is->rhs_k, width, depth, (int)((width + WIDTH - 1) / WIDTH), block == 0};
        if (is_packed) {
          OF(pack)(lanes, packed, panel, of.right, depth, width, is->rhs_k, is->rhs_n);
          of.right = packed, of.right_k = panel;
        }
        for (i64 row = begin; row < rows && row < begin + band; row += TILE_ROWS)
          OF(multiply_tile)(lanes, is, &of, out + column / lanes * is->out_n, lhs, row, rows - row < TILE_ROWS ? rows - row : TILE_ROWS, sums);
      }
  }
}

/*
 * Vectors lie along the rows instead where that is the way the left side lies, or there are too few columns to fill one: outᵀ = rhsᵀ·lhsᵀ has the same sums, since factors
 * and, in complex ones, the two addends of the imaginary part may change places.
 */
INLINE void OF(multiply_turned)(const int lanes, const tf_product *is, T *out, const T *lhs, const T *rhs) {
  const int lies_turned = is->lhs_m == lanes && is->rhs_n != lanes, is_thin = 4 * is->n * lanes <= WIDTH && is->m > 2 * is->n;
  if (!lies_turned && !is_thin) {
    OF(multiply)(lanes, is, out, lhs, rhs);
    return;
  }
  const tf_product turned = {is->n, is->m, is->k, is->rhs_n, is->rhs_k, is->lhs_k, is->lhs_m, is->out_n, is->out_m, is->scratch};
  OF(multiply)(lanes, &turned, out, rhs, lhs);
}

static void JOIN(OF(matrix), 1)(const tf_product *product, void *out, const void *lhs, const void *rhs) { OF(multiply_turned)(1, product, out, lhs, rhs); }
#ifndef IS_INTEGER
static void JOIN(OF(matrix), 2)(const tf_product *product, void *out, const void *lhs, const void *rhs) { OF(multiply_turned)(2, product, out, lhs, rhs); }
#endif
#undef TILE_ROW
