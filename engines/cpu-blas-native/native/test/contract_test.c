/*
 * Products: the same bits however operands and results lie; the promised order of sums (product.h) where the kernels are our own; near the exact value everywhere; batches
 * as their members alone; the same bits on any number of threads; nothing beyond the operands is touched (run under a sanitizer).
 */
#include "check.h"
#include "../blas.h"
#include "../contract.h"
#include "../product.h"

static const char *const dtype_names[6] = {"f32", "f64", "c64", "c128", "i32", "i64"};
static int level = 2;

static int lanes_of(int dtype) { return dtype == TF_COMPLEX64 || dtype == TF_COMPLEX128 ? 2 : 1; }
static i64 eps_bytes(int dtype) { return tf_dtype_bytes[dtype] / lanes_of(dtype); }

/* ---------------------------------------------------------------- layouts */

/* How a matrix lies: order of its axes, distance of rows beyond what they need, and the distance of elements within. */
typedef struct { int turned; i64 pad; i64 step; i64 offset; } layout;

static i64 span(layout l, i64 rows, i64 columns) { return l.offset + (l.turned ? columns : rows) * ((l.turned ? rows : columns) * l.step + l.pad); }
static i64 row_stride(layout l, i64 rows, i64 columns) { return l.turned ? l.step : columns * l.step + l.pad + 0 * rows; }
static i64 column_stride(layout l, i64 rows) { return l.turned ? rows * l.step + l.pad : l.step; }

static layout draw_layout(void) {
  static const i64 steps[4] = {1, 1, 1, 3};
  return (layout){(int)(draw() & 1), draw_below(3) == 0 ? draw_below(20) : 0, steps[draw_below(4)], draw_below(4)};
}

/* A copy of the matrix, which is row-major, that lies otherwise. */
static char *lay(layout l, const char *from, i64 rows, i64 columns, i64 bytes) {
  char *to = bytes_of(span(l, rows, columns) * bytes);
  memset(to, 0xff, (size_t)(span(l, rows, columns) * bytes));
  for (i64 i = 0; i < rows; i++)
    for (i64 j = 0; j < columns; j++) memcpy(to + (l.offset + i * row_stride(l, rows, columns) + j * column_stride(l, rows)) * bytes, from + (i * columns + j) * bytes, (size_t)bytes);
  return to;
}

/* One product without a batch; gives the result row by row. */
static char *product_of(int dtype, i64 m, i64 n, i64 k, layout ll, layout lr, layout lo, const char *lhs, const char *rhs, int threads, int with_scratch) {
  const i64 bytes = tf_dtype_bytes[dtype];
  char *left = lay(ll, lhs, m, k, bytes), *right = lay(lr, rhs, k, n, bytes), *out = bytes_of(span(lo, m, n) * bytes);
  memset(out, 0xff, (size_t)(span(lo, m, n) * bytes));
  word record[64] = {STEP_CONTRACT, 64};
  record[CONTRACT_DTYPE] = dtype, record[CONTRACT_BATCH] = 0, record[CONTRACT_M] = (word)m, record[CONTRACT_N] = (word)n, record[CONTRACT_K] = (word)k;
  word *at = record + CONTRACT_EXTENTS;
  at = put_view(at, 0, ll.offset * bytes, 2, (i64[]){row_stride(ll, m, k) * bytes, column_stride(ll, m) * bytes});
  at = put_view(at, 1, lr.offset * bytes, 2, (i64[]){row_stride(lr, k, n) * bytes, column_stride(lr, k) * bytes});
  put_view(at, 2, lo.offset * bytes, 2, (i64[]){row_stride(lo, m, n) * bytes, column_stride(lo, m) * bytes});
  const i64 needed = (i64)tf_contract_scratch(record);
  const double bound = (double)((m * k + k * n + m * n) * bytes + 192);
  CHECK(needed <= (bound > TF_PRODUCT_SCRATCH ? bound : TF_PRODUCT_SCRATCH), "%s %ld×%ld×%ld: scratch of %ld is beyond the bound", dtype_names[dtype], (long)m, (long)n, (long)k, (long)needed);
  char *scratch = with_scratch ? aligned_alloc(64, (size_t)((needed + 63) / 64 * 64 + 64)) : NULL;
  test_table table;
  open_table(&table, (void *[]){left, right, out}, 3, scratch, with_scratch ? needed : 0, threads);
  tf_contract(&table.run, record);
  char *result = bytes_of(m * n * bytes);
  for (i64 i = 0; i < m; i++)
    for (i64 j = 0; j < n; j++) memcpy(result + (i * n + j) * bytes, out + (lo.offset + i * row_stride(lo, m, n) + j * column_stride(lo, m)) * bytes, (size_t)bytes);
  free(left), free(right), free(out), free(scratch);
  return result;
}

static const layout plain = {0, 0, 1, 0};

static void test_layouts(int dtype, i64 m, i64 n, i64 k, int ways) {
  const i64 bytes = tf_dtype_bytes[dtype];
  char *lhs = bytes_of(m * k * bytes), *rhs = bytes_of(k * n * bytes);
  draw_values(dtype, lhs, m * k * bytes), draw_values(dtype, rhs, k * n * bytes);
  char *expected = product_of(dtype, m, n, k, plain, plain, plain, lhs, rhs, 1, 1);
  for (int way = 0; way < ways; way++) {
    const layout ll = way < 8 ? (layout){way & 1, 0, 1, 0} : draw_layout(), lr = way < 8 ? (layout){way >> 1 & 1, 0, 1, 0} : draw_layout(), lo = way < 8 ? (layout){way >> 2, 0, 1, 0} : draw_layout();
    char *got = product_of(dtype, m, n, k, ll, lr, lo, lhs, rhs, 1, way % 3 != 0);
    i64 at = 0;
    while (at < m * n * bytes && got[at] == expected[at]) at++;
    CHECK(at == m * n * bytes, "%s (%ld×%ld)·(%ld×%ld): other bits at %ld with lhs %d+%ld·%ld, rhs %d+%ld·%ld, out %d+%ld·%ld", dtype_names[dtype], (long)m, (long)k, (long)k, (long)n,
      (long)(at / bytes), ll.turned, (long)ll.pad, (long)ll.step, lr.turned, (long)lr.pad, (long)lr.step, lo.turned, (long)lo.pad, (long)lo.step);
    free(got);
  }
  free(lhs), free(rhs), free(expected);
}

/* ---------------------------------------------------------------- values */

static f64 number(int dtype, const char *from, i64 at) {
  return eps_bytes(dtype) == 4 ? (dtype >= TF_INT32 ? (f64)((const i32 *)from)[at] : ((const f32 *)from)[at]) : ((const f64 *)from)[at];
}

/* Σ over p of the products of part `a` of lhs with part `b` of rhs, and of their magnitudes. */
static long double exact(int dtype, const char *lhs, const char *rhs, i64 i, i64 j, i64 n, i64 k, int a, int b, long double *size) {
  const int lanes = lanes_of(dtype);
  long double sum = 0;
  for (i64 p = 0; p < k; p++) {
    const long double product = (long double)number(dtype, lhs, (i * k + p) * lanes + a) * (long double)number(dtype, rhs, (p * n + j) * lanes + b);
    sum += product, *size += product < 0 ? -product : product;
  }
  return sum;
}

static void test_values(int dtype, i64 m, i64 n, i64 k, int threads) {
  const i64 bytes = tf_dtype_bytes[dtype];
  const int lanes = lanes_of(dtype);
  char *lhs = bytes_of(m * k * bytes), *rhs = bytes_of(k * n * bytes);
  draw_values(dtype, lhs, m * k * bytes), draw_values(dtype, rhs, k * n * bytes);
  char *got = product_of(dtype, m, n, k, plain, plain, plain, lhs, rhs, threads, 1);
  const i64 step = m * n > 4000 ? m * n / 400 : 1;
  for (i64 at = 0; at < m * n; at += step) {
    const i64 i = at / n, j = at % n;
    if (dtype == TF_INT32) {
      uint32_t sum = 0;
      for (i64 p = 0; p < k; p++) sum += ((uint32_t *)lhs)[i * k + p] * ((uint32_t *)rhs)[p * n + j];
      CHECK(((uint32_t *)got)[at] == sum, "i32 %ld×%ld×%ld at %ld: %u, expected %u", (long)m, (long)n, (long)k, (long)at, ((uint32_t *)got)[at], sum);
    } else if (dtype == TF_INT64) {
      uint64_t sum = 0;
      for (i64 p = 0; p < k; p++) sum += ((uint64_t *)lhs)[i * k + p] * ((uint64_t *)rhs)[p * n + j];
      CHECK(((uint64_t *)got)[at] == sum, "i64 %ld×%ld×%ld at %ld", (long)m, (long)n, (long)k, (long)at);
    } else {
      const long double eps = eps_bytes(dtype) == 4 ? 0x1p-23L : 0x1p-52L;
      long double size[2] = {0, 0}, sums[2];
      sums[0] = exact(dtype, lhs, rhs, i, j, n, k, 0, 0, &size[0]);
      if (lanes == 2) {
        sums[0] -= exact(dtype, lhs, rhs, i, j, n, k, 1, 1, &size[0]);
        sums[1] = exact(dtype, lhs, rhs, i, j, n, k, 0, 1, &size[1]) + exact(dtype, lhs, rhs, i, j, n, k, 1, 0, &size[1]);
      }
      for (int part = 0; part < lanes; part++) {
        const long double off = fabsl((long double)number(dtype, got, at * lanes + part) - sums[part]);
        CHECK(off <= (long double)(k + 2) * eps * size[part], "%s %ld×%ld×%ld at %ld: off by %Lg of %Lg", dtype_names[dtype], (long)m, (long)n, (long)k, (long)at, off, size[part]);
      }
    }
  }
  free(lhs), free(rhs), free(got);
}

/* The rows of a result parted among threads: large enough that they are, whatever way operands lie. */
static void test_threads(int dtype, i64 m, i64 n, i64 k) {
  const i64 bytes = tf_dtype_bytes[dtype];
  char *lhs = bytes_of(m * k * bytes), *rhs = bytes_of(k * n * bytes);
  draw_values(dtype, lhs, m * k * bytes), draw_values(dtype, rhs, k * n * bytes);
  const layout ll = draw_layout(), lr = draw_layout(), lo = draw_layout();
  char *one = product_of(dtype, m, n, k, ll, lr, lo, lhs, rhs, 1, 1);
  static const int threads[] = {2, 3, 4, 100};
  for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
    char *got = product_of(dtype, m, n, k, ll, lr, lo, lhs, rhs, threads[i], 1);
    CHECK(memcmp(one, got, (size_t)(m * n * bytes)) == 0, "%s %ld×%ld×%ld: other bits on %d threads", dtype_names[dtype], (long)m, (long)n, (long)k, threads[i]);
    free(got);
  }
  free(lhs), free(rhs), free(one);
}

/* ---------------------------------------------------------------- the promised order */

/* One sum of products of numbers that lie so far apart, in the order that product.h promises. */
#define PROMISED(T, FMA)                                                                                                                             \
  static void promised_##T(T *re, T *im, const T *a, i64 a_step, const T *b, i64 b_step, i64 k, int lanes, i64 count) {                               \
    const int fused = level > 0;                                                                                                                     \
    for (i64 block = 0; block < k; block += TF_DEPTH) {                                                                                              \
      const i64 end = block + TF_DEPTH < k ? block + TF_DEPTH : k;                                                                                   \
      T sums[4][64] = {{0}};                                                                                                                         \
      for (int which = 0; which < (lanes == 2 ? 4 : 1); which++) {                                                                                   \
        const int left = which & 1, right = which >> 1;                                                                                              \
        for (i64 p = block; p < end; p++) {                                                                                                          \
          T *sum = &sums[which][(p - block) % count];                                                                                                \
          const T x = a[p * a_step + left], y = b[p * b_step + right];                                                                               \
          *sum = fused ? FMA(x, y, *sum) : *sum + x * y;                                                                                             \
        }                                                                                                                                            \
        for (i64 half = count / 2; half >= 1; half /= 2)                                                                                             \
          for (i64 i = 0; i < half; i++) sums[which][i] += sums[which][half + i];                                                                    \
      }                                                                                                                                              \
      const T own = lanes == 2 ? sums[0][0] - sums[3][0] : sums[0][0], other = sums[1][0] + sums[2][0];                                               \
      *re = block == 0 ? own : *re + own;                                                                                                            \
      *im = block == 0 ? other : *im + other;                                                                                                        \
    }                                                                                                                                                \
    if (count > 1) *re += 0, *im += 0;                                                                                                               \
  }
PROMISED(f32, fmaf)
PROMISED(f64, fma)

static void test_order(int dtype, i64 m, i64 n, i64 k, tf_product_kernel kernel) {
  const i64 bytes = tf_dtype_bytes[dtype], unit = eps_bytes(dtype);
  const int lanes = lanes_of(dtype);
  char *lhs = bytes_of(m * k * bytes), *rhs = bytes_of(k * n * bytes), *out = bytes_of(m * n * bytes), *scratch = aligned_alloc(64, TF_PRODUCT_SCRATCH);
  draw_values(dtype, lhs, m * k * bytes), draw_values(dtype, rhs, k * n * bytes);
  const tf_product product = {m, n, k, k * lanes, lanes, n * lanes, lanes, n * lanes, lanes, scratch};
  kernel(&product, out, lhs, rhs);
  const i64 count = m > 1 && n > 1 ? 1 : (m == 1 && n == 1 ? 256 : 64) / bytes;
  for (i64 at = 0; at < m * n; at++) {
    const i64 i = at / n, j = at % n;
    f64 re, im;
    if (unit == 4) {
      f32 x = 0, y = 0;
      promised_f32(&x, &y, (f32 *)lhs + i * k * lanes, lanes, (f32 *)rhs + j * lanes, n * lanes, k, lanes, count);
      re = x, im = y;
    } else {
      promised_f64(&re, &im, (f64 *)lhs + i * k * lanes, lanes, (f64 *)rhs + j * lanes, n * lanes, k, lanes, count);
    }
    CHECK(number(dtype, out, at * lanes) == re && (lanes == 1 || number(dtype, out, at * lanes + 1) == im), "%s level %d %ld×%ld×%ld at %ld: (%.17g, %.17g), promised (%.17g, %.17g)", dtype_names[dtype], level, (long)m, (long)n, (long)k,
      (long)at, number(dtype, out, at * lanes), number(dtype, out, at * lanes + lanes - 1), re, im);
  }
  free(lhs), free(rhs), free(out), free(scratch);
}

static void test_orders(void) {
  for (level = 0; level < 3; level++) {
    const tf_products *kernels = tf_products_of(level);
    if (level > 0 && kernels == tf_products_of(level - 1)) continue;
    for (int dtype = 0; dtype < 4; dtype++) {
      for (int i = 0; i < 60; i++) test_order(dtype, 2 + draw_below(40), 2 + draw_below(70), 1 + draw_below(60), kernels->matrix[dtype]);
      for (int i = 0; i < 4; i++) test_order(dtype, 2 + draw_below(10), 2 + draw_below(10), 1000 + draw_below(2000), kernels->matrix[dtype]);
      for (int i = 0; i < 60; i++) {
        const i64 length = 1 + draw_below(i % 10 == 0 ? 700 : 40), k = 1 + draw_below(i % 7 == 0 ? 2500 : 90);
        test_order(dtype, i % 2 ? 1 : length, i % 2 ? length : 1, k, kernels->vector[dtype]);
        test_order(dtype, 1, 1, k, kernels->vector[dtype]);
      }
    }
  }
  level = 2;
}

/* ---------------------------------------------------------------- batches, edges */

/* Two axes of a batch, the left side shared along the first, the right side along the second. */
static void test_batch(int dtype, i64 m, i64 n, i64 k) {
  const i64 bytes = tf_dtype_bytes[dtype], first = 3, second = 4;
  char *lhs = bytes_of(second * m * k * bytes), *rhs = bytes_of(first * k * n * bytes), *out = bytes_of(first * second * m * n * bytes);
  draw_values(dtype, lhs, second * m * k * bytes), draw_values(dtype, rhs, first * k * n * bytes);
  memset(out, 0xff, (size_t)(first * second * m * n * bytes));
  word record[64] = {STEP_CONTRACT, 64};
  record[CONTRACT_DTYPE] = dtype, record[CONTRACT_BATCH] = 2, record[CONTRACT_M] = (word)m, record[CONTRACT_N] = (word)n, record[CONTRACT_K] = (word)k;
  word *at = record + CONTRACT_EXTENTS;
  *at++ = (word)first, *at++ = (word)second;
  at = put_view(at, 0, 0, 4, (i64[]){0, m * k * bytes, k * bytes, bytes});
  at = put_view(at, 1, 0, 4, (i64[]){k * n * bytes, 0, n * bytes, bytes});
  put_view(at, 2, 0, 4, (i64[]){second * m * n * bytes, m * n * bytes, n * bytes, bytes});
  test_table table;
  open_table(&table, (void *[]){lhs, rhs, out}, 3, NULL, 0, 1);
  tf_contract(&table.run, record);
  for (i64 a = 0; a < first; a++)
    for (i64 b = 0; b < second; b++) {
      char *alone = product_of(dtype, m, n, k, plain, plain, plain, lhs + b * m * k * bytes, rhs + a * k * n * bytes, 1, 1);
      CHECK(memcmp(alone, out + (a * second + b) * m * n * bytes, (size_t)(m * n * bytes)) == 0, "%s batch of %ld×%ld×%ld: (%ld, %ld) differs from itself alone", dtype_names[dtype], (long)m, (long)n, (long)k, (long)a, (long)b);
      free(alone);
    }
  free(lhs), free(rhs), free(out);
}

static void test_nothing(int dtype) {
  const i64 bytes = tf_dtype_bytes[dtype];
  char *got = product_of(dtype, 3, 5, 0, plain, plain, plain, "", "", 1, 1);
  for (i64 i = 0; i < 15 * bytes; i++) CHECK(got[i] == 0, "%s: a sum over nothing is 0", dtype_names[dtype]);
  free(got);
  free(product_of(dtype, 0, 5, 3, plain, plain, plain, "", "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789", 1, 1));
}

int main(int count, char **arguments) {
  char why[4096];
  const int is_quick = count > 1 && strcmp(arguments[1], "quick") == 0;
  if (!tf_open_blas(NULL, why, sizeof why)) {
    printf("no library: %s\n", why);
    return 2;
  }
  printf("%s, %s\n", tf_blas()->path, tf_blas()->core);
  test_orders();
  for (int dtype = 0; dtype < 6; dtype++) {
    test_nothing(dtype);
    for (int i = 0; i < (is_quick ? 20 : 150); i++) test_layouts(dtype, 1 + draw_below(80), 1 + draw_below(80), 1 + draw_below(80), 14);
    for (int i = 0; i < (is_quick ? 10 : 60); i++) test_layouts(dtype, 1 + draw_below(9), 1 + draw_below(9), 1 + draw_below(9), 14);
    for (int i = 0; i < (is_quick ? 5 : 40); i++) test_values(dtype, 1 + draw_below(60), 1 + draw_below(60), 1 + draw_below(60), 1);
    for (int i = 0; i < 6; i++) test_batch(dtype, 1 + draw_below(20), 1 + draw_below(20), 1 + draw_below(20));
    static const i64 shapes[][3] = {{1, 1, 1}, {1, 1, 5000}, {1, 300, 1500}, {300, 1, 1500}, {1, 1000, 1}, {200, 300, 2}, {64, 64, 64}, {3, 500, 1100}, {100, 100, 99}, {110, 130, 120}, {128, 130, 131}, {127, 200, 90}, {100, 3, 70}, {3, 100, 70}, {200, 8, 21}, {2, 40, 2000}, {1, 300, 900}, {160, 160, 158}, {161, 160, 159}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
      test_layouts(dtype, shapes[i][0], shapes[i][1], shapes[i][2], 12);
      test_values(dtype, shapes[i][0], shapes[i][1], shapes[i][2], 2);
    }
    for (int i = 0; i < (dtype >= TF_INT32 ? 0 : is_quick ? 3 : 30); i++) test_threads(dtype, 150 + draw_below(300), 150 + draw_below(300), 360 + draw_below(500));
    if (dtype < TF_INT32) test_threads(dtype, 25, 700, 600), test_threads(dtype, 20, 700, 700), test_threads(dtype, 1000, 30, 300);
    if (!is_quick) test_layouts(dtype, 300, 257, 310, 10), test_layouts(dtype, 512, 512, 128, 10), test_layouts(dtype, 33, 700, 900, 10), test_values(dtype, 300, 257, 310, 2), test_batch(dtype, 140, 130, 120);
  }
  return report();
}
