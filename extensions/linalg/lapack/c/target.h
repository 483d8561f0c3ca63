/* What differs between WebAssembly and a machine's own code: vectors in memory, names of exports, how LAPACK's routines are reached. */
#ifndef TARGET_H
#define TARGET_H

/* As wide as an address: arguments of kernels, and counts of elements. */
typedef __INTPTR_TYPE__ Count;

#define JOINED(a, b) a##b
#define JOIN(a, b) JOINED(a, b)
#define QUOTED(text) #text
#define QUOTE(text) QUOTED(text)
#define INLINE static inline __attribute__((always_inline, unused))
#define APART static __attribute__((noinline, unused))
#define SHUFFLE __builtin_shufflevector

#ifdef __wasm__
#include <wasm_simd128.h>
#define UNROLL _Pragma("clang loop unroll(full)")
#define LOAD(at) wasm_v128_load(at)
#define STORE(at, value) wasm_v128_store(at, (v128_t)(value))
/* One module per dtype. */
#define EXPORT(name) __attribute__((export_name(#name))) Count name(const Count *args)
/* Lengths of strings, as f2c's routines take them, which are linked. */
typedef int Length;
#define ROUTINE(name, ...) int name(__VA_ARGS__);
#else
#ifdef __clang__
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif
/* At any address that an element may have. */
#define LOAD(at) (*(const Unaligned *)(at))
#define STORE(at, value) (*(Unaligned *)(at) = (value))
/* One library for all dtypes. */
#define EXPORT(name) __attribute__((visibility("default"))) Count JOIN(JOIN(name, _), DTYPE)(const Count *args)
/* Fortran's routines of a library that is opened at run time. */
typedef __SIZE_TYPE__ Length;
#define ROUTINE(name, ...) static void (*name)(__VA_ARGS__);
#endif

#endif
