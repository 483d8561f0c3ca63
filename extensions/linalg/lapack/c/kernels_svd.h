/*
 * Singular values and vectors. A = U·S·Vᴴ row-major is M = Aᵀ = conj(V)·S·Uᵀ column-major: the left vectors of M, column after
 * column, are Vᴴ row after row, and what LAPACK calls VT is U. So nothing is transposed. The way is gesdd's: a QR or LQ first
 * where one side is much longer, bidiagonal form, divide and conquer; where that fails or its result does not hold, and
 * where it is asked for, the QR iteration, as gesvd does it.
 */

/* Divide and conquer, or the QR iteration at once. Tests ask for the former with a wrong result, which the checks have to find. */
enum { FAST, SURE, SPOILT };

/* What is asked for: vectors of either side of M, all of them or min(p, q). */
typedef struct {
  int p, q, k;
  int wants_left, wants_right, is_full;
  int driver;
  /* Copies of the matrix, for the call and for a second attempt; inside, a square triangle. */
  T *matrix, *triangle;
  R *d, *e, *small_left, *small_right, *real_work;
  T *tau, *tau_q, *tau_p, *work;
  int *integer_work;
  int work_length;
} Svd;

INLINE Svd svd_room(Room *room, int p, int q, int wants_left, int wants_right, int is_full) {
  const int k = least(p, q), vectors = wants_left || wants_right;
  const Count square = area(k, k);
  Svd s;
  s.p = p, s.q = q, s.k = k;
  s.wants_left = wants_left, s.wants_right = wants_right, s.is_full = is_full, s.driver = FAST;
  s.matrix = elements(room, area(p, q));
  s.triangle = elements(room, square);
  s.d = reals(room, k), s.e = reals(room, k);
  s.small_left = reals(room, vectors ? square : 0);
  s.small_right = reals(room, vectors ? square : 0);
  s.real_work = reals(room, vectors ? 3 * square + 4 * k : 6 * k);
  s.tau = elements(room, k), s.tau_q = elements(room, k), s.tau_p = elements(room, k);
  s.integer_work = integers(room, 8 * k);
  s.work_length = 2 * BLOCK * (p + q) + FACTOR;
  s.work = elements(room, s.work_length);
  return s;
}

/* A power of two that brings the largest magnitude to where squares neither overflow nor vanish: 1 for most matrices. */
static R scale_of(Count words, const R *a) {
  R largest = 0;
  for (Count i = 0; i < words; i++) if (FABS(a[i]) > largest) largest = FABS(a[i]);
  const R low = PRECISION == 8 ? (R)0x1p-400 : (R)0x1p-40, high = PRECISION == 8 ? (R)0x1p400 : (R)0x1p40, step = PRECISION == 8 ? (R)0x1p500 : (R)0x1p60;
  return largest == 0 ? 1 : largest < low ? step : largest > high ? 1 / step : 1;
}

APART void put(int rows, int columns, const R *from, int ld_from, T *to, int ld_to) {
  for (Count j = 0; j < columns; j++) for (Count i = 0; i < rows; i++) {
    R *at = (R *)(to + i + j * ld_to);
    at[0] = from[i + j * ld_from];
    if (WORDS == 2) at[1] = 0;
  }
}

/* A k×k matrix in the corner of rows×columns, zero beside, ones on the diagonal where both go on. */
APART void embed(int k, const R *small, int rows, int columns, T *to) {
  fill_zero(to, area(rows, columns) * WORDS);
  put(k, k, small, k, to, rows);
  for (Count i = k; i < least(rows, columns); i++) ((R *)(to + i + i * rows))[0] = 1;
}

/* S and the vectors asked for; whether LAPACK says that it converged. `left` p×k or p×p, `right` k×q or q×q. */
APART int divide_and_conquer(Svd *s, R *values, T *left, T *right) {
  int p = s->p, q = s->q, k = s->k, info, unused = 1;
  const int is_tall = p >= q, is_long = is_tall ? p > q + q / 2 + q / 8 : q > p + p / 2 + p / 8;
  int rows = is_long ? k : p, columns = is_long ? k : q;
  T *core = s->matrix;
  if (is_long) {
    // By name: the address of a function of another file would lie in a table that the engine does not have.
    if (is_tall) T_(geqrf)(&p, &q, s->matrix, &p, s->tau, s->work, &s->work_length, &info);
    else T_(gelqf)(&p, &q, s->matrix, &p, s->tau, s->work, &s->work_length, &info);
    core = s->triangle;
    for (Count j = 0; j < k; j++) for (Count i = 0; i < k; i++) {
      const int is_kept = is_tall ? i <= j : i >= j;
      for (Count w = 0; w < WORDS; w++) ((R *)(core + i + j * k))[w] = is_kept ? ((R *)(s->matrix + i + j * p))[w] : 0;
    }
  }
  T_(gebrd)(&rows, &columns, core, &rows, s->d, s->e, s->tau_q, s->tau_p, s->work, &s->work_length, &info);
  const int wants = s->wants_left || s->wants_right;
  R none = 0;
  R_(bdsdc)(rows >= columns ? "U" : "L", wants ? "I" : "N", &k, s->d, s->e, wants ? s->small_left : &none, wants ? &k : &unused, wants ? s->small_right : &none, wants ? &k : &unused, &none, &unused, s->real_work, s->integer_work, &info, 1, 1);
  for (Count i = 0; i < k; i++) values[i] = s->d[i];
  if (info != 0) return 0;
  if (s->wants_left) {
    int count = s->is_full ? p : k;
    embed(k, s->small_left, p, count, left);
    int inner = is_long ? k : count;
    UNITARY(mbr)("Q", "L", "N", &rows, &inner, &columns, core, &rows, s->tau_q, left, &p, s->work, &s->work_length, &info, 1, 1, 1);
    if (is_long && is_tall) UNITARY(mqr)("L", "N", &p, &count, &k, s->matrix, &p, s->tau, left, &p, s->work, &s->work_length, &info, 1, 1);
  }
  if (s->wants_right) {
    int count = s->is_full ? q : k;
    embed(k, s->small_right, count, q, right);
    int inner = is_long ? k : count;
    UNITARY(mbr)("P", "R", WORDS == 2 ? "C" : "T", &inner, &columns, &rows, core, &rows, s->tau_p, right, &count, s->work, &s->work_length, &info, 1, 1, 1);
    if (is_long && !is_tall) UNITARY(mlq)("R", "N", &count, &q, &k, s->matrix, &p, s->tau, right, &count, s->work, &s->work_length, &info, 1, 1);
  }
  return 1;
}

/* gesvd's way: the QR iteration on the bidiagonal form, its rotations applied to Q and Pᴴ. */
APART int iterate(Svd *s, R *values, T *left, T *right) {
  int p = s->p, q = s->q, k = s->k, info, none = 0, one = 1;
  int columns = s->wants_left ? (s->is_full ? p : k) : 0, rows = s->wants_right ? (s->is_full ? q : k) : 0;
  int rotated_left = s->wants_left ? p : 0, rotated_right = s->wants_right ? q : 0, ld_right = most(rows, 1);
  T unused;
  T_(gebrd)(&p, &q, s->matrix, &p, values, s->e, s->tau_q, s->tau_p, s->work, &s->work_length, &info);
  if (s->wants_left) {
    embed(0, 0, p, columns, left);
    UNITARY(mbr)("Q", "L", "N", &p, &columns, &q, s->matrix, &p, s->tau_q, left, &p, s->work, &s->work_length, &info, 1, 1, 1);
  }
  if (s->wants_right) {
    embed(0, 0, rows, q, right);
    UNITARY(mbr)("P", "R", WORDS == 2 ? "C" : "T", &rows, &q, &p, s->matrix, &p, s->tau_p, right, &rows, s->work, &s->work_length, &info, 1, 1, 1);
  }
  T_(bdsqr)(p >= q ? "U" : "L", &k, &rotated_right, &rotated_left, &none, values, s->e, s->wants_right ? right : &unused, &ld_right, s->wants_left ? left : &unused, &p, &unused, &one, s->real_work, &info, 1);
  return info == 0;
}

/* ±1 as a multiplicative generator draws them: a sign for every element, the same in every call. */
INLINE R sign_at(unsigned *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 31 ? -1 : 1;
}

/* ‖factor·x‖² */
static double norm2(const T *x, Count count, double factor) {
  double sum = 0;
  for (Count i = 0; i < count * WORDS; i++) {
    const double part = ((const R *)x)[i] * factor;
    sum += part * part;
  }
  return sum;
}

/* y = op(A)·x, columns of A of unit stride. */
APART void apply(int m, int n, const T *a, int lda, int adjoint, const T *x, T *y) {
  int rows = m, columns = n, ld = lda, one = 1;
  T alpha, beta;
  fill_zero(&alpha, WORDS), fill_zero(&beta, WORDS);
  ((R *)&alpha)[0] = 1;
  T_(gemv)(adjoint ? "C" : "N", &rows, &columns, &alpha, (T *)a, &ld, (T *)x, &one, &beta, y, &one, 1);
}

/* ‖Q·x‖ = ‖x‖ and Qᴴ·Q·x = x for random signs x: E‖(QᴴQ − I)·x‖² = ‖QᴴQ − I‖F². `adjoint`: of Qᴴ. */
static int is_isometry(int m, int n, const T *a, int adjoint, T *x, T *y, R bound) {
  const int from = adjoint ? m : n, into = adjoint ? n : m;
  unsigned state = 12345;
  fill_zero(x, from * WORDS);
  for (Count i = 0; i < from; i++) ((R *)(x + i))[0] = sign_at(&state);
  apply(m, n, a, m, adjoint, x, y);
  T *back = y + into;
  apply(m, n, a, m, !adjoint, y, back);
  double error = 0;
  for (Count i = 0; i < from * WORDS; i++) {
    const double off = ((R *)back)[i] - ((R *)x)[i];
    error += off * off;
  }
  return error <= (double)bound * bound;
}

/* M·x = left·S·(right·x) where both sides are there, else left·(S²·(leftᴴ·x)) = M·Mᴴ·x and likewise for the right; Σs² = ‖M‖F². */
APART int holds(const Svd *s, const T *matrix, R factor, const R *values, const T *left, const T *right) {
  const int p = s->p, q = s->q, k = s->k, longest = most(p, q);
  const R unit = 30 * (R)longest * EPS2;
  double squares = 0, matrix_squares = norm2(matrix, area(p, q), factor);
  for (Count i = 0; i < k; i++) squares += (double)values[i] * values[i];
  if (!(__builtin_fabs(squares - matrix_squares) <= 2 * unit * matrix_squares)) return 0;
  if (!s->wants_left && !s->wants_right) return 1;
  T *x = s->work, *y = x + longest, *z = y + longest;
  const int ld_right = s->is_full ? q : k;
  if (s->wants_left && !is_isometry(p, s->is_full ? p : k, left, 0, x, y, unit)) return 0;
  if (s->wants_right && !is_isometry(ld_right, q, right, 1, x, y, unit)) return 0;
  unsigned state = 98765;
  const int on_left = s->wants_left && !s->wants_right;
  const int length = on_left ? p : q;
  fill_zero(x, length * WORDS);
  for (Count i = 0; i < length; i++) ((R *)(x + i))[0] = sign_at(&state);
  double bound = unit * __builtin_sqrt(matrix_squares);
  T *result = z + longest;
  if (on_left) apply(p, k, left, p, 1, x, y);
  else apply(ld_right, q, right, ld_right, 0, x, y);
  const int both = s->wants_left && s->wants_right;
  for (Count i = 0; i < k * WORDS; i++) ((R *)y)[i] *= both ? values[i / WORDS] : values[i / WORDS] * values[i / WORDS];
  if (s->wants_left) apply(p, k, left, p, 0, y, result);
  else {
    for (Count i = k * WORDS; i < ld_right * WORDS; i++) ((R *)y)[i] = 0;
    apply(ld_right, q, right, ld_right, 1, y, result);
  }
  // The signs carry the scale, so that no product with M overflows.
  T *expected = on_left || both ? z : x;
  scale(length * WORDS, factor, (R *)x);
  if (both) apply(p, q, matrix, p, 0, x, z);
  else {
    apply(p, q, matrix, p, on_left, x, y);
    scale((on_left ? q : p) * WORDS, factor, (R *)y);
    apply(p, q, matrix, p, !on_left, y, expected);
    bound *= __builtin_sqrt(matrix_squares);
  }
  double error = 0;
  for (Count i = 0; i < (s->wants_left ? p : q) * WORDS; i++) {
    const double off = ((R *)result)[i] - ((R *)expected)[i];
    error += off * off;
  }
  return error <= bound * bound;
}

static void start(Svd *s, const T *a, R factor) {
  copy_words(a, s->matrix, area(s->p, s->q) * WORDS);
  if (factor != 1) scale(area(s->p, s->q) * WORDS, factor, (R *)s->matrix);
}

/* What a fault of the divide and conquer could leave, each of which one of the checks is for. */
static void spoil(Svd *s, R *values, T *left, T *right) {
  if (s->wants_right) ((R *)right)[0] += 1;
  else if (s->wants_left) ((R *)left)[0] += 1;
  else values[0] += values[0];
}

/* One matrix; its singular values, `left` and `right` as asked for. */
APART void decompose(Svd *s, const T *a, R *values, T *left, T *right) {
  const R factor = scale_of(area(s->p, s->q) * WORDS, (const R *)a);
  start(s, a, factor);
  const int is_found = s->driver != SURE && divide_and_conquer(s, values, left, right);
  if (is_found && s->driver == SPOILT) spoil(s, values, left, right);
  if (!is_found || !holds(s, a, factor, values, left, right)) {
    start(s, a, factor);
    if (!iterate(s, values, left, right)) {
      fill_nan(values, s->k);
      if (s->wants_left) fill_nan(left, area(s->p, s->is_full ? s->p : s->k) * WORDS);
      if (s->wants_right) fill_nan(right, area(s->q, s->is_full ? s->q : s->k) * WORDS);
      return;
    }
  }
  if (factor != 1) for (Count i = 0; i < s->k; i++) values[i] /= factor;
}

/* Vectors of no singular value: the identity. */
static void each_svd(Count b, int m, int n, const T *a, T *u, R *values, T *vh, int is_full, int driver, char *workspace) {
  Room room = {workspace};
  const int k = least(m, n), width = is_full ? m : k, height = is_full ? n : k;
  Svd s = svd_room(&room, n, m, vh != 0, u != 0, is_full);
  s.driver = driver;
  for (Count i = 0; i < b; i++) {
    T *own_u = u == 0 ? 0 : u + i * m * width, *own_vh = vh == 0 ? 0 : vh + i * height * n;
    if (k == 0) {
      if (u != 0) set_identity(own_u, width, width);
      if (vh != 0) set_identity(own_vh, height, height);
    } else if (is_finite(a + i * m * n, area(m, n))) {
      decompose(&s, a + i * m * n, values + i * k, own_vh, own_u);
    } else {
      fill_nan(values + i * k, k);
      if (u != 0) fill_nan(own_u, area(m, width) * WORDS);
      if (vh != 0) fill_nan(own_vh, area(height, n) * WORDS);
    }
  }
}

#define AT(type, index) ((type *)args[index])

EXPORT(svd) { return each_svd(args[6], args[7], args[8], AT(T, 0), AT(T, 1), AT(R, 2), AT(T, 3), 0, args[9], AT(char, 4)), 0; }
EXPORT(svdFull) { return each_svd(args[6], args[7], args[8], AT(T, 0), AT(T, 1), AT(R, 2), AT(T, 3), 1, args[9], AT(char, 4)), 0; }
EXPORT(svdLeft) { return each_svd(args[5], args[6], args[7], AT(T, 0), AT(T, 1), AT(R, 2), 0, 0, args[8], AT(char, 3)), 0; }
EXPORT(svdRight) { return each_svd(args[5], args[6], args[7], AT(T, 0), 0, AT(R, 1), AT(T, 2), 0, args[8], AT(char, 3)), 0; }
EXPORT(svdvals) { return each_svd(args[4], args[5], args[6], AT(T, 0), 0, AT(R, 1), 0, 0, args[7], AT(char, 2)), 0; }
