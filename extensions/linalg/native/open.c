/* The library of @tf/linalg for engines of a machine's own code (tf_native.h of @tf/engine-cpu-blas-native). */
#include "tf_native.h"

const char *open_float64(void *(*find)(const char *name));
const char *open_float32(void *(*find)(const char *name));
const char *open_complex128(void *(*find)(const char *name));
const char *open_complex64(void *(*find)(const char *name));

__attribute__((visibility("default"))) const char *tf_open(const tf_host *host) {
  const char *missing = open_float64(host->routine);
  if (missing == 0) missing = open_float32(host->routine);
  if (missing == 0) missing = open_complex128(host->routine);
  if (missing == 0) missing = open_complex64(host->routine);
  return missing;
}
