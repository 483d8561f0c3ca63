/*
 * The kernels of @tf/fft for WebAssembly: no static data, no stack, no library. Plans, factors and all offsets come in the
 * tables (src/plan/tables.ts writes them), working memory in the workspace. Compiled twice, for either precision.
 */
#include <wasm_simd128.h>
#include "layout.h"

#define INLINE inline __attribute__((always_inline))
#define APART __attribute__((noinline))
#define UNROLL _Pragma("clang loop unroll(full)")
#define SHUFFLE __builtin_shufflevector
#define JOINED(a, b) a##_##b
#define JOIN(a, b) JOINED(a, b)
#define NAME(name) JOIN(name, PRECISION)
#define QUOTED(text) #text
#define QUOTE(text) QUOTED(text)
#define EXPORT(name) __attribute__((export_name(QUOTE(JOIN(name, PRECISION)))))
#define LOAD(at) ((vec)wasm_v128_load(at))
#define STORE(at, value) wasm_v128_store(at, (v128_t)(value))
#define PAIR(low, high) ((vec)wasm_v128_load64_lane(high, wasm_v128_load64_zero(low), 1))
#define HALF_STORE(at, value, half) wasm_v128_store64_lane(at, (v128_t)(value), half)

#define REAL double
#define PRECISION f64
#define LANES 2
typedef double __attribute__((vector_size(16))) vec_f64;
#define vec vec_f64
#include "precision.h"

#define REAL float
#define PRECISION f32
#define LANES 4
typedef float __attribute__((vector_size(16))) vec_f32;
#define vec vec_f32
#include "precision.h"
