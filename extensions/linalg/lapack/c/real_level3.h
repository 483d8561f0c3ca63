/* Level 3: products through `multiply`, triangles by halves until they are small. */

#define TRIANGLE 24
#define E_(name) R_(name)
#define WORDS 1
#define ZERO 0
#define ONE 1
#define MINUS_ONE -1
typedef R E;

int R_(gemm)(char *transa, char *transb, integer *m, integer *n, integer *k, R *alpha, R *a, integer *lda, R *b, integer *ldb, R *beta, R *c, integer *ldc, ftnlen la, ftnlen lb) {
  (void)la, (void)lb;
  View x = {a, 1, *lda}, y = {b, 1, *ldb}, z = {c, 1, *ldc};
  if (!is_letter(transa, 'n')) x = transposed(x);
  if (!is_letter(transb, 'n')) y = transposed(y);
  scale_matrix(*m, *n, *beta, z);
  multiply(*m, *n, *k, *alpha, x, y, z);
  return 0;
}

/* Those tiles of a product, rows from `row` and columns from `column` on, that are in the lower triangle or on the diagonal. */
APART void triangle_tiles(int m, int n, int k, const R *a, const R *b, int row, int column, int is_lower, View c) {
  for (int j = 0; j < n; j += NR) {
    const int columns = n - j < NR ? n - j : NR, left = column + j, right = left + columns - 1;
    for (int i = 0; i < m; i += MR) {
      const int rows = m - i < MR ? m - i : MR, top = row + i, bottom = top + rows - 1;
      if (is_lower ? bottom < left : top > right) continue;
      const View to = part_of(c, top, left);
      if (is_lower ? top >= right : bottom <= left) {
        tile(k, a + i * k, b + j * k, to, rows, columns);
        continue;
      }
      R whole[MR * NR] = {};
      tile(k, a + i * k, b + j * k, (View){whole, 1, MR}, rows, columns);
      for (int q = 0; q < columns; q++) for (int p = 0; p < rows; p++) {
        if (is_lower ? top + p >= left + q : top + p <= left + q) to.at[p * to.row + q * to.column] += whole[p + q * MR];
      }
    }
  }
}

/* The lower triangle of C += alpha·A·B, tiles above it left out. */
APART void add_triangle(int n, int k, R alpha, View a, View b, View c) {
  int is_lower = 1;
  if (is_better_transposed(c, n, n)) {
    const View kept = a;
    a = transposed(b), b = transposed(kept), c = transposed(c), is_lower = 0;
  }
  for (int j = 0; j < n; j += NC) {
    const int columns = n - j < NC ? n - j : NC, first = is_lower ? j : 0, last = is_lower ? n : j + columns;
    for (int p = 0; p < k; p += KC) {
      const int depth = k - p < KC ? k - p : KC;
      pack_columns(depth, columns, alpha, part_of(b, p, j), R_(panel_b));
      for (int i = first; i < last; i += MC) {
        const int rows = last - i < MC ? last - i : MC;
        pack_rows(rows, depth, part_of(a, i, p), R_(panel_a));
        triangle_tiles(rows, columns, depth, R_(panel_a), R_(panel_b), i, j, is_lower, c);
      }
    }
  }
}

static void scale_triangle(int n, R beta, View c) {
  if (beta != 1) for (int j = 0; j < n; j++) scale_matrix(n - j, 1, beta, part_of(c, j, j));
}

int R_(syr2k)(char *uplo, char *trans, integer *n, integer *k, R *alpha, R *a, integer *lda, R *b, integer *ldb, R *beta, R *c, integer *ldc, ftnlen l1, ftnlen l2) {
  (void)l1, (void)l2;
  const View x = is_letter(trans, 'n') ? (View){a, 1, *lda} : (View){a, *lda, 1};
  const View y = is_letter(trans, 'n') ? (View){b, 1, *ldb} : (View){b, *ldb, 1};
  const View to = is_letter(uplo, 'l') ? (View){c, 1, *ldc} : (View){c, *ldc, 1};
  scale_triangle(*n, *beta, to);
  add_triangle(*n, *k, *alpha, x, transposed(y), to);
  add_triangle(*n, *k, *alpha, y, transposed(x), to);
  return 0;
}

/* Vectors in which the columns of a small triangle's right-hand sides run side by side. */
#define ABREAST 4
#define WIDTH (ABREAST * LANES)

/* Rows of B from row 0 of `rows`, `here` columns of them, zeros beside. */
INLINE void gather_columns(int n, int here, View b, R *to) {
  for (int i = 0; i < n; i++, to += WIDTH) {
    const R *from = b.at + i * b.row;
    if (b.column == 1 && here == WIDTH) UNROLL for (int v = 0; v < ABREAST; v++) store(to + v * LANES, load(from + v * LANES));
    else {
      for (int j = 0; j < here; j++) to[j] = from[j * b.column];
      for (int j = here; j < WIDTH; j++) to[j] = 0;
    }
  }
}

INLINE void scatter_columns(int n, int here, const R *from, View b) {
  for (int i = 0; i < n; i++, from += WIDTH) {
    R *to = b.at + i * b.row;
    if (b.column == 1 && here == WIDTH) UNROLL for (int v = 0; v < ABREAST; v++) store(to + v * LANES, load(from + v * LANES));
    else for (int j = 0; j < here; j++) to[j * b.column] = from[j];
  }
}

INLINE void pack_triangle(int n, int is_unit, View l, R *to) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) to[i * TRIANGLE + j] = l.at[i * l.row + j * l.column];
    to[i * TRIANGLE + i] = is_unit ? 1 : l.at[i * (l.row + l.column)];
  }
}

/* A lower triangle and few vectors: B := L⁻¹·B, or L·B. */
APART void small_triangle(int n, int m, int is_unit, int solves, View l, View b) {
  R triangle[TRIANGLE * TRIANGLE], columns[TRIANGLE * WIDTH];
  pack_triangle(n, is_unit, l, triangle);
  for (int first = 0; first < m; first += WIDTH) {
    const int here = m - first < WIDTH ? m - first : WIDTH;
    const View group = part_of(b, 0, first);
    gather_columns(n, here, group, columns);
    for (int step = 0; step < n; step++) {
      const int i = solves ? step : n - 1 - step;
      R *own = columns + i * WIDTH;
      const R *row = triangle + i * TRIANGLE;
      const V diagonal = SPLAT(row[i]);
      V sums[ABREAST];
      UNROLL for (int v = 0; v < ABREAST; v++) sums[v] = solves ? load(own + v * LANES) : load(own + v * LANES) * diagonal;
      for (int j = 0; j < i; j++) {
        const V factor = SPLAT(solves ? -row[j] : row[j]);
        UNROLL for (int v = 0; v < ABREAST; v++) sums[v] += factor * load(columns + j * WIDTH + v * LANES);
      }
      UNROLL for (int v = 0; v < ABREAST; v++) store(own + v * LANES, solves && !is_unit ? sums[v] / diagonal : sums[v]);
    }
    scatter_columns(n, here, columns, group);
  }
}

/* One vector: by columns of L where they have unit stride, else by rows. */
static void solve_vector(int n, int is_unit, View l, View b) {
  for (int i = 0; i < n; i++) {
    R *own = b.at + i * b.row;
    if (l.row == 1 && b.row == 1) {
      if (!is_unit) *own /= l.at[i * (1 + l.column)];
      add_scaled(n - 1 - i, -*own, l.at + i * l.column + i + 1, own + 1);
      continue;
    }
    R sum = 0;
    if (l.column == 1 && b.row == 1) sum = dot(i, l.at + i * l.row, b.at);
    else for (int j = 0; j < i; j++) sum += l.at[i * l.row + j * l.column] * b.at[j * b.row];
    *own -= sum;
    if (!is_unit) *own /= l.at[i * (l.row + l.column)];
  }
}

static void solve_lower(int n, int m, int is_unit, View l, View b) {
  if (m == 1) {
    solve_vector(n, is_unit, l, b);
  } else if (n <= TRIANGLE) {
    small_triangle(n, m, is_unit, 1, l, b);
  } else {
    const int half = half_of(n);
    const View below = part_of(b, half, 0);
    solve_lower(half, m, is_unit, l, b);
    multiply(n - half, m, half, -1, part_of(l, half, 0), b, below);
    solve_lower(n - half, m, is_unit, part_of(l, half, half), below);
  }
}

static void multiply_lower(int n, int m, int is_unit, View l, View b) {
  if (n <= TRIANGLE) {
    small_triangle(n, m, is_unit, 0, l, b);
  } else {
    const int half = half_of(n);
    const View below = part_of(b, half, 0);
    multiply_lower(n - half, m, is_unit, part_of(l, half, half), below);
    multiply(n - half, m, half, 1, part_of(l, half, 0), b, below);
    multiply_lower(half, m, is_unit, l, b);
  }
}

/* Nothing to conjugate. */
INLINE void multiply_as(int m, int n, int k, R alpha, int conjugated, View a, View b, View c) {
  (void)conjugated;
  multiply(m, n, k, alpha, a, b, c);
}
INLINE void multiply_triangle(int n, int m, int is_unit, int is_conjugated, View l, View b) {
  (void)is_conjugated;
  multiply_lower(n, m, is_unit, l, b);
}

#include "sides.h"

/* For the kernels (field.h). */
void R_(view_multiply)(int m, int n, int k, R alpha, int conjugated, const View *a, const View *b, const View *c) {
  (void)conjugated;
  multiply(m, n, k, alpha, *a, *b, *c);
}
void R_(view_solve)(int n, int m, int is_unit, int conjugated, const View *l, const View *b) {
  (void)conjugated;
  if (n > 0 && m > 0) solve_lower(n, m, is_unit, *l, *b);
}
void R_(view_downdate)(int n, int k, const View *a, const View *c) {
  add_triangle(n, k, -1, *a, transposed(*a), *c);
}
