#include "fold.h"
#include "scalar.h"
#include <string.h>

enum { MANY_LANES = 64 };

/* As wide as the machine's vectors; `loose_…` may lie at any address. */
#if TF_LEVEL == 2
#define VECTOR_BYTES 64
#elif TF_LEVEL == 1
#define VECTOR_BYTES 32
#else
#define VECTOR_BYTES 16
#endif
#define VECTOR(name, T, bytes)                                                                                                                       \
  typedef T name __attribute__((vector_size(bytes)));                                                                                                \
  typedef T loose_##name __attribute__((vector_size(bytes), aligned(sizeof(T))));
VECTOR(wide_f32, f32, VECTOR_BYTES)
VECTOR(wide_f64, f64, VECTOR_BYTES)
typedef i32 mask_f32 __attribute__((vector_size(VECTOR_BYTES)));
typedef i64 mask_f64 __attribute__((vector_size(VECTOR_BYTES)));
/* The lanes of a block. */
VECTOR(lanes_f32, f32, 8 * sizeof(f32))
VECTOR(lanes_f64, f64, 8 * sizeof(f64))

#define LANES_FOLD(name, T, IDENTITY, OPERATION)                                                                                                     \
  static inline T block_##name(const T *e, i64 n) {                                                                                                  \
    T lanes[TREE_LANES];                                                                                                                             \
    for (int j = 0; j < TREE_LANES; j++) lanes[j] = IDENTITY;                                                                                        \
    i64 i = 0;                                                                                                                                       \
    for (; i + TREE_LANES <= n; i += TREE_LANES) {                                                                                                   \
      for (int j = 0; j < TREE_LANES; j++) lanes[j] = OPERATION(lanes[j], e[i + j]);                                                                 \
    }                                                                                                                                                \
    for (int j = 0; i + j < n; j++) lanes[j] = OPERATION(lanes[j], e[i + j]);                                                                        \
    for (int half = TREE_LANES / 2; half >= 1; half /= 2) {                                                                                          \
      for (int j = 0; j < half; j++) lanes[j] = OPERATION(lanes[j], lanes[j + half]);                                                                \
    }                                                                                                                                                \
    return lanes[0];                                                                                                                                 \
  }

/* Several short rows, whose length compilers know. */
#define FEW_CASE(name, T, n)                                                                                                                         \
    case n:                                                                                                                                          \
      TF_VECTORS for (i64 i = 0; i < count; i++) out[i] = block_##name(e + i * n, n);                                                                \
      return;

#define ROWS_FOLD(name, T, IDENTITY, OPERATION)                                                                                                      \
  static void segments_##name(const void *first, const void *second, i64 count, i64 n, void *out_first, void *out_second) {                          \
    const T *e = first;                                                                                                                              \
    T *out = out_first;                                                                                                                              \
    (void)second, (void)out_second;                                                                                                                  \
    switch (n) {                                                                                                                                     \
      FEW_CASE(name, T, 2)                                                                                                                           \
      FEW_CASE(name, T, 3)                                                                                                                           \
      FEW_CASE(name, T, 4)                                                                                                                           \
      FEW_CASE(name, T, 8)                                                                                                                           \
    }                                                                                                                                                \
    for (i64 i = 0; i < count; i++) out[i] = row_##name(e + i * n, n);                                                                               \
  }                                                                                                                                                  \
  static void combine_##name(void *first, void *second, const void *e_first, const void *e_second, i64 n) {                                          \
    T *a = first;                                                                                                                                    \
    const T *e = e_first;                                                                                                                            \
    (void)second, (void)e_second;                                                                                                                    \
    TF_VECTORS for (i64 i = 0; i < n; i++) a[i] = OPERATION(a[i], e[i]);                                                                             \
  }                                                                                                                                                  \
  static void identities_##name(void *first, void *second, i64 n) {                                                                                  \
    T *a = first;                                                                                                                                    \
    (void)second;                                                                                                                                    \
    for (i64 i = 0; i < n; i++) a[i] = IDENTITY;                                                                                                     \
  }                                                                                                                                                  \
  static const tf_fold fold_##name = {blocks_##name, finish_##name, segments_##name, combine_##name, identities_##name};

/* Blocks side by side: one alone waits for each of its additions. */
enum { FEW_BLOCKS = 4 };
#define FEW_BLOCKS_FOLD(name, T, IDENTITY, SIGN)                                                                                                     \
  static inline void few_blocks_##name(const T *e, T *results) {                                                                                     \
    lanes_##T lanes[FEW_BLOCKS];                                                                                                                     \
    for (int b = 0; b < FEW_BLOCKS; b++) lanes[b] = (lanes_##T){IDENTITY, IDENTITY, IDENTITY, IDENTITY, IDENTITY, IDENTITY, IDENTITY, IDENTITY};     \
    for (int i = 0; i < TREE_BLOCK; i += TREE_LANES) {                                                                                               \
      for (int b = 0; b < FEW_BLOCKS; b++) lanes[b] = lanes[b] SIGN *(const loose_lanes_##T *)(e + b * TREE_BLOCK + i);                              \
    }                                                                                                                                                \
    for (int b = 0; b < FEW_BLOCKS; b++) {                                                                                                           \
      const lanes_##T l = lanes[b];                                                                                                                  \
      results[b] = ((l[0] SIGN l[4]) SIGN (l[2] SIGN l[6])) SIGN ((l[1] SIGN l[5]) SIGN (l[3] SIGN l[7]));                                           \
    }                                                                                                                                                \
  }

/* One lane. The eight lanes of the tree are an array, which compilers hold in vectors. */
#define FOLD(name, T, IDENTITY, OPERATION, SIGN)                                                                                                     \
  LANES_FOLD(name, T, IDENTITY, OPERATION)                                                                                                           \
  FEW_BLOCKS_FOLD(name, T, IDENTITY, SIGN)                                                                                                           \
  static void push_##name(tf_tree *tree, T *stack, T result) {                                                                                       \
    for (i64 bits = tree->block++; bits & 1; bits >>= 1) result = OPERATION(stack[--tree->depth], result);                                           \
    stack[tree->depth++] = result;                                                                                                                   \
  }                                                                                                                                                  \
  static void blocks_##name(tf_tree *tree, const void *first, const void *second, i64 n) {                                                           \
    const T *e = first;                                                                                                                              \
    T *stack = (T *)tree->stack;                                                                                                                     \
    (void)second;                                                                                                                                    \
    i64 at = 0;                                                                                                                                      \
    for (; at + FEW_BLOCKS * TREE_BLOCK <= n; at += FEW_BLOCKS * TREE_BLOCK) {                                                                       \
      T results[FEW_BLOCKS];                                                                                                                         \
      few_blocks_##name(e + at, results);                                                                                                            \
      for (int b = 0; b < FEW_BLOCKS; b++) push_##name(tree, stack, results[b]);                                                                     \
    }                                                                                                                                                \
    for (; at + TREE_BLOCK <= n; at += TREE_BLOCK) push_##name(tree, stack, block_##name(e + at, TREE_BLOCK));                                       \
    if (at < n) push_##name(tree, stack, block_##name(e + at, n - at));                                                                              \
  }                                                                                                                                                  \
  static void finish_##name(tf_tree *tree, void *first, void *second) {                                                                              \
    const T *stack = (const T *)tree->stack;                                                                                                         \
    T result = IDENTITY;                                                                                                                             \
    (void)second;                                                                                                                                    \
    if (tree->depth > 0) result = stack[--tree->depth];                                                                                              \
    while (tree->depth > 0) result = OPERATION(stack[--tree->depth], result);                                                                        \
    *(T *)first = result;                                                                                                                            \
  }                                                                                                                                                  \
  static T row_##name(const T *e, i64 n) {                                                                                                           \
    if (n <= TREE_BLOCK) return block_##name(e, n);                                                                                                  \
    tf_tree tree = {.block = 0, .depth = 0};                                                                                                         \
    T result;                                                                                                                                        \
    blocks_##name(&tree, e, NULL, n);                                                                                                                \
    finish_##name(&tree, &result, NULL);                                                                                                             \
    return result;                                                                                                                                   \
  }                                                                                                                                                  \
  ROWS_FOLD(name, T, IDENTITY, OPERATION)

/*
 * Monoids that give the same bits in any order: extrema, where any NaN is as good as another, and integers. Many lanes, and no tree but for the
 * running value at the stack's bottom.
 */
#define MANY_LANES_FOLD(name, T, IDENTITY, OPERATION)                                                                                                \
  LANES_FOLD(name, T, IDENTITY, OPERATION)                                                                                                           \
  static T every_##name(const T *e, i64 n) {                                                                                                         \
    if (n < 2 * MANY_LANES) return block_##name(e, n);                                                                                               \
    T lanes[MANY_LANES];                                                                                                                             \
    i64 i = 0;                                                                                                                                       \
    for (int j = 0; j < MANY_LANES; j++) lanes[j] = IDENTITY;                                                                                        \
    for (; i + MANY_LANES <= n; i += MANY_LANES) {                                                                                                   \
      TF_VECTORS for (int j = 0; j < MANY_LANES; j++) lanes[j] = OPERATION(lanes[j], e[i + j]);                                                      \
    }                                                                                                                                                \
    for (int j = 0; i + j < n; j++) lanes[j] = OPERATION(lanes[j], e[i + j]);                                                                        \
    for (int half = MANY_LANES / 2; half >= TREE_LANES; half /= 2) {                                                                                 \
      TF_VECTORS for (int j = 0; j < half; j++) lanes[j] = OPERATION(lanes[j], lanes[j + half]);                                                     \
    }                                                                                                                                                \
    return block_##name(lanes, TREE_LANES);                                                                                                          \
  }

/* Of numbers the extremum is the one that no other exceeds; only zeros, which have two signs, and NaNs need more than a comparison. */
#define EXTREMUM(name, T, IDENTITY, OPERATION, EXCEEDS)                                                                                              \
  MANY_LANES_FOLD(name, T, IDENTITY, OPERATION)                                                                                                      \
  static inline wide_##T best_##name(wide_##T best, wide_##T e) {                                                                                    \
    const mask_##T takes = e EXCEEDS best;                                                                                                           \
    return (wide_##T)(((mask_##T)e & takes) | ((mask_##T)best & ~takes));                                                                            \
  }                                                                                                                                                  \
  static T row_##name(const T *e, i64 n) {                                                                                                           \
    enum { WIDTH = VECTOR_BYTES / sizeof(T) };                                                                                                       \
    if (n < WIDTH) return block_##name(e, n);                                                                                                        \
    /* The last elements, perhaps some of them twice. */                                                                                             \
    wide_##T best[4];                                                                                                                                \
    for (int k = 0; k < 4; k++) best[k] = *(const loose_wide_##T *)(e + n - WIDTH);                                                                  \
    mask_##T bad = best[0] != best[0];                                                                                                               \
    i64 i = 0;                                                                                                                                       \
    for (; i + 4 * WIDTH <= n; i += 4 * WIDTH) {                                                                                                     \
      for (int k = 0; k < 4; k++) {                                                                                                                  \
        const wide_##T at = *(const loose_wide_##T *)(e + i + k * WIDTH);                                                                            \
        best[k] = best_##name(best[k], at);                                                                                                          \
        bad |= at != at;                                                                                                                             \
      }                                                                                                                                              \
    }                                                                                                                                                \
    for (; i + WIDTH <= n; i += WIDTH) {                                                                                                             \
      const wide_##T at = *(const loose_wide_##T *)(e + i);                                                                                          \
      best[0] = best_##name(best[0], at);                                                                                                            \
      bad |= at != at;                                                                                                                               \
    }                                                                                                                                                \
    best[0] = best_##name(best_##name(best[0], best[1]), best_##name(best[2], best[3]));                                                             \
    T result = best[0][0];                                                                                                                           \
    int is_bad = bad[0] != 0;                                                                                                                        \
    for (int j = 1; j < WIDTH; j++) {                                                                                                                \
      result = best[0][j] EXCEEDS result ? best[0][j] : result;                                                                                      \
      is_bad |= bad[j] != 0;                                                                                                                         \
    }                                                                                                                                                \
    return is_bad || result == 0 ? every_##name(e, n) : result;                                                                                      \
  }                                                                                                                                                  \
  RUNNING_FOLD(name, T, IDENTITY, OPERATION)

#define ANY_ORDER(name, T, IDENTITY, OPERATION)                                                                                                      \
  MANY_LANES_FOLD(name, T, IDENTITY, OPERATION)                                                                                                      \
  static T row_##name(const T *e, i64 n) { return every_##name(e, n); }                                                                              \
  RUNNING_FOLD(name, T, IDENTITY, OPERATION)

#define RUNNING_FOLD(name, T, IDENTITY, OPERATION)                                                                                                   \
  static void blocks_##name(tf_tree *tree, const void *first, const void *second, i64 n) {                                                           \
    T *running = (T *)tree->stack;                                                                                                                   \
    T result = row_##name(first, n);                                                                                                                 \
    (void)second;                                                                                                                                    \
    *running = tree->depth == 0 ? result : OPERATION(*running, result);                                                                              \
    tree->depth = 1;                                                                                                                                 \
  }                                                                                                                                                  \
  static void finish_##name(tf_tree *tree, void *first, void *second) {                                                                              \
    (void)second;                                                                                                                                    \
    *(T *)first = tree->depth == 0 ? IDENTITY : *(T *)tree->stack;                                                                                   \
  }                                                                                                                                                  \
  ROWS_FOLD(name, T, IDENTITY, OPERATION)

#define OR(a, b) ((a) | (b))
#define AND(a, b) ((a) & (b))
FOLD(sum_f32, f32, 0.0f, add_f32, +)
FOLD(sum_f64, f64, 0.0, add_f64, +)
ANY_ORDER(sum_i32, i32, 0, add_i32)
ANY_ORDER(sum_i64, i64, 0, add_i64)
FOLD(prod_f32, f32, 1.0f, mul_f32, *)
FOLD(prod_f64, f64, 1.0, mul_f64, *)
ANY_ORDER(prod_i32, i32, 1, mul_i32)
ANY_ORDER(prod_i64, i64, 1, mul_i64)
EXTREMUM(max_f32, f32, -__builtin_inff(), max_f32, >)
EXTREMUM(max_f64, f64, -__builtin_inf(), max_f64, >)
ANY_ORDER(max_i32, i32, INT32_MIN, max_i32)
ANY_ORDER(max_i64, i64, INT64_MIN, max_i64)
ANY_ORDER(max_bool, b8, 0, OR)
EXTREMUM(min_f32, f32, __builtin_inff(), min_f32, <)
EXTREMUM(min_f64, f64, __builtin_inf(), min_f64, <)
ANY_ORDER(min_i32, i32, INT32_MAX, min_i32)
ANY_ORDER(min_i64, i64, INT64_MAX, min_i64)
ANY_ORDER(min_bool, b8, 1, AND)

/* Two lanes: those of a sum go apart, those of a product meet. */
#define COMPLEX_SUM(name, real)                                                                                                                      \
  static void blocks_##name(tf_tree *tree, const void *first, const void *second, i64 n) {                                                           \
    blocks_##real(&tree[0], first, NULL, n);                                                                                                         \
    blocks_##real(&tree[1], second, NULL, n);                                                                                                        \
  }                                                                                                                                                  \
  static void finish_##name(tf_tree *tree, void *first, void *second) {                                                                              \
    finish_##real(&tree[0], first, NULL);                                                                                                            \
    finish_##real(&tree[1], second, NULL);                                                                                                           \
  }                                                                                                                                                  \
  static void segments_##name(const void *first, const void *second, i64 count, i64 n, void *out_first, void *out_second) {                          \
    segments_##real(first, NULL, count, n, out_first, NULL);                                                                                         \
    segments_##real(second, NULL, count, n, out_second, NULL);                                                                                       \
  }                                                                                                                                                  \
  static void combine_##name(void *first, void *second, const void *e_first, const void *e_second, i64 n) {                                          \
    combine_##real(first, NULL, e_first, NULL, n);                                                                                                   \
    combine_##real(second, NULL, e_second, NULL, n);                                                                                                 \
  }                                                                                                                                                  \
  static void identities_##name(void *first, void *second, i64 n) {                                                                                  \
    identities_##real(first, NULL, n);                                                                                                               \
    identities_##real(second, NULL, n);                                                                                                              \
  }                                                                                                                                                  \
  static const tf_fold fold_##name = {blocks_##name, finish_##name, segments_##name, combine_##name, identities_##name};

/*
 * Parts lie in arrays of their own: of alternating sums and differences gcc makes fused instructions for AVX-512, -ffp-contract=off or not (12.2).
 */
#define COMPLEX_PRODUCT(name, T)                                                                                                                     \
  typedef struct { T re, im; } pair_##name;                                                                                                          \
  static inline pair_##name multiply_##name(pair_##name a, pair_##name b) { return (pair_##name){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; } \
  static inline void multiply_rows_##name(T *re, T *im, const T *e_re, const T *e_im, i64 n) {                                                       \
    TF_VECTORS for (i64 i = 0; i < n; i++) {                                                                                                         \
      const T a = re[i], b = im[i], c = e_re[i], d = e_im[i];                                                                                        \
      re[i] = a * c - b * d;                                                                                                                         \
      im[i] = a * d + b * c;                                                                                                                         \
    }                                                                                                                                                \
  }                                                                                                                                                  \
  static inline pair_##name block_##name(const T *re, const T *im, i64 n) {                                                                          \
    T res[TREE_LANES], ims[TREE_LANES];                                                                                                              \
    for (int j = 0; j < TREE_LANES; j++) res[j] = 1;                                                                                                 \
    for (int j = 0; j < TREE_LANES; j++) ims[j] = 0;                                                                                                 \
    i64 i = 0;                                                                                                                                       \
    for (; i + TREE_LANES <= n; i += TREE_LANES) multiply_rows_##name(res, ims, re + i, im + i, TREE_LANES);                                         \
    multiply_rows_##name(res, ims, re + i, im + i, n - i);                                                                                           \
    for (int half = TREE_LANES / 2; half >= 1; half /= 2) multiply_rows_##name(res, ims, res + half, ims + half, half);                              \
    return (pair_##name){res[0], ims[0]};                                                                                                            \
  }                                                                                                                                                  \
  static void blocks_##name(tf_tree *tree, const void *first, const void *second, i64 n) {                                                           \
    T *res = (T *)tree->stack, *ims = (T *)tree[1].stack;                                                                                            \
    for (i64 at = 0; at < n; at += TREE_BLOCK) {                                                                                                     \
      pair_##name result = block_##name((const T *)first + at, (const T *)second + at, n - at < TREE_BLOCK ? n - at : TREE_BLOCK);                   \
      for (i64 bits = tree->block++; bits & 1; bits >>= 1) {                                                                                         \
        tree->depth--;                                                                                                                               \
        result = multiply_##name((pair_##name){res[tree->depth], ims[tree->depth]}, result);                                                         \
      }                                                                                                                                              \
      res[tree->depth] = result.re;                                                                                                                  \
      ims[tree->depth++] = result.im;                                                                                                                \
    }                                                                                                                                                \
  }                                                                                                                                                  \
  static void finish_##name(tf_tree *tree, void *first, void *second) {                                                                              \
    const T *res = (const T *)tree->stack, *ims = (const T *)tree[1].stack;                                                                          \
    pair_##name result = {1, 0};                                                                                                                     \
    for (int is_top = 1; tree->depth > 0; is_top = 0) {                                                                                              \
      tree->depth--;                                                                                                                                 \
      pair_##name below = {res[tree->depth], ims[tree->depth]};                                                                                      \
      result = is_top ? below : multiply_##name(below, result);                                                                                      \
    }                                                                                                                                                \
    *(T *)first = result.re;                                                                                                                         \
    *(T *)second = result.im;                                                                                                                        \
  }                                                                                                                                                  \
  static void segments_##name(const void *first, const void *second, i64 count, i64 n, void *out_first, void *out_second) {                          \
    for (i64 i = 0; i < count; i++) {                                                                                                                \
      tf_tree tree[2] = {{.depth = 0}, {.depth = 0}};                                                                                                \
      blocks_##name(tree, (const T *)first + i * n, (const T *)second + i * n, n);                                                                   \
      finish_##name(tree, (T *)out_first + i, (T *)out_second + i);                                                                                  \
    }                                                                                                                                                \
  }                                                                                                                                                  \
  static void combine_##name(void *first, void *second, const void *e_first, const void *e_second, i64 n) {                                          \
    multiply_rows_##name(first, second, e_first, e_second, n);                                                                                       \
  }                                                                                                                                                  \
  static void identities_##name(void *first, void *second, i64 n) {                                                                                  \
    T *re = first, *im = second;                                                                                                                     \
    for (i64 i = 0; i < n; i++) {                                                                                                                    \
      re[i] = 1;                                                                                                                                     \
      im[i] = 0;                                                                                                                                     \
    }                                                                                                                                                \
  }                                                                                                                                                  \
  static const tf_fold fold_##name = {blocks_##name, finish_##name, segments_##name, combine_##name, identities_##name};

COMPLEX_SUM(sum_complex64, sum_f32)
COMPLEX_SUM(sum_complex128, sum_f64)
COMPLEX_PRODUCT(prod_complex64, f32)
COMPLEX_PRODUCT(prod_complex128, f64)

/* By monoid, then dtype. */
static const tf_fold *const folds[4][7] = {
  {&fold_sum_f32, &fold_sum_f64, &fold_sum_complex64, &fold_sum_complex128, &fold_sum_i32, &fold_sum_i64, NULL},
  {&fold_prod_f32, &fold_prod_f64, &fold_prod_complex64, &fold_prod_complex128, &fold_prod_i32, &fold_prod_i64, NULL},
  {&fold_max_f32, &fold_max_f64, NULL, NULL, &fold_max_i32, &fold_max_i64, &fold_max_bool},
  {&fold_min_f32, &fold_min_f64, NULL, NULL, &fold_min_i32, &fold_min_i64, &fold_min_bool},
};

const tf_fold *tf_fold_of(int monoid, int dtype) { return folds[monoid - MONOID_SUM][dtype]; }
