/* Eigenvalues and Schur forms. Row-major Hermitian A is conj(A) column-major, its upper triangle the lower one. */

static void each_eigh(Count b, int n, int upper, const T *a, R *w, T *v, char *workspace) {
  Room room = {workspace};
  T *matrix = elements(&room, area(n, n));
  int info, real_length = 1 + 6 * n + 2 * n * n + 2 * (BLOCK + 2) * n, integer_length = 3 + 5 * n;
  int work_length = WORDS == 2 ? 2 * n + n * n + (BLOCK + 2) * n : real_length;
  R *real_work = reals(&room, WORDS == 2 ? real_length : 0);
  T *work = elements(&room, work_length);
  int *integer_work = integers(&room, integer_length);
  (void)real_work;
  for (Count i = 0; i < b; i++) {
    const T *own = a + i * n * n;
    R *values = w + i * n;
    int ok = is_triangle_finite(own, n, upper, 0);
    if (ok && n > 0) {
      copy_words(own, matrix, area(n, n) * WORDS);
#if COMPLEX
      C_(heevd)(v == 0 ? "N" : "V", upper ? "L" : "U", &n, matrix, &n, values, work, &work_length, real_work, &real_length, integer_work, &integer_length, &info, 1, 1);
#else
      R_(syevd)(v == 0 ? "N" : "V", upper ? "L" : "U", &n, matrix, &n, values, work, &work_length, integer_work, &integer_length, &info, 1, 1);
#endif
      ok = info == 0;
    }
    if (!ok) {
      fill_nan(values, n);
      if (v != 0) fill_nan(v + i * n * n, area(n, n) * WORDS);
    } else if (v != 0) {
      transpose(n, n, matrix, v + i * n * n);
      conjugate(v + i * n * n, area(n, n));
    }
  }
}

EXPORT(eigh) { return each_eigh(args[5], args[6], args[7], AT(T, 0), AT(R, 1), AT(T, 2), AT(char, 3)), 0; }
EXPORT(eigvalsh) { return each_eigh(args[4], args[5], args[6], AT(T, 0), AT(R, 1), 0, AT(char, 2)), 0; }

/* Blocks of trevc3, and what the reduction to Hessenberg form and the QR algorithm ask for. */
#define EIGEN_LENGTH(n) (200 * (n) + FACTOR + 64)

typedef struct {
  int n, work_length;
  T *matrix, *vectors, *work, *tau;
  R *values, *imaginary, *balance;
} Eigen;

INLINE Eigen eigen_room(Room *room, int n) {
  Eigen s;
  s.n = n;
  s.matrix = elements(room, area(n, n));
  s.vectors = elements(room, area(n, n));
  s.work_length = EIGEN_LENGTH(n);
  s.work = elements(room, s.work_length);
  s.tau = elements(room, n);
  // Complex values lie in both together.
  s.values = reals(room, 2 * n);
  s.imaginary = s.values + n;
  s.balance = reals(room, n);
  return s;
}

/* geev's way from s->matrix: balanced as `job` says, Hessenberg form, QR algorithm, vectors of the triangle, taken back. */
static int find_eigen(Eigen *s, char *job, int wants_vectors) {
  int n = s->n, low, high, info, count = n, one = 1;
  T none;
  T_(gebal)(job, &n, s->matrix, &n, &low, &high, s->balance, &info, 1);
  T_(gehrd)(&n, &low, &high, s->matrix, &n, s->tau, s->work, &s->work_length, &info);
  if (wants_vectors) {
    copy_words(s->matrix, s->vectors, area(n, n) * WORDS);
    UNITARY(ghr)(&n, &low, &high, s->vectors, &n, s->tau, s->work, &s->work_length, &info);
  }
  T_(hseqr)(wants_vectors ? "S" : "E", wants_vectors ? "V" : "N", &n, &low, &high, s->matrix, &n,
#if COMPLEX
            (C *)s->values,
#else
            s->values, s->imaginary,
#endif
            wants_vectors ? s->vectors : &none, wants_vectors ? &n : &one, s->work, &s->work_length, &info, 1, 1);
  if (info != 0) return 0;
  if (!wants_vectors) return 1;
#if COMPLEX
  R *real_work = (R *)s->tau;
  T_(trevc3)("R", "B", 0, &n, s->matrix, &n, &none, &one, s->vectors, &n, &n, &count, s->work, &s->work_length, real_work, &n, &info, 1, 1);
#else
  T_(trevc3)("R", "B", 0, &n, s->matrix, &n, &none, &one, s->vectors, &n, &n, &count, s->work, &s->work_length, &info, 1, 1);
#endif
  T_(gebak)(job, "R", &n, &low, &high, s->balance, &n, s->vectors, &n, &info, 1, 1);
  return 1;
}

/* A vector z = x + i·y (`words` apart), of norm 1, its largest element real. */
APART void normalise(int n, R *x, R *y, int words) {
  double sum = 0, largest = -1;
  int at = 0;
  for (Count i = 0; i < n * words; i += words) {
    const double size = (double)x[i] * x[i] + (double)y[i] * y[i];
    sum += size;
    if (size > largest) largest = size, at = i;
  }
  const double phase = __builtin_sqrt(largest), factor = 1 / (phase * __builtin_sqrt(sum)), re = x[at] * factor, im = -y[at] * factor;
  for (Count i = 0; i < n * words; i += words) {
    const double u = x[i], v = y[i];
    x[i] = (R)(u * re - v * im);
    y[i] = (R)(u * im + v * re);
  }
  y[at] = 0;
}

/* Vectors of trevc3 have a largest element of about 1, before they are taken back: scaled so again, squares neither overflow nor vanish. */
static void scale_column(int n, T *column) {
  R *x = (R *)column, largest = 0;
  for (Count i = 0; i < n * WORDS; i++) if (FABS(x[i]) > largest) largest = FABS(x[i]);
  for (Count i = 0; i < n * WORDS; i++) x[i] /= largest;
}

static void normalise_columns(Eigen *s) {
  const int n = s->n;
  for (Count j = 0; j < n; j++) {
    T *own = s->vectors + j * n;
    R *x = (R *)own;
    if (WORDS == 2) {
      scale_column(n, own);
      normalise(n, x, x + 1, 2);
    } else if (s->imaginary[j] == 0) {
      scale_column(n, own);
      scale(n, 1 / norm_of(n, x, 1, 1), x);
    } else {
      scale_column(2 * n, own);
      normalise(n, x, x + n, 1);
      j++;
    }
  }
}

/* y = A·x of row-major A. */
static void apply_rows(int n, const T *a, const T *x, T *y) {
  T alpha, beta;
  int size = n, one = 1;
  fill_zero(&alpha, WORDS), fill_zero(&beta, WORDS);
  ((R *)&alpha)[0] = 1;
  T_(gemv)("T", &size, &size, &alpha, (T *)a, &size, (T *)x, &one, &beta, y, &one, 1);
}

/* x := D·x for the eigenvalues D; of a real matrix in blocks (re, im; −im, re) as its vectors' columns are. */
static void apply_values(const Eigen *s, T *x) {
  for (Count j = 0; j < s->n; j++) {
    R *own = (R *)(x + j);
    if (WORDS == 2) {
      const R re = s->values[2 * j], im = s->values[2 * j + 1], u = own[0], v = own[WORDS - 1];
      own[0] = re * u - im * v, own[WORDS - 1] = re * v + im * u;
    } else if (s->imaginary[j] == 0) {
      own[0] *= s->values[j];
    } else {
      const R re = s->values[j], im = s->imaginary[j], u = own[0], v = own[1];
      own[0] = re * u + im * v, own[1] = re * v - im * u;
      j++;
    }
  }
}

/* Along so many directions an error is measured: one of rank one looks four times smaller than it is less than once in a hundred times. */
#define DIRECTIONS 4

/* Whether A·V = V·D along random signs for A of the given scale, or the trace is the sum of the values: in units of n·eps·‖A‖F, which balancing can miss. */
static int holds_eigen(Eigen *s, const T *a, R factor, int wants_vectors) {
  const int n = s->n;
  const double bound = 8.0 * n * EPS2 * __builtin_sqrt(norm2(a, area(n, n), factor));
  double error = 0;
  if (!wants_vectors) {
    double re = 0, im = 0;
    for (Count j = 0; j < n; j++) {
      const R *diagonal = (const R *)(a + j * (n + 1));
      re += (double)(WORDS == 2 ? s->values[2 * j] : s->values[j]) - (double)factor * diagonal[0];
      if (WORDS == 2) im += (double)s->values[2 * j + 1] - (double)factor * diagonal[WORDS - 1];
    }
    return re * re + im * im <= bound * bound;
  }
  T *x = s->work, *y = x + n, *z = y + n;
  unsigned state = 4711;
  for (Count round = 0; round < DIRECTIONS; round++) {
    fill_zero(x, n * WORDS);
    for (Count j = 0; j < n; j++) ((R *)(x + j))[0] = sign_at(&state);
    apply(n, n, s->vectors, n, 0, x, y);
    scale(n * WORDS, factor, (R *)y);
    apply_rows(n, a, y, z);
    apply_values(s, x);
    apply(n, n, s->vectors, n, 0, x, y);
    for (Count i = 0; i < n * WORDS; i++) {
      const double off = (double)((R *)z)[i] - ((R *)y)[i];
      error += off * off;
    }
  }
  return error <= DIRECTIONS * bound * bound;
}

/* Balanced as geev does it; where rows and columns differ so much that what is small there counts here, without. */
static int eigen(Eigen *s, const T *a, int wants_vectors) {
  static char *const jobs[2] = {"B", "P"};
  const R factor = scale_of(area(s->n, s->n) * WORDS, (const R *)a);
  for (Count attempt = 0; attempt < 2; attempt++) {
    transpose(s->n, s->n, a, s->matrix);
    if (factor != 1) scale(area(s->n, s->n) * WORDS, factor, (R *)s->matrix);
    if (!find_eigen(s, jobs[attempt], wants_vectors)) continue;
    if (wants_vectors) normalise_columns(s);
    if (attempt == 0 && !holds_eigen(s, a, factor, wants_vectors)) continue;
    if (factor != 1) scale(2 * s->n, 1 / factor, s->values);
    return 1;
  }
  return 0;
}

/* Complex vectors from the real and imaginary columns of pairs. */
INLINE void complex_vectors(const Eigen *s, R *to) {
  const int n = s->n;
  for (Count j = 0; j < n; j++) for (Count i = 0; i < n; i++) {
    R *at = to + 2 * (i * n + j);
    const R *own = (const R *)(s->vectors + i + j * n);
    if (WORDS == 2) {
      at[0] = own[0], at[1] = own[1];
      continue;
    }
    const int is_second = s->imaginary[j] < 0;
    at[0] = is_second ? own[-n] : own[0];
    at[1] = s->imaginary[j] == 0 ? 0 : is_second ? -own[0] : own[n];
  }
}

static void each_eig(Count b, int n, const T *a, R *w, R *v, char *workspace) {
  Room room = {workspace};
  Eigen s = eigen_room(&room, n);
  for (Count i = 0; i < b; i++) {
    const T *own = a + i * n * n;
    R *values = w + 2 * i * n, *vectors = v == 0 ? 0 : v + 2 * i * n * n;
    if (!is_finite(own, area(n, n)) || (n > 0 && !eigen(&s, own, v != 0))) {
      fill_nan(values, 2 * n);
      if (v != 0) fill_nan(vectors, 2 * area(n, n));
      continue;
    }
    if (WORDS == 2) move(2 * n, s.values, values);
    else for (Count j = 0; j < n; j++) values[2 * j] = s.values[j], values[2 * j + 1] = s.imaginary[j];
    if (v != 0) complex_vectors(&s, vectors);
  }
}

EXPORT(eig) { return each_eig(args[5], args[6], AT(T, 0), AT(R, 1), AT(R, 2), AT(char, 3)), 0; }
EXPORT(eigvals) { return each_eig(args[4], args[5], AT(T, 0), AT(R, 1), 0, AT(char, 2)), 0; }

EXPORT(schur) {
  const Count b = args[5];
  int n = args[6], info, none = 0, work_length = EIGEN_LENGTH(n);
  Room room = {AT(char, 3)};
  T *matrix = elements(&room, area(n, n)), *vectors = elements(&room, area(n, n)), *work = elements(&room, work_length), *values = elements(&room, n);
  R *real_work = reals(&room, n);
  logical unused;
  for (Count i = 0; i < b; i++) {
    const T *a = AT(T, 0) + i * n * n;
    T *t = AT(T, 1) + i * n * n, *z = AT(T, 2) + i * n * n;
    int ok = is_finite(a, area(n, n));
    if (ok && n > 0) {
      transpose(n, n, a, matrix);
#if COMPLEX
      C_(gees)("V", "N", 0, &n, matrix, &n, &none, values, vectors, &n, work, &work_length, real_work, &unused, &info, 1, 1);
#else
      R_(gees)("V", "N", 0, &n, matrix, &n, &none, values, real_work, vectors, &n, work, &work_length, &unused, &info, 1, 1);
#endif
      ok = info == 0;
    }
    if (ok) {
      transpose(n, n, matrix, t);
      transpose(n, n, vectors, z);
    } else {
      fill_nan(t, area(n, n) * WORDS);
      fill_nan(z, area(n, n) * WORDS);
    }
  }
  return 0;
}

EXPORT(triangularSylvester) {
  const Count b = args[6];
  int m = args[7], n = args[8], adjoint = args[9], one = 1;
  Count failed = 0;
  Room room = {AT(char, 4)};
  T *t = elements(&room, area(m, m)), *u = elements(&room, area(n, n)), *c = elements(&room, area(m, n));
  char *trans = adjoint == 0 ? "N" : WORDS == 2 ? "C" : "T";
  for (Count i = 0; i < b; i++) {
    const T *own_t = AT(T, 0) + i * m * m, *own_u = AT(T, 1) + i * n * n, *own_c = AT(T, 2) + i * m * n;
    T *x = AT(T, 3) + i * m * n;
    if (!is_finite(own_t, area(m, m)) || !is_finite(own_u, area(n, n)) || !is_finite(own_c, area(m, n))) {
      fill_nan(x, area(m, n) * WORDS);
      continue;
    }
    if (m == 0 || n == 0) continue;
    int info;
    R factor;
    transpose(m, m, own_t, t);
    transpose(n, n, own_u, u);
    transpose(m, n, own_c, c);
    T_(trsyl)(trans, trans, &one, &m, &n, t, &m, u, &n, c, &m, &factor, &info, 1, 1);
    if (info != 0) {
      if (failed == 0) failed = i + 1;
      fill_nan(x, area(m, n) * WORDS);
      continue;
    }
    transpose(n, m, c, x);
    if (factor != 1) for (Count j = 0; j < area(m, n) * WORDS; j++) ((R *)x)[j] /= factor;
  }
  return failed;
}
