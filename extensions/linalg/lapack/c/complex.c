/* BLAS on complex matrices of one precision, with the names and arguments that f2c gives them. Real ones are in real.c. */
#include "gemm_complex.h"

#include "complex_vectors.h"
#include "complex_level2.h"
#include "complex_level3.h"
