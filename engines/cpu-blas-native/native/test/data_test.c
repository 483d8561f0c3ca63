/* Sorts, gathers, scatters and iota against the plainest way to write them, over random shapes and strides. */
#include "check.h"

/* ---------------------------------------------------------------- strides */

/* A way for a tensor of these extents to lie: any order of the axes, elements apart. Gives the bytes it spans. */
static i64 draw_strides(int axes, const i64 *extents, i64 bytes, i64 *strides) {
  int order[8];
  for (int i = 0; i < axes; i++) order[i] = i;
  if (draw_below(2) == 0)
    for (int i = axes - 1; i > 0; i--) {
      const int j = (int)draw_below(i + 1), own = order[i];
      order[i] = order[j], order[j] = own;
    }
  i64 at = bytes * (draw_below(4) == 0 ? 2 : 1);
  for (int i = axes - 1; i >= 0; i--) {
    strides[order[i]] = at;
    at *= extents[order[i]] > 0 ? extents[order[i]] : 1;
  }
  return at + bytes;
}

/* The byte place of the iteration `at`, which becomes the next one in row-major order; 0 after the last. */
static int next(int axes, const i64 *extents, i64 *at) {
  for (int i = axes - 1; i >= 0; i--) {
    if (++at[i] < extents[i]) return 1;
    at[i] = 0;
  }
  return 0;
}
static i64 place_of(int axes, const i64 *at, const i64 *strides) {
  i64 place = 0;
  for (int i = 0; i < axes; i++) place += at[i] * strides[i];
  return place;
}

/* ---------------------------------------------------------------- sort */

static f64 special(int which) {
  static const f64 values[] = {NAN, INFINITY, -INFINITY, 0.0, -0.0, 1, -1, 5e-324, -5e-324, 1e-45, -1e-45};
  return values[which % 11];
}
static void draw_sortable(int dtype, char *to, int kind) {
  const f64 drawn = kind == 0 ? draw_unit() * 1e3 : kind == 1 ? (f64)draw_below(5) - 2 : special((int)draw_below(11));
  switch (dtype) {
    case TF_FLOAT32: *(f32 *)to = (f32)drawn; return;
    case TF_FLOAT64: *(f64 *)to = drawn; return;
    case TF_INT32: *(i32 *)to = kind == 0 ? (i32)draw() : kind == 1 ? (i32)draw_below(5) - 2 : draw_below(2) ? INT32_MIN : INT32_MAX; return;
    case TF_INT64: *(i64 *)to = kind == 0 ? (i64)draw() : kind == 1 ? draw_below(5) - 2 : draw_below(2) ? INT64_MIN : INT64_MAX; return;
    default: *(b8 *)to = draw() & 1;
  }
}
/* −1, 0, 1; NaN is above all. */
static int compare(int dtype, const char *a, const char *b) {
  if (dtype == TF_INT64) return (*(i64 *)a > *(i64 *)b) - (*(i64 *)a < *(i64 *)b);
  const f64 x = dtype == TF_FLOAT32 ? *(f32 *)a : dtype == TF_FLOAT64 ? *(f64 *)a : dtype == TF_INT32 ? *(i32 *)a : *(b8 *)a;
  const f64 y = dtype == TF_FLOAT32 ? *(f32 *)b : dtype == TF_FLOAT64 ? *(f64 *)b : dtype == TF_INT32 ? *(i32 *)b : *(b8 *)b;
  if (x != x || y != y) return (x != x) - (y != y);
  return (x > y) - (x < y);
}

/* A line is right when its indices are a permutation, values are their elements' bits, neighbours are in order, and equal ones in that of their indices. */
static void check_line(int dtype, int descending, i64 count, const char *from, i64 from_stride, const char *values, i64 value_stride, const char *indices, i64 index_stride) {
  const i64 bytes = tf_dtype_bytes[dtype];
  char *seen = calloc(1, (size_t)count + 1);
  for (i64 i = 0; i < count; i++) {
    const i32 own = *(const i32 *)(indices + i * index_stride);
    CHECK(own >= 0 && own < count && !seen[own], "sort of dtype %d: index %d", dtype, own);
    if (own < 0 || own >= count) break;
    seen[own] = 1;
    CHECK(memcmp(values + i * value_stride, from + own * from_stride, (size_t)bytes) == 0, "sort of dtype %d: value %ld is not element %d", dtype, (long)i, own);
    if (i == 0) continue;
    const i32 before = *(const i32 *)(indices + (i - 1) * index_stride);
    const int order = compare(dtype, from + before * from_stride, from + own * from_stride) * (descending ? -1 : 1);
    CHECK(order < 0 || (order == 0 && before < own), "sort of dtype %d, %ld elements, descending %d: at %ld", dtype, (long)count, descending, (long)i);
  }
  free(seen);
}

static void test_sort(int dtype, i64 lines, i64 count, int kind) {
  const i64 bytes = tf_dtype_bytes[dtype], extents[2] = {lines, count};
  const int descending = (int)(draw() & 1);
  i64 own[2], sorted[2], places[2];
  char *from = bytes_of(draw_strides(2, extents, bytes, own)), *values = bytes_of(draw_strides(2, extents, bytes, sorted)), *indices = bytes_of(draw_strides(2, extents, 4, places)), *workspace = bytes_of(32 * count);
  for (i64 i = 0; i < lines; i++)
    for (i64 j = 0; j < count; j++) draw_sortable(dtype, from + i * own[0] + j * own[1], kind);
  word record[64] = {STEP_SORT, 64};
  record[SORT_DTYPE] = dtype, record[SORT_DESCENDING] = descending, record[SORT_RANK] = 2;
  word *at = record + SORT_EXTENTS;
  *at++ = (word)lines, *at++ = (word)count;
  at = put_view(at, 0, 0, 2, own);
  at = put_view(at, 1, 0, 2, sorted);
  at = put_view(at, 2, 0, 2, places);
  put_view(at, 3, 0, 0, NULL);
  test_table table;
  open_table(&table, (void *[]){from, values, indices, workspace}, 4, NULL, 0, 1);
  tf_sort(&table.run, record);
  for (i64 i = 0; i < lines; i++) check_line(dtype, descending, count, from + i * own[0], own[1], values + i * sorted[0], sorted[1], indices + i * places[0], places[1]);
  free(from), free(values), free(indices), free(workspace);
}

/* ---------------------------------------------------------------- gathers and scatters */

static f64 extremum(f64 a, f64 b, int is_max) {
  if (a != a || b != b) return NAN;
  if (a == b) return signbit(a) ? (is_max ? b : a) : (is_max ? a : b);
  return (a > b) == is_max ? a : b;
}

static void combined(int dtype, int combine, char *to, const char *from) {
  const int is_max = combine == COMBINE_MAX;
  if (combine == COMBINE_SET) {
    memcpy(to, from, (size_t)tf_dtype_bytes[dtype]);
    return;
  }
  switch (dtype) {
    case TF_FLOAT32: *(f32 *)to = combine == COMBINE_ADD ? *(f32 *)to + *(f32 *)from : (f32)extremum(*(f32 *)to, *(f32 *)from, is_max); return;
    case TF_FLOAT64: *(f64 *)to = combine == COMBINE_ADD ? *(f64 *)to + *(f64 *)from : extremum(*(f64 *)to, *(f64 *)from, is_max); return;
    case TF_COMPLEX64: ((f32 *)to)[0] += ((f32 *)from)[0], ((f32 *)to)[1] += ((f32 *)from)[1]; return;
    case TF_COMPLEX128: ((f64 *)to)[0] += ((f64 *)from)[0], ((f64 *)to)[1] += ((f64 *)from)[1]; return;
    case TF_INT32: *(i32 *)to = combine == COMBINE_ADD ? (i32)(*(uint32_t *)to + *(uint32_t *)from) : (*(i32 *)to > *(i32 *)from) == is_max ? *(i32 *)to : *(i32 *)from; return;
    case TF_INT64: *(i64 *)to = combine == COMBINE_ADD ? (i64)(*(uint64_t *)to + *(uint64_t *)from) : (*(i64 *)to > *(i64 *)from) == is_max ? *(i64 *)to : *(i64 *)from; return;
    default: *(b8 *)to = (*(b8 *)to > *(b8 *)from) == is_max ? *(b8 *)to : *(b8 *)from;
  }
}

/* Equal bits, or both NaN. */
static int are_same(int dtype, const char *a, const char *b, i64 bytes) {
  if (memcmp(a, b, (size_t)bytes) == 0) return 1;
  for (i64 i = 0; i < bytes; i += 4) {
    if ((dtype == TF_FLOAT64 || dtype == TF_COMPLEX128) && i % 8 == 0 && i + 8 <= bytes && *(f64 *)(a + i) != *(f64 *)(a + i) && *(f64 *)(b + i) != *(f64 *)(b + i)) i += 4;
    else if ((dtype == TF_FLOAT32 || dtype == TF_COMPLEX64) && *(f32 *)(a + i) != *(f32 *)(a + i) && *(f32 *)(b + i) != *(f32 *)(b + i)) continue;
    else if (memcmp(a + i, b + i, (size_t)(bytes - i < 4 ? bytes - i : 4)) != 0) return 0;
  }
  return 1;
}

/* The indexed tensor has a row axis before its others; indices stay along some axes, other operands have all. */
static void test_indexed(int is_gather, int dtype, int combine, int axes, int with_bad) {
  const i64 bytes = tf_dtype_bytes[dtype], rows = 1 + draw_below(7);
  i64 extents[4] = {0}, tensor_extents[5] = {rows}, index_extents[4] = {0}, tensor_all[5] = {0}, tensor[4] = {0}, indices[4] = {0}, other[4] = {0};
  for (int i = 0; i < axes; i++) extents[i] = 1 + draw_below(6);
  const int staying = (int)draw_below(axes + 1); /* trailing axes along which the index stays */
  for (int i = 0; i < axes; i++) index_extents[i] = i < axes - staying ? extents[i] : 1, tensor_extents[i + 1] = i < axes - staying && draw_below(2) ? 1 : extents[i];
  const i64 tensor_bytes = draw_strides(axes + 1, tensor_extents, bytes, tensor_all), index_bytes = draw_strides(axes, index_extents, 4, indices), other_bytes = draw_strides(axes, extents, bytes, other);
  for (int i = 0; i < axes; i++) tensor[i] = tensor_extents[i + 1] == 1 ? 0 : tensor_all[i + 1], indices[i] = i < axes - staying ? indices[i] : 0;
  char *indexed = bytes_of(tensor_bytes), *index = bytes_of(index_bytes), *operand = bytes_of(other_bytes);
  draw_values(dtype, indexed, tensor_bytes), draw_values(dtype, operand, other_bytes);
  if (dtype < TF_INT32)
    for (i64 i = 0; i < (tensor_bytes < other_bytes ? tensor_bytes : other_bytes) / bytes; i += 3) {
      const f64 a = special((int)draw_below(11)), b = special((int)draw_below(11));
      if (dtype == TF_FLOAT64 || dtype == TF_COMPLEX128) *(f64 *)(indexed + i * bytes) = a, *(f64 *)(operand + i * bytes) = b;
      else *(f32 *)(indexed + i * bytes) = (f32)a, *(f32 *)(operand + i * bytes) = (f32)b;
    }
  for (i64 i = 0; i < index_bytes / 4; i++) ((i32 *)index)[i] = (i32)(draw_below(2 * rows) - rows);
  i64 at[4] = {0};
  i32 bad = 0;
  if (with_bad) {
    for (int i = 0; i < axes; i++) at[i] = i < axes - staying ? draw_below(extents[i]) : 0;
    bad = draw_below(2) ? (i32)rows : draw_below(2) ? -(i32)rows - 1 : draw_below(2) ? INT32_MAX : INT32_MIN;
    *(i32 *)(index + place_of(axes, at, indices)) = bad;
  }
  word record[64] = {is_gather ? STEP_GATHER : STEP_SCATTER, 64};
  record[INDEXED_DTYPE] = dtype, record[INDEXED_COMBINE] = combine, record[INDEXED_RANK] = axes, record[INDEXED_ROWS] = (word)rows, record[INDEXED_ROW_BYTES] = (word)tensor_all[0];
  word *to = record + INDEXED_EXTENTS;
  for (int i = 0; i < axes; i++) *to++ = (word)extents[i];
  to = put_view(to, 0, 0, axes, indices);
  to = put_view(to, 1, 0, axes, tensor);
  put_view(to, 2, 0, axes, other);
  char *expected_tensor = bytes_of(tensor_bytes), *expected_operand = bytes_of(other_bytes);
  memcpy(expected_tensor, indexed, (size_t)tensor_bytes), memcpy(expected_operand, operand, (size_t)other_bytes);
  test_table table;
  open_table(&table, (void *[]){index, indexed, operand}, 3, NULL, 0, 1);
  const int status = (is_gather ? tf_gather : tf_scatter)(&table.run, record);
  CHECK(status == (with_bad ? STATUS_INDEX : STATUS_DONE), "status %d", status);
  if (with_bad) {
    CHECK(table.words[TABLE_BAD_INDEX] == bad, "bad index %g, expected %d", table.words[TABLE_BAD_INDEX], bad);
  } else {
    memset(at, 0, sizeof at);
    do {
      const i32 named = *(i32 *)(index + place_of(axes, at, indices));
      char *row = expected_tensor + place_of(axes, at, tensor) + (named < 0 ? named + rows : named) * tensor_all[0], *element = expected_operand + place_of(axes, at, other);
      if (is_gather) memcpy(element, row, (size_t)bytes);
      else combined(dtype, combine, row, element);
    } while (next(axes, extents, at));
    CHECK(are_same(dtype, expected_tensor, indexed, tensor_bytes), "%s of dtype %d, combine %d, %d axes: the tensor", is_gather ? "gather" : "scatter", dtype, combine, axes);
    CHECK(are_same(dtype, expected_operand, operand, other_bytes), "%s of dtype %d, combine %d, %d axes: the operand", is_gather ? "gather" : "scatter", dtype, combine, axes);
  }
  free(indexed), free(index), free(operand), free(expected_tensor), free(expected_operand);
}

static void test_iota(int dtype, i64 count) {
  const i64 bytes = tf_dtype_bytes[dtype];
  char *out = bytes_of(count * bytes);
  word record[16] = {STEP_IOTA, 16};
  record[IOTA_DTYPE] = dtype, record[IOTA_ELEMENTS] = (word)count;
  put_view(record + IOTA_OUT, 0, 0, 0, NULL);
  test_table table;
  open_table(&table, (void *[]){out}, 1, NULL, 0, 1);
  tf_iota(&table.run, record);
  for (i64 i = 0; i < count; i++) {
    const f64 got = dtype == TF_FLOAT32 ? ((f32 *)out)[i] : dtype == TF_FLOAT64 ? ((f64 *)out)[i] : dtype == TF_INT32 ? ((i32 *)out)[i] : (f64)((i64 *)out)[i];
    CHECK(got == (dtype == TF_FLOAT32 ? (f32)i : (f64)i), "iota of dtype %d at %ld: %g", dtype, (long)i, got);
  }
  free(out);
}

int main(void) {
  static const int sortable[] = {TF_FLOAT32, TF_FLOAT64, TF_INT32, TF_INT64, TF_BOOL}, counting[] = {TF_FLOAT32, TF_FLOAT64, TF_INT32, TF_INT64};
  for (int d = 0; d < 5; d++)
    for (int kind = 0; kind < 3; kind++) {
      for (int i = 0; i < 30; i++) test_sort(sortable[d], 1 + draw_below(4), 1 + draw_below(100), kind);
      test_sort(sortable[d], 3, 0, kind), test_sort(sortable[d], 2, 700, kind), test_sort(sortable[d], 1, 3999, kind), test_sort(sortable[d], 1, 4000, kind), test_sort(sortable[d], 1, 70000, kind);
    }
  for (int dtype = 0; dtype < 7; dtype++)
    for (int i = 0; i < 150; i++) {
      const int axes = (int)draw_below(5), has_order = dtype != TF_COMPLEX64 && dtype != TF_COMPLEX128;
      test_indexed(1, dtype, COMBINE_SET, axes, i % 5 == 0);
      test_indexed(0, dtype, COMBINE_SET, axes, i % 5 == 0);
      if (dtype != TF_BOOL) test_indexed(0, dtype, COMBINE_ADD, axes, i % 5 == 0);
      if (has_order) test_indexed(0, dtype, COMBINE_MAX, axes, i % 5 == 0), test_indexed(0, dtype, COMBINE_MIN, axes, i % 5 == 0);
    }
  for (int d = 0; d < 4; d++) test_iota(counting[d], 0), test_iota(counting[d], 1), test_iota(counting[d], 1000);
  test_iota(TF_FLOAT32, 16777300);
  return report();
}
