/* Level 2: columns and rows of matrices with vectors, four at a time. */

/* A vector with unit stride: itself, or its elements in the panel, which no product is using. */
INLINE R *gathered(int n, R *x, int stride, R *room) {
  if (stride == 1) return x;
  const R *from = FIRST(x, n, stride);
  for (int i = 0; i < n; i++) room[i] = from[i * stride];
  return room;
}

INLINE void scattered(int n, const R *x, R *to, int stride) {
  if (x == to) return;
  R *first = FIRST(to, n, stride);
  for (int i = 0; i < n; i++) first[i * stride] = x[i];
}

INLINE void scale_vector(int n, R beta, R *y) {
  if (beta == 0) for (int i = 0; i < n; i++) y[i] = 0;
  else if (beta != 1) scale(n, beta, y);
}

/* y += alpha·A·x, columns of A of unit stride */
APART void add_columns(int m, int n, R alpha, const R *a, int lda, const R *x, R *y) {
  int j = 0;
  for (; j + 4 <= n; j += 4) {
    const R factors[4] = {alpha * x[j], alpha * x[j + 1], alpha * x[j + 2], alpha * x[j + 3]};
    add_scaled4(m, factors, a + j * lda, a + (j + 1) * lda, a + (j + 2) * lda, a + (j + 3) * lda, y);
  }
  for (; j < n; j++) add_scaled(m, alpha * x[j], a + j * lda, y);
}

/* y += alpha·Aᵀ·x */
APART void add_dots(int m, int n, R alpha, const R *a, int lda, const R *x, R *y) {
  int j = 0;
  for (; j + 4 <= n; j += 4) {
    R sums[4];
    dot4(m, a + j * lda, a + (j + 1) * lda, a + (j + 2) * lda, a + (j + 3) * lda, x, sums);
    UNROLL for (int c = 0; c < 4; c++) y[j + c] += alpha * sums[c];
  }
  for (; j < n; j++) y[j] += alpha * dot(m, a + j * lda, x);
}

/* Strided vectors longer than the panels: element by element. */
static void gemv_strided(int m, int n, R alpha, View a, const R *x, int incx, R *y, int incy) {
  for (int j = 0; j < n; j++) {
    const R factor = alpha * x[j * incx];
    for (int i = 0; i < m; i++) y[i * incy] += factor * a.at[i * a.row + j * a.column];
  }
}

INLINE int fits(int n, int stride) { return stride == 1 || n <= PANEL_A; }

int R_(gemv)(char *trans, integer *m, integer *n, R *alpha, R *a, integer *lda, R *x, integer *incx, R *beta, R *y, integer *incy, ftnlen length) {
  (void)length;
  const int is_transposed = !is_letter(trans, 'n');
  const int from = is_transposed ? *m : *n, into = is_transposed ? *n : *m;
  if (*m <= 0 || *n <= 0) return 0;
  if (!fits(into, *incy) || !fits(from, *incx)) {
    R *first = FIRST(y, into, *incy);
    for (int i = 0; i < into; i++) first[i * *incy] = *beta == 0 ? 0 : *beta * first[i * *incy];
    gemv_strided(into, from, *alpha, is_transposed ? (View){a, *lda, 1} : (View){a, 1, *lda}, FIRST(x, from, *incx), *incx, first, *incy);
    return 0;
  }
  R *result = gathered(into, y, *incy, R_(panel_a));
  scale_vector(into, *beta, result);
  if (*alpha != 0) (is_transposed ? add_dots : add_columns)(*m, *n, *alpha, a, *lda, gathered(from, x, *incx, R_(panel_b)), result);
  scattered(into, result, y, *incy);
  return 0;
}

int R_(ger)(integer *m, integer *n, R *alpha, R *x, integer *incx, R *y, integer *incy, R *a, integer *lda) {
  if (*m <= 0 || *n <= 0 || *alpha == 0) return 0;
  const R *row = FIRST(y, *n, *incy);
  if (!fits(*m, *incx)) {
    const R *first = FIRST(x, *m, *incx);
    for (int j = 0; j < *n; j++) for (int i = 0; i < *m; i++) a[i + j * *lda] += *alpha * row[j * *incy] * first[i * *incx];
    return 0;
  }
  const R *column = gathered(*m, x, *incx, R_(panel_a));
  for (int j = 0; j < *n; j++) {
    const R factor = *alpha * row[j * *incy];
    if (factor != 0) add_scaled(*m, factor, column, a + j * *lda);
  }
  return 0;
}

/* y += alpha·a, and a·x, in one pass over a */
INLINE R add_and_dot(int n, R alpha, const R *a, const R *x, R *y) {
  const V wide = SPLAT(alpha);
  V sums[2] = {};
  int i = 0;
  for (; i + 2 * LANES <= n; i += 2 * LANES) {
    UNROLL for (int v = 0; v < 2; v++) {
      const V here = load(a + i + v * LANES);
      store(y + i + v * LANES, load(y + i + v * LANES) + wide * here);
      sums[v] += here * load(x + i + v * LANES);
    }
  }
  R sum = total(sums[0] + sums[1]);
  for (; i < n; i++) {
    y[i] += alpha * a[i];
    sum += a[i] * x[i];
  }
  return sum;
}

/* Four columns at once. */
INLINE void add_and_dot4(int n, const R *alpha, const R *a, int lda, const R *x, R *y, R *sums) {
  const V a0 = SPLAT(alpha[0]), a1 = SPLAT(alpha[1]), a2 = SPLAT(alpha[2]), a3 = SPLAT(alpha[3]);
  const R *b = a + lda, *c = b + lda, *d = c + lda;
  V s0 = {}, s1 = {}, s2 = {}, s3 = {};
  int i = 0;
  for (; i + LANES <= n; i += LANES) {
    const V with = load(x + i);
    V sum = load(y + i), here = load(a + i);
    sum += a0 * here, s0 += here * with, here = load(b + i);
    sum += a1 * here, s1 += here * with, here = load(c + i);
    sum += a2 * here, s2 += here * with, here = load(d + i);
    sum += a3 * here, s3 += here * with;
    store(y + i, sum);
  }
  sums[0] = total(s0), sums[1] = total(s1), sums[2] = total(s2), sums[3] = total(s3);
  for (; i < n; i++) {
    y[i] += (alpha[0] * a[i] + alpha[1] * b[i]) + (alpha[2] * c[i] + alpha[3] * d[i]);
    sums[0] += a[i] * x[i], sums[1] += b[i] * x[i], sums[2] += c[i] * x[i], sums[3] += d[i] * x[i];
  }
}

int R_(symv)(char *uplo, integer *n, R *alpha, R *a, integer *lda, R *x, integer *incx, R *beta, R *y, integer *incy, ftnlen length) {
  (void)length;
  const int size = *n, step = *lda;
  if (size <= 0) return 0;
  R *to = gathered(size, y, *incy, R_(panel_a));
  const R *from = gathered(size, x, *incx, R_(panel_b));
  scale_vector(size, *beta, to);
  int j = 0;
  if (*alpha == 0) j = size;
  const int is_upper = is_letter(uplo, 'u');
  for (; j + 4 <= size; j += 4) {
    const R *columns = a + j * step;
    R factors[4], sums[4];
    UNROLL for (int q = 0; q < 4; q++) factors[q] = *alpha * from[j + q];
    if (is_upper) add_and_dot4(j, factors, columns, step, from, to, sums);
    else add_and_dot4(size - j - 4, factors, columns + j + 4, step, from + j + 4, to + j + 4, sums);
    // The square on the diagonal
    for (int p = 0; p < 4; p++) {
      for (int q = 0; q < 4; q++) sums[p] += columns[is_upper == (p < q) ? q * step + j + p : p * step + j + q] * from[j + q];
      to[j + p] += *alpha * sums[p];
    }
  }
  for (; j < size; j++) {
    const R *column = a + j * step;
    const R sum = is_upper ? add_and_dot(j, *alpha * from[j], column, from, to) : add_and_dot(size - j - 1, *alpha * from[j], column + j + 1, from + j + 1, to + j + 1);
    to[j] += *alpha * (sum + column[j] * from[j]);
  }
  scattered(size, to, y, *incy);
  return 0;
}

int R_(syr2)(char *uplo, integer *n, R *alpha, R *x, integer *incx, R *y, integer *incy, R *a, integer *lda, ftnlen length) {
  (void)length;
  if (*n <= 0 || *alpha == 0) return 0;
  const R *u = gathered(*n, x, *incx, R_(panel_a)), *v = gathered(*n, y, *incy, R_(panel_b));
  for (int j = 0; j < *n; j++) {
    const int first = is_letter(uplo, 'u') ? 0 : j, count = is_letter(uplo, 'u') ? j + 1 : *n - j;
    R *column = a + j * *lda + first;
    add_scaled(count, *alpha * v[j], u + first, column);
    add_scaled(count, *alpha * u[j], v + first, column);
  }
  return 0;
}

/* x := op(A)·x. A view that is lower: from the last element up; by columns or by rows, as they lie. */
int R_(trmv)(char *uplo, char *trans, char *diag, integer *n, R *a, integer *lda, R *x, integer *incx, ftnlen l1, ftnlen l2, ftnlen l3) {
  (void)l1, (void)l2, (void)l3;
  const int size = *n, is_unit = is_letter(diag, 'u'), is_lower = is_letter(uplo, 'l');
  R *v = gathered(size, x, *incx, R_(panel_a));
  if (is_letter(trans, 'n')) {
    for (int step = 0; step < size; step++) {
      const int j = is_lower ? size - 1 - step : step;
      const R *column = a + j * *lda;
      if (is_lower) add_scaled(size - 1 - j, v[j], column + j + 1, v + j + 1);
      else add_scaled(j, v[j], column, v);
      if (!is_unit) v[j] *= column[j];
    }
  } else {
    for (int step = 0; step < size; step++) {
      const int j = is_lower ? step : size - 1 - step;
      const R *column = a + j * *lda;
      const R own = is_unit ? v[j] : v[j] * column[j];
      v[j] = own + (is_lower ? dot(size - 1 - j, column + j + 1, v + j + 1) : dot(j, column, v));
    }
  }
  scattered(size, v, x, *incx);
  return 0;
}
