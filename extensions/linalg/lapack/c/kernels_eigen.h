/* Eigenvalues and Schur forms. Row-major Hermitian A is conj(A) column-major, its upper triangle the lower one. */

static void each_eigh(int b, int n, int upper, const T *a, R *w, T *v, char *workspace) {
  Room room = {workspace};
  T *matrix = elements(&room, n * n);
  int info, real_length = 1 + 6 * n + 2 * n * n + 2 * (BLOCK + 2) * n, integer_length = 3 + 5 * n;
  int work_length = WORDS == 2 ? 2 * n + n * n + (BLOCK + 2) * n : real_length;
  R *real_work = reals(&room, WORDS == 2 ? real_length : 0);
  T *work = elements(&room, work_length);
  int *integer_work = integers(&room, integer_length);
  (void)real_work;
  for (int i = 0; i < b; i++) {
    const T *own = a + i * n * n;
    R *values = w + i * n;
    int ok = is_triangle_finite(own, n, upper);
    if (ok && n > 0) {
      copy_words(own, matrix, n * n * WORDS);
#if COMPLEX
      C_(heevd)(v == 0 ? "N" : "V", upper ? "L" : "U", &n, matrix, &n, values, work, &work_length, real_work, &real_length, integer_work, &integer_length, &info, 1, 1);
#else
      R_(syevd)(v == 0 ? "N" : "V", upper ? "L" : "U", &n, matrix, &n, values, work, &work_length, integer_work, &integer_length, &info, 1, 1);
#endif
      ok = info == 0;
    }
    if (!ok) {
      fill_nan(values, n);
      if (v != 0) fill_nan(v + i * n * n, n * n * WORDS);
    } else if (v != 0) {
      transpose(n, n, matrix, v + i * n * n);
      conjugate(v + i * n * n, n * n);
    }
  }
}

EXPORT(eigh) { return each_eigh(args[5], args[6], args[7], AT(T, 0), AT(R, 1), AT(T, 2), AT(char, 3)), 0; }
EXPORT(eigvalsh) { return each_eigh(args[4], args[5], args[6], AT(T, 0), AT(R, 1), 0, AT(char, 2)), 0; }

/* Blocks of trevc3, and what the reduction to Hessenberg form and the QR algorithm ask for. */
#define EIGEN_LENGTH(n) (200 * (n) + FACTOR + 64)

/* Complex vectors from the real and imaginary columns of pairs. */
INLINE void complex_vectors(int n, const R *imaginary, const T *columns, R *to) {
  for (int j = 0; j < n; j++) for (int i = 0; i < n; i++) {
    R *at = to + 2 * (i * n + j);
    const R *own = (const R *)(columns + i + j * n);
    if (WORDS == 2) {
      at[0] = own[0], at[1] = own[1];
      continue;
    }
    const int is_second = imaginary[j] < 0;
    at[0] = is_second ? own[-n] : own[0];
    at[1] = imaginary[j] == 0 ? 0 : is_second ? -own[0] : own[n];
  }
}

static void each_eig(int b, int n, const T *a, R *w, R *v, char *workspace) {
  Room room = {workspace};
  T *matrix = elements(&room, n * n), *vectors = elements(&room, v == 0 ? 0 : n * n);
  int info, one = 1, work_length = EIGEN_LENGTH(n);
  T *work = elements(&room, work_length);
  R *real_values = reals(&room, 2 * n), *imaginary_values = real_values + n;
  T none;
  for (int i = 0; i < b; i++) {
    const T *own = a + i * n * n;
    R *values = w + 2 * i * n;
    int ok = is_finite(own, n * n);
    if (ok && n > 0) {
      transpose(n, n, own, matrix);
#if COMPLEX
      C_(geev)("N", v == 0 ? "N" : "V", &n, matrix, &n, (C *)values, &none, &one, v == 0 ? &none : vectors, v == 0 ? &one : &n, work, &work_length, real_values, &info, 1, 1);
#else
      R_(geev)("N", v == 0 ? "N" : "V", &n, matrix, &n, real_values, imaginary_values, &none, &one, v == 0 ? &none : vectors, v == 0 ? &one : &n, work, &work_length, &info, 1, 1);
      for (int j = 0; j < n; j++) values[2 * j] = real_values[j], values[2 * j + 1] = imaginary_values[j];
#endif
      ok = info == 0;
    }
    if (!ok) fill_nan(values, 2 * n);
    if (v == 0) continue;
    if (ok) complex_vectors(n, imaginary_values, vectors, v + 2 * i * n * n);
    else fill_nan(v + 2 * i * n * n, 2 * n * n);
  }
}

EXPORT(eig) { return each_eig(args[5], args[6], AT(T, 0), AT(R, 1), AT(R, 2), AT(char, 3)), 0; }
EXPORT(eigvals) { return each_eig(args[4], args[5], AT(T, 0), AT(R, 1), 0, AT(char, 2)), 0; }

EXPORT(schur) {
  int b = args[5], n = args[6], info, none = 0, work_length = EIGEN_LENGTH(n);
  Room room = {AT(char, 3)};
  T *matrix = elements(&room, n * n), *vectors = elements(&room, n * n), *work = elements(&room, work_length), *values = elements(&room, n);
  R *real_work = reals(&room, n);
  logical unused;
  for (int i = 0; i < b; i++) {
    const T *a = AT(T, 0) + i * n * n;
    T *t = AT(T, 1) + i * n * n, *z = AT(T, 2) + i * n * n;
    int ok = is_finite(a, n * n);
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
      fill_nan(t, n * n * WORDS);
      fill_nan(z, n * n * WORDS);
    }
  }
  return 0;
}

EXPORT(triangularSylvester) {
  int b = args[6], m = args[7], n = args[8], adjoint = args[9], one = 1, failed = 0;
  Room room = {AT(char, 4)};
  T *t = elements(&room, m * m), *u = elements(&room, n * n), *c = elements(&room, m * n);
  char *trans = adjoint == 0 ? "N" : WORDS == 2 ? "C" : "T";
  for (int i = 0; i < b; i++) {
    const T *own_t = AT(T, 0) + i * m * m, *own_u = AT(T, 1) + i * n * n, *own_c = AT(T, 2) + i * m * n;
    T *x = AT(T, 3) + i * m * n;
    if (!is_finite(own_t, m * m) || !is_finite(own_u, n * n) || !is_finite(own_c, m * n)) {
      fill_nan(x, m * n * WORDS);
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
      fill_nan(x, m * n * WORDS);
      continue;
    }
    transpose(n, m, c, x);
    if (factor != 1) for (int j = 0; j < m * n * WORDS; j++) ((R *)x)[j] /= factor;
  }
  return failed;
}
