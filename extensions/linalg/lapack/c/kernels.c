/*
 * What engines call: one export per kernel of @tf/linalg, `Count kernel(const Count *args)`. Words of args: inputs, outputs,
 * workspace, tables, then the integers; every kernel goes through its batch. A row-major matrix is the column-major transpose.
 */
#include "field.h"
#include "lapack.h"
#include "kernels_svd.h"
#include "kernels_qr.h"
#include "kernels_eigen.h"
#include "kernels_factor.h"
#include "kernels_single.h"

#ifndef __wasm__
#undef ROUTINE
#define ROUTINE(name, ...) if ((name = (void (*)(__VA_ARGS__))find(QUOTE(name))) == 0) return QUOTE(name);
/* Finds the routines of this dtype; gives the name of one that is missing. */
const char *JOIN(open_, DTYPE)(void *(*find)(const char *name)) {
#include "lapack.h"
  return 0;
}
#endif
