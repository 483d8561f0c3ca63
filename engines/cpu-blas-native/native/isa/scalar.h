/* The operations of the loop language on single values, for loops that compilers turn into vectors: no branch, no call. */
#ifndef TF_SCALAR_H
#define TF_SCALAR_H
#include "../tf_native.h"
#include <string.h>

#define TF_ARITHMETIC(T, U)                                                                                                                          \
  static inline T add_##T(T a, T b) { return (T)((U)a + (U)b); }                                                                                     \
  static inline T sub_##T(T a, T b) { return (T)((U)a - (U)b); }                                                                                     \
  static inline T mul_##T(T a, T b) { return (T)((U)a * (U)b); }
TF_ARITHMETIC(f32, f32)
TF_ARITHMETIC(f64, f64)
TF_ARITHMETIC(i32, uint32_t)
TF_ARITHMETIC(i64, uint64_t)

#define TF_COMPARISONS(T)                                                                                                                            \
  static inline _Bool eq_##T(T a, T b) { return a == b; }                                                                                            \
  static inline _Bool ne_##T(T a, T b) { return a != b; }                                                                                            \
  static inline _Bool lt_##T(T a, T b) { return a < b; }                                                                                             \
  static inline _Bool le_##T(T a, T b) { return a <= b; }                                                                                            \
  static inline _Bool gt_##T(T a, T b) { return a > b; }                                                                                             \
  static inline _Bool ge_##T(T a, T b) { return a >= b; }                                                                                            \
  static inline T select_##T(_Bool c, T a, T b) { return c ? a : b; }
TF_COMPARISONS(f32)
TF_COMPARISONS(f64)
TF_COMPARISONS(i32)
TF_COMPARISONS(i64)

#define TF_BITCAST(A, B)                                                                                                                             \
  static inline B bitcast_##A##_##B(A a) { B b; memcpy(&b, &a, sizeof b); return b; }
TF_BITCAST(f32, i32)
TF_BITCAST(i32, f32)
TF_BITCAST(f64, i64)
TF_BITCAST(i64, f64)

#define TF_INTEGERS(T, U, WIDTH)                                                                                                                     \
  static inline T neg_##T(T a) { return (T)(0 - (U)a); }                                                                                             \
  static inline T abs_##T(T a) { return a < 0 ? neg_##T(a) : a; }                                                                                    \
  static inline T min_##T(T a, T b) { return a < b ? a : b; }                                                                                        \
  static inline T max_##T(T a, T b) { return a > b ? a : b; }                                                                                        \
  static inline T not_##T(T a) { return ~a; }                                                                                                        \
  static inline T and_##T(T a, T b) { return a & b; }                                                                                                \
  static inline T or_##T(T a, T b) { return a | b; }                                                                                                 \
  static inline T xor_##T(T a, T b) { return a ^ b; }                                                                                                \
  static inline T shl_##T(T a, T b) { return (T)((U)a << (b & (WIDTH - 1))); }                                                                       \
  static inline T shrS_##T(T a, T b) { return a >> (b & (WIDTH - 1)); }                                                                              \
  static inline T shrU_##T(T a, T b) { return (T)((U)a >> (b & (WIDTH - 1))); }
TF_INTEGERS(i32, uint32_t, 32)
TF_INTEGERS(i64, uint64_t, 64)

/* Bools within functions; blocks hold them as bytes. */
static inline _Bool not_bool(_Bool a) { return !a; }
static inline _Bool and_bool(_Bool a, _Bool b) { return a & b; }
static inline _Bool or_bool(_Bool a, _Bool b) { return a | b; }
static inline _Bool xor_bool(_Bool a, _Bool b) { return a ^ b; }
static inline _Bool eq_bool(_Bool a, _Bool b) { return a == b; }
static inline _Bool ne_bool(_Bool a, _Bool b) { return a != b; }
static inline _Bool lt_bool(_Bool a, _Bool b) { return a < b; }
static inline _Bool le_bool(_Bool a, _Bool b) { return a <= b; }
static inline _Bool gt_bool(_Bool a, _Bool b) { return a > b; }
static inline _Bool ge_bool(_Bool a, _Bool b) { return a >= b; }
static inline _Bool select_bool(_Bool c, _Bool a, _Bool b) { return c ? a : b; }

/*
 * min: x86 has a minimum that gives its second operand where the first is not below it. Of both orders, `or` joins the signs of zeros, and
 * what holds a NaN stays one.
 */
#define TF_FLOATS(T, I, SUFFIX, BIG)                                                                                                                 \
  static inline T div_##T(T a, T b) { return a / b; }                                                                                                \
  static inline T neg_##T(T a) { return -a; }                                                                                                        \
  static inline T abs_##T(T a) { return __builtin_fabs##SUFFIX(a); }                                                                                 \
  static inline T sqrt_##T(T a) { return __builtin_sqrt##SUFFIX(a); }                                                                                \
  static inline T copysign_##T(T a, T b) { return __builtin_copysign##SUFFIX(a, b); }                                                                \
  static inline T min_##T(T a, T b) {                                                                                                                \
    T x = a < b ? a : b, y = b < a ? b : a;                                                                                                          \
    return bitcast_##I##_##T(bitcast_##T##_##I(x) | bitcast_##T##_##I(y));                                                                           \
  }                                                                                                                                                  \
  static inline T max_##T(T a, T b) { return -min_##T(-a, -b); }
TF_FLOATS(f32, i32, f, 8388608.0f)
TF_FLOATS(f64, i64, , 4503599627370496.0)

/* 0 where the product is NaN and a factor is 0. */
#define TF_MUL_OR_ZERO(T)                                                                                                                            \
  static inline T mulOrZero_##T(T a, T b) {                                                                                                          \
    const T p = a * b;                                                                                                                               \
    return ((a == 0) | (b == 0)) & (p != p) ? 0 : p;                                                                                                 \
  }
TF_MUL_OR_ZERO(f32)
TF_MUL_OR_ZERO(f64)

#if defined(__SSE4_1__) || defined(__aarch64__)
#define TF_ROUNDING(T, SUFFIX, BIG)                                                                                                                  \
  static inline T floor_##T(T a) { return __builtin_floor##SUFFIX(a); }                                                                              \
  static inline T ceil_##T(T a) { return __builtin_ceil##SUFFIX(a); }                                                                                \
  static inline T trunc_##T(T a) { return __builtin_trunc##SUFFIX(a); }                                                                              \
  static inline T nearest_##T(T a) { return __builtin_rint##SUFFIX(a); }
#else
/* Adding 2^p, p the stored bits of a significand, leaves no fraction bits, and the sum rounds to even. */
#define TF_ROUNDING(T, SUFFIX, BIG)                                                                                                                  \
  static inline T whole_##T(T a) { T m = abs_##T(a), r = (m + BIG) - BIG; return m < BIG ? r : m; }                                                  \
  static inline T nearest_##T(T a) { return copysign_##T(whole_##T(a), a); }                                                                         \
  static inline T trunc_##T(T a) { T m = abs_##T(a), r = whole_##T(a); return copysign_##T(r > m ? r - 1 : r, a); }                                  \
  static inline T floor_##T(T a) { T r = nearest_##T(a); return copysign_##T(r > a ? r - 1 : r, a); }                                                \
  static inline T ceil_##T(T a) { T r = nearest_##T(a); return copysign_##T(r < a ? r + 1 : r, a); }
#endif
TF_ROUNDING(f32, f, 8388608.0f)
TF_ROUNDING(f64, , 4503599627370496.0)

/* From float to integer: values beyond the range give its ends, NaN 0. LOW is the greatest float that is too small, HIGH the least that is too great. */
#define TF_TO_INTEGER(A, B, LOW_TEST, LOW, HIGH, LEAST, GREATEST)                                                                                    \
  static inline B convert_##A##_##B(A a) {                                                                                                           \
    B b = (B)(!(a LOW_TEST LOW) && a < HIGH ? a : (A)0);                                                                                             \
    b = a >= HIGH ? GREATEST : b;                                                                                                                    \
    return a LOW_TEST LOW ? LEAST : b;                                                                                                               \
  }
TF_TO_INTEGER(f32, i32, <, -2147483648.0f, 2147483648.0f, INT32_MIN, INT32_MAX)
TF_TO_INTEGER(f64, i32, <=, -2147483649.0, 2147483648.0, INT32_MIN, INT32_MAX)
TF_TO_INTEGER(f32, i64, <, -9223372036854775808.0f, 9223372036854775808.0f, INT64_MIN, INT64_MAX)
TF_TO_INTEGER(f64, i64, <, -9223372036854775808.0, 9223372036854775808.0, INT64_MIN, INT64_MAX)

#define TF_CONVERT(A, B) static inline B convert_##A##_##B(A a) { return (B)a; }
TF_CONVERT(f32, f64)
TF_CONVERT(f64, f32)
TF_CONVERT(i32, f32)
TF_CONVERT(i32, f64)
TF_CONVERT(i32, i64)
TF_CONVERT(i64, f32)
TF_CONVERT(i64, f64)
static inline i32 convert_i64_i32(i64 a) { return (i32)(uint32_t)(uint64_t)a; }

#define TF_BOOL(T)                                                                                                                                   \
  static inline _Bool convert_##T##_bool(T a) { return a != 0; }                                                                                     \
  static inline T convert_bool_##T(_Bool a) { return (T)a; }
TF_BOOL(f32)
TF_BOOL(f64)
TF_BOOL(i32)
TF_BOOL(i64)

/* An index outside a table reads the nearest entry. Vectors gather entries of 64 bits by indices of 64 bits. */
#define TF_TABLE_INDEX(T)                                                                                                                            \
  static inline T table_index_##T(T index, T length) {                                                                                               \
    index = index < 0 ? 0 : index;                                                                                                                   \
    return index < length - 1 ? index : length - 1;                                                                                                  \
  }
TF_TABLE_INDEX(i32)
TF_TABLE_INDEX(i64)
#endif
