/*
 * Products of matrices by kernels of our own (isa/product.c), one set per instruction set. The sum of every element is the same whatever tile, turn or layout computes it:
 *
 *   m, n ≥ 2      blocks of TF_DEPTH products, each added from 0 one after the other; block after block
 *   m or n is 1   in blocks of TF_DEPTH, products p belong to lane p mod L, 64 bytes of lanes; lanes fold by halves, the upper onto the lower; then block after block, plus 0
 *   m = n = 1     the same with 256 bytes of lanes
 *
 * A product and its sum are rounded once where the instruction set has that (levels 1 and 2), else apart. A complex product is four real sums in each block: re is
 * Σ re·re − Σ im·im, im is Σ re·im + Σ im·re. Integers wrap.
 */
#ifndef TF_PRODUCT_H
#define TF_PRODUCT_H
#include "tf_native.h"

#define TF_DEPTH 1024
/* Working memory of any product, in bytes; begins at a multiple of 64. */
#define TF_PRODUCT_SCRATCH (320 * 1024)

/* One product of matrices. Strides count numbers: a complex element is two of them. m, n, k ≥ 1. */
typedef struct {
  i64 m, n, k;
  i64 lhs_m, lhs_k, rhs_k, rhs_n, out_m, out_n;
  char *scratch;
} tf_product;

typedef void (*tf_product_kernel)(const tf_product *product, void *out, const void *lhs, const void *rhs);

/* Kernels of one instruction set by dtype; bool has none. */
typedef struct {
  tf_product_kernel matrix[7];
  tf_product_kernel vector[7];
  /* to[column][row] = from[row][column], for elements of 4, 8 and 16 bytes: contiguous in the rows of both, which lie so many bytes apart. */
  void (*transpose)(int bytes, char *to, i64 to_row, const char *from, i64 from_row, i64 rows, i64 columns);
} tf_products;
const tf_products *tf_products_of(int level);
#endif
