/* Level 3, as real_level3.h. */

#define TRIANGLE 24
#define E_(name) C_(name)
#define WORDS 2
#define ZERO ((C){0, 0})
#define ONE ((C){1, 0})
#define MINUS_ONE ((C){-1, 0})
typedef C E;

INLINE int conjugation_of(const char *trans) { return is_letter(trans, 'c'); }

int C_(gemm)(char *transa, char *transb, integer *m, integer *n, integer *k, C *alpha, C *a, integer *lda, C *b, integer *ldb, C *beta, C *c, integer *ldc, ftnlen la, ftnlen lb) {
  (void)la, (void)lb;
  View x = {(R *)a, 2, 2 * *lda}, y = {(R *)b, 2, 2 * *ldb}, z = {(R *)c, 2, 2 * *ldc};
  if (!is_letter(transa, 'n')) x = transposed(x);
  if (!is_letter(transb, 'n')) y = transposed(y);
  scale_matrix(*m, *n, *beta, z);
  multiply(*m, *n, *k, *alpha, (conjugation_of(transa) ? CONJUGATED_A : 0) | (conjugation_of(transb) ? CONJUGATED_B : 0), x, y, z);
  return 0;
}

/* The lower triangle of C += alpha·A·B, whose diagonal is real. */
static void add_triangle(int n, int k, C alpha, int conjugated, View a, View b, View c) {
  if (n > 2 * TRIANGLE) {
    const int half = half_of(n);
    add_triangle(half, k, alpha, conjugated, a, b, c);
    multiply(n - half, half, k, alpha, conjugated, part_of(a, half, 0), b, part_of(c, half, 0));
    add_triangle(n - half, k, alpha, conjugated, part_of(a, half, 0), part_of(b, 0, half), part_of(c, half, half));
    return;
  }
  R whole[8 * TRIANGLE * TRIANGLE];
  for (int i = 0; i < 2 * n * n; i++) whole[i] = 0;
  multiply(n, n, k, alpha, conjugated, a, b, (View){whole, 2, 2 * n});
  for (int j = 0; j < n; j++) for (int i = j; i < n; i++) {
    R *to = c.at + i * c.row + j * c.column;
    to[0] += whole[2 * (i + j * n)];
    to[1] += whole[2 * (i + j * n) + 1];
  }
}

static void scale_triangle(int n, R beta, View c) {
  for (int j = 0; j < n; j++) {
    if (beta != 1) scale_matrix(n - j, 1, (C){beta, 0}, part_of(c, j, j));
    part_of(c, j, j).at[1] = 0;
  }
}

static void clear_diagonal(int n, View c) {
  for (int j = 0; j < n; j++) part_of(c, j, j).at[1] = 0;
}

/* alpha·X·Yᴴ + conj(alpha)·Y·Xᴴ, X and Y being A and B or, with `trans`, their adjoints. The upper triangle is the lower one of Cᵀ = conj(C): there the other operand is conjugated. */
int C_(her2k)(char *uplo, char *trans, integer *n, integer *k, C *alpha, C *a, integer *lda, C *b, integer *ldb, R *beta, C *c, integer *ldc, ftnlen l1, ftnlen l2) {
  (void)l1, (void)l2;
  const int is_lower = is_letter(uplo, 'l'), is_plain = is_letter(trans, 'n');
  const View x = is_plain ? (View){(R *)a, 2, 2 * *lda} : (View){(R *)a, 2 * *lda, 2};
  const View y = is_plain ? (View){(R *)b, 2, 2 * *ldb} : (View){(R *)b, 2 * *ldb, 2};
  const View to = is_lower ? (View){(R *)c, 2, 2 * *ldc} : (View){(R *)c, 2 * *ldc, 2};
  const int conjugated = is_lower == is_plain ? CONJUGATED_B : CONJUGATED_A;
  const C first = is_lower ? *alpha : (C){alpha->r, -alpha->i}, second = {first.r, -first.i};
  scale_triangle(*n, *beta, to);
  add_triangle(*n, *k, first, conjugated, x, transposed(y), to);
  add_triangle(*n, *k, second, conjugated, y, transposed(x), to);
  clear_diagonal(*n, to);
  return 0;
}

/* Vectors of real parts, and as many of imaginary parts, in which right-hand sides run side by side. */
#define ABREAST 2
#define WIDTH (ABREAST * LANES)

INLINE void gather_columns(int n, int here, View b, R *to) {
  for (int i = 0; i < n; i++, to += 2 * WIDTH) {
    const R *from = b.at + i * b.row;
    for (int j = 0; j < here; j++) to[j] = from[j * b.column], to[WIDTH + j] = from[j * b.column + 1];
    for (int j = here; j < WIDTH; j++) to[j] = to[WIDTH + j] = 0;
  }
}

INLINE void scatter_columns(int n, int here, const R *from, View b) {
  for (int i = 0; i < n; i++, from += 2 * WIDTH) {
    R *to = b.at + i * b.row;
    for (int j = 0; j < here; j++) to[j * b.column] = from[j], to[j * b.column + 1] = from[WIDTH + j];
  }
}

/* The diagonal as what rows are multiplied with: itself, or its reciprocals. */
INLINE void pack_triangle(int n, int is_unit, int solves, int is_conjugated, View l, C *to) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) to[i * TRIANGLE + j] = conjugate_if(is_conjugated, *(C *)part_of(l, i, j).at);
    const C diagonal = is_unit ? ONE : conjugate_if(is_conjugated, *(C *)part_of(l, i, i).at);
    to[i * TRIANGLE + i] = solves && !is_unit ? reciprocal(diagonal) : diagonal;
  }
}

/* re, im += ±(a, b)·(x, y), a complex factor and vectors of parts. */
INLINE void add_product(C factor, const R *from, V *re, V *im) {
  const V fr = SPLAT(factor.r), fi = SPLAT(factor.i);
  UNROLL for (int v = 0; v < ABREAST; v++) {
    const V x = load(from + v * LANES), y = load(from + WIDTH + v * LANES);
    re[v] += fr * x;
    im[v] += fr * y;
    re[v] -= fi * y;
    im[v] += fi * x;
  }
}

APART void small_triangle(int n, int m, int is_unit, int solves, int is_conjugated, View l, View b) {
  C triangle[TRIANGLE * TRIANGLE];
  R columns[TRIANGLE * 2 * WIDTH];
  pack_triangle(n, is_unit, solves, is_conjugated, l, triangle);
  for (int first = 0; first < m; first += WIDTH) {
    const int here = m - first < WIDTH ? m - first : WIDTH;
    const View group = part_of(b, 0, first);
    gather_columns(n, here, group, columns);
    for (int step = 0; step < n; step++) {
      const int i = solves ? step : n - 1 - step;
      R *own = columns + i * 2 * WIDTH;
      const C *row = triangle + i * TRIANGLE;
      V re[ABREAST] = {}, im[ABREAST] = {};
      for (int j = 0; j < i; j++) add_product(row[j], columns + j * 2 * WIDTH, re, im);
      if (solves) {
        UNROLL for (int v = 0; v < ABREAST; v++) {
          store(own + v * LANES, load(own + v * LANES) - re[v]);
          store(own + WIDTH + v * LANES, load(own + WIDTH + v * LANES) - im[v]);
          re[v] = im[v] = SPLAT(0);
        }
      }
      add_product(row[i], own, re, im);
      UNROLL for (int v = 0; v < ABREAST; v++) {
        store(own + v * LANES, re[v]);
        store(own + WIDTH + v * LANES, im[v]);
      }
    }
    scatter_columns(n, here, columns, group);
  }
}

static void solve_vector(int n, int is_unit, int is_conjugated, View l, View b) {
  for (int i = 0; i < n; i++) {
    C *own = (C *)(b.at + i * b.row);
    C diagonal = conjugate_if(is_conjugated, *(C *)part_of(l, i, i).at);
    if (l.row == 2 && b.row == 2 && !is_conjugated) {
      if (!is_unit) JOIN(ratio_of_, PRECISION)(own, own, &diagonal);
      add_scaled_pairs(n - 1 - i, times_real(-1, *own), (C *)part_of(l, i + 1, i).at, own + 1);
      continue;
    }
    C sum = {0, 0};
    if (l.column == 2 && b.row == 2) sum = dot_pairs(i, is_conjugated, (C *)(l.at + i * l.row), (C *)b.at);
    else for (int j = 0; j < i; j++) sum = plus(sum, times(conjugate_if(is_conjugated, *(C *)part_of(l, i, j).at), *(C *)(b.at + j * b.row)));
    *own = plus(*own, times_real(-1, sum));
    if (!is_unit) JOIN(ratio_of_, PRECISION)(own, own, &diagonal);
  }
}

static void solve_lower(int n, int m, int is_unit, int is_conjugated, View l, View b) {
  if (m == 1) {
    solve_vector(n, is_unit, is_conjugated, l, b);
  } else if (n <= TRIANGLE) {
    small_triangle(n, m, is_unit, 1, is_conjugated, l, b);
  } else {
    const int half = half_of(n);
    const View below = part_of(b, half, 0);
    solve_lower(half, m, is_unit, is_conjugated, l, b);
    multiply(n - half, m, half, (C){-1, 0}, is_conjugated ? CONJUGATED_A : 0, part_of(l, half, 0), b, below);
    solve_lower(n - half, m, is_unit, is_conjugated, part_of(l, half, half), below);
  }
}

static void multiply_lower(int n, int m, int is_unit, int is_conjugated, View l, View b) {
  if (n <= TRIANGLE) {
    small_triangle(n, m, is_unit, 0, is_conjugated, l, b);
  } else {
    const int half = half_of(n);
    const View below = part_of(b, half, 0);
    multiply_lower(n - half, m, is_unit, is_conjugated, part_of(l, half, half), below);
    multiply(n - half, m, half, ONE, is_conjugated ? CONJUGATED_A : 0, part_of(l, half, 0), b, below);
    multiply_lower(half, m, is_unit, is_conjugated, l, b);
  }
}

#define multiply_as multiply
#define multiply_triangle multiply_lower

#include "sides.h"

/* For the kernels (field.h). */
void C_(view_multiply)(int m, int n, int k, R alpha, int conjugated, const View *a, const View *b, const View *c) {
  multiply(m, n, k, (C){alpha, 0}, conjugated, *a, *b, *c);
}
void C_(view_solve)(int n, int m, int is_unit, int conjugated, const View *l, const View *b) {
  if (n > 0 && m > 0) solve_lower(n, m, is_unit, conjugated, *l, *b);
}
void C_(view_downdate)(int n, int k, const View *a, const View *c) {
  add_triangle(n, k, (C){-1, 0}, CONJUGATED_B, *a, transposed(*a), *c);
}
