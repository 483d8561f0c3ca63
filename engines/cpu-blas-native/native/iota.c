/* STEP_IOTA: indices as values. */
#include "tf_native.h"

#define FILL(T)                                                                                                                                      \
  static void fill_##T(T *out, i64 count) {                                                                                                          \
    for (i64 i = 0; i < count; i++) out[i] = (T)i;                                                                                                   \
  }
FILL(f32)
FILL(f64)
FILL(i32)
FILL(i64)

void tf_iota(const tf_run *run, const word *record) {
  void *out = tf_place(run, record + IOTA_OUT);
  const i64 count = (i64)record[IOTA_ELEMENTS];
  switch ((int)record[IOTA_DTYPE]) {
    case TF_FLOAT32: fill_f32(out, count); return;
    case TF_FLOAT64: fill_f64(out, count); return;
    case TF_INT32: fill_i32(out, count); return;
    case TF_INT64: fill_i64(out, count); return;
  }
}
