/* Level 2 by columns. */

INLINE C *gathered(int n, C *x, int stride, R *room) {
  if (stride == 1) return x;
  const C *from = FIRST(x, n, stride);
  C *to = (C *)room;
  for (int i = 0; i < n; i++) to[i] = from[i * stride];
  return to;
}

INLINE void scattered(int n, const C *x, C *to, int stride) {
  if (x == to) return;
  C *first = FIRST(to, n, stride);
  for (int i = 0; i < n; i++) first[i * stride] = x[i];
}

INLINE void scale_vector(int n, C beta, C *y, int stride) {
  if (beta.r == 1 && beta.i == 0) return;
  const int is_zero = beta.r == 0 && beta.i == 0;
  for (int i = 0; i < n; i++) y[i * stride] = is_zero ? (C){0, 0} : times(beta, y[i * stride]);
}

INLINE int fits(int n, int stride) { return stride == 1 || 2 * n <= PANEL_A; }

APART void add_columns(int m, int n, C alpha, const C *a, int lda, const C *x, C *y) {
  int j = 0;
  for (; j + 2 <= n; j += 2) add_scaled_pairs2(m, times(alpha, x[j]), times(alpha, x[j + 1]), a + j * lda, a + (j + 1) * lda, y);
  for (; j < n; j++) add_scaled_pairs(m, times(alpha, x[j]), a + j * lda, y);
}

APART void add_dots(int m, int n, int is_conjugated, C alpha, const C *a, int lda, const C *x, C *y) {
  for (int j = 0; j < n; j++) y[j] = plus(y[j], times(alpha, dot_pairs(m, is_conjugated, a + j * lda, x)));
}

int C_(gemv)(char *trans, integer *m, integer *n, C *alpha, C *a, integer *lda, C *x, integer *incx, C *beta, C *y, integer *incy, ftnlen length) {
  (void)length;
  const int is_transposed = !is_letter(trans, 'n'), is_conjugated = is_letter(trans, 'c');
  const int from = is_transposed ? *m : *n, into = is_transposed ? *n : *m;
  if (*m <= 0 || *n <= 0) return 0;
  scale_vector(into, *beta, FIRST(y, into, *incy), *incy);
  if (!fits(into, *incy) || !fits(from, *incx)) {
    const C *given = FIRST(x, from, *incx);
    C *to = FIRST(y, into, *incy);
    for (int j = 0; j < *n; j++) for (int i = 0; i < *m; i++) {
      const C factor = times(*alpha, conjugate_if(is_conjugated, a[i + j * *lda]));
      if (is_transposed) to[j * *incy] = plus(to[j * *incy], times(factor, given[i * *incx]));
      else to[i * *incy] = plus(to[i * *incy], times(factor, given[j * *incx]));
    }
    return 0;
  }
  C *result = gathered(into, y, *incy, R_(panel_a));
  const C *given = gathered(from, x, *incx, R_(panel_b));
  if (is_transposed) add_dots(*m, *n, is_conjugated, *alpha, a, *lda, given, result);
  else add_columns(*m, *n, *alpha, a, *lda, given, result);
  scattered(into, result, y, *incy);
  return 0;
}

static void add_outer(int m, int n, C alpha, C *x, int incx, C *y, int incy, C *a, int lda) {
  if (m <= 0 || n <= 0) return;
  const C *row = FIRST(y, n, incy), *first = FIRST(x, m, incx);
  const int is_short = fits(m, incx);
  const C *column = is_short ? gathered(m, x, incx, R_(panel_a)) : first;
  for (int j = 0; j < n; j++) {
    const C factor = times(alpha, conjugate_of(row[j * incy]));
    if (is_short) add_scaled_pairs(m, factor, column, a + j * lda);
    else for (int i = 0; i < m; i++) a[i + j * lda] = plus(a[i + j * lda], times(factor, first[i * incx]));
  }
}

int C_(gerc)(integer *m, integer *n, C *alpha, C *x, integer *incx, C *y, integer *incy, C *a, integer *lda) {
  add_outer(*m, *n, *alpha, x, *incx, y, *incy, a, *lda);
  return 0;
}

/* y += alpha·a, and Σ conj(a)·x, in one pass over a. */
INLINE C add_and_dot(int n, C alpha, const C *a, const C *x, C *y) {
  const V re = SPLAT(alpha.r), im = turned(alpha.i);
  V straight = {}, crossed = {};
  int i = 0;
  for (; i + PAIRS <= n; i += PAIRS) {
    const V here = load_pairs(a + i), with = load_pairs(x + i);
    store_pairs(y + i, load_pairs(y + i) + (re * here + im * SWAPPED(here)));
    straight += here * with;
    crossed += here * SWAPPED(with);
  }
  C sum = folded(straight, crossed, 1);
  for (; i < n; i++) {
    y[i] = plus(y[i], times(alpha, a[i]));
    sum = plus(sum, times(conjugate_of(a[i]), x[i]));
  }
  return sum;
}

int C_(hemv)(char *uplo, integer *n, C *alpha, C *a, integer *lda, C *x, integer *incx, C *beta, C *y, integer *incy, ftnlen length) {
  (void)length;
  const int size = *n, is_upper = is_letter(uplo, 'u');
  if (size <= 0) return 0;
  scale_vector(size, *beta, FIRST(y, size, *incy), *incy);
  C *to = gathered(size, y, *incy, R_(panel_a));
  const C *from = gathered(size, x, *incx, R_(panel_b));
  for (int j = 0; j < size; j++) {
    const C *column = a + j * *lda, factor = times(*alpha, from[j]);
    const C sum = is_upper ? add_and_dot(j, factor, column, from, to) : add_and_dot(size - j - 1, factor, column + j + 1, from + j + 1, to + j + 1);
    to[j] = plus(to[j], times(*alpha, plus(sum, times_real(column[j].r, from[j]))));
  }
  scattered(size, to, y, *incy);
  return 0;
}

int C_(her2)(char *uplo, integer *n, C *alpha, C *x, integer *incx, C *y, integer *incy, C *a, integer *lda, ftnlen length) {
  (void)length;
  if (*n <= 0) return 0;
  const C *u = gathered(*n, x, *incx, R_(panel_a)), *v = gathered(*n, y, *incy, R_(panel_b));
  for (int j = 0; j < *n; j++) {
    const int first = is_letter(uplo, 'u') ? 0 : j, count = is_letter(uplo, 'u') ? j + 1 : *n - j;
    C *column = a + j * *lda;
    add_scaled_pairs2(count, times(*alpha, conjugate_of(v[j])), conjugate_of(times(*alpha, u[j])), u + first, v + first, column + first);
    column[j].i = 0;
  }
  return 0;
}

int C_(trmv)(char *uplo, char *trans, char *diag, integer *n, C *a, integer *lda, C *x, integer *incx, ftnlen l1, ftnlen l2, ftnlen l3) {
  (void)l1, (void)l2, (void)l3;
  const int size = *n, is_unit = is_letter(diag, 'u'), is_lower = is_letter(uplo, 'l'), is_conjugated = is_letter(trans, 'c');
  C *v = gathered(size, x, *incx, R_(panel_a));
  for (int step = 0; step < size; step++) {
    if (is_letter(trans, 'n')) {
      const int j = is_lower ? size - 1 - step : step;
      const C *column = a + j * *lda;
      if (is_lower) add_scaled_pairs(size - 1 - j, v[j], column + j + 1, v + j + 1);
      else add_scaled_pairs(j, v[j], column, v);
      if (!is_unit) v[j] = times(v[j], column[j]);
      continue;
    }
    const int j = is_lower ? step : size - 1 - step;
    const C *column = a + j * *lda, own = is_unit ? v[j] : times(v[j], conjugate_if(is_conjugated, column[j]));
    v[j] = plus(own, is_lower ? dot_pairs(size - 1 - j, is_conjugated, column + j + 1, v + j + 1) : dot_pairs(j, is_conjugated, column, v));
  }
  scattered(size, v, x, *incx);
  return 0;
}

int C_(trsv)(char *uplo, char *trans, char *diag, integer *n, C *a, integer *lda, C *x, integer *incx, ftnlen l1, ftnlen l2, ftnlen l3) {
  (void)l1, (void)l2, (void)l3;
  const int size = *n, is_unit = is_letter(diag, 'u'), is_lower = is_letter(uplo, 'l'), is_conjugated = is_letter(trans, 'c');
  C *v = gathered(size, x, *incx, R_(panel_a));
  for (int step = 0; step < size; step++) {
    const int j = is_lower == is_letter(trans, 'n') ? step : size - 1 - step;
    const C *column = a + j * *lda;
    const int rest = is_lower ? size - 1 - j : j, first = is_lower ? j + 1 : 0;
    if (!is_letter(trans, 'n')) v[j] = plus(v[j], times_real(-1, dot_pairs(rest, is_conjugated, column + first, v + first)));
    if (!is_unit) {
      C diagonal = conjugate_if(is_conjugated, column[j]);
      JOIN(ratio_of_, PRECISION)(v + j, v + j, &diagonal);
    }
    if (is_letter(trans, 'n')) add_scaled_pairs(rest, times_real(-1, v[j]), column + first, v + first);
  }
  scattered(size, v, x, *incx);
  return 0;
}
