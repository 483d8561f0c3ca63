/* Real or complex elements (COMPLEX 0 or 1): what the kernels, written once for both, call. */
#ifndef FIELD_H
#define FIELD_H
#include "level1.h"

#if COMPLEX
typedef C T;
#define DTYPE JOIN(complex, COMPLEX_BITS)
#define T_(name) C_(name)
#define UNITARY(name) C_(un##name)
#define WORDS 2
#else
typedef R T;
#define DTYPE JOIN(float, REAL_BITS)
#define T_(name) R_(name)
#define UNITARY(name) R_(or##name)
#define WORDS 1
#endif
#define EPS2 (2 * EPSILON)

/* The workspace of a call, given out from its beginning; the formulas of src/workspace.ts are for these sizes. */
typedef struct { char *at; } Room;
INLINE void *taken(Room *room, Count bytes) {
  void *here = room->at;
  room->at += (bytes + 15) & ~15;
  return here;
}
INLINE T *elements(Room *room, Count count) { return taken(room, count * (Count)sizeof(T)); }
INLINE R *reals(Room *room, Count count) { return taken(room, count * (Count)sizeof(R)); }
INLINE int *integers(Room *room, Count count) { return taken(room, count * (Count)sizeof(int)); }

INLINE int least(int a, int b) { return a < b ? a : b; }
INLINE int most(int a, int b) { return a > b ? a : b; }
/* Elements of a matrix. */
INLINE Count area(Count rows, Count columns) { return rows * columns; }

/* Columns of a block of LAPACK's, and what ormqr wants for a triangular factor. */
#define BLOCK 32
#define FACTOR (65 * 64)

/* Whether no element is infinite or NaN: those and no others give NaN when multiplied by 0. */
APART int is_finite(const void *at, Count count) {
  const R *x = at;
  const Count n = count * WORDS;
  V sums = {};
  Count i = 0;
  for (; i + LANES <= n; i += LANES) sums += load(x + i) * SPLAT(0);
  R sum = total(sums);
  for (; i < n; i++) sum += x[i] * 0;
  return sum == 0;
}

/* The same of one triangle of a row-major matrix, without its diagonal where that is taken to be 1. */
APART int is_triangle_finite(const T *a, int n, int upper, int unit) {
  for (Count i = 0; i < n; i++) if (!(upper ? is_finite(a + i * n + i + unit, n - i - unit) : is_finite(a + i * n, i + 1 - unit))) return 0;
  return 1;
}

APART void fill_nan(void *at, Count words) {
  R *x = at;
  for (Count i = 0; i < words; i++) x[i] = __builtin_nanf("");
}
APART void fill_zero(void *at, Count words) {
  R *x = at;
  for (Count i = 0; i < words; i++) x[i] = 0;
}
APART void copy_words(const void *from, void *to, Count words) { move(words, from, to); }

/* to[j·step + i] = from[i·stride + j], by blocks that stay in the cache. */
APART void transpose_to(int rows, int columns, const T *from, Count stride, T *to, Count step) {
  for (Count i0 = 0; i0 < rows; i0 += 8) for (Count j0 = 0; j0 < columns; j0 += 8) {
    const Count i1 = least(i0 + 8, rows), j1 = least(j0 + 8, columns);
    for (Count j = j0; j < j1; j++) for (Count i = i0; i < i1; i++) to[j * step + i] = from[i * stride + j];
  }
}
INLINE void transpose(int rows, int columns, const T *from, T *to) { transpose_to(rows, columns, from, columns, to, rows); }

APART void conjugate(void *at, Count count) {
  if (WORDS == 2) for (R *x = at, *end = x + 2 * count; x < end; x += 2) x[1] = -x[1];
}
APART void set_identity(T *a, int n, int rank) {
  fill_zero(a, area(n, n) * WORDS);
  for (Count i = 0; i < rank; i++) ((R *)a)[i * (n + 1) * WORDS] = 1;
}
#endif
