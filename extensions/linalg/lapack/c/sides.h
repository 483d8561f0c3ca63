/*
 * Level 3 in which a matrix stands on a side, written once for real and complex elements: E, E_(name), WORDS, and products with operands conjugated or
 * not, are those of real_level3.h and complex_level3.h.
 */

INLINE View columns_of(E *at, int stride) { return (View){(R *)at, WORDS, WORDS * stride}; }

/* Every side, triangle and transposition as a lower triangle on the left. */
typedef struct {
  int n, m;
  View triangle, vectors;
} Sided;

INLINE Sided sided(char *side, char *uplo, char *trans, int m, int n, View a, View b) {
  const int is_right = is_letter(side, 'r');
  const int is_flipped = is_right != !is_letter(trans, 'n');
  Sided s = {is_right ? n : m, is_right ? m : n, is_flipped ? transposed(a) : a, is_right ? transposed(b) : b};
  if (is_letter(uplo, 'l') == is_flipped) {
    s.triangle = columns_reversed(rows_reversed(s.triangle, s.n), s.n);
    s.vectors = rows_reversed(s.vectors, s.n);
  }
  return s;
}

int E_(trmm)(char *side, char *uplo, char *trans, char *diag, integer *m, integer *n, E *alpha, E *a, integer *lda, E *b, integer *ldb, ftnlen l1, ftnlen l2, ftnlen l3, ftnlen l4) {
  (void)l1, (void)l2, (void)l3, (void)l4;
  if (*m <= 0 || *n <= 0) return 0;
  const Sided s = sided(side, uplo, trans, *m, *n, columns_of(a, *lda), columns_of(b, *ldb));
  scale_matrix(*m, *n, *alpha, columns_of(b, *ldb));
  multiply_triangle(s.n, s.m, is_letter(diag, 'u'), is_letter(trans, 'c'), s.triangle, s.vectors);
  return 0;
}

/* As many reflectors as LAPACK puts into a block. */
#define REFLECTORS 64

/* The k×k triangle of reflectors with the ones and zeros that are not stored. */
INLINE void fill_triangle(int k, int is_lower, View v, E *to) {
  for (int j = 0; j < k; j++) for (int i = 0; i < k; i++) {
    const int is_stored = is_lower ? i > j : i < j;
    to[i + j * k] = is_stored ? *(E *)part_of(v, i, j).at : i == j ? ONE : ZERO;
  }
}

/*
 * op(H)·C or C·op(H), H = I − V·T·Vᴴ (Schreiber & Van Loan 1989). With the triangle of V filled up everything but T is a product of
 * matrices in place: of C nothing is copied.
 */
int E_(larfb)(char *side, char *trans, char *direct, char *storev, integer *m, integer *n, integer *k, E *v, integer *ldv, E *t, integer *ldt, E *c, integer *ldc, E *work, integer *ldwork, ftnlen l1, ftnlen l2, ftnlen l3, ftnlen l4) {
  (void)l1, (void)l2, (void)l3, (void)l4;
  if (*m <= 0 || *n <= 0 || *k <= 0) return 0;
  const int count = *k, is_left = is_letter(side, 'l'), is_forward = is_letter(direct, 'f'), is_by_rows = is_letter(storev, 'r');
  if (count > REFLECTORS) __builtin_trap();
  int length = is_left ? *m : *n, others = is_left ? *n : *m;
  View vectors = columns_of(v, *ldv), into = columns_of(c, *ldc);
  if (is_by_rows) vectors = transposed(vectors);
  if (!is_left) into = transposed(into);
  // Rows of the triangle, and of all others.
  const int corner = is_forward ? 0 : length - count, rest = is_forward ? count : 0;
  E whole[REFLECTORS * REFLECTORS];
  fill_triangle(count, is_forward, part_of(vectors, corner, 0), whole);
  const View triangle = columns_of(whole, count), square = part_of(vectors, rest, 0), products = columns_of(work, *ldwork);
  const View at_corner = part_of(into, corner, 0), at_rest = part_of(into, rest, 0);
  // Cᴴ·V, or C·V
  int conjugated = (is_left ? CONJUGATED_A : 0) | (is_by_rows ? CONJUGATED_B : 0);
  scale_matrix(others, count, ZERO, products);
  multiply_as(others, count, count, ONE, conjugated, transposed(at_corner), triangle, products);
  multiply_as(others, count, length - count, ONE, conjugated, transposed(at_rest), square, products);
  E one = ONE;
  char *of_triangle = !is_left ? trans : is_letter(trans, 'n') ? "C" : "N";
  E_(trmm)("R", is_forward ? "U" : "L", of_triangle, "N", &others, k, &one, t, ldt, work, ldwork, 1, 1, 1, 1);
  conjugated = (is_left == is_by_rows ? CONJUGATED_A : 0) | (is_left ? CONJUGATED_B : 0);
  multiply_as(count, others, count, MINUS_ONE, conjugated, triangle, transposed(products), at_corner);
  multiply_as(length - count, others, count, MINUS_ONE, conjugated, square, transposed(products), at_rest);
  return 0;
}
