/* The library of @tf/fft for engines of a machine's own code (tf_native.h of @tf/engine-cpu-blas-native): the widest vectors that the machine has. */
#include "tf_native.h"

#define EACH(of) of(dft_f64) of(rdft_f64) of(hdft_f64) of(dft_f32) of(rdft_f32) of(hdft_f32)
#define JOINED(a, b) a##_##b
#define JOIN(a, b) JOINED(a, b)

#define DECLARE(name) intptr_t JOIN(name, 16)(const intptr_t *args);
EACH(DECLARE)
#if WIDEST == 64
#define DECLARE_WIDER(name) intptr_t JOIN(name, 32)(const intptr_t *args); intptr_t JOIN(name, 64)(const intptr_t *args);
EACH(DECLARE_WIDER)
#define CHOICES(name) {JOIN(name, 16), JOIN(name, 32), JOIN(name, 64)},
#else
#define CHOICES(name) {JOIN(name, 16), JOIN(name, 16), JOIN(name, 16)},
#endif

#define NUMBER(name) AT_##name,
enum { EACH(NUMBER) KERNELS };
static const tf_kernel choices[KERNELS][3] = {EACH(CHOICES)};
static tf_kernel chosen[KERNELS];

#define CALL(name) __attribute__((visibility("default"))) intptr_t name(const intptr_t *args) { return chosen[AT_##name](args); }
EACH(CALL)

__attribute__((visibility("default"))) const char *tf_open(const tf_host *host) {
  for (int i = 0; i < KERNELS; i++) chosen[i] = choices[i][host->isa];
  return 0;
}
