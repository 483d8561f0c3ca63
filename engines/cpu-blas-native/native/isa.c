/* The instruction sets that this library was compiled for (TF_LEVELS of them), and the best of them that the machine has. */
#include "tf_native.h"

static const char *const names[] = {
#define UNARY(name, A, R, value) #name "." #A,
#define CONVERT(A, R, value) "convert." #A "." #R,
#define BITCAST(A, R) "bitcast." #A "." #R,
#define BINARY(name, A, R, value) #name "." #A,
#define TERNARY(name, T, value) #name "." #T,
#define SELECT(T) "select." #T,
#define LOOKUP(T) "lookup." #T,
#include "isa/operations.def"
#define FUNCTION1(name, T) #name "." #T,
#define FUNCTION2(name, T) #name "." #T,
#include "functions.def"
  NULL,
};

#define DECLARE(level)                                                                                                                               \
  extern const tf_operation tf_operations_##level[];                                                                                                 \
  void tf_loop_##level(const tf_run *run, const word *record);                                                                                       \
  void tf_scan_##level(const tf_run *run, const word *record);
#define LEVEL(level) {names, tf_operations_##level, tf_loop_##level, tf_scan_##level}

DECLARE(0)
#if TF_LEVELS > 1
DECLARE(1)
DECLARE(2)
static const tf_isa levels[] = {LEVEL(0), LEVEL(1), LEVEL(2)};

/* What the compiler was allowed to use (build.mjs). */
static int highest(void) {
  if (!__builtin_cpu_supports("avx2")) return 0;
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") ? 2 : 1;
}
#else
static const tf_isa levels[] = {LEVEL(0)};

static int highest(void) { return 0; }
#endif

/* The level, or the best below it that the machine has. */
const tf_isa *tf_isa_of(int level) {
  int best = highest();
  return &levels[level < 0 ? 0 : level < best ? level : best];
}
