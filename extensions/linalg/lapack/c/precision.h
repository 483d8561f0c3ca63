/* One precision, PRECISION 4 or 8: scalars, vectors, names. Routines on real matrices are R_(name), those on complex ones C_(name). */
#ifndef PRECISION_H
#define PRECISION_H
#include "f2c.h"
#include "target.h"

#if PRECISION == 8
typedef double R;
#define REAL_BITS 64
#define COMPLEX_BITS 128
typedef doublecomplex C;
typedef double V __attribute__((vector_size(16)));
#define LANES 2
#define R_(name) JOIN(JOIN(d, name), _)
#define C_(name) JOIN(JOIN(z, name), _)
#define EPSILON 0x1p-53
#define SAFE_MINIMUM 0x1p-1022
#define HUGEST 0x1.fffffffffffffp1023
#define SQRT(x) __builtin_sqrt(x)
#define FABS(x) __builtin_fabs(x)
#define COPYSIGN(x, y) __builtin_copysign(x, y)
#define SPLAT(x) ((V){(x), (x)})
#define SWAPPED(v) SHUFFLE(v, v, 1, 0)
#define REALS(v) SHUFFLE(v, v, 0, 0)
#define IMAGINARIES(v) SHUFFLE(v, v, 1, 1)
#define EVEN(v, w) SHUFFLE(v, w, 0, 2)
#define ODD(v, w) SHUFFLE(v, w, 1, 3)
/* Pairs re, im of a vector of reals and one of imaginary parts. */
#define LOWER(v, w) SHUFFLE(v, w, 0, 2)
#define UPPER(v, w) SHUFFLE(v, w, 1, 3)
#else
typedef float R;
#define REAL_BITS 32
#define COMPLEX_BITS 64
typedef complex C;
typedef float V __attribute__((vector_size(16)));
#define LANES 4
#define R_(name) JOIN(JOIN(s, name), _)
#define C_(name) JOIN(JOIN(c, name), _)
#define EPSILON 0x1p-24f
#define SAFE_MINIMUM 0x1p-126f
#define HUGEST 0x1.fffffep127f
#define SQRT(x) __builtin_sqrtf(x)
#define FABS(x) __builtin_fabsf(x)
#define COPYSIGN(x, y) __builtin_copysignf(x, y)
#define SPLAT(x) ((V){(x), (x), (x), (x)})
#define SWAPPED(v) SHUFFLE(v, v, 1, 0, 3, 2)
#define REALS(v) SHUFFLE(v, v, 0, 0, 2, 2)
#define IMAGINARIES(v) SHUFFLE(v, v, 1, 1, 3, 3)
#define EVEN(v, w) SHUFFLE(v, w, 0, 2, 4, 6)
#define ODD(v, w) SHUFFLE(v, w, 1, 3, 5, 7)
/* Pairs re, im of a vector of reals and one of imaginary parts. */
#define LOWER(v, w) SHUFFLE(v, w, 0, 4, 1, 5)
#define UPPER(v, w) SHUFFLE(v, w, 2, 6, 3, 7)
#endif

#define ratio_of_8 z_div
#define ratio_of_4 c_div
#define root_of_8 z_sqrt
#define root_of_4 c_sqrt

typedef V Unaligned __attribute__((aligned(PRECISION), may_alias, unused));
INLINE V load(const R *at) { return (V)LOAD(at); }
INLINE void store(R *at, V value) { STORE(at, value); }
INLINE R total(V v) {
  R sum = v[0];
  UNROLL for (int i = 1; i < LANES; i++) sum += v[i];
  return sum;
}
INLINE int is_letter(const char *text, char letter) { return (*text | 32) == letter; }
INLINE int at_least_1(int n) { return n > 1 ? n : 1; }

#endif
