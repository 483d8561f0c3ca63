/*
 * Transforms of whole lines. Three plans, by length alone, so that a line's bits depend on nothing beside it:
 *   direct      one run of stages over LANES or 2·LANES lines side by side;
 *   four steps  n = n1·n2 (Bailey 1990): transforms over n1 of columns side by side, factors w_n^{i2·k1}, transforms over n2 of
 *               columns side by side: each passes through memory once, and between lies the first-level cache;
 *   chirp       any length as a circular convolution of a length with small factors (Bluestein 1970).
 */

/** The lines at `from`, LANES to a vector and `width` vectors side by side. */
static INLINE void NAME(load_lanes)(complexes *into, int width, REAL *const *from, int step, int length, int exchange) {
  for (int u = 0; u < width; u++) {
    const places lanes = NAME(places_of)(from + u * LANES);
    if (exchange) {
      for (int e = 0; e < length; e++) into[e * width + u] = gather(lanes, 2 * step * e, 1);
    } else {
      for (int e = 0; e < length; e++) into[e * width + u] = gather(lanes, 2 * step * e, 0);
    }
  }
}

static INLINE void NAME(store_vectors)(const complexes *from, int width, places lanes, int step, int length, int count, int exchange) {
  if (exchange) {
    for (int e = 0; e < length; e++) scatter(from[e * width], lanes, 2 * step * e, count, 1);
  } else {
    for (int e = 0; e < length; e++) scatter(from[e * width], lanes, 2 * step * e, count, 0);
  }
}

/** The first `count` of the lines, to where they belong. */
static INLINE void NAME(store_lanes)(const complexes *from, int width, REAL *const *to, int step, int length, int count, int exchange) {
  for (int u = 0; u < width && count > 0; u++, count -= LANES) {
    const places lanes = NAME(places_of)(to + u * LANES);
    if (count >= LANES) NAME(store_vectors)(from + u, width, lanes, step, length, LANES, exchange);
    else NAME(store_vectors)(from + u, width, lanes, step, length, count, exchange);
  }
}

/** `count` lines of any steps, through a direct plan. Line l is at (l / inner)·outerStep + (l % inner)·innerStep, in complex numbers. */
static APART void NAME(direct)(const int *header, const int *plan, char *workspace, const REAL *from, int fromLine, int fromInner, REAL *to, int toLine, int toInner, int inner, int fromStep, int toStep, int count, int exchange) {
  const char *tables = (const char *)header;
  const int length = plan[PLAN_LENGTH];
  REAL **reads = (REAL **)(workspace + LANES_AT);
  REAL **writes = (REAL **)(workspace + LANES_AT + 64);
  complexes *a = (complexes *)(workspace + header[AT_STAGES_A]), *b = (complexes *)(workspace + header[AT_STAGES_B]), *pairs = (complexes *)(workspace + PAIRS_AT);
  for (int start = 0; start < count; start += 2 * LANES) {
    const int here = count - start < 2 * LANES ? count - start : 2 * LANES;
    const int width = here > LANES ? 2 : 1;
    for (int lane = 0; lane < width * LANES; lane++) {
      const int line = start + (lane < here ? lane : 0), row = line / inner, column = line % inner;
      reads[lane] = (REAL *)from + 2 * (row * fromLine + column * fromInner);
      writes[lane] = to + 2 * (row * toLine + column * toInner);
    }
    NAME(load_lanes)(a, width, reads, fromStep, length, exchange);
    const complexes *done = stages(tables, (const int *)(tables + plan[PLAN_STAGES]), a, b, width, pairs);
    NAME(store_lanes)(done, width, writes, toStep, length, here, exchange);
  }
}

/** The factors w_n^{i2·k1} for columns i2 = 2·LANES·block … side by side: those of the block's first column, and those from there on. */
static INLINE void NAME(turn_columns)(complexes *values, int length, const REAL *coarse, const complexes *fine, int block) {
  if (block == 0) {
    for (int k = 0; k < 2 * length; k++) values[k] = mul(values[k], fine[k]);
    return;
  }
  for (int k = 0; k < length; k++) {
    const complexes w = spread(coarse + 2 * k);
    values[2 * k] = mul(values[2 * k], mul(fine[2 * k], w));
    values[2 * k + 1] = mul(values[2 * k + 1], mul(fine[2 * k + 1], w));
  }
}

static APART void NAME(four_steps)(const int *header, const int *plan, char *workspace, const REAL *from, REAL *to, int exchange) {
  const char *tables = (const char *)header;
  const int n1 = plan[PLAN_FIRST], n2 = plan[PLAN_SECOND];
  REAL **reads = (REAL **)(workspace + LANES_AT);
  REAL **writes = (REAL **)(workspace + LANES_AT + 64);
  complexes *a = (complexes *)(workspace + header[AT_STAGES_A]), *b = (complexes *)(workspace + header[AT_STAGES_B]), *pairs = (complexes *)(workspace + PAIRS_AT);
  REAL *middle = (REAL *)(workspace + header[AT_MIDDLE]);
  const REAL *coarse = (const REAL *)(tables + plan[PLAN_COARSE]);
  const complexes *fine = (const complexes *)(tables + plan[PLAN_FINE]);
  for (int column = 0, block = 0; column < n2; column += 2 * LANES, block++, coarse += 2 * n1) {
    const int here = n2 - column < 2 * LANES ? n2 - column : 2 * LANES;
    for (int lane = 0; lane < 2 * LANES; lane++) {
      const int at = column + (lane < here ? lane : 0);
      reads[lane] = (REAL *)from + 2 * at;
      writes[lane] = middle + 2 * n1 * at;
    }
    NAME(load_lanes)(a, 2, reads, n2, n1, exchange);
    complexes *done = stages(tables, (const int *)(tables + plan[PLAN_STAGES]), a, b, 2, pairs);
    NAME(turn_columns)(done, n1, coarse, fine, block);
    NAME(store_lanes)(done, 2, writes, 1, n1, here, 0);
  }
  for (int column = 0; column < n1; column += 2 * LANES) {
    const int here = n1 - column < 2 * LANES ? n1 - column : 2 * LANES;
    for (int lane = 0; lane < 2 * LANES; lane++) {
      const int at = column + (lane < here ? lane : 0);
      reads[lane] = middle + 2 * at;
      writes[lane] = to + 2 * at;
    }
    NAME(load_lanes)(a, 2, reads, n1, n2, 0);
    const complexes *done = stages(tables, (const int *)(tables + plan[PLAN_STAGES_SECOND]), a, b, 2, pairs);
    NAME(store_lanes)(done, 2, writes, n1, n2, here, exchange);
  }
}

/** b[i] = a[i]·w[i], as complex numbers; exchanged before or after. */
static APART void NAME(times)(REAL *b, const REAL *a, const REAL *w, int count, int before, int after) {
  for (int i = 0; i < 2 * count; i += 2) {
    const REAL re = before ? a[i + 1] : a[i], im = before ? a[i] : a[i + 1];
    const REAL x = re * w[i] - im * w[i + 1], y = re * w[i + 1] + im * w[i];
    b[i] = after ? y : x;
    b[i + 1] = after ? x : y;
  }
}

/** One line without steps; plans within a chirp's plan have none of their own. */
static APART void NAME(smooth)(const int *header, const int *plan, char *workspace, const REAL *from, REAL *to, int exchange) {
  if (plan[PLAN_KIND] == FOUR_STEPS) NAME(four_steps)(header, plan, workspace, from, to, exchange);
  else NAME(direct)(header, plan, workspace, from, 0, 0, to, 0, 0, 1, 1, 1, 1, exchange);
}

/**
 * With jk = (j² + k² − (k − j)²)/2: y_k = c_k Σ_j (x_j c_j)·conj(c_{k−j}), c_j = w_{2n}^{j²}. The convolution's second factor comes
 * transformed and divided by its length.
 */
static APART void NAME(chirp)(const int *header, const int *plan, char *workspace, const REAL *from, REAL *to, int exchange) {
  const char *tables = (const char *)header;
  const int n = plan[PLAN_LENGTH], m = plan[PLAN_FIRST];
  const int *inner = (const int *)(tables + plan[PLAN_STAGES]);
  const REAL *factors = (const REAL *)(tables + plan[PLAN_COARSE]), *spectrum = (const REAL *)(tables + plan[PLAN_FINE]);
  REAL *a = (REAL *)(workspace + header[AT_CHIRP_A]), *b = (REAL *)(workspace + header[AT_CHIRP_B]);
  NAME(times)(a, from, factors, n, exchange, 0);
  for (int i = 2 * n; i < 2 * m; i++) a[i] = 0;
  NAME(smooth)(header, inner, workspace, a, b, 0);
  NAME(times)(b, b, spectrum, m, 0, 1);
  NAME(smooth)(header, inner, workspace, b, a, 0);
  NAME(times)(to, a, factors, n, 1, exchange);
}

/** `count` lines that lie without steps, a line's beginning fromLine and toLine complex numbers after the last one's. */
static APART void NAME(lines)(const int *header, char *workspace, const REAL *from, int fromLine, REAL *to, int toLine, int count, int exchange) {
  if (header[PLAN_KIND] == DIRECT) {
    NAME(direct)(header, header, workspace, from, fromLine, 0, to, toLine, 0, 1, 1, 1, count, exchange);
    return;
  }
  for (int line = 0; line < count; line++, from += 2 * fromLine, to += 2 * toLine) {
    if (header[PLAN_KIND] == CHIRP) NAME(chirp)(header, header, workspace, from, to, exchange);
    else NAME(four_steps)(header, header, workspace, from, to, exchange);
  }
}

#define lines NAME(lines)
