/* Real or complex elements (COMPLEX 0 or 1): what the kernels, written once for both, call. */
#ifndef FIELD_H
#define FIELD_H
#include "views.h"

#if COMPLEX
typedef C T;
#define T_(name) C_(name)
#define UNITARY(name) C_(un##name)
#define WORDS 2
#else
typedef R T;
#define T_(name) R_(name)
#define UNITARY(name) R_(or##name)
#define WORDS 1
#endif
#define EPS2 (2 * EPSILON)
#define EXPORT(name) __attribute__((export_name(#name))) int name(const int *args)

/* The workspace of a call, given out from its beginning; the formulas of src/kernels/workspace.ts are for these sizes. */
typedef struct { char *at; } Room;
INLINE void *taken(Room *room, int bytes) {
  void *here = room->at;
  room->at += (bytes + 15) & ~15;
  return here;
}
INLINE T *elements(Room *room, int count) { return taken(room, count * (int)sizeof(T)); }
INLINE R *reals(Room *room, int count) { return taken(room, count * (int)sizeof(R)); }
INLINE int *integers(Room *room, int count) { return taken(room, count * (int)sizeof(int)); }

INLINE int least(int a, int b) { return a < b ? a : b; }
INLINE int most(int a, int b) { return a > b ? a : b; }

/* Columns of a block of LAPACK's, and what ormqr wants for a triangular factor. */
#define BLOCK 32
#define FACTOR (65 * 64)

INLINE View row_major(const void *at, int columns) { return (View){(R *)at, columns * WORDS, WORDS}; }
INLINE View column_major(const void *at, int rows) { return (View){(R *)at, WORDS, rows * WORDS}; }

/* The views' products and triangles, in real.c and complex.c. C += alpha·A·B; conjugation of A, of B as bits 1 and 2. */
void T_(view_multiply)(int m, int n, int k, R alpha, int conjugated, const View *a, const View *b, const View *c);
/* B := L⁻¹·B with L lower; bit 1 of `conjugated`: conj(L). */
void T_(view_solve)(int n, int m, int is_unit, int conjugated, const View *l, const View *b);
/* The lower triangle of C −= A·Aᴴ */
void T_(view_downdate)(int n, int k, const View *a, const View *c);

/* Whether no element is infinite or NaN: those and no others give NaN when multiplied by 0. */
APART int is_finite(const void *at, int count) {
  const R *x = at;
  const int n = count * WORDS;
  V sums = {};
  int i = 0;
  for (; i + LANES <= n; i += LANES) sums += load(x + i) * SPLAT(0);
  R sum = total(sums);
  for (; i < n; i++) sum += x[i] * 0;
  return sum == 0;
}

/* The same of one triangle of a row-major matrix, without its diagonal where that is taken to be 1. */
APART int is_triangle_finite(const T *a, int n, int upper, int unit) {
  for (int i = 0; i < n; i++) if (!(upper ? is_finite(a + i * n + i + unit, n - i - unit) : is_finite(a + i * n, i + 1 - unit))) return 0;
  return 1;
}

APART void fill_nan(void *at, int words) {
  R *x = at;
  for (int i = 0; i < words; i++) x[i] = __builtin_nanf("");
}
APART void fill_zero(void *at, int words) {
  R *x = at;
  for (int i = 0; i < words; i++) x[i] = 0;
}
APART void copy_words(const void *from, void *to, int words) { move(words, from, to); }

/* to[j·rows + i] = from[i·columns + j], by blocks that stay in the cache. */
APART void transpose(int rows, int columns, const T *from, T *to) {
  for (int i0 = 0; i0 < rows; i0 += 8) for (int j0 = 0; j0 < columns; j0 += 8) {
    const int i1 = least(i0 + 8, rows), j1 = least(j0 + 8, columns);
    for (int j = j0; j < j1; j++) for (int i = i0; i < i1; i++) to[j * rows + i] = from[i * columns + j];
  }
}

APART void conjugate(void *at, int count) {
  if (WORDS == 2) for (R *x = at, *end = x + 2 * count; x < end; x += 2) x[1] = -x[1];
}
APART void set_identity(T *a, int n, int rank) {
  fill_zero(a, n * n * WORDS);
  for (int i = 0; i < rank; i++) ((R *)a)[i * (n + 1) * WORDS] = 1;
}
#endif
