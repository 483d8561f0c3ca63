/*
 * What the engine calls: one export per kernel of @tf/linalg, `int kernel(const int *args)`. Words of args: inputs, outputs,
 * workspace, tables, then the integers; every kernel goes through its batch. A row-major matrix is the column-major transpose.
 */
#include "field.h"
#include "lapack.h"
#include "kernels_svd.h"
#include "kernels_qr.h"
#include "kernels_eigen.h"
#include "kernels_factor.h"
#include "kernels_single.h"
