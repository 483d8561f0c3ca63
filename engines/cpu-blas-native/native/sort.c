/*
 * STEP_SORT: stable sorting of lines. An element becomes an unsigned integer that orders as it does (a key) beside its index: a record. Short lines are sorted by
 * insertion, others by radix, digit after digit from the lowest, all counted in one pass (Knuth, The Art of Computer Programming 3, §5.2.5); a digit that all keys share
 * takes no pass.
 */
#include "tf_native.h"
#include <string.h>

/* Lines of at most so many elements are sorted by insertion. */
#define SHORT 40
/* Lines of at least so many have digits of 11 bits instead of 8: fewer passes, counters that take longer to sum. */
#define LONG 4000

/* Keys of 32 bits above their index in one word. */
typedef uint64_t narrow;
/* Keys of 64 bits. */
typedef struct { uint64_t key; int64_t index; } broad;

static inline uint64_t key_of_narrow(narrow record) { return record >> 32; }
static inline uint64_t key_of_broad(broad record) { return record.key; }

/* ---------------------------------------------------------------- keys */

/*
 * Integers have their sign turned. The bits of a float order by magnitude, so negative ones have all bits turned, others the sign; adding 0 makes −0 the same as 0; NaN is
 * above all.
 */
static inline uint32_t key_f32(f32 x) {
  uint32_t bits;
  if (x != x) return UINT32_MAX;
  x += 0.0f;
  memcpy(&bits, &x, 4);
  return bits ^ ((uint32_t)((i32)bits >> 31) | 0x80000000u);
}
static inline uint64_t key_f64(f64 x) {
  uint64_t bits;
  if (x != x) return UINT64_MAX;
  x += 0.0;
  memcpy(&bits, &x, 8);
  return bits ^ ((uint64_t)((i64)bits >> 63) | 0x8000000000000000u);
}
static inline uint32_t key_i32(i32 x) { return (uint32_t)x ^ 0x80000000u; }
static inline uint64_t key_i64(i64 x) { return (uint64_t)x ^ 0x8000000000000000u; }
static inline uint32_t key_b8(b8 x) { return x; }

#define READ_NARROW(T)                                                                                                                               \
  static void read_##T(narrow *records, const char *from, i64 stride, i64 count, uint32_t flip) {                                                    \
    for (i64 i = 0; i < count; i++) records[i] = (uint64_t)(key_##T(*(const T *)(from + i * stride)) ^ flip) << 32 | (uint64_t)i;                     \
  }
#define READ_BROAD(T)                                                                                                                                \
  static void read_##T(broad *records, const char *from, i64 stride, i64 count, uint64_t flip) {                                                     \
    for (i64 i = 0; i < count; i++) records[i] = (broad){key_##T(*(const T *)(from + i * stride)) ^ flip, i};                                         \
  }
READ_NARROW(f32)
READ_NARROW(i32)
READ_NARROW(b8)
READ_BROAD(f64)
READ_BROAD(i64)

/* ---------------------------------------------------------------- order */

/* Counters of six digits of 11 bits, or of eight of 8. */
#define COUNTERS 12288

/* `digits` digits of `bits` bits; gives the array in which the records are at the end. Narrow records that are equal carry their index, so insertion compares all of them. */
#define ORDER(R, LARGER)                                                                                                                             \
  static void insert_##R(R *records, i64 count) {                                                                                                    \
    for (i64 next = 1; next < count; next++) {                                                                                                       \
      const R own = records[next];                                                                                                                   \
      i64 hole = next;                                                                                                                               \
      while (hole > 0 && LARGER(records[hole - 1], own)) records[hole] = records[hole - 1], hole--;                                                   \
      records[hole] = own;                                                                                                                           \
    }                                                                                                                                                \
  }                                                                                                                                                  \
  static inline __attribute__((always_inline)) R *radix_##R(R *from, R *to, i64 count, const int digits, const int bits) {                            \
    const int values = 1 << bits;                                                                                                                    \
    uint32_t counters[COUNTERS];                                                                                                                        \
    memset(counters, 0, sizeof(uint32_t) * (size_t)(digits * values));                                                                               \
    for (i64 i = 0; i < count; i++) {                                                                                                                \
      const uint64_t key = key_of_##R(from[i]);                                                                                                      \
      for (int d = 0; d < digits; d++) counters[d * values + (int)(key >> (d * bits) & (uint64_t)(values - 1))]++;                                    \
    }                                                                                                                                                \
    for (int d = 0; d < digits; d++) {                                                                                                               \
      uint32_t *own = counters + d * values, sum = 0;                                                                                                \
      const int shift = d * bits;                                                                                                                    \
      if (own[key_of_##R(from[0]) >> shift & (uint64_t)(values - 1)] == (uint64_t)count) continue;                                                    \
      for (int v = 0; v < values; v++) {                                                                                                             \
        const uint32_t here = own[v];                                                                                                                \
        own[v] = sum, sum += here;                                                                                                                   \
      }                                                                                                                                              \
      for (i64 i = 0; i < count; i++) {                                                                                                              \
        const R record = from[i];                                                                                                                    \
        to[own[key_of_##R(record) >> shift & (uint64_t)(values - 1)]++] = record;                                                                     \
      }                                                                                                                                              \
      R *other = from;                                                                                                                               \
      from = to, to = other;                                                                                                                         \
    }                                                                                                                                                \
    return from;                                                                                                                                     \
  }
#define NARROW_LARGER(a, b) ((a) > (b))
#define BROAD_LARGER(a, b) ((a).key > (b).key)
ORDER(narrow, NARROW_LARGER)
ORDER(broad, BROAD_LARGER)

static narrow *order_narrow(narrow *records, i64 count) {
  if (count <= SHORT) {
    insert_narrow(records, count);
    return records;
  }
  return count < LONG ? radix_narrow(records, records + count, count, 4, 8) : radix_narrow(records, records + count, count, 3, 11);
}

static broad *order_broad(broad *records, i64 count) {
  if (count <= SHORT) {
    insert_broad(records, count);
    return records;
  }
  return count < LONG ? radix_broad(records, records + count, count, 8, 8) : radix_broad(records, records + count, count, 6, 11);
}

/* ---------------------------------------------------------------- lines */

#define INDEX_NARROW(record) ((i64)((record) & UINT32_MAX))
#define INDEX_BROAD(record) ((record).index)
#define WRITE(T, R, INDEX)                                                                                                                           \
  static void write_##T##_##R(const R *records, i64 count, const char *from, i64 from_stride, char *values, i64 value_stride, char *indices, i64 index_stride) { \
    for (i64 i = 0; i < count; i++) {                                                                                                                \
      const i64 index = INDEX(records[i]);                                                                                                           \
      *(i32 *)(indices + i * index_stride) = (i32)index;                                                                                             \
      *(T *)(values + i * value_stride) = *(const T *)(from + index * from_stride);                                                                  \
    }                                                                                                                                                \
  }
WRITE(uint32_t, narrow, INDEX_NARROW)
WRITE(b8, narrow, INDEX_NARROW)
WRITE(uint64_t, broad, INDEX_BROAD)

typedef struct {
  int dtype, descending;
  i64 count, from, values, indices; /* of a line, in bytes */
  void *workspace;
} line;

static void sort_line(const line *l, const char *from, char *values, char *indices) {
  const i64 count = l->count;
  switch (l->dtype) {
    case TF_FLOAT32:
    case TF_INT32:
    case TF_BOOL: {
      const uint32_t flip = l->descending ? UINT32_MAX : 0;
      if (l->dtype == TF_FLOAT32) read_f32(l->workspace, from, l->from, count, flip);
      else if (l->dtype == TF_INT32) read_i32(l->workspace, from, l->from, count, flip);
      else read_b8(l->workspace, from, l->from, count, flip);
      const narrow *records = order_narrow(l->workspace, count);
      if (l->dtype == TF_BOOL) write_b8_narrow(records, count, from, l->from, values, l->values, indices, l->indices);
      else write_uint32_t_narrow(records, count, from, l->from, values, l->values, indices, l->indices);
      return;
    }
    default: {
      const uint64_t flip = l->descending ? UINT64_MAX : 0;
      if (l->dtype == TF_FLOAT64) read_f64(l->workspace, from, l->from, count, flip);
      else read_i64(l->workspace, from, l->from, count, flip);
      write_uint64_t_broad(order_broad(l->workspace, count), count, from, l->from, values, l->values, indices, l->indices);
    }
  }
}

static void each_line(const line *l, const word *extents, const word *from_strides, const word *value_strides, const word *index_strides, i64 axes, const char *from, char *values, char *indices) {
  if (axes == 0) {
    sort_line(l, from, values, indices);
    return;
  }
  for (i64 i = 0, count = (i64)extents[0]; i < count; i++)
    each_line(l, extents + 1, from_strides + 1, value_strides + 1, index_strides + 1, axes - 1, from + i * (i64)from_strides[0], values + i * (i64)value_strides[0], indices + i * (i64)index_strides[0]);
}

void tf_sort(const tf_run *run, const word *record) {
  const i64 rank = (i64)record[SORT_RANK];
  const word *extents = record + SORT_EXTENTS, *from = extents + rank, *values = from + VIEW_STRIDES + rank, *indices = values + VIEW_STRIDES + rank, *workspace = indices + VIEW_STRIDES + rank;
  const i64 last = VIEW_STRIDES + rank - 1;
  const line l = {(int)record[SORT_DTYPE], record[SORT_DESCENDING] != 0, (i64)extents[rank - 1], (i64)from[last], (i64)values[last], (i64)indices[last], tf_place(run, workspace)};
  if (l.count == 0) return;
  each_line(&l, extents, from + VIEW_STRIDES, values + VIEW_STRIDES, indices + VIEW_STRIDES, rank - 1, tf_place(run, from), tf_place(run, values), tf_place(run, indices));
}
