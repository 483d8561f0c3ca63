/*
 * What the engine calls. Words of args: input, output, workspace, tables, then n, outer, inner, inverse. The tensors are [outer, n, inner];
 * where inner is more than 1, some neighbouring lines at a time are brought together, transformed, and put in their places.
 */

/** `count` ≤ header[AT_GROUP] neighbouring lines of `words` numbers per element, brought together or put back. */
static APART void NAME(collect)(REAL *to, Count toLine, const REAL *from, Count inner, int length, int words, int count) {
  for (int e = 0; e < length; e++, from += inner * words)
    for (Count l = 0; l < count; l++)
      for (int i = 0; i < words; i++) to[l * toLine + e * words + i] = from[l * words + i];
}

static APART void NAME(distribute)(REAL *to, const REAL *from, Count fromLine, Count inner, int length, int words, int count) {
  for (int e = 0; e < length; e++, to += inner * words)
    for (Count l = 0; l < count; l++)
      for (int i = 0; i < words; i++) to[l * words + i] = from[l * fromLine + e * words + i];
}

/** How a kind of transform does lines that lie without steps; lengths in numbers. */
typedef void (*NAME(transform))(const int *header, char *workspace, const REAL *from, REAL *to, int n, Count count, int inverse);

static INLINE void NAME(every)(const Count *args, NAME(transform) transform, int fromLength, int fromWords, int toLength, int toWords) {
  const REAL *from = (const REAL *)args[ARG_INPUT];
  REAL *to = (REAL *)args[ARG_OUTPUT];
  char *workspace = (char *)args[ARG_WORKSPACE];
  const int *header = (const int *)args[ARG_TABLES];
  const Count outer = args[ARG_OUTER], inner = args[ARG_INNER];
  const int n = args[ARG_N], inverse = args[ARG_INVERSE], group = header[AT_GROUP];
  if (inner == 1) {
    transform(header, workspace, from, to, n, outer, inverse);
    return;
  }
  const Count fromLine = (Count)fromLength * fromWords, toLine = (Count)toLength * toWords;
  REAL *collected = PART(header, workspace, AT_COLLECTED), *results = PART(header, workspace, AT_RESULTS);
  for (Count row = 0; row < outer; row++, from += fromLine * inner, to += toLine * inner) {
    for (Count column = 0; column < inner; column += group) {
      const int here = inner - column < group ? inner - column : group;
      NAME(collect)(collected, fromLine, from + column * fromWords, inner, fromLength, fromWords, here);
      transform(header, workspace, collected, results, n, here, inverse);
      NAME(distribute)(to + column * toWords, results, toLine, inner, toLength, toWords, here);
    }
  }
}

static INLINE void NAME(complex_lines)(const int *header, char *workspace, const REAL *from, REAL *to, int n, Count count, int inverse) {
  lines(header, workspace, from, n, to, n, count, inverse);
}

/**
 * The spectrum of a real line of even length from that of its n/2 pairs, Z (Cooley, Lewis and Welch 1970), in place:
 * X_k = E_k + w_n^k·O_k and X_{n/2−k} = conj(E_k − w_n^k·O_k), E_k = (Z_k + conj Z_{n/2−k})/2, O_k = (Z_k − conj Z_{n/2−k})/2i.
 */
static APART void NAME(unpack)(REAL *x, int half, const REAL *w) {
  const REAL re = x[0], im = x[1];
  x[0] = re + im;
  x[1] = 0;
  x[2 * half] = re - im;
  x[2 * half + 1] = 0;
  for (int k = 1; 2 * k <= half; k++) {
    REAL *low = x + 2 * k, *high = x + 2 * (half - k);
    const REAL er = (low[0] + high[0]) * (REAL)0.5, ei = (low[1] - high[1]) * (REAL)0.5;
    const REAL or = (low[1] + high[1]) * (REAL)0.5, oi = (high[0] - low[0]) * (REAL)0.5;
    const REAL tr = or * w[2 * k] - oi * w[2 * k + 1], ti = or * w[2 * k + 1] + oi * w[2 * k];
    low[0] = er + tr;
    low[1] = ei + ti;
    high[0] = er - tr;
    high[1] = ti - ei;
  }
}

/** Its adjoint up to weights: Z_k = (X_k + conj X_{n/2−k}) + i·conj(w_n^k)·(X_k − conj X_{n/2−k}), whose inverse transform is the line. */
static APART void NAME(pack)(REAL *z, const REAL *x, int half, const REAL *w) {
  z[0] = x[0] + x[2 * half];
  z[1] = x[0] - x[2 * half];
  for (int k = 1; 2 * k <= half; k++) {
    const REAL *low = x + 2 * k, *high = x + 2 * (half - k);
    const REAL er = low[0] + high[0], ei = low[1] - high[1];
    const REAL dr = low[0] - high[0], di = low[1] + high[1];
    const REAL tr = dr * w[2 * k] + di * w[2 * k + 1], ti = di * w[2 * k] - dr * w[2 * k + 1];
    z[2 * k] = er - ti;
    z[2 * k + 1] = ei + tr;
    z[2 * (half - k)] = er + ti;
    z[2 * (half - k) + 1] = tr - ei;
  }
}

/** Real lines to half spectra. Odd lengths run as complex lines whose imaginary parts are 0. */
static INLINE void NAME(real_lines)(const int *header, char *workspace, const REAL *from, REAL *to, int n, Count count, int inverse) {
  (void)inverse;
  const int half = n / 2;
  const REAL *w = (const REAL *)((const char *)header + header[AT_REAL_TWIDDLES]);
  REAL *a = PART(header, workspace, AT_REAL_A), *b = PART(header, workspace, AT_REAL_B);
  const int group = header[AT_GROUP];
  for (Count start = 0; start < count; start += group) {
    const int here = count - start < group ? count - start : group;
    const REAL *x = from + start * n;
    REAL *y = to + 2 * start * (half + 1);
    if (n % 2 == 0) {
      lines(header, workspace, x, half, y, half + 1, here, 0);
      for (Count l = 0; l < here; l++) NAME(unpack)(y + 2 * l * (half + 1), half, w);
      continue;
    }
    for (Count i = 0; i < (Count)here * n; i++) {
      a[2 * i] = x[i];
      a[2 * i + 1] = 0;
    }
    lines(header, workspace, a, n, b, n, here, 0);
    for (Count l = 0; l < here; l++) {
      REAL *line = y + 2 * l * (half + 1);
      for (int i = 0; i < 2 * (half + 1); i++) line[i] = b[2 * l * n + i];
      line[1] = 0;
    }
  }
}

/** Half spectra to real lines; imaginary parts of what must be real are not read. */
static INLINE void NAME(spectrum_lines)(const int *header, char *workspace, const REAL *from, REAL *to, int n, Count count, int inverse) {
  (void)inverse;
  const int half = n / 2;
  const REAL *w = (const REAL *)((const char *)header + header[AT_REAL_TWIDDLES]);
  REAL *a = PART(header, workspace, AT_REAL_A), *b = PART(header, workspace, AT_REAL_B);
  const int group = header[AT_GROUP];
  for (Count start = 0; start < count; start += group) {
    const int here = count - start < group ? count - start : group;
    const REAL *x = from + 2 * start * (half + 1);
    REAL *y = to + start * n;
    if (n % 2 == 0) {
      for (Count l = 0; l < here; l++) NAME(pack)(a + 2 * l * half, x + 2 * l * (half + 1), half, w);
      lines(header, workspace, a, half, y, half, here, 1);
      continue;
    }
    for (Count l = 0; l < here; l++) {
      const REAL *line = x + 2 * l * (half + 1);
      REAL *whole = a + 2 * l * n;
      whole[0] = line[0];
      whole[1] = 0;
      for (int k = 1; k <= half; k++) {
        whole[2 * k] = whole[2 * (n - k)] = line[2 * k];
        whole[2 * k + 1] = line[2 * k + 1];
        whole[2 * (n - k) + 1] = -line[2 * k + 1];
      }
    }
    lines(header, workspace, a, n, b, n, here, 1);
    for (Count i = 0; i < (Count)here * n; i++) y[i] = b[2 * i];
  }
}

EXPORT(dft)(const Count *args) {
  const int *header = (const int *)args[ARG_TABLES];
  const int n = args[ARG_N];
  const Count inner = args[ARG_INNER];
  if (inner > 1 && header[PLAN_KIND] == DIRECT) {
    NAME(direct)(header, header, (char *)args[ARG_WORKSPACE], (const REAL *)args[ARG_INPUT], n * inner, 1, (REAL *)args[ARG_OUTPUT], n * inner, 1, inner, inner, inner, args[ARG_OUTER] * inner, args[ARG_INVERSE]);
    return 0;
  }
  NAME(every)(args, NAME(complex_lines), n, 2, n, 2);
  return 0;
}

EXPORT(rdft)(const Count *args) {
  const int n = args[ARG_N];
  NAME(every)(args, NAME(real_lines), n, 1, n / 2 + 1, 2);
  return 0;
}

EXPORT(hdft)(const Count *args) {
  const int n = args[ARG_N];
  NAME(every)(args, NAME(spectrum_lines), n / 2 + 1, 2, n, 1);
  return 0;
}
