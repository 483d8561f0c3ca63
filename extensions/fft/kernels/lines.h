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

/** The factors w_n^{i2·k1} of four steps: those within a block of columns, and those of the block's first column. */
static INLINE void NAME(turn_columns)(complexes *values, int length, int width, const complexes *fine, const REAL *coarse, int block) {
  for (int k = 0; k < length; k++)
    for (int u = 0; u < width; u++) values[k * width + u] = NAME(turned_by)(values[k * width + u], fine + u, coarse, block, k, width);
}

/** Lines side by side from where they are to where they belong, by the stages of a plan; into four steps with factors. */
static INLINE void NAME(pass)(const int *header, int plan, char *workspace, int width, int count, int fromStep, int toStep, int exchangeFrom, int exchangeTo, const complexes *fine, const REAL *coarse, int block) {
  const char *tables = (const char *)header;
  REAL *const *reads = (REAL *const *)(workspace + LANES_AT), *const *writes = (REAL *const *)(workspace + LANES_AT + 64);
  complexes *a = (complexes *)(workspace + header[AT_STAGES_A]), *b = (complexes *)(workspace + header[AT_STAGES_B]), *pairs = (complexes *)(workspace + PAIRS_AT);
  const int *steps = (const int *)(tables + plan);
  const int length = steps[STAGES_LENGTH], number = steps[STAGES_COUNT];
  const int *first = steps + STAGES_HEADER, *last = first + STAGE_WORDS * (number - 1);
  const int opens = number > 1 && first[STAGE_RADIX] == 4, closes = number > 1 && last[STAGE_RADIX] == 4;
  if (!opens) NAME(load_lanes)(a, width, reads, fromStep, length, exchangeFrom);
  else if (exchangeFrom) NAME(gathered4)(reads, width, fromStep, 1, a, length / 4, (const REAL *)(tables + first[STAGE_TWIDDLES]));
  else NAME(gathered4)(reads, width, fromStep, 0, a, length / 4, (const REAL *)(tables + first[STAGE_TWIDDLES]));
  complexes *done = stages(tables, steps, a, b, width, pairs, opens, number - closes);
  if (!closes) {
    if (fine) NAME(turn_columns)(done, length, width, fine, coarse, block);
    NAME(store_lanes)(done, width, writes, toStep, length, count, exchangeTo);
  } else if (exchangeTo) NAME(scattered4)(done, length / 4 * width, width, writes, toStep, count, 1, fine, coarse, block);
  else NAME(scattered4)(done, length / 4 * width, width, writes, toStep, count, 0, fine, coarse, block);
}

/** `count` lines of any steps, through a direct plan. Line l is at (l / inner)·outerStep + (l % inner)·innerStep, in complex numbers. */
static APART void NAME(direct)(const int *header, const int *plan, char *workspace, const REAL *from, int fromLine, int fromInner, REAL *to, int toLine, int toInner, int inner, int fromStep, int toStep, int count, int exchange) {
  REAL **reads = (REAL **)(workspace + LANES_AT), **writes = (REAL **)(workspace + LANES_AT + 64);
  for (int start = 0; start < count; start += 2 * LANES) {
    const int here = count - start < 2 * LANES ? count - start : 2 * LANES;
    const int width = here > LANES ? 2 : 1;
    for (int lane = 0; lane < width * LANES; lane++) {
      const int line = start + (lane < here ? lane : 0), row = line / inner, column = line % inner;
      reads[lane] = (REAL *)from + 2 * (row * fromLine + column * fromInner);
      writes[lane] = to + 2 * (row * toLine + column * toInner);
    }
    NAME(pass)(header, plan[PLAN_STAGES], workspace, width, here, fromStep, toStep, exchange, exchange, 0, 0, 0);
  }
}

/** Where the columns from `column` on begin that are worked on side by side; places beyond the last one are those of the first. */
static INLINE int NAME(columns)(char *workspace, int column, int count, const REAL *from, int fromStep, REAL *to, int toStep) {
  REAL **reads = (REAL **)(workspace + LANES_AT), **writes = (REAL **)(workspace + LANES_AT + 64);
  const int here = count - column < 2 * LANES ? count - column : 2 * LANES;
  for (int lane = 0; lane < 2 * LANES; lane++) {
    const int at = column + (lane < here ? lane : 0);
    reads[lane] = (REAL *)from + 2 * fromStep * at;
    writes[lane] = to + 2 * toStep * at;
  }
  return here;
}

static APART void NAME(four_steps)(const int *header, const int *plan, char *workspace, const REAL *from, REAL *to, int exchange) {
  const char *tables = (const char *)header;
  const int n1 = plan[PLAN_FIRST], n2 = plan[PLAN_SECOND];
  REAL *middle = (REAL *)(workspace + header[AT_MIDDLE]);
  const REAL *coarse = (const REAL *)(tables + plan[PLAN_COARSE]);
  const complexes *fine = (const complexes *)(tables + plan[PLAN_FINE]);
  for (int column = 0; column < n2; column += 2 * LANES, coarse += 2 * n1) {
    const int here = NAME(columns)(workspace, column, n2, from, 1, middle, n1);
    NAME(pass)(header, plan[PLAN_STAGES], workspace, 2, here, n2, 1, exchange, 0, fine, coarse, column);
  }
  for (int column = 0; column < n1; column += 2 * LANES) {
    const int here = NAME(columns)(workspace, column, n1, middle, 1, to, 1);
    NAME(pass)(header, plan[PLAN_STAGES_SECOND], workspace, 2, here, n1, n1, 0, exchange, 0, 0, 0);
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
