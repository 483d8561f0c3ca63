/*
 * A matrix, whose rows are the elements of the result, times a vector; or one row: a product of two vectors. Sums in lanes (product.h), in whichever direction the matrix
 * lies: along k, with a lane beside the other; along the rows, with a vector of results for each lane, or a strip of them where the matrix is larger than a cache.
 */
#define LANES ((int)(LANE_BYTES / sizeof(T)))
#define GROUP ((int)(LANE_BYTES / VECTOR_BYTES))
#define STRIP ((i64)(STRIP_BYTES / sizeof(T)))

typedef T OF(quarter_t) __attribute__((vector_size(16), aligned(sizeof(T)), may_alias));

/* The numbers of a vector fold by halves until one element is left. */
INLINE void OF(fold)(const int lanes, T *to, V sums) {
  union { V whole; OF(quarter_t) parts[VECTOR_BYTES / 16]; } as = {sums};
  UNROLL for (int half = VECTOR_BYTES / 32; half >= 1; half /= 2)
    UNROLL for (int i = 0; i < half; i++) as.parts[i] += as.parts[half + i];
  T last[16 / sizeof(T)];
  UNROLL for (int i = 0; i < (int)(16 / sizeof(T)); i++) last[i] = as.parts[0][i];
  UNROLL for (int half = 8 / (int)sizeof(T); half >= lanes; half /= 2)
    UNROLL for (int i = 0; i < half; i++) last[i] += last[half + i];
  UNROLL for (int i = 0; i < lanes; i++) to[i] = last[i];
}

INLINE void OF(put)(const int lanes, T *to, const T *first, const T *second, int is_first) {
  const T re = lanes == 1 ? first[0] : first[0] - first[1];
  to[0] = (is_first ? re : to[0] + re) + 0;
  if (lanes == 2) to[1] = (is_first ? second[0] + second[1] : to[1] + (second[0] + second[1])) + 0;
}

/* ---------------------------------------------------------------- along k */

/* `rows` rows of `depth` numbers that lie next to each other; `swapped` is the vector with the parts of each element exchanged. `groups` times LANES at a time. */
INLINE void OF(along)(const int lanes, const int rows, const int groups, T *out, i64 out_row, const T *matrix, i64 row, const T *vector, const T *swapped, i64 depth, int is_first) {
  const int vectors = groups * GROUP;
  const i64 step = groups * LANES;
  V sums[ALONG_ROWS][DOT_BYTES / VECTOR_BYTES], others[ALONG_ROWS][DOT_BYTES / VECTOR_BYTES];
  UNROLL for (int r = 0; r < rows; r++)
    UNROLL for (int v = 0; v < vectors; v++) sums[r][v] = others[r][v] = (V){0};
  i64 p = 0;
  for (; p + step <= depth; p += step)
    UNROLL for (int v = 0; v < vectors; v++) {
      const V right = OF(load)(vector + p + v * WIDTH), other = lanes == 2 ? OF(load)(swapped + p + v * WIDTH) : right;
      UNROLL for (int r = 0; r < rows; r++) {
        const V own = OF(load)(matrix + r * row + p + v * WIDTH);
        sums[r][v] = OF(multiply_add)(own, right, sums[r][v]);
        if (lanes == 2) others[r][v] = OF(multiply_add)(own, other, others[r][v]);
      }
    }
  UNROLL for (int v = 0; v < vectors; v++, p += WIDTH) {
    if (p >= depth) break;
    const i64 count = depth - p < WIDTH ? depth - p : WIDTH;
    const V right = OF(load_part)(vector + p, count), other = lanes == 2 ? OF(load_part)(swapped + p, count) : right;
    UNROLL for (int r = 0; r < rows; r++) {
      const V own = OF(load_part)(matrix + r * row + p, count);
      sums[r][v] = OF(multiply_add)(own, right, sums[r][v]);
      if (lanes == 2) others[r][v] = OF(multiply_add)(own, other, others[r][v]);
    }
  }
  UNROLL for (int r = 0; r < rows; r++) {
    UNROLL for (int half = vectors / 2; half >= 1; half /= 2)
      UNROLL for (int v = 0; v < half; v++) {
        sums[r][v] += sums[r][half + v];
        if (lanes == 2) others[r][v] += others[r][half + v];
      }
    T first[2], second[2];
    OF(fold)(lanes, first, sums[r][0]);
    if (lanes == 2) OF(fold)(lanes, second, others[r][0]);
    OF(put)(lanes, out + r * out_row, first, second, is_first);
  }
}

INLINE void OF(rows_along)(const int lanes, T *out, i64 out_row, const T *matrix, i64 rows, i64 row, const T *vector, const T *swapped, i64 depth, int is_first) {
  const int most = ALONG_ROWS / lanes;
  i64 r = 0;
  for (; r + most <= rows; r += most) OF(along)(lanes, most, 1, out + r * out_row, out_row, matrix + r * row, row, vector, swapped, depth, is_first);
  for (; r < rows; r++) OF(along)(lanes, 1, 1, out + r * out_row, out_row, matrix + r * row, row, vector, swapped, depth, is_first);
}

/* ---------------------------------------------------------------- along the rows */

/* Sums that lie as the matrix does become results: `first` those of products with the vector's re, `second` with its im. */
INLINE void OF(put_across)(const int lanes, T *out, i64 out_row, const T *first, const T *second, i64 count, int is_first) {
  for (i64 i = 0; i < count; i += lanes) {
    const T re[2] = {first[i], lanes == 2 ? second[i + 1] : 0}, im[2] = {lanes == 2 ? second[i] : 0, lanes == 2 ? first[i + 1] : 0};
    OF(put)(lanes, out + i / lanes * out_row, re, im, is_first);
  }
}

/* A vector of results, each lane's sums in a register. */
INLINE void OF(across_vector)(const int lanes, const int is_part, T *out, i64 out_row, const T *matrix, i64 column, const T *factors, i64 depth, i64 width, int is_first) {
  const int step = LANES / lanes;
  V sums[2][LANES];
  UNROLL for (int l = 0; l < step; l++) sums[0][l] = sums[1][l] = (V){0};
  i64 p = 0;
  for (; p + step <= depth; p += step)
    UNROLL for (int l = 0; l < step; l++) {
      const V own = is_part ? OF(load_part)(matrix + (p + l) * column, width) : OF(load)(matrix + (p + l) * column);
      UNROLL for (int part = 0; part < lanes; part++) sums[part][l] = OF(multiply_add)(OF(splat)(factors[(p + l) * lanes + part]), own, sums[part][l]);
    }
  UNROLL for (int l = 0; l < step; l++)
    if (p + l < depth) {
      const V own = is_part ? OF(load_part)(matrix + (p + l) * column, width) : OF(load)(matrix + (p + l) * column);
      UNROLL for (int part = 0; part < lanes; part++) sums[part][l] = OF(multiply_add)(OF(splat)(factors[(p + l) * lanes + part]), own, sums[part][l]);
    }
  T first[WIDTH], second[WIDTH];
  UNROLL for (int part = 0; part < lanes; part++) {
    UNROLL for (int half = step / 2; half >= 1; half /= 2)
      UNROLL for (int l = 0; l < half; l++) sums[part][l] += sums[part][half + l];
    if (lanes == 1 && out_row == 1 && is_first) OF(store_part)(out, sums[0][0] + (V){0}, width);
    else OF(store)(part ? second : first, sums[part][0]);
  }
  if (!(lanes == 1 && out_row == 1 && is_first)) OF(put_across)(lanes, out, out_row, first, second, width, is_first);
}

/* strip[i] += Σ matrix[r·row + i]·factors[r·step] over `count` rows, one after the other. */
INLINE void OF(add_rows)(const int count, T *restrict strip, const T *matrix, i64 row, const T *factors, i64 step, i64 width) {
  V splats[4];
  UNROLL for (int r = 0; r < count; r++) splats[r] = OF(splat)(factors[r * step]);
  i64 i = 0;
  for (; i + WIDTH <= width; i += WIDTH) {
    V sum = OF(load)(strip + i);
    UNROLL for (int r = 0; r < count; r++) sum = OF(multiply_add)(splats[r], OF(load)(matrix + r * row + i), sum);
    OF(store)(strip + i, sum);
  }
  if (i < width) {
    V sum = OF(load)(strip + i);
    UNROLL for (int r = 0; r < count; r++) sum = OF(multiply_add)(splats[r], OF(load_part)(matrix + r * row + i, width - i), sum);
    OF(store)(strip + i, sum);
  }
}

/* Up to STRIP results, a strip in `strips` for each lane, re's before im's. */
INLINE void OF(across_strip)(const int lanes, T *out, i64 out_row, const T *matrix, i64 column, const T *factors, i64 depth, i64 width, T *strips, int is_first) {
  const i64 step = LANES / lanes;
  T *parts[2] = {strips, strips + step * STRIP};
  memset(strips, 0, (size_t)(LANES * STRIP) * sizeof(T));
  i64 p = 0;
  for (; p + 4 * step <= depth; p += 4 * step)
    for (i64 l = 0; l < step; l++)
      for (int part = 0; part < lanes; part++) OF(add_rows)(4, parts[part] + l * STRIP, matrix + (p + l) * column, step * column, factors + (p + l) * lanes + part, step * lanes, width);
  for (; p < depth; p++)
    for (int part = 0; part < lanes; part++) OF(add_rows)(1, parts[part] + p % step * STRIP, matrix + p * column, 0, factors + p * lanes + part, 0, width);
  for (int part = 0; part < lanes; part++)
    for (i64 half = step / 2; half >= 1; half /= 2)
      for (i64 l = 0; l < half; l++) {
        T *restrict low = parts[part] + l * STRIP;
        const T *restrict high = parts[part] + (half + l) * STRIP;
        for (i64 i = 0; i < width; i++) low[i] += high[i];
      }
  OF(put_across)(lanes, out, out_row, parts[0], parts[1], width, is_first);
}

INLINE void OF(rows_across)(const int lanes, T *out, i64 out_row, const T *matrix, i64 rows, i64 column, const T *factors, i64 depth, T *strips, int is_first) {
  const i64 count = rows * lanes;
  if (depth * count * (i64)sizeof(T) > CACHED_BYTES) {
    for (i64 r = 0; r < count; r += STRIP) OF(across_strip)(lanes, out + r / lanes * out_row, out_row, matrix + r, column, factors, depth, count - r < STRIP ? count - r : STRIP, strips, is_first);
    return;
  }
  i64 r = 0;
  for (; r + WIDTH <= count; r += WIDTH) OF(across_vector)(lanes, 0, out + r / lanes * out_row, out_row, matrix + r, column, factors, depth, WIDTH, is_first);
  if (r < count) OF(across_vector)(lanes, 1, out + r / lanes * out_row, out_row, matrix + r, column, factors, depth, count - r, is_first);
}

/* ---------------------------------------------------------------- both */

INLINE void OF(copy_elements)(const int lanes, T *restrict to, const T *restrict from, i64 count, i64 step, int is_swapped) {
  for (i64 p = 0; p < count; p++)
    for (int lane = 0; lane < lanes; lane++) to[p * lanes + lane] = from[p * step + (is_swapped ? 1 - lane : lane)];
}

INLINE void OF(multiply_vector)(const int lanes, const tf_product *is, T *out, const T *lhs, const T *rhs) {
  const int is_row = is->m == 1 && is->n > 1; /* the matrix is the right side */
  const T *matrix = is_row ? rhs : lhs, *vector = is_row ? lhs : rhs;
  const i64 rows = is_row ? is->n : is->m, row = is_row ? is->rhs_n : is->lhs_m, column = is_row ? is->rhs_k : is->lhs_k;
  const i64 vector_k = is_row ? is->lhs_k : is->rhs_k, out_row = is_row ? is->out_n : is->out_m;
  T *copied = (T *)is->scratch, *swapped = copied + TF_DEPTH * lanes, *work = swapped + TF_DEPTH * lanes;
  for (i64 block = 0; block < is->k; block += TF_DEPTH, matrix += TF_DEPTH * column, vector += TF_DEPTH * vector_k) {
    const i64 depth = is->k - block < TF_DEPTH ? is->k - block : TF_DEPTH;
    const T *factors = vector;
    if (vector_k != lanes) OF(copy_elements)(lanes, copied, vector, depth, vector_k, 0), factors = copied;
    if (row == lanes && rows > 1) {
      OF(rows_across)(lanes, out, out_row, matrix, rows, column, factors, depth, work, block == 0);
      continue;
    }
    if (lanes == 2) OF(copy_elements)(lanes, swapped, vector, depth, vector_k, 1);
    if (rows == 1) {
      if (column != lanes) OF(copy_elements)(lanes, work, matrix, depth, column, 0);
      OF(along)(lanes, 1, DOT_BYTES / LANE_BYTES, out, out_row, column == lanes ? matrix : work, 0, factors, swapped, depth * lanes, block == 0);
    } else if (column == lanes) {
      OF(rows_along)(lanes, out, out_row, matrix, rows, row, factors, swapped, depth * lanes, block == 0);
    } else {
      for (i64 r = 0; r < rows; r++) {
        OF(copy_elements)(lanes, work, matrix + r * row, depth, column, 0);
        OF(rows_along)(lanes, out + r * out_row, out_row, work, 1, 0, factors, swapped, depth * lanes, block == 0);
      }
    }
  }
}

static void JOIN(OF(vector), 1)(const tf_product *product, void *out, const void *lhs, const void *rhs) { OF(multiply_vector)(1, product, out, lhs, rhs); }
#ifndef IS_INTEGER
static void JOIN(OF(vector), 2)(const tf_product *product, void *out, const void *lhs, const void *rhs) { OF(multiply_vector)(2, product, out, lhs, rhs); }
#endif
#undef LANES
#undef GROUP
#undef STRIP
