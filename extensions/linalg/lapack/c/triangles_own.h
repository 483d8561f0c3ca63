/*
 * LU, Cholesky and triangular systems by this library's own products: recursive by columns (Toledo 1997; Gustavson 1997), so that
 * nearly all work is products of matrices. Declared in kernels_factor.h.
 */
#include "views.h"

INLINE View row_major(const void *at, int columns) { return (View){(R *)at, columns * WORDS, WORDS}; }
INLINE View column_major(const void *at, int rows) { return (View){(R *)at, WORDS, rows * WORDS}; }

/* The views' products and triangles, in real.c and complex.c. C += alpha·A·B; conjugation of A, of B as bits 1 and 2. */
void T_(view_multiply)(int m, int n, int k, R alpha, int conjugated, const View *a, const View *b, const View *c);
/* B := L⁻¹·B with L lower; bit 1 of `conjugated`: conj(L). */
void T_(view_solve)(int n, int m, int is_unit, int conjugated, const View *l, const View *b);
/* The lower triangle of C −= A·Aᴴ */
void T_(view_downdate)(int n, int k, const View *a, const View *c);

#define PANEL 8
#define FACTOR_ROOM(m, n) area(m, PANEL)

/* Columns of a panel, m×n with n ≤ PANEL, row-major of stride `step`; `pivots` get absolute rows. */
APART void lu_panel(int m, int n, T *a, int step, int *pivots, int first) {
  for (Count j = 0; j < n && j < m; j++) {
    int best = j;
    R largest = size1(a[j * step + j]);
    for (Count i = j + 1; i < m; i++) {
      const R size = size1(a[i * step + j]);
      if (size > largest) largest = size, best = i;
    }
    pivots[j] = first + best;
    if (largest == 0) continue;
    if (best != j) for (Count c = 0; c < n; c++) {
      const T kept = a[j * step + c];
      a[j * step + c] = a[best * step + c];
      a[best * step + c] = kept;
    }
    const T pivot = a[j * step + j];
    for (Count i = j + 1; i < m; i++) {
      T *row = a + i * step;
      const T factor = quotient(row[j], pivot);
      row[j] = factor;
      for (Count c = j + 1; c < n; c++) row[c] = minus(row[c], product(factor, a[j * step + c]));
    }
  }
}

/* Rows exchanged as the pivots of columns first … last − 1 say, in `n` columns from `a` on. */
APART void exchange_pivots(int n, T *a, int step, const int *pivots, int first, int last) {
  for (Count j = first; j < last; j++) if (pivots[j] != j) exchange_rows(n, a + j * step, a + pivots[j] * step);
}

/* Columns first … first + n − 1 of m rows, in place: rows from `first` on. */
static void lu_columns(int m, int n, T *a, int step, int *pivots, int first, T *panel) {
  const int rows = m - first;
  if (rows <= 0 || n <= 0) return;
  T *corner = a + first * step + first;
  if (n <= PANEL) {
    for (Count i = 0; i < rows; i++) for (Count c = 0; c < n; c++) panel[i * PANEL + c] = corner[i * step + c];
    lu_panel(rows, n, panel, PANEL, pivots + first, first);
    for (Count i = 0; i < rows; i++) for (Count c = 0; c < n; c++) corner[i * step + c] = panel[i * PANEL + c];
    return;
  }
  const int left = n <= 2 * PANEL ? PANEL : half_of(n), right = n - left, done = least(left, rows);
  lu_columns(m, left, a, step, pivots, first, panel);
  exchange_pivots(right, a + first + left, step, pivots, first, first + done);
  const View triangle = row_major(corner, step), beside = row_major(corner + left, step);
  T_(view_solve)(done, right, 1, 0, &triangle, &beside);
  if (rows <= left) return;
  const View below = row_major(corner + left * step, step), rest = row_major(corner + left * step + left, step);
  T_(view_multiply)(rows - left, right, left, -1, 0, &below, &beside, &rest);
  lu_columns(m, right, a, step, pivots, first + left, panel);
  exchange_pivots(left, a + first, step, pivots, first + left, first + least(n, rows));
}

APART void factor_lu(int m, int n, const T *from, T *a, int *pivots, T *panel) {
  if (from != a) copy_words(from, a, area(m, n) * WORDS);
  lu_columns(m, least(m, n), a, n, pivots, 0, panel);
  if (n > m) {
    exchange_pivots(n - m, a + m, n, pivots, 0, m);
    const View triangle = row_major(a, n), beside = row_major(a + m, n);
    T_(view_solve)(m, n - m, 1, 0, &triangle, &beside);
  }
}

APART void solve_triangle(int n, int p, const T *triangle, int upper, int mode, int is_unit, T *x) {
  View l = row_major(triangle, n), b = row_major(x, p);
  if (mode != 0) l = transposed(l), upper = !upper;
  if (upper) {
    l = columns_reversed(rows_reversed(l, n), n);
    b = rows_reversed(b, n);
  }
  T_(view_solve)(n, p, is_unit, mode == 2, &l, &b);
}

#define CORNER 24

/* A small lower triangle in place; whether it is positive definite. */
APART int small_cholesky(int n, T *a, int step) {
  for (Count j = 0; j < n; j++) {
    T *own = a + j * step;
    for (Count c = 0; c < j; c++) {
      const T *other = a + c * step;
      T sum = own[c];
      for (Count q = 0; q < c; q++) sum = minus(sum, product(own[q], conj_of(other[q])));
      own[c] = quotient(sum, other[c]);
    }
    R diagonal = real_of(own[j]);
    for (Count q = 0; q < j; q++) diagonal -= real_of(product(own[q], conj_of(own[q])));
    if (!(diagonal > 0)) return 0;
    own[j] = from_real(SQRT(diagonal));
  }
  return 1;
}

static int lower_cholesky(int n, T *a, int step) {
  if (n <= CORNER) return small_cholesky(n, a, step);
  const int half = half_of(n);
  if (!lower_cholesky(half, a, step)) return 0;
  const View corner = row_major(a, step), below = row_major(a + half * step, step), rest = row_major(a + half * step + half, step);
  // A₂₁ = L₂₁·L₁₁ᴴ: conj(L₁₁)·L₂₁ᵀ = A₂₁ᵀ.
  const View columns = transposed(below);
  T_(view_solve)(half, n - half, 0, 1, &corner, &columns);
  T_(view_downdate)(n - half, half, &below, &rest);
  return lower_cholesky(n - half, a + half * (step + 1), step);
}

/* A lower triangle as its adjoint, zeros below. */
static void flip(int n, T *l) {
  for (Count r = 0; r < n; r++) for (Count c = 0; c < r; c++) l[c * n + r] = conj_of(l[r * n + c]), l[r * n + c] = from_real(0);
}

APART int factor_cholesky(int n, const T *a, int upper, T *l) {
  for (Count r = 0; r < n; r++) {
    if (upper) for (Count c = 0; c <= r; c++) l[r * n + c] = conj_of(a[c * n + r]);
    else copy_words(a + r * n, l + r * n, (r + 1) * WORDS);
    fill_zero(l + r * n + r + 1, (n - r - 1) * WORDS);
  }
  if (!lower_cholesky(n, l, n)) return 0;
  if (upper) flip(n, l);
  return 1;
}

APART void multiply_square(int n, const T *a, const T *b, T *c) {
  const View left = row_major(a, n), right = row_major(b, n), into = row_major(c, n);
  fill_zero(c, area(n, n) * WORDS);
  T_(view_multiply)(n, n, n, 1, 0, &left, &right, &into);
}
