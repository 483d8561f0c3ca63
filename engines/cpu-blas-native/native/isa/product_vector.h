/*
 * A matrix, whose rows are the elements of the result, times a vector; or one row: a product of two vectors. Sums in lanes (product.h), in whichever direction the matrix
 * lies: along k with a lane beside the other, along the rows with a strip of results for each lane.
 */
#define LANES ((i64)(LANE_BYTES / sizeof(T)))
#define GROUP ((int)(LANE_BYTES / VECTOR_BYTES))
#define STRIP ((i64)(1024 / sizeof(T)))

/* Numbers fold by halves until one element is left. */
INLINE void OF(fold)(const int lanes, T *sums, i64 count) {
  for (i64 half = count / 2; half >= lanes; half /= 2)
    for (i64 i = 0; i < half; i++) sums[i] += sums[half + i];
}

INLINE void OF(put)(const int lanes, T *to, const T *first, const T *second, int is_first) {
  const T re = lanes == 1 ? first[0] : first[0] - first[1];
  to[0] = (is_first ? re : to[0] + re) + 0;
  if (lanes == 2) to[1] = (is_first ? second[0] + second[1] : to[1] + (second[0] + second[1])) + 0;
}

/* `rows` rows along k, `depth` numbers that lie next to each other; `swapped` is the vector with the parts of each element exchanged. `groups` times LANES at a time. */
INLINE void OF(along)(const int lanes, const int rows, const int groups, T *out, i64 out_row, const T *matrix, i64 row, const T *vector, const T *swapped, i64 depth, int is_first) {
  const int vectors = groups * GROUP;
  const i64 step = groups * LANES;
  V sums[4 * DOT_BYTES / LANE_BYTES * LANE_BYTES / VECTOR_BYTES], others[4 * DOT_BYTES / LANE_BYTES * LANE_BYTES / VECTOR_BYTES];
  UNROLL for (int i = 0; i < rows * vectors; i++) sums[i] = others[i] = (V){0};
  i64 p = 0;
  for (; p + step <= depth; p += step)
    UNROLL for (int v = 0; v < vectors; v++)
      UNROLL for (int r = 0; r < rows; r++) {
        const V own = OF(load)(matrix + r * row + p + v * WIDTH);
        sums[r * vectors + v] = OF(multiply_add)(own, OF(load)(vector + p + v * WIDTH), sums[r * vectors + v]);
        if (lanes == 2) others[r * vectors + v] = OF(multiply_add)(own, OF(load)(swapped + p + v * WIDTH), others[r * vectors + v]);
      }
  for (int v = 0; p < depth; v++, p += WIDTH) {
    const i64 count = depth - p < WIDTH ? depth - p : WIDTH;
    const V right = OF(load_part)(vector + p, count), other = lanes == 2 ? OF(load_part)(swapped + p, count) : right;
    UNROLL for (int r = 0; r < rows; r++) {
      const V own = OF(load_part)(matrix + r * row + p, count);
      sums[r * vectors + v] = OF(multiply_add)(own, right, sums[r * vectors + v]);
      if (lanes == 2) others[r * vectors + v] = OF(multiply_add)(own, other, others[r * vectors + v]);
    }
  }
  UNROLL for (int r = 0; r < rows; r++) {
    T first[DOT_BYTES / sizeof(T)], second[DOT_BYTES / sizeof(T)];
    UNROLL for (int half = vectors / 2; half >= 1; half /= 2)
      UNROLL for (int v = 0; v < half; v++) {
        sums[r * vectors + v] += sums[r * vectors + half + v];
        if (lanes == 2) others[r * vectors + v] += others[r * vectors + half + v];
      }
    OF(store)(first, sums[r * vectors]);
    OF(fold)(lanes, first, WIDTH);
    if (lanes == 2) {
      OF(store)(second, others[r * vectors]);
      OF(fold)(lanes, second, WIDTH);
    }
    OF(put)(lanes, out + r * out_row, first, second, is_first);
  }
}

/* strip[i] += Σ matrix[l·LANES/lanes·row + i]·factors of `count` rows, one after the other. */
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

/* Up to STRIP results, which lie next to each other in the matrix; `factors` is the vector, re and im. `strips`: one for each lane, re's before im's. */
INLINE void OF(across)(const int lanes, T *out, i64 out_row, const T *matrix, i64 column, const T *factors, i64 depth, i64 width, T *strips, int is_first) {
  const i64 step = LANES / lanes, used = depth < step ? depth : step;
  memset(strips, 0, (size_t)(used * STRIP) * sizeof(T));
  T *others = strips + step * STRIP;
  if (lanes == 2) memset(others, 0, (size_t)(used * STRIP) * sizeof(T));
  i64 p = 0;
  for (; p + 4 * step <= depth; p += 4 * step)
    for (i64 l = 0; l < step; l++)
      for (int part = 0; part < lanes; part++) OF(add_rows)(4, (part ? others : strips) + l * STRIP, matrix + (p + l) * column, step * column, factors + (p + l) * lanes + part, step * lanes, width);
  for (; p < depth; p++)
    for (int part = 0; part < lanes; part++) OF(add_rows)(1, (part ? others : strips) + p % step * STRIP, matrix + p * column, 0, factors + p * lanes + part, 0, width);
  for (int part = 0; part < lanes; part++)
    for (i64 half = step / 2; half >= 1; half /= 2)
      for (i64 l = 0; l < half && half + l < used; l++) {
        T *restrict low = (part ? others : strips) + l * STRIP;
        const T *restrict high = (part ? others : strips) + (half + l) * STRIP;
        for (i64 i = 0; i < width; i++) low[i] += high[i];
      }
  for (i64 i = 0; i < width; i += lanes) {
    // re: Σ re·re − Σ im·im; im: Σ re·im + Σ im·re, of which a strip holds those with the vector's re, the other those with its im.
    const T first[2] = {strips[i], lanes == 2 ? others[i + 1] : 0}, second[2] = {lanes == 2 ? others[i] : 0, lanes == 2 ? strips[i + 1] : 0};
    OF(put)(lanes, out + i / lanes * out_row, first, second, is_first);
  }
}

INLINE void OF(rows_along)(const int lanes, T *out, i64 out_row, const T *matrix, i64 rows, i64 row, const T *vector, const T *swapped, i64 depth, int is_first) {
  if (rows == 1) {
    OF(along)(lanes, 1, DOT_BYTES / LANE_BYTES, out, out_row, matrix, row, vector, swapped, depth, is_first);
    return;
  }
  i64 r = 0;
  for (; r + 4 <= rows; r += 4) OF(along)(lanes, 4, 1, out + r * out_row, out_row, matrix + r * row, row, vector, swapped, depth, is_first);
  for (; r < rows; r++) OF(along)(lanes, 1, 1, out + r * out_row, out_row, matrix + r * row, row, vector, swapped, depth, is_first);
}

INLINE void OF(multiply_vector)(const int lanes, const tf_product *is, T *out, const T *lhs, const T *rhs) {
  const int is_row = is->m == 1 && is->n > 1; /* the matrix is the right side */
  const T *matrix = is_row ? rhs : lhs, *vector = is_row ? lhs : rhs;
  const i64 rows = is_row ? is->n : is->m, row = is_row ? is->rhs_n : is->lhs_m, column = is_row ? is->rhs_k : is->lhs_k;
  const i64 vector_k = is_row ? is->lhs_k : is->rhs_k, out_row = is_row ? is->out_n : is->out_m;
  T *factors = (T *)is->scratch, *swapped = factors + TF_DEPTH * lanes, *work = swapped + TF_DEPTH * lanes;
  for (i64 block = 0; block < is->k; block += TF_DEPTH) {
    const i64 depth = is->k - block < TF_DEPTH ? is->k - block : TF_DEPTH;
    const T *from = vector + block * vector_k, *at = matrix + block * column;
    for (i64 p = 0; p < depth; p++)
      for (int lane = 0; lane < lanes; lane++) {
        factors[p * lanes + lane] = from[p * vector_k + lane];
        if (lanes == 2) swapped[p * lanes + lane] = from[p * vector_k + 1 - lane];
      }
    if (row == lanes && rows > 1) {
      for (i64 r = 0; r < rows * lanes; r += STRIP) OF(across)(lanes, out + r / lanes * out_row, out_row, at + r, column, factors, depth, rows * lanes - r < STRIP ? rows * lanes - r : STRIP, work, block == 0);
    } else if (column == lanes) {
      OF(rows_along)(lanes, out, out_row, at, rows, row, factors, swapped, depth * lanes, block == 0);
    } else {
      /* Rows are copied, some at a time; one alone has other lanes than several. */
      for (i64 r = 0; r < rows; r += 4) {
        const i64 count = rows - r < 4 ? rows - r : 4;
        for (i64 i = 0; i < count; i++)
          for (i64 p = 0; p < depth; p++)
            for (int lane = 0; lane < lanes; lane++) work[(i * TF_DEPTH + p) * lanes + lane] = at[(r + i) * row + p * column + lane];
        if (rows == 1) {
          OF(rows_along)(lanes, out, out_row, work, 1, 0, factors, swapped, depth * lanes, block == 0);
        } else {
          for (i64 i = 0; i < count; i++) OF(along)(lanes, 1, 1, out + (r + i) * out_row, out_row, work + i * TF_DEPTH * lanes, 0, factors, swapped, depth * lanes, block == 0);
        }
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
