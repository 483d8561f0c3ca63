/*
 * The kernels of @tf/fft: no static data, no library, in WebAssembly no stack. Plans, factors and all offsets come in the tables
 * (src/plan/tables.ts writes them), working memory in the workspace. Everything is there twice, for either precision.
 */
#include "layout.h"
#include "target.h"

#define REAL double
#define REAL_BYTES 8
#define PRECISION f64
typedef double __attribute__((vector_size(VECTOR_BYTES), aligned(8), may_alias)) vec_f64;
#define vec vec_f64
#include "precision.h"

#define REAL float
#define REAL_BYTES 4
#define PRECISION f32
typedef float __attribute__((vector_size(VECTOR_BYTES), aligned(4), may_alias)) vec_f32;
#define vec vec_f32
#include "precision.h"
