/*
 * Vectors of one precision, included once for each: REAL, REAL_BYTES and vec are defined by fft.c.
 *
 * Inside the transforms complex numbers lie as two vectors, real and imaginary parts of LANES independent lines, so that no
 * butterfly moves numbers between lanes. Between memory and this form stand load_lanes and store_lanes. The inverse
 * transform is the forward one with real and imaginary parts exchanged on both ways.
 */

#include "shuffles.h"

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
  places of;
  UNROLL for (int lane = 0; lane < LANES; lane++) of.at[lane] = lanes[lane];
  return of;
}

/* How lanes lie and what is made of them: real and imaginary parts exchanged; all of them side by side in memory. */
#define EXCHANGED 1
/* Vectors of 16 bytes are put together as fast from anywhere. */
#define KNOWS_ADJACENT (VECTOR_BYTES > 16)
#define ADJACENT (KNOWS_ADJACENT ? 2 : 0)
/** One statement for each manner, so that it is a constant in it. */
#define IN_MANNER(manner, STATEMENT) \
  if (KNOWS_ADJACENT && (manner) == (EXCHANGED | ADJACENT)) STATEMENT(EXCHANGED | ADJACENT); \
  else if (KNOWS_ADJACENT && (manner) == ADJACENT) STATEMENT(ADJACENT); \
  else if ((manner) == EXCHANGED) STATEMENT(EXCHANGED); \
  else STATEMENT(0)

#ifdef __wasm__
#if LANES == 2
#define CELLS(lanes, at, next) LOAD(lanes.at[next] + at)
#else
#define CELLS(lanes, at, next) PAIR(lanes.at[next] + at, lanes.at[next + 1] + at)
#endif
#else
#if REAL_BYTES == 8
typedef double __attribute__((vector_size(16), aligned(8), may_alias)) NAME(cell);
#define CELL(lanes, at, lane) (*(const NAME(cell) *)(lanes.at[lane] + (at)))
#define CELL_PAIR(lanes, at, lane) SHUFFLE(CELL(lanes, at, lane), CELL(lanes, at, lane + 2), 0, 1, 2, 3)
#if VECTOR_BYTES == 16
#define CELLS(lanes, at, next) ((vec)CELL(lanes, at, next))
#elif VECTOR_BYTES == 32
#define CELLS(lanes, at, next) ((vec)CELL_PAIR(lanes, at, next))
#else
#define CELLS(lanes, at, next) ((vec)SHUFFLE(CELL_PAIR(lanes, at, next), CELL_PAIR(lanes, at, next + 4), 0, 1, 2, 3, 4, 5, 6, 7))
#endif
#else
typedef double __attribute__((aligned(4), may_alias)) NAME(cell);
typedef double __attribute__((vector_size(VECTOR_BYTES))) NAME(cells);
#define CELL(lanes, at, lane) (*(const NAME(cell) *)(lanes.at[lane] + (at)))
#if VECTOR_BYTES == 16
#define CELLS(lanes, at, next) ((vec)(NAME(cells)){CELL(lanes, at, next), CELL(lanes, at, next + 1)})
#elif VECTOR_BYTES == 32
#define CELLS(lanes, at, next) ((vec)(NAME(cells)){CELL(lanes, at, next), CELL(lanes, at, next + 1), CELL(lanes, at, next + 4), CELL(lanes, at, next + 5)})
#else
#define CELLS(lanes, at, next) ((vec)(NAME(cells)){CELL(lanes, at, next), CELL(lanes, at, next + 1), CELL(lanes, at, next + 4), CELL(lanes, at, next + 5), CELL(lanes, at, next + 8), CELL(lanes, at, next + 9), CELL(lanes, at, next + 12), CELL(lanes, at, next + 13)})
#endif
#endif
#endif

/** Cell j of a vector, to where its lane is. */
static INLINE void NAME(put_cell)(REAL *to, vec cells, const int j) {
#ifdef __wasm__
#if LANES == 2
  (void)j;
  STORE(to, cells);
#else
  if (j) HALF_STORE(to, cells, 1);
  else HALF_STORE(to, cells, 0);
#endif
#elif REAL_BYTES == 8
#if VECTOR_BYTES == 16
  (void)j;
  STORE(to, cells);
#elif VECTOR_BYTES == 32
  *(NAME(cell) *)to = j ? SHUFFLE(cells, cells, 2, 3) : SHUFFLE(cells, cells, 0, 1);
#else
  *(NAME(cell) *)to = j == 0 ? SHUFFLE(cells, cells, 0, 1) : j == 1 ? SHUFFLE(cells, cells, 2, 3) : j == 2 ? SHUFFLE(cells, cells, 4, 5) : SHUFFLE(cells, cells, 6, 7);
#endif
#else
  *(NAME(cell) *)to = ((NAME(cells))cells)[j];
#endif
}

/** One complex number from each of LANES places. */
static INLINE complexes NAME(gather)(places lanes, Count at, const int manner) {
  const int is_adjacent = manner & ADJACENT;
  const vec a = is_adjacent ? LOAD(lanes.at[0] + at) : CELLS(lanes, at, 0), b = is_adjacent ? LOAD(lanes.at[0] + at + LANES) : CELLS(lanes, at, NEXT_LANE);
  const vec re = is_adjacent ? EVEN(a, b) : REALS(a, b), im = is_adjacent ? ODD(a, b) : IMAGINARIES(a, b);
  return manner & EXCHANGED ? (complexes){im, re} : (complexes){re, im};
}

/** The same to the first `count` of LANES places, which is all of them where they are adjacent. */
static INLINE void NAME(scatter)(complexes value, places lanes, Count at, int count, const int manner) {
  const vec re = manner & EXCHANGED ? value.im : value.re, im = manner & EXCHANGED ? value.re : value.im;
  if (manner & ADJACENT) {
    STORE(lanes.at[0] + at, NEAR(re, im));
    STORE(lanes.at[0] + at + LANES, FAR(re, im));
    return;
  }
  const vec a = LOW(re, im), b = HIGH(re, im);
  UNROLL for (int j = 0; j < LANES / 2; j++) {
    if (count > FIRST_LANE(j)) NAME(put_cell)(lanes.at[FIRST_LANE(j)] + at, a, j);
    if (count > FIRST_LANE(j) + NEXT_LANE) NAME(put_cell)(lanes.at[FIRST_LANE(j) + NEXT_LANE] + at, b, j);
  }
}

#define gather NAME(gather)
#define scatter NAME(scatter)
