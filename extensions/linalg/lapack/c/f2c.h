/*
 * What the output of f2c needs, instead of libf2c and a C library: types, intrinsic functions, strings. Everything is inline and
 * has no state. MAX and MIN ignore a NaN as gfortran's do: dgebal and others loop for ever otherwise.
 */
#ifndef F2C_H
#define F2C_H

typedef int integer;
typedef int logical;
typedef int ftnlen;
typedef char *address;
typedef float real;
typedef double doublereal;
typedef struct { real r, i; } complex;
typedef struct { doublereal r, i; } doublecomplex;
typedef logical (*L_fp)();
typedef int (*U_fp)();
typedef int (*S_fp)();

#define VOID void
#define TRUE_ 1
#define FALSE_ 0
#define F2C_INLINE static inline __attribute__((unused, always_inline))
#define F2C_APART static __attribute__((unused, noinline))

F2C_INLINE integer f2c_iabs(integer x) { return x < 0 ? -x : x; }
#define abs(x) _Generic((x), double: __builtin_fabs, float: __builtin_fabsf, default: f2c_iabs)(x)
#define dabs(x) ((doublereal)abs(x))
#define max(a, b) __extension__({ __typeof__((a) + (b)) max_a = (a), max_b = (b); max_a >= max_b || max_b != max_b ? max_a : max_b; })
#define min(a, b) __extension__({ __typeof__((a) + (b)) min_a = (a), min_b = (b); min_a <= min_b || min_b != min_b ? min_a : min_b; })
#define dmax(a, b) ((doublereal)max(a, b))
#define dmin(a, b) ((doublereal)min(a, b))
#define sqrt(x) _Generic((x), float: __builtin_sqrtf, default: __builtin_sqrt)(x)

F2C_INLINE double d_sign(doublereal *a, doublereal *b) { return __builtin_copysign(*a, *b); }
F2C_INLINE double r_sign(real *a, real *b) { return __builtin_copysignf(*a, *b); }
F2C_INLINE double d_imag(doublecomplex *z) { return z->i; }
F2C_INLINE double r_imag(complex *z) { return z->i; }
F2C_INLINE void d_cnjg(doublecomplex *to, doublecomplex *z) {
  const doublecomplex value = {z->r, -z->i};
  *to = value;
}
F2C_INLINE void r_cnjg(complex *to, complex *z) {
  const complex value = {z->r, -z->i};
  *to = value;
}
F2C_INLINE integer i_dnnt(doublereal *x) { return (integer)__builtin_floor(__builtin_fabs(*x) + 0.5) * (*x < 0 ? -1 : 1); }
F2C_INLINE integer i_nint(real *x) { return (integer)__builtin_floorf(__builtin_fabsf(*x) + 0.5f) * (*x < 0 ? -1 : 1); }

/* |z| without an overflow in between. */
F2C_INLINE double f2c_hypot(double a, double b) {
  a = __builtin_fabs(a), b = __builtin_fabs(b);
  const double large = a > b ? a : b, small = a > b ? b : a;
  if (a != a || b != b) return a + b;
  if (small == 0 || large > 1.7976931348623157e308) return large;
  const double ratio = small / large;
  return large * __builtin_sqrt(1 + ratio * ratio);
}
F2C_INLINE double z_abs(doublecomplex *z) { return f2c_hypot(z->r, z->i); }
/* In double precision the squares of single precision neither overflow nor underflow. */
F2C_INLINE double c_abs(complex *z) { return __builtin_sqrt((double)z->r * z->r + (double)z->i * z->i); }

/* Smith 1962. */
F2C_APART void z_div(doublecomplex *to, doublecomplex *a, doublecomplex *b) {
  doublecomplex value;
  if (__builtin_fabs(b->r) >= __builtin_fabs(b->i)) {
    const double ratio = b->i / b->r, denominator = b->r + b->i * ratio;
    value.r = (a->r + a->i * ratio) / denominator;
    value.i = (a->i - a->r * ratio) / denominator;
  } else {
    const double ratio = b->r / b->i, denominator = b->r * ratio + b->i;
    value.r = (a->r * ratio + a->i) / denominator;
    value.i = (a->i * ratio - a->r) / denominator;
  }
  *to = value;
}
F2C_APART void c_div(complex *to, complex *a, complex *b) {
  doublecomplex wide_a = {a->r, a->i}, wide_b = {b->r, b->i}, value;
  z_div(&value, &wide_a, &wide_b);
  to->r = (real)value.r;
  to->i = (real)value.i;
}

/* The root in the right half plane: the larger part by a sum of equal signs, the other from it. */
F2C_APART void z_sqrt(doublecomplex *to, doublecomplex *z) {
  const double size = f2c_hypot(z->r, z->i);
  doublecomplex value = {0, 0};
  if (size != 0) {
    const double larger = __builtin_sqrt(0.5 * size + 0.5 * __builtin_fabs(z->r)), smaller = __builtin_fabs(z->i) / larger / 2;
    value.r = z->r >= 0 ? larger : smaller;
    value.i = __builtin_copysign(z->r >= 0 ? smaller : larger, z->i);
  }
  *to = value;
}
F2C_APART void c_sqrt(complex *to, complex *z) {
  doublecomplex wide = {z->r, z->i}, value;
  z_sqrt(&value, &wide);
  to->r = (real)value.r;
  to->i = (real)value.i;
}

F2C_APART double pow_di(doublereal *base, integer *exponent) {
  double power = 1, square = *exponent < 0 ? 1 / *base : *base;
  for (unsigned left = (unsigned)f2c_iabs(*exponent); left != 0; left >>= 1, square *= square) if (left & 1) power *= square;
  return power;
}
F2C_INLINE double pow_ri(real *base, integer *exponent) {
  double wide = *base;
  return pow_di(&wide, exponent);
}
F2C_APART integer pow_ii(integer *base, integer *exponent) {
  integer power = 1;
  for (integer left = *exponent; left > 0; left--) power *= *base;
  return power;
}
/* Of squares only. */
F2C_INLINE void pow_zi(doublecomplex *to, doublecomplex *z, integer *exponent) {
  (void)exponent;
  const doublecomplex value = {z->r * z->r - z->i * z->i, 2 * z->r * z->i};
  *to = value;
}
F2C_INLINE void pow_ci(complex *to, complex *z, integer *exponent) {
  (void)exponent;
  const complex value = {z->r * z->r - z->i * z->i, 2 * z->r * z->i};
  *to = value;
}
/* dbdsqr asks for eps to the power −1/8 and for nothing else. */
F2C_INLINE double pow_dd(doublereal *base, doublereal *exponent) {
  if (*exponent != -.125) __builtin_trap();
  return 1 / __builtin_sqrt(__builtin_sqrt(__builtin_sqrt(*base)));
}

/* ln x for normal x > 0: of 2^e·m, √½ ≤ m < √2, by the series of atanh((m − 1)/(m + 1)). LAPACK counts levels with it. */
F2C_APART double f2c_log(double x) {
  union { double value; unsigned long long bits; } parts = {x};
  int exponent = (int)(parts.bits >> 52) - 1022;
  parts.bits = (parts.bits & 0xfffffffffffffULL) | 0x3fe0000000000000ULL;
  if (parts.value < 0.70710678118654752440) parts.value *= 2, exponent--;
  const double ratio = (parts.value - 1) / (parts.value + 1), square = ratio * ratio;
  double sum = 1.0 / 23;
  sum = sum * square + 1.0 / 21, sum = sum * square + 1.0 / 19, sum = sum * square + 1.0 / 17, sum = sum * square + 1.0 / 15;
  sum = sum * square + 1.0 / 13, sum = sum * square + 1.0 / 11, sum = sum * square + 1.0 / 9, sum = sum * square + 1.0 / 7;
  sum = sum * square + 1.0 / 5, sum = sum * square + 1.0 / 3, sum = sum * square + 1;
  return exponent * 0.69314718055994530942 + 2 * ratio * sum;
}
#define log(x) f2c_log(x)

#define i_len(text, length) (length)
F2C_APART int s_copy(char *to, char *from, ftnlen to_length, ftnlen from_length) {
  for (ftnlen i = 0; i < to_length; i++) to[i] = i < from_length ? from[i] : ' ';
  return 0;
}
F2C_APART integer s_cmp(char *a, char *b, ftnlen a_length, ftnlen b_length) {
  for (ftnlen i = 0; i < a_length || i < b_length; i++) {
    const char x = i < a_length ? a[i] : ' ', y = i < b_length ? b[i] : ' ';
    if (x != y) return x < y ? -1 : 1;
  }
  return 0;
}
F2C_APART int s_cat(char *to, char **parts, integer *lengths, integer *count, ftnlen to_length) {
  ftnlen at = 0;
  for (integer part = 0; part < *count; part++) for (integer i = 0; i < lengths[part] && at < to_length; i++) to[at++] = parts[part][i];
  while (at < to_length) to[at++] = ' ';
  return 0;
}

#endif
