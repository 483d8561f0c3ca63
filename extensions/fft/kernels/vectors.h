/*
 * Vectors of one precision, included once for each: REAL, LANES, vec and NAME are defined by fft.c.
 *
 * Inside the transforms complex numbers lie as two vectors, real and imaginary parts of LANES independent lines, so that no
 * butterfly moves numbers between lanes. Between memory and this form stand load_lanes and store_lanes. The inverse
 * transform is the forward one with real and imaginary parts exchanged on both ways.
 */

typedef struct {
  vec re, im;
} NAME(complexes);

#define complexes NAME(complexes)

static INLINE complexes NAME(add)(complexes a, complexes b) { return (complexes){a.re + b.re, a.im + b.im}; }
static INLINE complexes NAME(sub)(complexes a, complexes b) { return (complexes){a.re - b.re, a.im - b.im}; }
/** i·a */
static INLINE complexes NAME(turn)(complexes a) { return (complexes){-a.im, a.re}; }
static INLINE complexes NAME(mul)(complexes a, complexes w) { return (complexes){a.re * w.re - a.im * w.im, a.re * w.im + a.im * w.re}; }
/** The complex number at w in every lane. */
static INLINE complexes NAME(spread)(const REAL *w) { return (complexes){SPLAT(w[0]), SPLAT(w[1])}; }

#define add NAME(add)
#define sub NAME(sub)
#define turn NAME(turn)
#define mul NAME(mul)
#define spread NAME(spread)

/** Where LANES lines are. A copy in registers: what is stored might lie where the places were read. */
typedef struct {
  REAL *at[LANES];
} NAME(places);

#define places NAME(places)

static INLINE places NAME(places_of)(REAL *const *lanes) {
#if LANES == 2
  return (places){{lanes[0], lanes[1]}};
#else
  return (places){{lanes[0], lanes[1], lanes[2], lanes[3]}};
#endif
}

/** One complex number from each of LANES places. */
static INLINE complexes NAME(gather)(places lanes, int at, int exchange) {
#if LANES == 2
  const vec a = LOAD(lanes.at[0] + at), b = LOAD(lanes.at[1] + at);
  const vec re = SHUFFLE(a, b, 0, 2), im = SHUFFLE(a, b, 1, 3);
#else
  const vec a = PAIR(lanes.at[0] + at, lanes.at[1] + at), b = PAIR(lanes.at[2] + at, lanes.at[3] + at);
  const vec re = SHUFFLE(a, b, 0, 2, 4, 6), im = SHUFFLE(a, b, 1, 3, 5, 7);
#endif
  return exchange ? (complexes){im, re} : (complexes){re, im};
}

/** The same to the first `count` of LANES places. */
static INLINE void NAME(scatter)(complexes value, places lanes, int at, int count, int exchange) {
  const vec re = exchange ? value.im : value.re, im = exchange ? value.re : value.im;
#if LANES == 2
  STORE(lanes.at[0] + at, SHUFFLE(re, im, 0, 2));
  if (count > 1) STORE(lanes.at[1] + at, SHUFFLE(re, im, 1, 3));
#else
  const vec a = SHUFFLE(re, im, 0, 4, 1, 5), b = SHUFFLE(re, im, 2, 6, 3, 7);
  HALF_STORE(lanes.at[0] + at, a, 0);
  if (count > 1) HALF_STORE(lanes.at[1] + at, a, 1);
  if (count > 2) HALF_STORE(lanes.at[2] + at, b, 0);
  if (count > 3) HALF_STORE(lanes.at[3] + at, b, 1);
#endif
}

#define gather NAME(gather)
#define scatter NAME(scatter)
