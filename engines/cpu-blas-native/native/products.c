/* The kernels for products of the best instruction set that the machine has, up to a level. */
#include "product.h"

const tf_products *tf_products_0(void);
#if TF_LEVELS > 1
const tf_products *tf_products_1(void);
const tf_products *tf_products_2(void);

const tf_products *tf_products_of(int level) {
  if (level < 1 || !__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return tf_products_0();
  const int has512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
  return level > 1 && has512 ? tf_products_2() : tf_products_1();
}
#else
const tf_products *tf_products_of(int level) {
  (void)level;
  return tf_products_0();
}
#endif
