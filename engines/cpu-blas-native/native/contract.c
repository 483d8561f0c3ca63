/*
 * STEP_CONTRACT: products of matrices, of a whole batch. What is large goes to the library, in one form for each shape: the same routine, transposed or not as the
 * operands lie, which changes no bit (contract.test.ts); what is small or thin, and integers, to kernels of our own (product.h), which are faster there and whose sums
 * do not depend on how anything lies. Which of the two depends on dtype and sizes alone. The library always runs with one thread: what is parallel are whole rows of the
 * result, which changes no bit either, while the library's own threads part sums otherwise.
 */
#include "contract.h"
#include "product.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#ifndef _WIN32
#include <pthread.h>
#endif

typedef void (*gemm)(const char *, const char *, const int *, const int *, const int *, const void *, const void *, const int *, const void *, const int *, const void *, void *, const int *);

/* The library's routine reads its operands in one order at least up to here: OpenBLAS has kernels for small matrices whose order depends on what is transposed. */
#define CANONICAL 2e6
/* From so many products on the rows of a result are parted among threads. */
#define PARALLEL 8e6
/* Parts begin at multiples of so many rows: a row then has its place in the tiles of every kernel that the library has for a processor, and so the order of its sums
 * (docs/decisions/2026-11-30-products-native.md). */
#define PART_ROWS 24
#define MOST_PARTS 64

static const int lanes_of[7] = {1, 1, 2, 2, 1, 1, 1};

static const tf_products *products;

/*
 * By dtype, m, n, k: 1 where the product is our own. Up to these sizes the kernels are about as fast as OpenBLAS's for small matrices and faster than any other of its
 * (docs/decisions/2026-11-30-products-native.md); a product with a vector and an outer product are bound by memory, which the library's packing would double.
 */
static int is_own(int dtype, i64 m, i64 n, i64 k) {
  static const double small[7] = {4e6, 4e6, 2e6, 1e6, 1e300, 1e300, 0};
  if (dtype >= TF_INT32 || m > INT32_MAX || n > INT32_MAX || k > INT32_MAX) return 1;
  if (m == 1 || n == 1 || k <= 8) return 1;
  /* Few columns beside many rows leave most of a vector empty. */
  if (dtype <= TF_FLOAT64 && n <= 8 && m >= 4 * n && m * k >= 4096) return 0;
  return (double)m * (double)n * (double)k <= small[dtype];
}

/* How a matrix lies for the library. */
enum { LIES_IN_ROWS, LIES_IN_COLUMNS, LIES_OTHERWISE };
static int lies(i64 bytes, i64 rows, i64 columns, i64 row, i64 column) {
  const i64 most = (i64)INT32_MAX * bytes;
  if (column == bytes && row >= columns * bytes && row <= most) return LIES_IN_ROWS;
  if (row == bytes && column >= rows * bytes && column <= most) return LIES_IN_COLUMNS;
  return LIES_OTHERWISE;
}

typedef struct {
  i64 m, n, k;
  int dtype;
  i64 bytes;
  i64 lhs_m, lhs_k, rhs_k, rhs_n, out_m, out_n; /* in bytes */
  int own;
  int lhs, rhs, out;             /* how they lie */
  int copies_lhs, copies_rhs, copies_out;
} form;

static form form_of(const word *record) {
  const i64 batch = (i64)record[CONTRACT_BATCH];
  const word *lhs = record + CONTRACT_EXTENTS + batch, *rhs = lhs + VIEW_STRIDES + batch + 2, *out = rhs + VIEW_STRIDES + batch + 2;
  const int dtype = (int)record[CONTRACT_DTYPE];
  form f = {.m = (i64)record[CONTRACT_M], .n = (i64)record[CONTRACT_N], .k = (i64)record[CONTRACT_K], .dtype = dtype, .bytes = tf_dtype_bytes[dtype]};
  f.lhs_m = (i64)lhs[VIEW_STRIDES + batch], f.lhs_k = (i64)lhs[VIEW_STRIDES + batch + 1];
  f.rhs_k = (i64)rhs[VIEW_STRIDES + batch], f.rhs_n = (i64)rhs[VIEW_STRIDES + batch + 1];
  f.out_m = (i64)out[VIEW_STRIDES + batch], f.out_n = (i64)out[VIEW_STRIDES + batch + 1];
  f.own = is_own(dtype, f.m, f.n, f.k);
  if (f.own) return f;
  const int is_canonical = (double)f.m * (double)f.n * (double)f.k <= CANONICAL;
  f.lhs = lies(f.bytes, f.m, f.k, f.lhs_m, f.lhs_k);
  f.rhs = lies(f.bytes, f.k, f.n, f.rhs_k, f.rhs_n);
  f.out = lies(f.bytes, f.m, f.n, f.out_m, f.out_n);
  f.copies_lhs = f.lhs == LIES_OTHERWISE || (is_canonical && f.lhs != LIES_IN_ROWS);
  f.copies_rhs = f.rhs == LIES_OTHERWISE || (is_canonical && f.rhs != LIES_IN_ROWS);
  f.copies_out = f.out != LIES_IN_ROWS;
  return f;
}

static i64 rounded(i64 bytes) { return (bytes + 63) / 64 * 64; }

static i64 copies_of(const form *f) {
  return (f->copies_lhs ? rounded(f->m * f->k * f->bytes) : 0) + (f->copies_rhs ? rounded(f->k * f->n * f->bytes) : 0) + (f->copies_out ? rounded(f->m * f->n * f->bytes) : 0);
}

double tf_contract_scratch(const word *record) {
  const form f = form_of(record);
  return f.own ? TF_PRODUCT_SCRATCH : (double)copies_of(&f);
}

/* ---------------------------------------------------------------- copies */

/* Rows next to each other in `to`, whose rows lie to_row apart; elements of either side may lie anyhow. */
static void copy(i64 bytes, char *to, i64 to_row, i64 to_column, const char *from, i64 row, i64 column, i64 rows, i64 columns) {
  if (to_column == bytes && column == bytes) {
    for (i64 r = 0; r < rows; r++) memcpy(to + r * to_row, from + r * row, (size_t)(columns * bytes));
  } else if (to_column == bytes && row == bytes) {
    products->transpose((int)bytes, to, to_row, from, column, columns, rows);
  } else if (to_row == bytes && column == bytes) {
    products->transpose((int)bytes, to, to_column, from, row, rows, columns);
  } else {
    for (i64 r = 0; r < rows; r++)
      for (i64 c = 0; c < columns; c++) memcpy(to + r * to_row + c * to_column, from + r * row + c * column, (size_t)bytes);
  }
}

/* ---------------------------------------------------------------- the library */

static const struct { f32 one32[2], zero32[2]; f64 one64[2], zero64[2]; } constants = {{1, 0}, {0, 0}, {1, 0}, {0, 0}};

/* Some rows of a result. */
typedef struct {
  gemm routine;
  const char *rhs_as, *lhs_as;
  int rows, n, k, rhs_ld, lhs_ld, out_ld;
  const void *one, *zero, *rhs;
  const char *lhs;
  char *out;
} part;

/* out = lhs·rhs in rows is outᵀ = rhsᵀ·lhsᵀ in the columns that the library means. */
static void *run_part(void *given) {
  const part *p = given;
  p->routine(p->rhs_as, p->lhs_as, &p->n, &p->rows, &p->k, p->one, p->rhs, &p->rhs_ld, p->lhs, &p->lhs_ld, p->zero, p->out, &p->out_ld);
  return NULL;
}

/* In how many parts rows go to so many threads: none is so small that the library has another kernel for it. */
static int parts_of(const part *whole, int threads) {
  const int blocks = whole->rows / PART_ROWS, wanted = threads < MOST_PARTS ? threads : MOST_PARTS;
  const double least = 1 + floor(CANONICAL / ((double)PART_ROWS * whole->n * whole->k)), most = floor(blocks / least);
  return most < 2 ? 1 : most < wanted ? (int)most : wanted;
}

/* The rows of a product on so many threads, this one among them. A thread that cannot be had is done without. */
static void run_parts(const part *whole, i64 lhs_step, i64 out_step, int threads) {
  part parts[MOST_PARTS];
  const int count = parts_of(whole, threads), blocks = whole->rows / PART_ROWS;
  for (int i = 0; i < count; i++) {
    const i64 row = (i64)blocks * i / count * PART_ROWS, end = i == count - 1 ? whole->rows : (i64)blocks * (i + 1) / count * PART_ROWS;
    parts[i] = *whole;
    parts[i].rows = (int)(end - row);
    parts[i].lhs += row * lhs_step, parts[i].out += row * out_step;
  }
#ifndef _WIN32
  pthread_t on[MOST_PARTS];
  int runs[MOST_PARTS];
  for (int i = 1; i < count; i++) runs[i] = pthread_create(&on[i], NULL, run_part, &parts[i]) == 0;
  run_part(&parts[0]);
  for (int i = 1; i < count; i++) {
    if (runs[i]) pthread_join(on[i], NULL);
    else run_part(&parts[i]);
  }
#else
  for (int i = 0; i < count; i++) run_part(&parts[i]);
#endif
}

static void library_product(const form *f, char *scratch, char *out, const char *lhs, const char *rhs, int threads) {
  static const char *const names[4] = {"sgemm_", "dgemm_", "cgemm_", "zgemm_"};
  static gemm routines[4];
  if (routines[f->dtype] == NULL) routines[f->dtype] = (gemm)(intptr_t)tf_routine(names[f->dtype]);
  const int lhs_in_rows = f->copies_lhs || f->lhs == LIES_IN_ROWS, rhs_in_rows = f->copies_rhs || f->rhs == LIES_IN_ROWS;
  i64 lhs_row = f->lhs == LIES_IN_ROWS ? f->lhs_m : f->lhs_k, rhs_row = f->rhs == LIES_IN_ROWS ? f->rhs_k : f->rhs_n, out_row = f->out_m;
  char *to = out;
  if (f->copies_lhs) {
    copy(f->bytes, scratch, f->k * f->bytes, f->bytes, lhs, f->lhs_m, f->lhs_k, f->m, f->k);
    lhs = scratch, lhs_row = f->k * f->bytes, scratch += rounded(f->m * f->k * f->bytes);
  }
  if (f->copies_rhs) {
    copy(f->bytes, scratch, f->n * f->bytes, f->bytes, rhs, f->rhs_k, f->rhs_n, f->k, f->n);
    rhs = scratch, rhs_row = f->n * f->bytes, scratch += rounded(f->k * f->n * f->bytes);
  }
  if (f->copies_out) to = scratch, out_row = f->n * f->bytes;
  const int is_single = f->dtype == TF_FLOAT32 || f->dtype == TF_COMPLEX64;
  const part whole = {
    .routine = routines[f->dtype], .rhs_as = rhs_in_rows ? "N" : "T", .lhs_as = lhs_in_rows ? "N" : "T",
    .rows = (int)f->m, .n = (int)f->n, .k = (int)f->k, .rhs_ld = (int)(rhs_row / f->bytes), .lhs_ld = (int)(lhs_row / f->bytes), .out_ld = (int)(out_row / f->bytes),
    .one = is_single ? (const void *)constants.one32 : constants.one64, .zero = is_single ? (const void *)constants.zero32 : constants.zero64, .rhs = rhs, .lhs = lhs, .out = to,
  };
  run_parts(&whole, lhs_in_rows ? lhs_row : f->bytes, out_row, threads);
  if (f->copies_out) copy(f->bytes, out, f->out_m, f->out_n, to, out_row, f->bytes, f->m, f->n);
}

/* ---------------------------------------------------------------- the batch */

typedef struct {
  const form *form;
  tf_product product;
  tf_product_kernel kernel;
  char *scratch;
  int threads;
} work;

static void one_product(const work *w, char *out, const char *lhs, const char *rhs) {
  if (w->kernel != NULL) w->kernel(&w->product, out, lhs, rhs);
  else library_product(w->form, w->scratch, out, lhs, rhs, w->threads);
}

/* A sum over nothing is 0. */
static void zeros(const form *f, char *out) {
  for (i64 i = 0; i < f->m; i++)
    for (i64 j = 0; j < f->n; j++) memset(out + i * f->out_m + j * f->out_n, 0, (size_t)f->bytes);
}

/* The axes of the batch from `axis` on. */
static void each(const work *w, const word *extents, const word *lhs_strides, const word *rhs_strides, const word *out_strides, i64 axes, char *out, const char *lhs, const char *rhs) {
  if (axes == 0) {
    if (w->form->k == 0) zeros(w->form, out);
    else one_product(w, out, lhs, rhs);
    return;
  }
  const i64 count = (i64)extents[0], out_step = (i64)out_strides[0], lhs_step = (i64)lhs_strides[0], rhs_step = (i64)rhs_strides[0];
  for (i64 i = 0; i < count; i++) {
    each(w, extents + 1, lhs_strides + 1, rhs_strides + 1, out_strides + 1, axes - 1, out, lhs, rhs);
    out += out_step, lhs += lhs_step, rhs += rhs_step;
  }
}

int tf_contract(const tf_run *run, const word *record) {
  const form f = form_of(record);
  if (f.m == 0 || f.n == 0) return STATUS_DONE;
  if (products == NULL) products = tf_products_of(2);
  const i64 batch = (i64)record[CONTRACT_BATCH];
  const word *extents = record + CONTRACT_EXTENTS, *lhs = extents + batch, *rhs = lhs + VIEW_STRIDES + batch + 2, *out = rhs + VIEW_STRIDES + batch + 2;
  work w = {.form = &f, .scratch = run->scratch};
  /* Who wrote the table has left room; memory of our own is for tables that have none. */
  const i64 needed = f.own ? TF_PRODUCT_SCRATCH : copies_of(&f);
  char *borrowed = NULL;
  if (needed > run->scratch_bytes) {
    borrowed = malloc((size_t)needed + 64);
    if (borrowed == NULL) return STATUS_MEMORY;
    w.scratch = (char *)(((intptr_t)borrowed + 63) / 64 * 64);
  }
  if (f.own) {
    const i64 unit = f.bytes / lanes_of[f.dtype];
    w.product = (tf_product){f.m, f.n, f.k, f.lhs_m / unit, f.lhs_k / unit, f.rhs_k / unit, f.rhs_n / unit, f.out_m / unit, f.out_n / unit, w.scratch};
    w.kernel = (f.m == 1 || f.n == 1 ? products->vector : products->matrix)[f.dtype];
  } else {
    tf_set_threads(1);
    w.threads = (double)f.m * (double)f.n * (double)f.k >= PARALLEL ? run->threads : 1;
  }
  each(&w, extents, lhs + VIEW_STRIDES, rhs + VIEW_STRIDES, out + VIEW_STRIDES, batch, tf_place(run, out), tf_place(run, lhs), tf_place(run, rhs));
  free(borrowed);
  return STATUS_DONE;
}
