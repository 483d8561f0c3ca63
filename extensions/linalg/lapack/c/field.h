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
  V sums[4] = {};
  Count i = 0;
  for (; i + 4 * LANES <= n; i += 4 * LANES) {
    UNROLL for (int v = 0; v < 4; v++) sums[v] += load(x + i + v * LANES) * SPLAT(0);
  }
  for (; i + LANES <= n; i += LANES) sums[0] += load(x + i) * SPLAT(0);
  R sum = total((sums[0] + sums[1]) + (sums[2] + sums[3]));
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

/* Eight rows by eight columns of elements of 4, 8 or 16 bytes, to[j·step + i] = from[i·stride + j]: through vectors where several are in one. */
#define BLOCK_SIDE 8
#if PRECISION * WORDS == 8
typedef double Cells __attribute__((vector_size(16), aligned(4), may_alias));
INLINE void transpose_block(const T *from, Count stride, T *to, Count step) {
  UNROLL for (int j = 0; j < BLOCK_SIDE; j += 2) UNROLL for (int i = 0; i < BLOCK_SIDE; i += 2) {
    const Cells a = *(const Cells *)(from + i * stride + j), b = *(const Cells *)(from + (i + 1) * stride + j);
    *(Cells *)(to + j * step + i) = SHUFFLE(a, b, 0, 2);
    *(Cells *)(to + (j + 1) * step + i) = SHUFFLE(a, b, 1, 3);
  }
}
#elif PRECISION * WORDS == 4
INLINE void transpose_block(const T *from, Count stride, T *to, Count step) {
  UNROLL for (int j = 0; j < BLOCK_SIDE; j += 4) UNROLL for (int i = 0; i < BLOCK_SIDE; i += 4) {
    const T *at = from + i * stride + j;
    const V a = load(at), b = load(at + stride), c = load(at + 2 * stride), d = load(at + 3 * stride);
    const V ab = SHUFFLE(a, b, 0, 4, 1, 5), cd = SHUFFLE(c, d, 0, 4, 1, 5), ab2 = SHUFFLE(a, b, 2, 6, 3, 7), cd2 = SHUFFLE(c, d, 2, 6, 3, 7);
    T *into = to + j * step + i;
    store(into, SHUFFLE(ab, cd, 0, 1, 4, 5));
    store(into + step, SHUFFLE(ab, cd, 2, 3, 6, 7));
    store(into + 2 * step, SHUFFLE(ab2, cd2, 0, 1, 4, 5));
    store(into + 3 * step, SHUFFLE(ab2, cd2, 2, 3, 6, 7));
  }
}
#else
INLINE void transpose_block(const T *from, Count stride, T *to, Count step) {
  for (Count i = 0; i < BLOCK_SIDE; i++) UNROLL for (int j = 0; j < BLOCK_SIDE; j++) store((R *)(to + j * step + i), load((const R *)(from + i * stride + j)));
}
#endif

/* to[j·step + i] = from[i·stride + j], by blocks that stay in the cache. */
APART void transpose_to(int rows, int columns, const T *from, Count stride, T *to, Count step) {
  for (Count i0 = 0; i0 < rows; i0 += BLOCK_SIDE) for (Count j0 = 0; j0 < columns; j0 += BLOCK_SIDE) {
    const Count i1 = least(i0 + BLOCK_SIDE, rows), j1 = least(j0 + BLOCK_SIDE, columns);
    if (i1 - i0 == BLOCK_SIDE && j1 - j0 == BLOCK_SIDE) transpose_block(from + i0 * stride + j0, stride, to + j0 * step + i0, step);
    else for (Count j = j0; j < j1; j++) for (Count i = i0; i < i1; i++) to[j * step + i] = from[i * stride + j];
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
