/* LU, Cholesky and triangular systems on row-major matrices. */

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
  UNROLL for (Count i = 0; i < LANES; i += 2) im[i] = a.i;
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

/*
 * The work itself, on row-major matrices:
 *   FACTOR_ROOM(m, n)                                               elements that factor_lu needs
 *   factor_lu(m, n, a, factors, pivots, room)                       factors may be A itself; pivots of LAPACK's kind, from 0
 *   solve_triangle(n, p, triangle, upper, mode, is_unit, x)         op(triangle)·X = B in place: mode 0 itself, 1 transposed, 2 adjoint
 *   factor_cholesky(n, a, upper, l)                                 L, or Lᴴ where the upper triangle is read; zeros beside; whether A is positive definite
 *   multiply_square(n, a, b, c)                                     C = A·B
 */
#ifdef __wasm__
#include "triangles_own.h"
#else
#include "triangles_library.h"
#endif

EXPORT(lu) {
  const Count b = args[6];
  int m = args[7], n = args[8], k = least(m, n);
  Room room = {AT(char, 4)};
  int *pivots = integers(&room, k);
  T *beside = elements(&room, FACTOR_ROOM(m, n));
  for (Count i = 0; i < b; i++) {
    T *factors = AT(T, 1) + i * m * n;
    int *rows = AT(int, 2) + i * m, parity = 1;
    for (Count j = 0; j < m; j++) rows[j] = j;
    if (is_finite(AT(T, 0) + i * m * n, area(m, n))) {
      factor_lu(m, n, AT(T, 0) + i * m * n, factors, pivots, beside);
      for (Count j = 0; j < k; j++) if (pivots[j] != j) {
        const int kept = rows[j];
        rows[j] = rows[pivots[j]], rows[pivots[j]] = kept, parity = -parity;
      }
    } else fill_nan(factors, area(m, n) * WORDS);
    AT(int, 3)[i] = parity;
  }
  return 0;
}

/* ---- complete pivoting ---- */

EXPORT(luFullPivot) {
  const Count b = args[7];
  int m = args[8], n = args[9], k = least(m, n);
  for (Count i = 0; i < b; i++) {
    T *a = AT(T, 1) + i * m * n;
    int *rows = AT(int, 2) + i * m, *columns = AT(int, 3) + i * n, parity = 1;
    for (Count j = 0; j < m; j++) rows[j] = j;
    for (Count j = 0; j < n; j++) columns[j] = j;
    const int ok = is_finite(AT(T, 0) + i * m * n, area(m, n));
    if (ok) copy_words(AT(T, 0) + i * m * n, a, area(m, n) * WORDS);
    else fill_nan(a, area(m, n) * WORDS);
    for (Count j = 0; ok && j < k; j++) {
      Count row = j, column = j;
      R largest = 0;
      for (Count r = j; r < m; r++) for (Count c = j; c < n; c++) {
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
        for (Count r = 0; r < m; r++) {
          const T kept = a[r * n + j];
          a[r * n + j] = a[r * n + column], a[r * n + column] = kept;
        }
        const int kept = columns[j];
        columns[j] = columns[column], columns[column] = kept, parity = -parity;
      }
      for (Count r = j + 1; r < m; r++) {
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

APART int has_zero_diagonal(int n, const T *a) {
  for (Count i = 0; i < n; i++) if (is_zero(a[i * (n + 1)])) return 1;
  return 0;
}

/* X from L·U = A[rows]; X and B do not overlap. */
APART void solve_factored(int n, int p, const T *factors, const int *rows, int mode, const T *b, T *x, T *room) {
  if (mode == 0) {
    for (Count i = 0; i < n; i++) copy_words(b + area(rows[i], p), x + i * p, p * WORDS);
    solve_triangle(n, p, factors, 0, 0, 1, x);
    solve_triangle(n, p, factors, 1, 0, 0, x);
    return;
  }
  copy_words(b, room, area(n, p) * WORDS);
  solve_triangle(n, p, factors, 1, mode, 0, room);
  solve_triangle(n, p, factors, 0, mode, 1, room);
  for (Count i = 0; i < n; i++) copy_words(room + i * p, x + area(rows[i], p), p * WORDS);
}

/* A itself is read by the rule only. */
EXPORT(luSolve) {
  const Count b = args[7];
  int n = args[8], p = args[9], mode = args[10];
  Count failed = 0;
  for (Count i = 0; i < b; i++) {
    const T *factors = AT(T, 1) + i * n * n, *given = AT(T, 3) + i * n * p;
    T *x = AT(T, 4) + i * n * p;
    if (!is_finite(factors, area(n, n)) || !is_finite(given, area(n, p))) {
      fill_nan(x, area(n, p) * WORDS);
    } else if (has_zero_diagonal(n, factors)) {
      fill_nan(x, area(n, p) * WORDS);
      if (failed == 0) failed = i + 1;
    } else if (n > 0 && p > 0) {
      solve_factored(n, p, factors, AT(int, 2) + i * n, mode, given, x, AT(T, 5));
    }
  }
  return failed;
}

EXPORT(triangularSolve) {
  const Count b = args[5];
  int n = args[6], p = args[7], upper = args[8], mode = args[9], unit = args[10];
  Count failed = 0;
  for (Count i = 0; i < b; i++) {
    const T *a = AT(T, 0) + i * n * n, *given = AT(T, 1) + i * n * p;
    T *x = AT(T, 2) + i * n * p;
    if (!is_triangle_finite(a, n, upper, unit) || !is_finite(given, area(n, p))) {
      fill_nan(x, area(n, p) * WORDS);
    } else if (!unit && has_zero_diagonal(n, a)) {
      fill_nan(x, area(n, p) * WORDS);
      if (failed == 0) failed = i + 1;
    } else if (n > 0 && p > 0) {
      copy_words(given, x, area(n, p) * WORDS);
      solve_triangle(n, p, a, upper, mode, unit, x);
    }
  }
  return failed;
}

/* ---- Cholesky ---- */

EXPORT(cholesky) {
  const Count b = args[4];
  int n = args[5], upper = args[6];
  Count failed = 0;
  for (Count i = 0; i < b; i++) {
    const T *a = AT(T, 0) + i * n * n;
    T *l = AT(T, 1) + i * n * n;
    const int ok = is_triangle_finite(a, n, upper, 0);
    if (ok && (n == 0 || factor_cholesky(n, a, upper, l))) continue;
    if (ok && failed == 0) failed = i + 1;
    fill_nan(l, area(n, n) * WORDS);
  }
  return failed;
}

/* ---- cofactors ---- */

/* Π of the diagonal, times a sign. */
APART T diagonal_product(int n, const T *a, int sign) {
  T product_so_far = from_real(sign);
  for (Count i = 0; i < n; i++) product_so_far = product(product_so_far, a[i * (n + 1)]);
  return product_so_far;
}

/* det of a matrix that may be overwritten. */
APART T determinant(int n, T *a, int *pivots, T *beside) {
  int sign = 1;
  factor_lu(n, n, a, a, pivots, beside);
  for (Count j = 0; j < n; j++) if (pivots[j] != j) sign = -sign;
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
  for (Count j = 0; j < n; j++) if (j != i) others = scaled_product(others, s[j]);
  return others;
}

/* A = U·S·Vᴴ: cofactors = det(U)·det(Vᴴ)·conj(U)·diag(Π_{j≠i} s_j)·Vᵀ, where no division meets a zero. */
APART void cofactors_by_svd(int n, const T *a, T *to, Svd *s, R *values, T *u, T *vh, T *copy, int *pivots, T *beside) {
  decompose(s, a, values, vh, u);
  copy_words(u, copy, area(n, n) * WORDS);
  const T det_u = determinant(n, copy, pivots, beside);
  copy_words(vh, copy, area(n, n) * WORDS);
  const T det = product(det_u, determinant(n, copy, pivots, beside));
  conjugate(u, area(n, n));
  conjugate(vh, area(n, n));
  // The last has the largest product, as values descend.
  const Scaled largest = product_without(n, values, n - 1);
  for (Count i = 0; i < n; i++) {
    const Scaled others = product_without(n, values, i);
    const T factor = product(det, from_real((R)(others.mantissa * power_of_two(others.exponent - largest.exponent))));
    for (Count r = 0; r < n; r++) u[r * n + i] = product(u[r * n + i], factor);
  }
  multiply_square(n, u, vh, to);
  const int half = largest.exponent / 2;
  for (Count i = 0; i < area(n, n) * WORDS; i++) ((R *)to)[i] = (R)(((R *)to)[i] * power_of_two(half) * power_of_two(largest.exponent - half));
}

/* Pivots all of one size, within √eps: then det·A⁻ᵀ. */
APART int has_even_pivots(int n, const T *factors) {
  R smallest = HUGEST, largest = 0;
  for (Count i = 0; i < n; i++) {
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
  const Count b = args[7];
  int n = args[8];
  Room room = {AT(char, 5)};
  Svd s = svd_room(&room, n, n, 1, 1, 0);
  R *values = reals(&room, n);
  T *u = elements(&room, area(n, n)), *vh = elements(&room, area(n, n)), *copy = elements(&room, area(n, n)), *beside = elements(&room, FACTOR_ROOM(n, n));
  int *pivots = integers(&room, n);
  for (Count i = 0; i < b; i++) {
    const T *a = AT(T, 0) + i * n * n, *factors = AT(T, 1) + i * n * n;
    T *to = AT(T, 4) + i * n * n;
    if (n == 0) continue;
    if (!is_finite(a, area(n, n)) || !is_finite(factors, area(n, n))) {
      fill_nan(to, area(n, n) * WORDS);
      continue;
    }
    const T det = diagonal_product(n, factors, AT(int, 3)[i]);
    if (has_even_pivots(n, factors) && is_moderate(det)) {
      set_identity(u, n, n);
      solve_factored(n, n, factors, AT(int, 2) + i * n, 1, u, to, copy);
      for (Count j = 0; j < area(n, n); j++) to[j] = product(to[j], det);
    } else {
      cofactors_by_svd(n, a, to, &s, values, u, vh, copy, pivots, beside);
    }
  }
  return 0;
}
