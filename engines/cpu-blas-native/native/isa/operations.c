/* The operations of the loop language over blocks, and the table of all that kernels may name: these, then the functions that generate.ts wrote. */
#include "operations.h"
#include "scalar.h"

/* A bool of a block is a byte; the name stands for the type in operations.def. */
typedef b8 t_bool;
typedef f32 t_f32;
typedef f64 t_f64;
typedef i32 t_i32;
typedef i64 t_i64;

#define SIGNATURE(name) void TF_BLOCK(name)(void *out_, const void *a_, const void *b_, const void *c_, i64 n)
#define EACH(R, value)                                                                                                                               \
  t_##R *out = out_;                                                                                                                                 \
  (void)b_, (void)c_;                                                                                                                                \
  TF_VECTORS for (i64 i = 0; i < n; i++) out[i] = (value);

#define UNARY_LOOP(name, A, R, value)                                                                                                                \
  SIGNATURE(name);                                                                                                                                   \
  SIGNATURE(name) {                                                                                                                                  \
    const t_##A *as = a_;                                                                                                                            \
    t_##R *out = out_;                                                                                                                               \
    (void)b_, (void)c_;                                                                                                                              \
    TF_VECTORS for (i64 i = 0; i < n; i++) { const t_##A a = as[i]; out[i] = (t_##R)(value); }                                                       \
  }
#define UNARY(name, A, R, value) UNARY_LOOP(name##_##A, A, R, value)
#define CONVERT(A, R, value) UNARY_LOOP(convert_##A##_##R, A, R, value)
#define BITCAST(A, R) UNARY_LOOP(bitcast_##A##_##R, A, R, bitcast_##A##_##R(a))
#define BINARY(name, A, R, value)                                                                                                                    \
  SIGNATURE(name##_##A);                                                                                                                             \
  SIGNATURE(name##_##A) {                                                                                                                            \
    const t_##A *as = a_, *bs = b_;                                                                                                                  \
    t_##R *out = out_;                                                                                                                               \
    (void)c_;                                                                                                                                        \
    TF_VECTORS for (i64 i = 0; i < n; i++) { const t_##A a = as[i], b = bs[i]; out[i] = (t_##R)(value); }                                            \
  }
#define TERNARY(name, T, value)                                                                                                                      \
  SIGNATURE(name##_##T);                                                                                                                             \
  SIGNATURE(name##_##T) {                                                                                                                            \
    const t_##T *as = a_, *bs = b_, *cs = c_;                                                                                                        \
    t_##T *out = out_;                                                                                                                               \
    TF_VECTORS for (i64 i = 0; i < n; i++) { const t_##T a = as[i], b = bs[i], c = cs[i]; out[i] = (value); }                                        \
  }
#define SELECT(T)                                                                                                                                    \
  SIGNATURE(select_##T);                                                                                                                             \
  SIGNATURE(select_##T) {                                                                                                                            \
    const b8 *cs = a_;                                                                                                                               \
    const t_##T *as = b_, *bs = c_;                                                                                                                  \
    t_##T *out = out_;                                                                                                                               \
    TF_VECTORS for (i64 i = 0; i < n; i++) { const t_##T a = as[i], b = bs[i]; out[i] = cs[i] != 0 ? a : b; }                                        \
  }
#define LOOKUP(T)                                                                                                                                    \
  SIGNATURE(lookup_##T);                                                                                                                             \
  SIGNATURE(lookup_##T) {                                                                                                                            \
    const i32 *as = a_;                                                                                                                              \
    const t_##T *table = b_;                                                                                                                         \
    const i32 length = *(const i32 *)c_;                                                                                                             \
    t_##T *out = out_;                                                                                                                               \
    TF_VECTORS for (i64 i = 0; i < n; i++) out[i] = table[table_index_i32(as[i], length)];                                                               \
  }
#include "operations.def"

#define FUNCTION1(name, T) SIGNATURE(name##_##T);
#define FUNCTION2(name, T) SIGNATURE(name##_##T);
#include "functions.def"

const int tf_first_function = 0
#define UNARY(name, A, R, value) +1
#define CONVERT(A, R, value) +1
#define BITCAST(A, R) +1
#define BINARY(name, A, R, value) +1
#define TERNARY(name, T, value) +1
#define SELECT(T) +1
#define LOOKUP(T) +1
#include "operations.def"
  ;

const tf_operation tf_operations[] = {
#define UNARY(name, A, R, value) TF_BLOCK(name##_##A),
#define CONVERT(A, R, value) TF_BLOCK(convert_##A##_##R),
#define BITCAST(A, R) TF_BLOCK(bitcast_##A##_##R),
#define BINARY(name, A, R, value) TF_BLOCK(name##_##A),
#define TERNARY(name, T, value) TF_BLOCK(name##_##T),
#define SELECT(T) TF_BLOCK(select_##T),
#define LOOKUP(T) TF_BLOCK(lookup_##T),
#include "operations.def"
#define FUNCTION1(name, T) TF_BLOCK(name##_##T),
#define FUNCTION2(name, T) TF_BLOCK(name##_##T),
#include "functions.def"
  NULL,
};

const tf_sizes tf_operation_sizes[] = {
#define UNARY(name, A, R, value) {sizeof(t_##R), sizeof(t_##A), 0, 0},
#define CONVERT(A, R, value) {sizeof(t_##R), sizeof(t_##A), 0, 0},
#define BITCAST(A, R) {sizeof(t_##R), sizeof(t_##A), 0, 0},
#define BINARY(name, A, R, value) {sizeof(t_##R), sizeof(t_##A), sizeof(t_##A), 0},
#define TERNARY(name, T, value) {sizeof(t_##T), sizeof(t_##T), sizeof(t_##T), sizeof(t_##T)},
#define SELECT(T) {sizeof(t_##T), 1, sizeof(t_##T), sizeof(t_##T)},
#define LOOKUP(T) {sizeof(t_##T), 4, 0, 0},
#include "operations.def"
#define FUNCTION1(name, T) {sizeof(t_##T), sizeof(t_##T), 0, 0},
#define FUNCTION2(name, T) {sizeof(t_##T), sizeof(t_##T), sizeof(t_##T), 0},
#include "functions.def"
};
