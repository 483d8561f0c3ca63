/* What differs between WebAssembly and a machine's own code: how wide vectors are, how they lie in memory, names of exports. */

/* As wide as an address: arguments of calls, and counts of numbers. */
typedef __INTPTR_TYPE__ Count;

#define INLINE inline __attribute__((always_inline))
#define APART __attribute__((noinline))
#define SHUFFLE __builtin_shufflevector
#define JOINED(a, b) a##_##b
#define JOIN(a, b) JOINED(a, b)
#define NAME(name) JOIN(name, PRECISION)
#define QUOTED(text) #text
#define QUOTE(text) QUOTED(text)

#ifdef __wasm__
#include <wasm_simd128.h>
#define VECTOR_BYTES 16
#define UNROLL _Pragma("clang loop unroll(full)")
#define EXPORT(name) __attribute__((export_name(QUOTE(NAME(name))))) Count NAME(name)
#define LOAD(at) ((vec)wasm_v128_load(at))
#define STORE(at, value) wasm_v128_store(at, (v128_t)(value))
#define PAIR(low, high) ((vec)wasm_v128_load64_lane(high, wasm_v128_load64_zero(low), 1))
#define HALF_STORE(at, value, half) wasm_v128_store64_lane(at, (v128_t)(value), half)
#else
/* Compiled for each width that a machine may have: VECTOR_BYTES is 16, 32 or 64 and part of the names; open.c chooses. */
#ifdef __clang__
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif
#define EXPORT(name) Count JOIN(NAME(name), VECTOR_BYTES)
/* At any address that a number may have. */
#define LOAD(at) ((vec)*(const vec *)(at))
#define STORE(at, value) (*(vec *)(at) = (value))
#endif
