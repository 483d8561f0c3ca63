/*
 * Transforms of whole lines. Three plans, by length alone, so that a line's bits depend on nothing beside it:
 *   direct      one run of stages over LANES or 2·LANES lines side by side;
 *   four steps  n = n1·n2 (Bailey 1990): transforms over n1 of columns side by side, factors w_n^{i2·k1}, transforms over n2 of
 *               columns side by side: each passes through memory once, and between lies the first-level cache;
 *   chirp       any length as a circular convolution of a length with small factors (Bluestein 1970).
 */

/** The lines at `from`, LANES to a vector and `width` vectors side by side. */
static INLINE void NAME(load_lanes)(complexes *into, int width, REAL *const *from, Count step, int length, int manner) {
  for (int u = 0; u < width; u++) {
    const places lanes = NAME(places_of)(from + u * LANES);
#define LOAD_EACH(manner) for (int e = 0; e < length; e++) into[e * width + u] = gather(lanes, 2 * step * e, manner)
    IN_MANNER(manner, LOAD_EACH);
#undef LOAD_EACH
  }
}

static INLINE void NAME(store_vectors)(const complexes *from, int width, places lanes, Count step, int length, int count, int manner) {
#define STORE_EACH(manner) for (int e = 0; e < length; e++) scatter(from[e * width], lanes, 2 * step * e, count, manner)
  IN_MANNER(manner, STORE_EACH);
#undef STORE_EACH
}

/** The first `count` of the lines, to where they belong. */
static INLINE void NAME(store_lanes)(const complexes *from, int width, REAL *const *to, Count step, int length, int count, int manner) {
  for (int u = 0; u < width && count > 0; u++, count -= LANES) {
    const places lanes = NAME(places_of)(to + u * LANES);
    if (count >= LANES) NAME(store_vectors)(from + u, width, lanes, step, length, LANES, manner);
    else NAME(store_vectors)(from + u, width, lanes, step, length, count, manner);
  }
}

static INLINE void NAME(turn_columns)(complexes *values, int length, int width, NAME(factors) by) {
  for (int k = 0; k < length; k++)
    for (int u = 0; u < width; u++) values[k * width + u] = NAME(turned_by)(values[k * width + u], NAME(factors_of)(by, u), k);
}

/** Lines side by side from where they are to where they belong, by the stages of a plan; into four steps with factors. */
static INLINE void NAME(pass)(const int *header, int plan, char *workspace, int width, int count, Count fromStep, Count toStep, int fromManner, int toManner, NAME(factors) by) {
  const char *tables = (const char *)header;
  REAL *const *reads = (REAL *const *)(workspace + READS_AT), *const *writes = (REAL *const *)(workspace + WRITES_AT);
  complexes *a = PART(header, workspace, AT_STAGES_A), *b = PART(header, workspace, AT_STAGES_B), *pairs = (complexes *)(workspace + PAIRS_AT);
  const int *steps = (const int *)(tables + plan);
  const int length = steps[STAGES_LENGTH], number = steps[STAGES_COUNT];
  const int *first = steps + STAGES_HEADER, *last = first + STAGE_WORDS * (number - 1);
  const int opens = number > 1 && first[STAGE_RADIX] == 4, closes = number > 1 && last[STAGE_RADIX] == 4;
  if (opens) {
#define GATHERED(manner) NAME(gathered4)(reads, width, fromStep, manner, a, length / 4, (const REAL *)(tables + first[STAGE_TWIDDLES]))
    IN_MANNER(fromManner, GATHERED);
#undef GATHERED
  } else NAME(load_lanes)(a, width, reads, fromStep, length, fromManner);
  complexes *done = stages(tables, steps, a, b, width, pairs, opens, number - closes);
  if (closes) {
#define SCATTERED(manner) NAME(scattered4)(done, length / 4 * width, width, writes, toStep, count, manner, by)
    IN_MANNER(toManner, SCATTERED);
#undef SCATTERED
  } else {
    if (by.fine) NAME(turn_columns)(done, length, width, by);
    NAME(store_lanes)(done, width, writes, toStep, length, count, toManner);
  }
}

/** How many lines run side by side when `left` are left: whole vectors as long as there are such. */
static INLINE int NAME(together)(Count left) {
  return left >= 2 * LANES ? 2 * LANES : left >= LANES && KNOWS_ADJACENT ? LANES : (int)left;
}

/** `count` lines of any steps, through a direct plan. Line l is at (l / inner)·outerStep + (l % inner)·innerStep, in complex numbers. */
static APART void NAME(direct)(const int *header, const int *plan, char *workspace, const REAL *from, Count fromLine, Count fromInner, REAL *to, Count toLine, Count toInner, Count inner, Count fromStep, Count toStep, Count count, int exchange) {
  REAL **reads = (REAL **)(workspace + READS_AT), **writes = (REAL **)(workspace + WRITES_AT);
  for (Count start = 0, here; start < count; start += here) {
    here = NAME(together)(count - start);
    const int width = here > LANES ? 2 : 1;
    for (int lane = 0; lane < width * LANES; lane++) {
      const Count line = start + (lane < here ? lane : 0), row = line / inner, column = line % inner;
      reads[lane] = (REAL *)from + 2 * (row * fromLine + column * fromInner);
      writes[lane] = to + 2 * (row * toLine + column * toInner);
    }
    const int is_row = fromInner == 1 && toInner == 1 && here == width * LANES && start % inner + here <= inner;
    const int manner = is_row ? exchange | ADJACENT : exchange;
    NAME(pass)(header, plan[PLAN_STAGES], workspace, width, here, fromStep, toStep, manner, manner, (NAME(factors)){0, 0, 0});
  }
}

/** Where the columns from `column` on begin that are worked on side by side; places beyond the last one are those of the first. */
static INLINE void NAME(columns)(char *workspace, int column, int here, int width, const REAL *from, Count fromStep, REAL *to, Count toStep) {
  REAL **reads = (REAL **)(workspace + READS_AT), **writes = (REAL **)(workspace + WRITES_AT);
  for (int lane = 0; lane < width * LANES; lane++) {
    const int at = column + (lane < here ? lane : 0);
    reads[lane] = (REAL *)from + 2 * fromStep * at;
    writes[lane] = to + 2 * toStep * at;
  }
}

static APART void NAME(four_steps)(const int *header, const int *plan, char *workspace, const REAL *from, REAL *to, int exchange) {
  const char *tables = (const char *)header;
  const int n1 = plan[PLAN_FIRST], n2 = plan[PLAN_SECOND], block = header[PLAN_WIDTH];
  REAL *middle = PART(header, workspace, AT_MIDDLE);
  const REAL *coarse = (const REAL *)(tables + plan[PLAN_COARSE]), *fine = (const REAL *)(tables + plan[PLAN_FINE]);
  for (int column = 0, here; column < n2; column += here) {
    here = NAME(together)(n2 - column);
    const int width = here > LANES ? 2 : 1, manner = here == width * LANES ? ADJACENT : 0, number = column / block;
    NAME(columns)(workspace, column, here, width, from, 1, middle, n1);
    NAME(pass)(header, plan[PLAN_STAGES], workspace, width, here, n2, 1, exchange | manner, 0, (NAME(factors)){fine + column % block, number == 0 ? 0 : coarse + 2 * (Count)n1 * number, block});
  }
  for (int column = 0, here; column < n1; column += here) {
    here = NAME(together)(n1 - column);
    const int width = here > LANES ? 2 : 1, manner = here == width * LANES ? ADJACENT : 0;
    NAME(columns)(workspace, column, here, width, middle, 1, to, 1);
    NAME(pass)(header, plan[PLAN_STAGES_SECOND], workspace, width, here, n1, n1, manner, exchange | manner, (NAME(factors)){0, 0, 0});
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
  REAL *a = PART(header, workspace, AT_CHIRP_A), *b = PART(header, workspace, AT_CHIRP_B);
  NAME(times)(a, from, factors, n, exchange, 0);
  for (int i = 2 * n; i < 2 * m; i++) a[i] = 0;
  NAME(smooth)(header, inner, workspace, a, b, 0);
  NAME(times)(b, b, spectrum, m, 0, 1);
  NAME(smooth)(header, inner, workspace, b, a, 0);
  NAME(times)(to, a, factors, n, 1, exchange);
}

/** `count` lines that lie without steps, a line's beginning fromLine and toLine complex numbers after the last one's. */
static APART void NAME(lines)(const int *header, char *workspace, const REAL *from, Count fromLine, REAL *to, Count toLine, Count count, int exchange) {
  if (header[PLAN_KIND] == DIRECT) {
    NAME(direct)(header, header, workspace, from, fromLine, 0, to, toLine, 0, 1, 1, 1, count, exchange);
    return;
  }
  for (Count line = 0; line < count; line++, from += 2 * fromLine, to += 2 * toLine) {
    if (header[PLAN_KIND] == CHIRP) NAME(chirp)(header, header, workspace, from, to, exchange);
    else NAME(four_steps)(header, header, workspace, from, to, exchange);
  }
}

#define lines NAME(lines)
