/*
 * STEP_GATHER and STEP_SCATTER. Iterations are visited in row-major order. Trailing axes along which the index stays and elements follow each other in both operands are
 * one block: a row that is copied or added at once.
 */
#include "tf_native.h"
#include <string.h>

/* row: `bytes` bytes of the indexed tensor; other: as many of the operand. */
typedef void (*combination)(char *row, char *other, i64 bytes);

typedef struct {
  i64 rows, row_bytes;
  i64 block; /* bytes */
  combination combine;
  i64 bad;
} access;

/* ---------------------------------------------------------------- combinations */

static void take(char *row, char *other, i64 bytes) { memcpy(other, row, (size_t)bytes); }
static void put(char *row, char *other, i64 bytes) { memcpy(row, other, (size_t)bytes); }
/* Elements, whose size the compiler knows. */
#define OF_SIZE(E)                                                                                                                                   \
  static void take_##E(char *row, char *other, i64 bytes) { (void)bytes, memcpy(other, row, sizeof(E)); }                                             \
  static void put_##E(char *row, char *other, i64 bytes) { (void)bytes, memcpy(row, other, sizeof(E)); }
typedef struct { i64 a, b; } wide;
OF_SIZE(b8)
OF_SIZE(i32)
OF_SIZE(i64)
OF_SIZE(wide)

#define COMBINE(name, T, value)                                                                                                                      \
  static void name##_##T(char *row, char *other, i64 bytes) {                                                                                        \
    T *restrict to = (T *)row;                                                                                                                       \
    const T *restrict from = (const T *)other;                                                                                                       \
    for (i64 i = 0, count = bytes / (i64)sizeof(T); i < count; i++) {                                                                                \
      const T a = to[i], b = from[i];                                                                                                                \
      to[i] = (value);                                                                                                                               \
    }                                                                                                                                                \
  }
#define INTEGER(T, U)                                                                                                                                \
  COMBINE(add, T, (T)((U)a + (U)b))                                                                                                                  \
  COMBINE(max, T, a > b ? a : b)                                                                                                                     \
  COMBINE(min, T, a < b ? a : b)
/* NaN wins, −0 is below 0: where a and b are equal, their signs decide. */
#define FLOAT(T, copysign)                                                                                                                           \
  COMBINE(add, T, a + b)                                                                                                                             \
  COMBINE(max, T, a != a ? a : b != b ? b : a > b ? a : b > a ? b : copysign(1, a) > 0 ? a : b)                                                       \
  COMBINE(min, T, a != a ? a : b != b ? b : a < b ? a : b < a ? b : copysign(1, a) < 0 ? a : b)
FLOAT(f32, __builtin_copysignf)
FLOAT(f64, __builtin_copysign)
INTEGER(i32, uint32_t)
INTEGER(i64, uint64_t)
COMBINE(max, b8, a > b ? a : b)
COMBINE(min, b8, a < b ? a : b)

static combination copies(int is_gather, i64 block) {
  switch (block) {
    case 1: return is_gather ? take_b8 : put_b8;
    case 4: return is_gather ? take_i32 : put_i32;
    case 8: return is_gather ? take_i64 : put_i64;
    case 16: return is_gather ? take_wide : put_wide;
    default: return is_gather ? take : put;
  }
}

/* By dtype: complex elements are added as two numbers. */
static const combination combinations[7][3] = {
  {add_f32, max_f32, min_f32}, {add_f64, max_f64, min_f64}, {add_f32, 0, 0}, {add_f64, 0, 0}, {add_i32, max_i32, min_i32}, {add_i64, max_i64, min_i64}, {max_b8, max_b8, min_b8},
};

/* ---------------------------------------------------------------- iterations */

/* 1, or 0 when the index names no row: then `bad` is that. */
static inline int place(access *is, const char *index, i64 *at) {
  const i64 named = *(const i32 *)index, row = named < 0 ? named + is->rows : named;
  if (row < 0 || row >= is->rows) {
    is->bad = named;
    return 0;
  }
  *at = row * is->row_bytes;
  return 1;
}

static int each(access *is, const word *extents, const word *index_strides, const word *row_strides, const word *other_strides, i64 axes, const char *index, char *row, char *other) {
  if (axes == 0) {
    i64 at;
    if (!place(is, index, &at)) return 0;
    is->combine(row + at, other, is->block);
    return 1;
  }
  const i64 count = (i64)extents[0], index_step = (i64)index_strides[0], row_step = (i64)row_strides[0], other_step = (i64)other_strides[0];
  if (axes == 1) {
    const combination combine = is->combine;
    const i64 block = is->block;
    i64 at = 0;
    for (i64 i = 0; i < count; i++, index += index_step, row += row_step, other += other_step) {
      if ((index_step != 0 || i == 0) && !place(is, index, &at)) return 0;
      combine(row + at, other, block);
    }
    return 1;
  }
  for (i64 i = 0; i < count; i++, index += index_step, row += row_step, other += other_step)
    if (!each(is, extents + 1, index_strides + 1, row_strides + 1, other_strides + 1, axes - 1, index, row, other)) return 0;
  return 1;
}

/* Views: indices, the indexed tensor, the other operand. */
static int indexed(const tf_run *run, const word *record, const word *indices, const word *tensor, const word *other, int is_gather) {
  const i64 rank = (i64)record[INDEXED_RANK];
  const word *extents = record + INDEXED_EXTENTS;
  const int dtype = (int)record[INDEXED_DTYPE], combine = (int)record[INDEXED_COMBINE];
  access is = {(i64)record[INDEXED_ROWS], (i64)record[INDEXED_ROW_BYTES], tf_dtype_bytes[dtype], NULL, 0};
  i64 axes = rank;
  for (; axes > 0; axes--) {
    const i64 extent = (i64)extents[axes - 1], at = VIEW_STRIDES + axes - 1;
    if (extent == 0) return STATUS_DONE;
    if (extent != 1 && (indices[at] != 0 || tensor[at] != (word)is.block || other[at] != (word)is.block)) break;
    is.block *= extent;
  }
  for (i64 i = 0; i < axes; i++)
    if (extents[i] == 0) return STATUS_DONE;
  is.combine = is_gather || combine == COMBINE_SET ? copies(is_gather, is.block) : combinations[dtype][combine - COMBINE_ADD];
  if (each(&is, extents, indices + VIEW_STRIDES, tensor + VIEW_STRIDES, other + VIEW_STRIDES, axes, tf_place(run, indices), tf_place(run, tensor), tf_place(run, other))) return STATUS_DONE;
  run->table[TABLE_BAD_INDEX] = (word)is.bad;
  return STATUS_INDEX;
}

int tf_gather(const tf_run *run, const word *record) {
  const i64 rank = (i64)record[INDEXED_RANK];
  const word *indices = record + INDEXED_EXTENTS + rank, *source = indices + VIEW_STRIDES + rank, *out = source + VIEW_STRIDES + rank;
  return indexed(run, record, indices, source, out, 1);
}

int tf_scatter(const tf_run *run, const word *record) {
  const i64 rank = (i64)record[INDEXED_RANK];
  const word *indices = record + INDEXED_EXTENTS + rank, *target = indices + VIEW_STRIDES + rank, *updates = target + VIEW_STRIDES + rank;
  return indexed(run, record, indices, target, updates, 0);
}
