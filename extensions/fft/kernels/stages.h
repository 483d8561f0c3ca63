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

/** The four outputs of radix 4, in order. */
typedef struct {
  complexes y0, y1, y2, y3;
} NAME(four);

static INLINE NAME(four) NAME(butterfly4)(complexes a, complexes b, complexes c, complexes d) {
  const complexes even = add(a, c), odd = add(b, d), difference = sub(a, c), across = turn(sub(b, d));
  return (NAME(four)){add(even, odd), sub(difference, across), sub(even, odd), add(difference, across)};
}

static INLINE void NAME(put4)(NAME(four) of, complexes *y, int near, int turned, complexes w1, complexes w2, complexes w3) {
  y[0] = of.y0;
  y[near] = turned ? mul(of.y1, w1) : of.y1;
  y[2 * near] = turned ? mul(of.y2, w2) : of.y2;
  y[3 * near] = turned ? mul(of.y3, w3) : of.y3;
}

static APART void NAME(radix4)(const complexes *restrict x, complexes *restrict y, int m, int s, const REAL *restrict w) {
  const int far = m * s;
  for (int q = 0; q < s; q++) NAME(put4)(NAME(butterfly4)(x[q], x[q + far], x[q + 2 * far], x[q + 3 * far]), y + q, s, 0, x[0], x[0], x[0]);
  x += s;
  y += 4 * s;
  for (int p = 1; p < m; p++, w += 6, x += s, y += 4 * s) {
    const complexes w1 = spread(w), w2 = spread(w + 2), w3 = spread(w + 4);
    for (int q = 0; q < s; q++) NAME(put4)(NAME(butterfly4)(x[q], x[q + far], x[q + 2 * far], x[q + 3 * far]), y + q, s, 1, w1, w2, w3);
  }
}

/** A first stage of radix 4 of the lines at `from`: what load_lanes and the stage would do one after the other. */
static INLINE void NAME(gathered4)(REAL *const *from, int width, Count step, const int manner, complexes *restrict y, int m, const REAL *restrict factors) {
  const Count far = 2 * step * m;
  for (int u = 0; u < width; u++) {
    const places lanes = NAME(places_of)(from + u * LANES);
    const REAL *w = factors;
    complexes *out = y + u;
    Count at = 0;
    const complexes none = {SPLAT(0), SPLAT(0)};
    NAME(put4)(NAME(butterfly4)(gather(lanes, 0, manner), gather(lanes, far, manner), gather(lanes, 2 * far, manner), gather(lanes, 3 * far, manner)), out, width, 0, none, none, none);
    for (int p = 1; p < m; p++, w += 6) {
      at += 2 * step;
      out += 4 * width;
      NAME(put4)(NAME(butterfly4)(gather(lanes, at, manner), gather(lanes, at + far, manner), gather(lanes, at + 2 * far, manner), gather(lanes, at + 3 * far, manner)), out, width, 1, spread(w), spread(w + 2), spread(w + 4));
    }
  }
}

/** The factors of four steps for one vector of columns: those within a block of PLAN_WIDTH, and those of the block's first column where that is not 0. */
typedef struct {
  const REAL *fine, *coarse;
  int block;
} NAME(factors);

/** An element times its factors, where there are such. */
static INLINE complexes NAME(turned_by)(complexes value, NAME(factors) by, int at) {
  if (!by.fine) return value;
  const REAL *w = by.fine + 2 * by.block * at;
  const complexes fine = {LOAD(w), LOAD(w + by.block)};
  return mul(value, by.coarse ? mul(fine, spread(by.coarse + 2 * at)) : fine);
}

static INLINE NAME(factors) NAME(factors_of)(NAME(factors) by, int vector) {
  return (NAME(factors)){by.fine ? by.fine + vector * LANES : 0, by.coarse, by.block};
}

/**
 * A last stage of radix 4 (m = 1, so without factors of its own), to the lines at `to`: what the stage, the factors of four
 * steps and store_lanes would do one after the other.
 */
static INLINE void NAME(scattered4)(const complexes *restrict x, int s, int width, REAL *const *to, Count step, int count, const int manner, NAME(factors) by) {
  const int quarter = s / width;
  for (int u = 0; u < width && count > 0; u++, count -= LANES) {
    const places lanes = NAME(places_of)(to + u * LANES);
    const NAME(factors) own = NAME(factors_of)(by, u);
    const complexes *in = x + u;
    const int here = count < LANES ? count : LANES;
    for (int e = 0; e < quarter; e++, in += width) {
      const NAME(four) of = NAME(butterfly4)(in[0], in[s], in[2 * s], in[3 * s]);
      const complexes y0 = NAME(turned_by)(of.y0, own, e), y1 = NAME(turned_by)(of.y1, own, e + quarter);
      const complexes y2 = NAME(turned_by)(of.y2, own, e + 2 * quarter), y3 = NAME(turned_by)(of.y3, own, e + 3 * quarter);
      if (here == LANES) {
        scatter(y0, lanes, 2 * step * e, LANES, manner);
        scatter(y1, lanes, 2 * step * (e + quarter), LANES, manner);
        scatter(y2, lanes, 2 * step * (e + 2 * quarter), LANES, manner);
        scatter(y3, lanes, 2 * step * (e + 3 * quarter), LANES, manner);
      } else {
        scatter(y0, lanes, 2 * step * e, here, manner);
        scatter(y1, lanes, 2 * step * (e + quarter), here, manner);
        scatter(y2, lanes, 2 * step * (e + 2 * quarter), here, manner);
        scatter(y3, lanes, 2 * step * (e + 3 * quarter), here, manner);
      }
    }
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

/** Stages from number `first` up to `last` of `width` vectors side by side, from `a`; `a` and `b` take turns, and the result is where it says. */
static APART complexes *NAME(stages)(const char *tables, const int *plan, complexes *a, complexes *b, int width, complexes *pairs, int first, int last) {
  int n = plan[STAGES_LENGTH], s = width;
  for (int i = 0; i < last; i++) {
    const int *stage = plan + STAGES_HEADER + STAGE_WORDS * i;
    const int r = stage[STAGE_RADIX], m = n / r;
    if (i >= first) {
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
    }
    n = m;
    s *= r;
  }
  return a;
}

#define stages NAME(stages)
