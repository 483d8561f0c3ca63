/*
 * What STEP_CONTRACT takes beside the library's own routine, called from C with the same operands, turn by turn; one thread unless a number is given. Prints the ratio of
 * rates (1: as fast as the library alone) of each dtype and shape, and of batches of small matrices beside a loop of calls.
 */
#include "check.h"
#include "../blas.h"
#include "../contract.h"
#include <time.h>

typedef void (*gemm)(const char *, const char *, const int *, const int *, const int *, const void *, const void *, const int *, const void *, const int *, const void *, void *, const int *);

static f64 now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (f64)t.tv_sec + (f64)t.tv_nsec * 1e-9;
}

static int ascending(const void *a, const void *b) { return (*(const f64 *)a > *(const f64 *)b) - (*(const f64 *)a < *(const f64 *)b); }

static void measure(int dtype, i64 batch, i64 m, i64 n, i64 k, const char *form, int threads) {
  static const char *const names[4] = {"sgemm_", "dgemm_", "cgemm_", "zgemm_"};
  static const f32 one32[2] = {1, 0}, zero32[2] = {0, 0};
  static const f64 one64[2] = {1, 0}, zero64[2] = {0, 0};
  const i64 bytes = tf_dtype_bytes[dtype];
  const int lhs_turned = form[0] == 'T', rhs_turned = form[1] == 'T';
  char *lhs = aligned_alloc(64, (size_t)(batch * m * k * bytes + 63) / 64 * 64), *rhs = aligned_alloc(64, (size_t)(batch * k * n * bytes + 63) / 64 * 64), *out = aligned_alloc(64, (size_t)(batch * m * n * bytes + 63) / 64 * 64);
  draw_values(dtype, lhs, batch * m * k * bytes), draw_values(dtype, rhs, batch * k * n * bytes);
  word record[64] = {STEP_CONTRACT, 64};
  record[CONTRACT_DTYPE] = dtype, record[CONTRACT_BATCH] = 1, record[CONTRACT_M] = (word)m, record[CONTRACT_N] = (word)n, record[CONTRACT_K] = (word)k;
  word *at = record + CONTRACT_EXTENTS;
  *at++ = (word)batch;
  at = put_view(at, 0, 0, 3, (i64[]){m * k * bytes, lhs_turned ? bytes : k * bytes, lhs_turned ? m * bytes : bytes});
  at = put_view(at, 1, 0, 3, (i64[]){k * n * bytes, rhs_turned ? bytes : n * bytes, rhs_turned ? k * bytes : bytes});
  put_view(at, 2, 0, 3, (i64[]){m * n * bytes, n * bytes, bytes});
  const i64 needed = (i64)tf_contract_scratch(record);
  char *scratch = aligned_alloc(64, (size_t)(needed + 64) / 64 * 64);
  test_table table;
  open_table(&table, (void *[]){lhs, rhs, out}, 3, scratch, needed, threads);
  const gemm routine = (gemm)(intptr_t)tf_routine(names[dtype]);
  const int rows = (int)m, columns = (int)n, depth = (int)k, lhs_ld = (int)(lhs_turned ? m : k), rhs_ld = (int)(rhs_turned ? k : n);
  const int is_single = dtype == TF_FLOAT32 || dtype == TF_COMPLEX64;
  const f64 flops = (dtype > TF_FLOAT64 ? 8.0 : 2.0) * (f64)batch * (f64)m * (f64)n * (f64)k;
  const int repeats = 1 + (int)(3e7 / flops);
  f64 ours[15], theirs[15], ratios[15];
  for (int round = 0; round < 15; round++) {
    f64 begin = now();
    for (int i = 0; i < repeats; i++) tf_contract(&table.run, record);
    ours[round] = (now() - begin) / repeats;
    tf_set_threads(threads);
    begin = now();
    for (int i = 0; i < repeats; i++)
      for (i64 b = 0; b < batch; b++)
        routine(rhs_turned ? "T" : "N", lhs_turned ? "T" : "N", &columns, &rows, &depth, is_single ? (const void *)one32 : one64, rhs + b * k * n * bytes, &rhs_ld, lhs + b * m * k * bytes, &lhs_ld,
          is_single ? (const void *)zero32 : zero64, out + b * m * n * bytes, &columns);
    theirs[round] = (now() - begin) / repeats;
    ratios[round] = theirs[round] / ours[round];
  }
  qsort(ours, 15, sizeof *ours, ascending), qsort(theirs, 15, sizeof *theirs, ascending), qsort(ratios, 15, sizeof *ratios, ascending);
  printf("%-6s %s %5ld × (%4ld×%4ld)·(%4ld×%4ld)  %7.1f GFLOPS  library %7.1f  best to best %.2f, median of ratios %.2f\n", names[dtype], form, (long)batch, (long)m, (long)k, (long)k, (long)n, flops / ours[0] * 1e-9, flops / theirs[0] * 1e-9,
    theirs[0] / ours[0], ratios[7]);
  fflush(stdout);
  free(lhs), free(rhs), free(out), free(scratch);
}

int main(int count, char **arguments) {
  char why[4096];
  const int threads = count > 1 ? atoi(arguments[1]) : 1;
  if (!tf_open_blas(NULL, why, sizeof why)) return printf("%s\n", why), 2;
  printf("%s, %s, %d threads\n", tf_blas()->path, tf_blas()->core, threads);
  static const i64 squares[] = {16, 64, 128, 256, 512, 1000, 1024};
  static const char *const forms[] = {"NN", "TN", "NT"};
  for (int dtype = 0; dtype < 4; dtype++) {
    for (size_t i = 0; i < sizeof squares / sizeof *squares; i++)
      for (int form = 0; form < (squares[i] <= 512 ? 3 : 1); form++) measure(dtype, 1, squares[i], squares[i], squares[i], forms[form], threads);
    measure(dtype, 64, 8, 8, 8, "NN", threads), measure(dtype, 4096, 4, 4, 4, "NN", threads), measure(dtype, 1000, 3, 3, 3, "NT", threads), measure(dtype, 1, 64, 10, 128, "NN", threads);
    measure(dtype, 1, 1, 512, 512, "NN", threads), measure(dtype, 1, 512, 1, 512, "NN", threads), measure(dtype, 1, 1, 1, 4096, "NN", threads), measure(dtype, 1, 500, 500, 1, "NN", threads), measure(dtype, 1, 256, 4, 256, "NN", threads);
  }
  return 0;
}
