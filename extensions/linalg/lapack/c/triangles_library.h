/*
 * LU, Cholesky and triangular systems by BLAS and LAPACK. Declared in kernels_factor.h. A row-major matrix is the transpose of the
 * column-major one that lies there, so that all but pivoting does without copies.
 */

/* Rows of a copy: no multiple of 4096 bytes, at which all columns would meet in one set of the cache. */
INLINE int leading(int rows) { return rows * (int)sizeof(T) % 4096 == 0 ? rows + 64 / (int)sizeof(T) : rows; }
#define FACTOR_ROOM(m, n) area(leading(m), n)

INLINE T one(void) { return from_real(1); }

APART int are_columns_finite(int m, int n, const T *a, int step) {
  for (Count c = 0; c < n; c++) if (!is_finite(a + c * step, m)) return 0;
  return 1;
}

/* OpenBLAS divides by a pivot through its reciprocal, which overflows where the pivot is below the normal numbers. Then column by column, each divided by its pivot. */
APART void factor_divided(int m, int n, const T *a, int *pivots, T *room, int step) {
  transpose_to(m, n, a, n, room, step);
  for (Count j = 0; j < least(m, n); j++) {
    T *own = room + j * step;
    Count row = j;
    for (Count r = j + 1; r < m; r++) if (size1(own[r]) > size1(own[row])) row = r;
    pivots[j] = (int)row + 1;
    if (is_zero(own[row])) continue;
    for (Count c = 0; c < n; c++) {
      const T kept = room[c * step + j];
      room[c * step + j] = room[c * step + row], room[c * step + row] = kept;
    }
    for (Count r = j + 1; r < m; r++) own[r] = quotient(own[r], own[j]);
    for (Count c = j + 1; c < n; c++) subtract_scaled(m - (int)j - 1, room[c * step + j], own + j + 1, room + c * step + j + 1);
  }
}

APART void factor_lu(int m, int n, const T *a, T *factors, int *pivots, T *room) {
  int info, step = leading(m);
  if (m == 0 || n == 0) return;
  transpose_to(m, n, a, n, room, step);
  T_(getrf)(&m, &n, room, &step, pivots, &info);
  if (!are_columns_finite(m, n, room, step)) factor_divided(m, n, a, pivots, room, step);
  transpose_to(n, m, room, step, factors, n);
  for (Count i = 0; i < least(m, n); i++) pivots[i]--;
}

/* Xᵀ·op(triangle)ᵀ = Bᵀ, and the triangle lies there transposed. */
APART void solve_triangle(int n, int p, const T *triangle, int upper, int mode, int is_unit, T *x) {
  T unit = one();
  int stride = 1;
  char *uplo = upper ? "L" : "U", *diag = is_unit ? "U" : "N";
  if (p > 1) {
    T_(trsm)("R", uplo, mode == 0 ? "N" : mode == 1 ? "T" : "C", diag, &p, &n, &unit, (T *)triangle, &n, x, &p, 1, 1, 1, 1);
    return;
  }
  // conj(K)·x = b is K·conj(x) = conj(b).
  if (mode == 2) conjugate(x, n);
  T_(trsv)(uplo, mode == 0 ? "T" : "N", diag, &n, (T *)triangle, &n, x, &stride, 1, 1, 1);
  if (mode == 2) conjugate(x, n);
}

/* What lies there is Aᵀ, whose lower triangle is A's upper one: Aᵀ = UᴴU makes Uᵀ·conj(U) of A, and Uᵀ is what U is by rows. */
APART int factor_cholesky(int n, const T *a, int upper, T *l) {
  int info;
  for (Count r = 0; r < n; r++) {
    const Count from = upper ? r : 0, to = upper ? n : r + 1;
    fill_zero(l + r * n, from * WORDS);
    copy_words(a + r * n + from, l + r * n + from, (to - from) * WORDS);
    fill_zero(l + r * n + to, (n - to) * WORDS);
  }
  T_(potrf)(upper ? "L" : "U", &n, l, &n, &info, 1);
  if (info != 0) return 0;
  // NaN is no positive pivot either.
  for (Count r = 0; r < n; r++) if (!(real_of(l[r * (n + 1)]) > 0)) return 0;
  return 1;
}

/* Cᵀ = Bᵀ·Aᵀ */
APART void multiply_square(int n, const T *a, const T *b, T *c) {
  T unit = one(), zero = from_real(0);
  T_(gemm)("N", "N", &n, &n, &n, &unit, (T *)b, &n, (T *)a, &n, &zero, c, &n, 1, 1);
}
