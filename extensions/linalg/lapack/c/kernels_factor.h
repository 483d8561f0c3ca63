/*
 * LU, Cholesky and triangular systems on row-major matrices as they are: recursive by columns (Toledo 1997; Gustavson 1997), so
 * that nearly all work is products of matrices.
 */

#if COMPLEX
INLINE T product(T a, T b) { return (T){a.r * b.r - a.i * b.i, a.r * b.i + a.i * b.r}; }
INLINE T quotient(T a, T b) {
  T to;
  JOIN(ratio_of_, PRECISION)(&to, &a, &b);
  return to;
}
INLINE T minus(T a, T b) { return (T){a.r - b.r, a.i - b.i}; }
INLINE R size1(T a) { return FABS(a.r) + FABS(a.i); }
INLINE T conj_of(T a) { return (T){a.r, -a.i}; }
INLINE T from_real(R a) { return (T){a, 0}; }
INLINE R real_of(T a) { return a.r; }
INLINE int is_zero(T a) { return a.r == 0 && a.i == 0; }
#else
INLINE T product(T a, T b) { return a * b; }
INLINE T quotient(T a, T b) { return a / b; }
INLINE T minus(T a, T b) { return a - b; }
INLINE R size1(T a) { return FABS(a); }
INLINE T conj_of(T a) { return a; }
INLINE T from_real(R a) { return a; }
INLINE R real_of(T a) { return a; }
INLINE int is_zero(T a) { return a == 0; }
#endif

/* y −= a·x, n elements side by side. */
APART void subtract_scaled(int n, T a, const T *x, T *y) {
#if COMPLEX
  const V re = SPLAT(-a.r);
  V im = SPLAT(-a.i);
  UNROLL for (int i = 0; i < LANES; i += 2) im[i] = a.i;
  int i = 0;
  for (; i + LANES / 2 <= n; i += LANES / 2) {
    const V here = load((const R *)(x + i));
    store((R *)(y + i), load((const R *)(y + i)) + (re * here + im * SWAPPED(here)));
  }
  for (; i < n; i++) y[i] = minus(y[i], product(a, x[i]));
#else
  add_scaled(n, -a, x, y);
#endif
}

INLINE void exchange_rows(int n, T *x, T *y) { exchange(n * WORDS, (R *)x, (R *)y); }

/* ---- LU with partial pivoting ---- */

#define PANEL 8

/* Columns of a panel, m×n with n ≤ PANEL, row-major of stride `step`; `pivots` get absolute rows. */
APART void lu_panel(int m, int n, T *a, int step, int *pivots, int first) {
  for (int j = 0; j < n && j < m; j++) {
    int best = j;
    R largest = size1(a[j * step + j]);
    for (int i = j + 1; i < m; i++) {
      const R size = size1(a[i * step + j]);
      if (size > largest) largest = size, best = i;
    }
    pivots[j] = first + best;
    if (largest == 0) continue;
    if (best != j) for (int c = 0; c < n; c++) {
      const T kept = a[j * step + c];
      a[j * step + c] = a[best * step + c];
      a[best * step + c] = kept;
    }
    const T pivot = a[j * step + j];
    for (int i = j + 1; i < m; i++) {
      T *row = a + i * step;
      const T factor = quotient(row[j], pivot);
      row[j] = factor;
      for (int c = j + 1; c < n; c++) row[c] = minus(row[c], product(factor, a[j * step + c]));
    }
  }
}

/* Rows exchanged as the pivots of columns first … last − 1 say, in `n` columns from `a` on. */
APART void exchange_pivots(int n, T *a, int step, const int *pivots, int first, int last) {
  for (int j = first; j < last; j++) if (pivots[j] != j) exchange_rows(n, a + j * step, a + pivots[j] * step);
}

/* Columns first … first + n − 1 of m rows, in place: rows from `first` on. */
static void lu_columns(int m, int n, T *a, int step, int *pivots, int first, T *panel) {
  const int rows = m - first;
  if (rows <= 0 || n <= 0) return;
  T *corner = a + first * step + first;
  if (n <= PANEL) {
    for (int i = 0; i < rows; i++) for (int c = 0; c < n; c++) panel[i * PANEL + c] = corner[i * step + c];
    lu_panel(rows, n, panel, PANEL, pivots + first, first);
    for (int i = 0; i < rows; i++) for (int c = 0; c < n; c++) corner[i * step + c] = panel[i * PANEL + c];
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

/* In place; pivots of LAPACK's kind, from 0. */
APART void factor_lu(int m, int n, T *a, int *pivots, T *panel) {
  lu_columns(m, least(m, n), a, n, pivots, 0, panel);
  if (n > m) {
    exchange_pivots(n - m, a + m, n, pivots, 0, m);
    const View triangle = row_major(a, n), beside = row_major(a + m, n);
    T_(view_solve)(m, n - m, 1, 0, &triangle, &beside);
  }
}

EXPORT(lu) {
  int b = args[6], m = args[7], n = args[8], k = least(m, n);
  Room room = {AT(char, 4)};
  int *pivots = integers(&room, k);
  T *panel = elements(&room, m * PANEL);
  for (int i = 0; i < b; i++) {
    T *factors = AT(T, 1) + i * m * n;
    int *rows = AT(int, 2) + i * m, parity = 1;
    for (int j = 0; j < m; j++) rows[j] = j;
    if (is_finite(AT(T, 0) + i * m * n, m * n)) {
      copy_words(AT(T, 0) + i * m * n, factors, m * n * WORDS);
      factor_lu(m, n, factors, pivots, panel);
      for (int j = 0; j < k; j++) if (pivots[j] != j) {
        const int kept = rows[j];
        rows[j] = rows[pivots[j]], rows[pivots[j]] = kept, parity = -parity;
      }
    } else fill_nan(factors, m * n * WORDS);
    AT(int, 3)[i] = parity;
  }
  return 0;
}

/* ---- complete pivoting ---- */

EXPORT(luFullPivot) {
  int b = args[7], m = args[8], n = args[9], k = least(m, n);
  for (int i = 0; i < b; i++) {
    T *a = AT(T, 1) + i * m * n;
    int *rows = AT(int, 2) + i * m, *columns = AT(int, 3) + i * n, parity = 1;
    for (int j = 0; j < m; j++) rows[j] = j;
    for (int j = 0; j < n; j++) columns[j] = j;
    const int ok = is_finite(AT(T, 0) + i * m * n, m * n);
    if (ok) copy_words(AT(T, 0) + i * m * n, a, m * n * WORDS);
    else fill_nan(a, m * n * WORDS);
    for (int j = 0; ok && j < k; j++) {
      int row = j, column = j;
      R largest = 0;
      for (int r = j; r < m; r++) for (int c = j; c < n; c++) {
        const R size = size1(a[r * n + c]);
        if (size > largest) largest = size, row = r, column = c;
      }
      if (largest == 0) break;
      if (row != j) {
        exchange_rows(n, a + row * n, a + j * n);
        const int kept = rows[j];
        rows[j] = rows[row], rows[row] = kept, parity = -parity;
      }
      if (column != j) {
        for (int r = 0; r < m; r++) {
          const T kept = a[r * n + j];
          a[r * n + j] = a[r * n + column], a[r * n + column] = kept;
        }
        const int kept = columns[j];
        columns[j] = columns[column], columns[column] = kept, parity = -parity;
      }
      for (int r = j + 1; r < m; r++) {
        T *own = a + r * n;
        own[j] = quotient(own[j], a[j * n + j]);
        subtract_scaled(n - j - 1, own[j], a + j * n + j + 1, own + j + 1);
      }
    }
    AT(int, 4)[i] = parity;
  }
  return 0;
}

/* ---- triangular systems ---- */

/* op(triangle)·X = B in place: mode 0 itself, 1 transposed, 2 adjoint. */
APART void solve_triangle(int n, int p, const T *triangle, int upper, int mode, int is_unit, T *x) {
  View l = row_major(triangle, n), b = row_major(x, p);
  if (mode != 0) l = transposed(l), upper = !upper;
  if (upper) {
    l = columns_reversed(rows_reversed(l, n), n);
    b = rows_reversed(b, n);
  }
  T_(view_solve)(n, p, is_unit, mode == 2, &l, &b);
}

APART int has_zero_diagonal(int n, const T *a) {
  for (int i = 0; i < n; i++) if (is_zero(a[i * (n + 1)])) return 1;
  return 0;
}

/* X from L·U = A[rows]; X and B do not overlap. */
APART void solve_factored(int n, int p, const T *factors, const int *rows, int mode, const T *b, T *x, T *room) {
  if (mode == 0) {
    for (int i = 0; i < n; i++) copy_words(b + rows[i] * p, x + i * p, p * WORDS);
    solve_triangle(n, p, factors, 0, 0, 1, x);
    solve_triangle(n, p, factors, 1, 0, 0, x);
    return;
  }
  copy_words(b, room, n * p * WORDS);
  solve_triangle(n, p, factors, 1, mode, 0, room);
  solve_triangle(n, p, factors, 0, mode, 1, room);
  for (int i = 0; i < n; i++) copy_words(room + i * p, x + rows[i] * p, p * WORDS);
}

/* A itself is read by the rule only. */
EXPORT(luSolve) {
  int b = args[7], n = args[8], p = args[9], mode = args[10], failed = 0;
  for (int i = 0; i < b; i++) {
    const T *factors = AT(T, 1) + i * n * n, *given = AT(T, 3) + i * n * p;
    T *x = AT(T, 4) + i * n * p;
    if (!is_finite(factors, n * n) || !is_finite(given, n * p)) {
      fill_nan(x, n * p * WORDS);
    } else if (has_zero_diagonal(n, factors)) {
      fill_nan(x, n * p * WORDS);
      if (failed == 0) failed = i + 1;
    } else if (n > 0 && p > 0) {
      solve_factored(n, p, factors, AT(int, 2) + i * n, mode, given, x, AT(T, 5));
    }
  }
  return failed;
}

EXPORT(triangularSolve) {
  int b = args[5], n = args[6], p = args[7], upper = args[8], mode = args[9], unit = args[10], failed = 0;
  for (int i = 0; i < b; i++) {
    const T *a = AT(T, 0) + i * n * n, *given = AT(T, 1) + i * n * p;
    T *x = AT(T, 2) + i * n * p;
    if (!is_triangle_finite(a, n, upper, unit) || !is_finite(given, n * p)) {
      fill_nan(x, n * p * WORDS);
    } else if (!unit && has_zero_diagonal(n, a)) {
      fill_nan(x, n * p * WORDS);
      if (failed == 0) failed = i + 1;
    } else if (n > 0 && p > 0) {
      copy_words(given, x, n * p * WORDS);
      solve_triangle(n, p, a, upper, mode, unit, x);
    }
  }
  return failed;
}

/* ---- Cholesky ---- */

#define CORNER 24

/* A small lower triangle in place; whether it is positive definite. */
APART int small_cholesky(int n, T *a, int step) {
  for (int j = 0; j < n; j++) {
    T *own = a + j * step;
    for (int c = 0; c < j; c++) {
      const T *other = a + c * step;
      T sum = own[c];
      for (int q = 0; q < c; q++) sum = minus(sum, product(own[q], conj_of(other[q])));
      own[c] = quotient(sum, other[c]);
    }
    R diagonal = real_of(own[j]);
    for (int q = 0; q < j; q++) diagonal -= real_of(product(own[q], conj_of(own[q])));
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
  for (int r = 0; r < n; r++) for (int c = 0; c < r; c++) l[c * n + r] = conj_of(l[r * n + c]), l[r * n + c] = from_real(0);
}

/* L, or Lᴴ where the upper triangle is read. */
EXPORT(cholesky) {
  int b = args[4], n = args[5], upper = args[6], failed = 0;
  for (int i = 0; i < b; i++) {
    const T *a = AT(T, 0) + i * n * n;
    T *l = AT(T, 1) + i * n * n;
    const int ok = is_triangle_finite(a, n, upper, 0);
    for (int r = 0; r < n; r++) {
      if (upper) for (int c = 0; c <= r; c++) l[r * n + c] = conj_of(a[c * n + r]);
      else copy_words(a + r * n, l + r * n, (r + 1) * WORDS);
      fill_zero(l + r * n + r + 1, (n - r - 1) * WORDS);
    }
    if (ok && lower_cholesky(n, l, n)) {
      if (upper) flip(n, l);
      continue;
    }
    if (ok && failed == 0) failed = i + 1;
    fill_nan(l, n * n * WORDS);
  }
  return failed;
}

/* ---- cofactors ---- */

/* Π of the diagonal, times a sign. */
APART T diagonal_product(int n, const T *a, int sign) {
  T product_so_far = from_real(sign);
  for (int i = 0; i < n; i++) product_so_far = product(product_so_far, a[i * (n + 1)]);
  return product_so_far;
}

/* det of a matrix that may be overwritten. */
APART T determinant(int n, T *a, int *pivots, T *panel) {
  int sign = 1;
  factor_lu(n, n, a, pivots, panel);
  for (int j = 0; j < n; j++) if (pivots[j] != j) sign = -sign;
  return diagonal_product(n, a, sign);
}

/* A number as mantissa·2^exponent, so that products of many neither overflow nor vanish on the way. */
typedef struct {
  double mantissa;
  int exponent;
} Scaled;

INLINE double power_of_two(int exponent) {
  union { unsigned long long bits; double value; } parts = {(unsigned long long)(1023 + exponent) << 52};
  return exponent < -1022 ? 0 : exponent > 1023 ? __builtin_inf() : parts.value;
}

static Scaled scaled_product(Scaled a, double x) {
  if (a.mantissa == 0 || x == 0) return (Scaled){0, 0};
  if (x < 0x1p-1022) return scaled_product((Scaled){a.mantissa, a.exponent - 100}, x * 0x1p100);
  union { double value; unsigned long long bits; } parts = {x};
  const int exponent = (int)(parts.bits >> 52 & 2047) - 1023;
  Scaled to = {a.mantissa * (x * power_of_two(-exponent)), a.exponent + exponent};
  if (to.mantissa >= 2) to.mantissa *= 0.5, to.exponent++;
  return to;
}

/* Π_{j≠i} s_j */
static Scaled product_without(int n, const R *s, int i) {
  Scaled others = {1, 0};
  for (int j = 0; j < n; j++) if (j != i) others = scaled_product(others, s[j]);
  return others;
}

/* A = U·S·Vᴴ: cofactors = det(U)·det(Vᴴ)·conj(U)·diag(Π_{j≠i} s_j)·Vᵀ, where no division meets a zero. */
APART void cofactors_by_svd(int n, const T *a, T *to, Svd *s, R *values, T *u, T *vh, T *copy, int *pivots, T *panel) {
  decompose(s, a, values, vh, u);
  copy_words(u, copy, n * n * WORDS);
  const T det_u = determinant(n, copy, pivots, panel);
  copy_words(vh, copy, n * n * WORDS);
  const T det = product(det_u, determinant(n, copy, pivots, panel));
  conjugate(u, n * n);
  conjugate(vh, n * n);
  // The last has the largest product, as values descend.
  const Scaled largest = product_without(n, values, n - 1);
  for (int i = 0; i < n; i++) {
    const Scaled others = product_without(n, values, i);
    const T factor = product(det, from_real((R)(others.mantissa * power_of_two(others.exponent - largest.exponent))));
    for (int r = 0; r < n; r++) u[r * n + i] = product(u[r * n + i], factor);
  }
  const View left = row_major(u, n), right = row_major(vh, n), into = row_major(to, n);
  fill_zero(to, n * n * WORDS);
  T_(view_multiply)(n, n, n, 1, 0, &left, &right, &into);
  const int half = largest.exponent / 2;
  for (int i = 0; i < n * n * WORDS; i++) ((R *)to)[i] = (R)(((R *)to)[i] * power_of_two(half) * power_of_two(largest.exponent - half));
}

/* Pivots all of one size, within √eps: then det·A⁻ᵀ. */
APART int has_even_pivots(int n, const T *factors) {
  R smallest = HUGEST, largest = 0;
  for (int i = 0; i < n; i++) {
    const R size = size1(factors[i * (n + 1)]);
    if (size < smallest) smallest = size;
    if (size > largest) largest = size;
  }
  return smallest > largest * SQRT(EPSILON);
}

/* Whether products with a determinant stay far from overflow and from what is too small. */
INLINE int is_moderate(T a) {
  return size1(a) > (PRECISION == 8 ? (R)0x1p-400 : (R)0x1p-40) && size1(a) < (PRECISION == 8 ? (R)0x1p400 : (R)0x1p40);
}

EXPORT(cofactor) {
  int b = args[7], n = args[8];
  Room room = {AT(char, 5)};
  Svd s = svd_room(&room, n, n, 1, 1, 0);
  R *values = reals(&room, n);
  T *u = elements(&room, n * n), *vh = elements(&room, n * n), *copy = elements(&room, n * n), *panel = elements(&room, n * PANEL);
  int *pivots = integers(&room, n);
  for (int i = 0; i < b; i++) {
    const T *a = AT(T, 0) + i * n * n, *factors = AT(T, 1) + i * n * n;
    T *to = AT(T, 4) + i * n * n;
    if (n == 0) continue;
    if (!is_finite(a, n * n) || !is_finite(factors, n * n)) {
      fill_nan(to, n * n * WORDS);
      continue;
    }
    const T det = diagonal_product(n, factors, AT(int, 3)[i]);
    if (has_even_pivots(n, factors) && is_moderate(det)) {
      set_identity(u, n, n);
      solve_factored(n, n, factors, AT(int, 2) + i * n, 1, u, to, copy);
      for (int j = 0; j < n * n; j++) to[j] = product(to[j], det);
    } else {
      cofactors_by_svd(n, a, to, &s, values, u, vh, copy, pivots, panel);
    }
  }
  return 0;
}
