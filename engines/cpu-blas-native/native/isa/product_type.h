/* Products of one kind of number T, called NAME: vectors, then matrices, then a matrix and a vector. Included once for each kind. */
#define OF(name) JOIN(name, NAME)
#define V OF(vector_t)
#define WIDTH ((i64)(VECTOR_BYTES / sizeof(T)))

typedef T V __attribute__((vector_size(VECTOR_BYTES), aligned(sizeof(T)), may_alias));

INLINE V OF(load)(const T *from) { return *(const V *)from; }
INLINE void OF(store)(T *to, V value) { *(V *)to = value; }

/* The first `count` numbers, 1 … WIDTH, followed by zeros. Nothing beyond them is touched. */
#if TF_LEVEL == 2
INLINE V OF(load_part)(const T *from, i64 count) {
  if (sizeof(T) == 4) return (V)_mm512_maskz_loadu_epi32((__mmask16)((1u << count) - 1), from);
  return (V)_mm512_maskz_loadu_epi64((__mmask8)((1u << count) - 1), from);
}
INLINE void OF(store_part)(T *to, V value, i64 count) {
  if (sizeof(T) == 4) _mm512_mask_storeu_epi32(to, (__mmask16)((1u << count) - 1), (__m512i)value);
  else _mm512_mask_storeu_epi64(to, (__mmask8)((1u << count) - 1), (__m512i)value);
}
#elif TF_LEVEL == 1
INLINE __m256i OF(mask)(i64 count) {
  static const i32 ones[16] = {-1, -1, -1, -1, -1, -1, -1, -1};
  return _mm256_loadu_si256((const __m256i *)(ones + 8 - count * (i64)(sizeof(T) / 4)));
}
INLINE V OF(load_part)(const T *from, i64 count) {
  if (count == WIDTH) return OF(load)(from);
  return sizeof(T) == 4 ? (V)_mm256_maskload_epi32((const void *)from, OF(mask)(count)) : (V)_mm256_maskload_epi64((const void *)from, OF(mask)(count));
}
INLINE void OF(store_part)(T *to, V value, i64 count) {
  if (count == WIDTH) OF(store)(to, value);
  else if (sizeof(T) == 4) _mm256_maskstore_epi32((void *)to, OF(mask)(count), (__m256i)value);
  else _mm256_maskstore_epi64((void *)to, OF(mask)(count), (__m256i)value);
}
#else
INLINE V OF(load_part)(const T *from, i64 count) {
  if (count == WIDTH) return OF(load)(from);
  V value = {0};
  memcpy(&value, from, (size_t)count * sizeof(T));
  return value;
}
INLINE void OF(store_part)(T *to, V value, i64 count) {
  if (count == WIDTH) OF(store)(to, value);
  else memcpy(to, &value, (size_t)count * sizeof(T));
}
#endif

INLINE V OF(splat)(T value) { return value - (V){0}; }

/* a·b + c. */
INLINE V OF(multiply_add)(V a, V b, V c) {
#if !defined(IS_INTEGER) && TF_LEVEL == 2
  return sizeof(T) == 4 ? (V)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c) : (V)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
#elif !defined(IS_INTEGER) && TF_LEVEL == 1
  return sizeof(T) == 4 ? (V)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c) : (V)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
#else
  return a * b + c;
#endif
}

#include "product_matrix.h"
#include "product_vector.h"

#undef T
#undef NAME
#undef OF
#undef V
#undef WIDTH
#undef IS_INTEGER
