/* Level 3: products through `multiply`, triangles by halves until they are small. */

#define TRIANGLE 24

int R_(gemm)(char *transa, char *transb, integer *m, integer *n, integer *k, R *alpha, R *a, integer *lda, R *b, integer *ldb, R *beta, R *c, integer *ldc, ftnlen la, ftnlen lb) {
  (void)la, (void)lb;
  View x = {a, 1, *lda}, y = {b, 1, *ldb}, z = {c, 1, *ldc};
  if (!is_letter(transa, 'n')) x = transposed(x);
  if (!is_letter(transb, 'n')) y = transposed(y);
  scale_matrix(*m, *n, *beta, z);
  multiply(*m, *n, *k, *alpha, x, y, z);
  return 0;
}

/* The lower triangle of C += alpha·A·B */
static void add_triangle(int n, int k, R alpha, View a, View b, View c) {
  if (n > 2 * TRIANGLE) {
    const int half = half_of(n);
    add_triangle(half, k, alpha, a, b, c);
    multiply(n - half, half, k, alpha, part_of(a, half, 0), b, part_of(c, half, 0));
    add_triangle(n - half, k, alpha, part_of(a, half, 0), part_of(b, 0, half), part_of(c, half, half));
    return;
  }
  R whole[4 * TRIANGLE * TRIANGLE];
  for (int i = 0; i < n * n; i++) whole[i] = 0;
  multiply(n, n, k, alpha, a, b, (View){whole, 1, n});
  for (int j = 0; j < n; j++) for (int i = j; i < n; i++) c.at[i * c.row + j * c.column] += whole[i + j * n];
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

/* Every side, triangle and transposition as a lower triangle on the left. */
typedef struct {
  int n, m;
  View triangle, vectors;
} Sided;

INLINE Sided sided(char *side, char *uplo, char *trans, int m, int n, R *a, int lda, R *b, int ldb) {
  const int is_right = is_letter(side, 'r');
  const int is_flipped = is_right != !is_letter(trans, 'n');
  Sided s = {is_right ? n : m, is_right ? m : n, {a, 1, lda}, {b, 1, ldb}};
  if (is_right) s.vectors = transposed(s.vectors);
  if (is_flipped) s.triangle = transposed(s.triangle);
  if (is_letter(uplo, 'l') == is_flipped) {
    s.triangle = columns_reversed(rows_reversed(s.triangle, s.n), s.n);
    s.vectors = rows_reversed(s.vectors, s.n);
  }
  return s;
}

int R_(trmm)(char *side, char *uplo, char *trans, char *diag, integer *m, integer *n, R *alpha, R *a, integer *lda, R *b, integer *ldb, ftnlen l1, ftnlen l2, ftnlen l3, ftnlen l4) {
  (void)l1, (void)l2, (void)l3, (void)l4;
  if (*m <= 0 || *n <= 0) return 0;
  const Sided s = sided(side, uplo, trans, *m, *n, a, *lda, b, *ldb);
  scale_matrix(*m, *n, *alpha, (View){b, 1, *ldb});
  multiply_lower(s.n, s.m, is_letter(diag, 'u'), s.triangle, s.vectors);
  return 0;
}

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
