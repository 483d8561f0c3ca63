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

/* Bytes of a vector. A tile has at most TILE_ROWS rows and TILE_VECTORS vectors in each, or THIN_ROWS and THIN_VECTORS. */
#if TF_LEVEL == 2
#define VECTOR_BYTES 64
#define TILE_ROWS 8
#define THIN_ROWS 4
#elif TF_LEVEL == 1
#define VECTOR_BYTES 32
#define TILE_ROWS 6
#define THIN_ROWS 2
#else
#define VECTOR_BYTES 16
#define TILE_ROWS 4
#define THIN_ROWS 2
#endif
#define TILE_VECTORS 2
#define THIN_VECTORS 4
/* Products to be summed up to which writing the result is what takes time. */
#define SHALLOW 64
#define LANE_BYTES 64
#define DOT_BYTES 256
/* Rows of a matrix that are multiplied by a vector at a time; results beside each other that are summed at a time where the matrix has more than CACHED_BYTES. */
#define ALONG_ROWS (TF_LEVEL == 2 ? 8 : 4)
#define STRIP_BYTES 1024
#define CACHED_BYTES 131072

#include "transpose.h"

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
