/* What tests in C share: checks that count, random values, tables with buffers. A test is a program; its last line says how many checks failed. */
#ifndef TF_CHECK_H
#define TF_CHECK_H
#include "../tf_native.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long checks, failures;
#define CHECK(holds, ...)                                                                                                                            \
  do {                                                                                                                                               \
    checks++;                                                                                                                                        \
    if (!(holds) && failures++ < 20) printf("FAILED %s:%d: ", __FILE__, __LINE__), printf(__VA_ARGS__), printf("\n");                                  \
  } while (0)
static inline int report(void) {
  printf("%ld checks, %ld failed\n", checks, failures);
  return failures != 0;
}

/* SplitMix64. */
static uint64_t seed = 1;
static inline uint64_t draw(void) {
  uint64_t z = (seed += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}
static inline i64 draw_below(i64 n) { return (i64)(draw() % (uint64_t)n); }
static inline f64 draw_unit(void) { return (f64)(draw() >> 11) / 9007199254740992.0 - 0.5; }

/* Numbers of `dtype`, as many as fill so many bytes. */
static inline void draw_values(int dtype, void *to, i64 bytes) {
  if (dtype == TF_FLOAT32 || dtype == TF_COMPLEX64) for (i64 i = 0; i < bytes / 4; i++) ((f32 *)to)[i] = (f32)draw_unit();
  else if (dtype == TF_FLOAT64 || dtype == TF_COMPLEX128) for (i64 i = 0; i < bytes / 8; i++) ((f64 *)to)[i] = draw_unit();
  else if (dtype == TF_BOOL) for (i64 i = 0; i < bytes; i++) ((b8 *)to)[i] = draw() & 1;
  else for (i64 i = 0; i < bytes / 4; i++) ((i32 *)to)[i] = (i32)draw();
}

/* A block of its own for every buffer, so that a sanitizer sees what lies beyond. */
static inline void *bytes_of(i64 count) {
  void *at = malloc((size_t)(count > 0 ? count : 1));
  if (at == NULL) exit(2);
  return at;
}

/* A table whose buffers are `buffers`. */
typedef struct { word words[TABLE_HEADER + 16]; tf_run run; } test_table;
static inline void open_table(test_table *table, void *const *buffers, int count, void *scratch, i64 scratch_bytes, int threads) {
  memset(table, 0, sizeof *table);
  word *words = table->words;
  words[TABLE_ADDRESSES] = TABLE_HEADER;
  for (int i = 0; i < count; i++) words[TABLE_HEADER + i] = (word)(intptr_t)buffers[i];
  table->run = (tf_run){.table = words, .addresses = words + TABLE_HEADER, .counters = words + TABLE_HEADER, .scratch = scratch, .scratch_bytes = scratch_bytes, .threads = threads};
}

/* Writes a view; gives the word behind it. */
static inline word *put_view(word *at, int buffer, i64 offset, int axes, const i64 *strides) {
  at[VIEW_BUFFER] = buffer, at[VIEW_OFFSET] = (word)offset, at[VIEW_MOVES] = 0;
  for (int i = 0; i < axes; i++) at[VIEW_STRIDES + i] = (word)strides[i];
  return at + VIEW_STRIDES + axes;
}
#endif
