/*
 * Stockham's self-sorting transform, decimation in frequency (Van Loan 1992, §1.7 and §2.3.2): with n = r·m what is left of
 * the length and s the product of the radices that are done,
 *   y[q + s(r·p + k)] = w_n^{pk} Σ_j x[q + s(p + m·j)]·w_r^{jk},   0 ≤ p < m, 0 ≤ q < s.
 * The q are what runs innermost: they include the vectors that are worked on side by side.
 */

static INLINE void NAME(butterfly2)(const complexes *x, int far, complexes *y, int near, int turned, complexes w) {
  const complexes a = x[0], b = x[far], d = sub(a, b);
  y[0] = add(a, b);
  y[near] = turned ? mul(d, w) : d;
}

static APART void NAME(radix2)(const complexes *restrict x, complexes *restrict y, int m, int s, const REAL *restrict w) {
  for (int q = 0; q < s; q++) NAME(butterfly2)(x + q, m * s, y + q, s, 0, x[0]);
  for (int p = 1; p < m; p++, w += 2) {
    const complexes w1 = spread(w);
    for (int q = 0; q < s; q++) NAME(butterfly2)(x + p * s + q, m * s, y + 2 * p * s + q, s, 1, w1);
  }
}

static INLINE void NAME(butterfly4)(const complexes *x, int far, complexes *y, int near, int turned, complexes w1, complexes w2, complexes w3) {
  const complexes a = x[0], b = x[far], c = x[2 * far], d = x[3 * far];
  const complexes even = add(a, c), odd = add(b, d), difference = sub(a, c), across = turn(sub(b, d));
  const complexes y1 = sub(difference, across), y2 = sub(even, odd), y3 = add(difference, across);
  y[0] = add(even, odd);
  y[near] = turned ? mul(y1, w1) : y1;
  y[2 * near] = turned ? mul(y2, w2) : y2;
  y[3 * near] = turned ? mul(y3, w3) : y3;
}

static APART void NAME(radix4)(const complexes *restrict x, complexes *restrict y, int m, int s, const REAL *restrict w) {
  for (int q = 0; q < s; q++) NAME(butterfly4)(x + q, m * s, y + q, s, 0, x[0], x[0], x[0]);
  for (int p = 1; p < m; p++, w += 6) {
    const complexes w1 = spread(w), w2 = spread(w + 2), w3 = spread(w + 4);
    for (int q = 0; q < s; q++) NAME(butterfly4)(x + p * s + q, m * s, y + 4 * p * s + q, s, 1, w1, w2, w3);
  }
}

/**
 * Any odd radix, by the sums and differences of elements that are conjugate to each other (r²/2 real products): with
 * a_j = x_j + x_{r−j} and b_j = x_j − x_{r−j}, outputs k and r − k are x_0 + Σ a_j cos(2πjk/r) ∓ i Σ b_j sin(2πjk/r).
 * `roots`: r cosines, then r sines. `pairs` has place for r − 1.
 */
static INLINE void NAME(butterfly_odd)(const int r, const complexes *x, int far, complexes *y, int near, const REAL *w, const REAL *roots, complexes *pairs) {
  const int half = (r - 1) / 2;
  const complexes first = x[0];
  complexes total = first;
  UNROLL for (int j = 0; j < half; j++) {
    const complexes low = x[(j + 1) * far], high = x[(r - 1 - j) * far];
    pairs[2 * j] = add(low, high);
    pairs[2 * j + 1] = sub(low, high);
    total = add(total, pairs[2 * j]);
  }
  y[0] = total;
  UNROLL for (int k = 1; k <= half; k++) {
    complexes even = first, odd = {SPLAT(0), SPLAT(0)};
    UNROLL for (int j = 1; j <= half; j++) {
      const int at = (j * k) % r;
      const vec c = SPLAT(roots[at]), s = SPLAT(roots[r + at]);
      even.re += pairs[2 * j - 2].re * c;
      even.im += pairs[2 * j - 2].im * c;
      odd.re += pairs[2 * j - 1].re * s;
      odd.im += pairs[2 * j - 1].im * s;
    }
    const complexes across = turn(odd), low = sub(even, across), high = add(even, across);
    y[k * near] = w ? mul(low, spread(w + 2 * (k - 1))) : low;
    y[(r - k) * near] = w ? mul(high, spread(w + 2 * (r - k - 1))) : high;
  }
}

static INLINE void NAME(radix_odd)(const int r, const complexes *restrict x, complexes *restrict y, int m, int s, const REAL *restrict w, const REAL *restrict roots, complexes *restrict pairs) {
  for (int q = 0; q < s; q++) NAME(butterfly_odd)(r, x + q, m * s, y + q, s, 0, roots, pairs);
  for (int p = 1; p < m; p++, w += 2 * (r - 1)) {
    for (int q = 0; q < s; q++) NAME(butterfly_odd)(r, x + p * s + q, m * s, y + r * p * s + q, s, w, roots, pairs);
  }
}

static APART void NAME(radix3)(const complexes *restrict x, complexes *restrict y, int m, int s, const REAL *restrict w, const REAL *restrict roots) {
  complexes pairs[2];
  NAME(radix_odd)(3, x, y, m, s, w, roots, pairs);
}

static APART void NAME(radix5)(const complexes *restrict x, complexes *restrict y, int m, int s, const REAL *restrict w, const REAL *restrict roots) {
  complexes pairs[4];
  NAME(radix_odd)(5, x, y, m, s, w, roots, pairs);
}

static APART void NAME(radix7)(const complexes *restrict x, complexes *restrict y, int m, int s, const REAL *restrict w, const REAL *restrict roots) {
  complexes pairs[6];
  NAME(radix_odd)(7, x, y, m, s, w, roots, pairs);
}

static APART void NAME(radix_prime)(int r, const complexes *restrict x, complexes *restrict y, int m, int s, const REAL *restrict w, const REAL *restrict roots, complexes *restrict pairs) {
  NAME(radix_odd)(r, x, y, m, s, w, roots, pairs);
}

/** The transform of `width` vectors side by side, from `a`; `a` and `b` take turns, and the result is where it says. */
static APART complexes *NAME(stages)(const char *tables, const int *plan, complexes *a, complexes *b, int width, complexes *pairs) {
  int n = plan[STAGES_LENGTH], s = width;
  const int count = plan[STAGES_COUNT];
  for (int i = 0; i < count; i++) {
    const int *stage = plan + STAGES_HEADER + STAGE_WORDS * i;
    const int r = stage[STAGE_RADIX], m = n / r;
    const REAL *w = (const REAL *)(tables + stage[STAGE_TWIDDLES]), *roots = (const REAL *)(tables + stage[STAGE_ROOTS]);
    switch (r) {
      case 2: NAME(radix2)(a, b, m, s, w); break;
      case 3: NAME(radix3)(a, b, m, s, w, roots); break;
      case 4: NAME(radix4)(a, b, m, s, w); break;
      case 5: NAME(radix5)(a, b, m, s, w, roots); break;
      case 7: NAME(radix7)(a, b, m, s, w, roots); break;
      default: NAME(radix_prime)(r, a, b, m, s, w, roots, pairs);
    }
    complexes *done = b;
    b = a;
    a = done;
    n = m;
    s *= r;
  }
  return a;
}

#define stages NAME(stages)
