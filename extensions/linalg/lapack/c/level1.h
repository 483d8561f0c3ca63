/* Loops over vectors: unit strides by SIMD, others element by element. Included by the real and the complex routines. */
#ifndef LEVEL1_H
#define LEVEL1_H
#include "precision.h"

/* The first element of a vector whose stride may be negative. */
#define FIRST(x, n, stride) ((x) + ((stride) < 0 ? (1 - (n)) * (stride) : 0))

/* y += a·x */
INLINE void add_scaled(Count n, R a, const R *x, R *y) {
  const V wide = SPLAT(a);
  Count i = 0;
  for (; i + 4 * LANES <= n; i += 4 * LANES) {
    UNROLL for (int v = 0; v < 4; v++) store(y + i + v * LANES, load(y + i + v * LANES) + wide * load(x + i + v * LANES));
  }
  for (; i + LANES <= n; i += LANES) store(y + i, load(y + i) + wide * load(x + i));
  for (; i < n; i++) y[i] += a * x[i];
}

/* Four vectors at once, so that y is read and written once. */
INLINE void add_scaled4(int n, const R *a, const R *x0, const R *x1, const R *x2, const R *x3, R *y) {
  const V a0 = SPLAT(a[0]), a1 = SPLAT(a[1]), a2 = SPLAT(a[2]), a3 = SPLAT(a[3]);
  int i = 0;
  for (; i + 2 * LANES <= n; i += 2 * LANES) {
    UNROLL for (int v = 0; v < 2 * LANES; v += LANES) {
      store(y + i + v, load(y + i + v) + ((a0 * load(x0 + i + v) + a1 * load(x1 + i + v)) + (a2 * load(x2 + i + v) + a3 * load(x3 + i + v))));
    }
  }
  for (; i < n; i++) y[i] += (a[0] * x0[i] + a[1] * x1[i]) + (a[2] * x2[i] + a[3] * x3[i]);
}

INLINE R dot(int n, const R *x, const R *y) {
  V sums[4] = {};
  int i = 0;
  for (; i + 4 * LANES <= n; i += 4 * LANES) {
    UNROLL for (int v = 0; v < 4; v++) sums[v] += load(x + i + v * LANES) * load(y + i + v * LANES);
  }
  for (; i + LANES <= n; i += LANES) sums[0] += load(x + i) * load(y + i);
  R sum = total((sums[0] + sums[1]) + (sums[2] + sums[3]));
  for (; i < n; i++) sum += x[i] * y[i];
  return sum;
}

/* Four vectors with one. */
INLINE void dot4(int n, const R *x0, const R *x1, const R *x2, const R *x3, const R *y, R *to) {
  V s0 = {}, s1 = {}, s2 = {}, s3 = {};
  int i = 0;
  for (; i + LANES <= n; i += LANES) {
    const V here = load(y + i);
    s0 += load(x0 + i) * here;
    s1 += load(x1 + i) * here;
    s2 += load(x2 + i) * here;
    s3 += load(x3 + i) * here;
  }
  to[0] = total(s0), to[1] = total(s1), to[2] = total(s2), to[3] = total(s3);
  for (; i < n; i++) {
    to[0] += x0[i] * y[i];
    to[1] += x1[i] * y[i];
    to[2] += x2[i] * y[i];
    to[3] += x3[i] * y[i];
  }
}

INLINE void scale(Count n, R a, R *x) {
  const V wide = SPLAT(a);
  Count i = 0;
  for (; i + LANES <= n; i += LANES) store(x + i, wide * load(x + i));
  for (; i < n; i++) x[i] *= a;
}

INLINE void exchange(Count n, R *x, R *y) {
  Count i = 0;
  for (; i + LANES <= n; i += LANES) {
    const V kept = load(x + i);
    store(x + i, load(y + i));
    store(y + i, kept);
  }
  for (; i < n; i++) {
    const R kept = x[i];
    x[i] = y[i];
    y[i] = kept;
  }
}

INLINE void move(Count n, const R *x, R *y) {
  Count i = 0;
  for (; i + LANES <= n; i += LANES) store(y + i, load(x + i));
  for (; i < n; i++) y[i] = x[i];
}

INLINE void rotate(int n, R *x, R *y, R c, R s) {
  const V wide_c = SPLAT(c), wide_s = SPLAT(s);
  int i = 0;
  for (; i + LANES <= n; i += LANES) {
    const V here = load(x + i), there = load(y + i);
    store(x + i, wide_c * here + wide_s * there);
    store(y + i, wide_c * there - wide_s * here);
  }
  for (; i < n; i++) {
    const R here = x[i];
    x[i] = c * here + s * y[i];
    y[i] = c * y[i] - s * here;
  }
}

INLINE R sum_of_magnitudes(int n, const R *x) {
  R sum = 0;
  for (int i = 0; i < n; i++) sum += FABS(x[i]);
  return sum;
}

/* ‖x‖ of n runs of `width` numbers: squares summed as they are where nothing is lost by that, else of x/max|x|. */
APART R norm_of(int n, const R *x, int stride, int width) {
  double sums[4] = {0, 0, 0, 0};
  R largest = 0;
  if (stride == width) {
    const int all = n * width;
    int i = 0;
    for (; i + 4 <= all; i += 4) {
      UNROLL for (int v = 0; v < 4; v++) sums[v] += (double)x[i + v] * x[i + v];
    }
    for (; i < all; i++) sums[0] += (double)x[i] * x[i];
  } else {
    for (int i = 0; i < n; i++) for (int part = 0; part < width; part++) sums[part] += (double)x[i * stride + part] * x[i * stride + part];
  }
  const double sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  if (PRECISION == 4 || (sum > 0x1p-900 && sum < 0x1p1000)) return (R)__builtin_sqrt(sum);
  for (int i = 0; i < n; i++) for (int part = 0; part < width; part++) {
    const R size = FABS(x[i * stride + part]);
    if (size != size) return size;
    if (size > largest) largest = size;
  }
  if (largest == 0 || largest > HUGEST) return largest;
  double scaled = 0;
  for (int i = 0; i < n; i++) for (int part = 0; part < width; part++) {
    const double ratio = x[i * stride + part] / largest;
    scaled += ratio * ratio;
  }
  return (R)(largest * __builtin_sqrt(scaled));
}

/* (scale, sum) with scale²·sum larger by Σx². */
INLINE void add_squares(int n, const R *x, int stride, int width, R *scale_at, R *sum) {
  if (n <= 0 || *scale_at != *scale_at || *sum != *sum) return;
  if (*sum == 0) *scale_at = 1;
  if (*scale_at == 0) *scale_at = 1, *sum = 0;
  const R before = *scale_at * SQRT(*sum), added = norm_of(n, x, stride, width);
  if (added == 0) return;
  const R larger = before > added ? before : added;
  if (added > HUGEST || added != added) {
    *scale_at = 1;
    *sum = added;
    return;
  }
  const R a = before / larger, b = added / larger;
  *scale_at = larger;
  *sum = a * a + b * b;
}

#endif
