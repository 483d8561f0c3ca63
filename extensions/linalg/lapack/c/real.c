/* BLAS on real matrices of one precision, with the names and arguments that f2c gives them (Lawson et al. 1979, Dongarra et al. 1988, 1990). */
#include "gemm_real.h"

R R_(panel_a)[PANEL_A] __attribute__((aligned(16))), R_(panel_b)[PANEL_B] __attribute__((aligned(16)));

#include "real_vectors.h"
#include "real_level2.h"
#include "real_level3.h"
#include "secular.h"
