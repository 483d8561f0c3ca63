/* QR on transposed copies: LAPACK's columns are then contiguous. */

typedef struct {
  T *matrix, *tau, *work, *square;
  int work_length;
} Qr;

INLINE Qr qr_room(Room *room, int m, int n, int columns) {
  Qr s;
  s.matrix = elements(room, area(m, n));
  s.tau = elements(room, least(m, n));
  s.work_length = BLOCK * most(most(m, n), columns) + FACTOR;
  s.work = elements(room, s.work_length);
  s.square = elements(room, area(m, columns));
  return s;
}

/* The upper part of a column-major m×n matrix as rows×n, row-major. */
static void take_upper(int m, int n, int rows, const T *factored, T *r) {
  for (Count i = 0; i < rows; i++) {
    fill_zero(r + i * n, least(i, n) * WORDS);
    for (Count j = i; j < n; j++) r[i * n + j] = factored[i + j * m];
  }
}

/* Q of `columns` columns, row-major. */
static void form_q(Qr *s, int m, int k, int columns, T *q) {
  int info;
  copy_words(s->matrix, s->square, area(m, k) * WORDS);
  UNITARY(gqr)(&m, &columns, &k, s->square, &m, s->tau, s->work, &s->work_length, &info);
  transpose(columns, m, s->square, q);
}

static void each_qr(Count b, int m, int n, const T *a, T *q, T *r, int columns, int rows, char *workspace) {
  Room room = {workspace};
  const int k = least(m, n);
  Qr s = qr_room(&room, m, n, columns);
  for (Count i = 0; i < b; i++) {
    T *own_q = q == 0 ? 0 : q + i * m * columns, *own_r = r + i * rows * n;
    if (!is_finite(a + i * m * n, area(m, n))) {
      if (q != 0) fill_nan(own_q, area(m, columns) * WORDS);
      fill_nan(own_r, area(rows, n) * WORDS);
      continue;
    }
    if (k == 0) {
      if (q != 0) set_identity(own_q, columns, columns);
      fill_zero(own_r, area(rows, n) * WORDS);
      continue;
    }
    int info;
    transpose(m, n, a + i * m * n, s.matrix);
    T_(geqrf)(&m, &n, s.matrix, &m, s.tau, s.work, &s.work_length, &info);
    take_upper(m, n, rows, s.matrix, own_r);
    if (q != 0) form_q(&s, m, k, columns, own_q);
  }
}

EXPORT(qr) { return each_qr(args[5], args[6], args[7], AT(T, 0), AT(T, 1), AT(T, 2), least(args[6], args[7]), least(args[6], args[7]), AT(char, 3)), 0; }
EXPORT(qrComplete) { return each_qr(args[5], args[6], args[7], AT(T, 0), AT(T, 1), AT(T, 2), args[6], args[6], AT(char, 3)), 0; }
EXPORT(qrUpper) { return each_qr(args[4], args[5], args[6], AT(T, 0), 0, AT(T, 1), 0, least(args[5], args[6]), AT(char, 2)), 0; }

EXPORT(householder) {
  const Count b = args[5];
  int m = args[6], n = args[7], k = least(m, n), info;
  Room room = {AT(char, 3)};
  Qr s = qr_room(&room, m, n, 0);
  for (Count i = 0; i < b; i++) {
    const T *a = AT(T, 0) + i * m * n;
    T *h = AT(T, 1) + i * m * n, *tau = AT(T, 2) + i * k;
    if (!is_finite(a, area(m, n))) {
      fill_nan(h, area(m, n) * WORDS);
      fill_nan(tau, k * WORDS);
      continue;
    }
    transpose(m, n, a, s.matrix);
    if (k > 0) T_(geqrf)(&m, &n, s.matrix, &m, tau, s.work, &s.work_length, &info);
    transpose(n, m, s.matrix, h);
  }
  return 0;
}

EXPORT(householderApply) {
  const Count b = args[6];
  int m = args[7], j = args[8], p = args[9], k = least(m, j), info;
  Room room = {AT(char, 4)};
  T *reflectors = elements(&room, area(m, j)), *vectors = elements(&room, area(m, p));
  int work_length = BLOCK * most(m, p) + FACTOR;
  T *work = elements(&room, work_length);
  for (Count i = 0; i < b; i++) {
    const T *h = AT(T, 0) + i * m * j, *tau = AT(T, 1) + i * k, *c = AT(T, 2) + i * m * p;
    T *to = AT(T, 3) + i * m * p;
    if (!is_finite(h, area(m, j)) || !is_finite(tau, k) || !is_finite(c, area(m, p))) {
      fill_nan(to, area(m, p) * WORDS);
      continue;
    }
    transpose(m, j, h, reflectors);
    transpose(m, p, c, vectors);
    if (k > 0 && p > 0) UNITARY(mqr)("L", args[10] == 0 ? "N" : WORDS == 2 ? "C" : "T", &m, &p, &k, reflectors, &m, (T *)tau, vectors, &m, work, &work_length, &info, 1, 1);
    transpose(p, m, vectors, to);
  }
  return 0;
}

EXPORT(qrPivoted) {
  const Count b = args[6];
  int m = args[7], n = args[8], k = least(m, n), info;
  Room room = {AT(char, 4)};
  Qr s = qr_room(&room, m, n, k);
  int *pivots = integers(&room, n), work_length = 2 * n + BLOCK * (n + 1);
  R *real_work = reals(&room, 2 * n);
  T *work = elements(&room, work_length);
  (void)real_work;
  for (Count i = 0; i < b; i++) {
    const T *a = AT(T, 0) + i * m * n;
    T *q = AT(T, 1) + i * m * k, *r = AT(T, 2) + i * k * n;
    long long *permutation = AT(long long, 3) + i * n;
    for (Count j = 0; j < n; j++) permutation[j] = j, pivots[j] = 0;
    if (!is_finite(a, area(m, n))) {
      fill_nan(q, area(m, k) * WORDS);
      fill_nan(r, area(k, n) * WORDS);
      continue;
    }
    if (k == 0) continue;
    transpose(m, n, a, s.matrix);
    T_(geqp3)(&m, &n, s.matrix, &m, pivots, s.tau, work, &work_length,
#if COMPLEX
              real_work,
#endif
              &info);
    for (Count j = 0; j < n; j++) permutation[j] = pivots[j] - 1;
    take_upper(m, n, k, s.matrix, r);
    form_q(&s, m, k, k, q);
  }
  return 0;
}
