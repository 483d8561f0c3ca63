/* Kernels for products (product.h), compiled for every instruction set. */
#if TF_LEVEL == 1
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("fma"))), apply_to = function)
#else
#pragma GCC target("fma")
#endif
#endif
#include "../product.h"
#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define JOIN2(a, b) a##_##b
#define JOIN(a, b) JOIN2(a, b)
/* Loops over the registers of a tile leave no loop behind. */
#if defined(__clang__)
#define UNROLL _Pragma("unroll")
#else
#define UNROLL _Pragma("GCC unroll 32")
#endif
#define INLINE static inline __attribute__((always_inline))

/* Bytes of a vector, rows of the largest tile; vectors of its width are TILE_VECTORS. */
#if TF_LEVEL == 2
#define VECTOR_BYTES 64
#define TILE_ROWS 8
#elif TF_LEVEL == 1
#define VECTOR_BYTES 32
#define TILE_ROWS 6
#else
#define VECTOR_BYTES 16
#define TILE_ROWS 4
#endif
#define TILE_VECTORS 2
#define LANE_BYTES 64
#define DOT_BYTES 256

#define T f32
#define NAME f32
#include "product_type.h"
#define T f64
#define NAME f64
#include "product_type.h"
#define T uint32_t
#define NAME u32
#define IS_INTEGER
#include "product_type.h"
#define T uint64_t
#define NAME u64
#define IS_INTEGER
#include "product_type.h"

#include "transpose.h"

static const tf_products products = {
  {matrix_f32_1, matrix_f64_1, matrix_f32_2, matrix_f64_2, matrix_u32_1, matrix_u64_1, 0},
  {vector_f32_1, vector_f64_1, vector_f32_2, vector_f64_2, vector_u32_1, vector_u64_1, 0},
  transpose,
};

const tf_products *JOIN(tf_products, TF_LEVEL)(void);
const tf_products *JOIN(tf_products, TF_LEVEL)(void) { return &products; }

#if TF_LEVEL == 1 && defined(__clang__)
#pragma clang attribute pop
#endif
