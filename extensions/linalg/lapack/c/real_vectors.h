/* Level 1, and the auxiliary routines that LAPACK has in Fortran 90. */

R R_(asum)(integer *n, R *x, integer *incx) {
  if (*incx == 1) return sum_of_magnitudes(*n, x);
  R sum = 0;
  for (int i = 0; i < *n; i++) sum += FABS(x[i * *incx]);
  return sum;
}

int R_(axpy)(integer *n, R *a, R *x, integer *incx, R *y, integer *incy) {
  if (*n <= 0 || *a == 0) return 0;
  if (*incx == 1 && *incy == 1) return add_scaled(*n, *a, x, y), 0;
  const R *from = FIRST(x, *n, *incx);
  R *to = FIRST(y, *n, *incy);
  for (int i = 0; i < *n; i++) to[i * *incy] += *a * from[i * *incx];
  return 0;
}

int R_(copy)(integer *n, R *x, integer *incx, R *y, integer *incy) {
  if (*n <= 0) return 0;
  if (*incx == 1 && *incy == 1) return move(*n, x, y), 0;
  const R *from = FIRST(x, *n, *incx);
  R *to = FIRST(y, *n, *incy);
  for (int i = 0; i < *n; i++) to[i * *incy] = from[i * *incx];
  return 0;
}

R R_(dot)(integer *n, R *x, integer *incx, R *y, integer *incy) {
  if (*n <= 0) return 0;
  if (*incx == 1 && *incy == 1) return dot(*n, x, y);
  const R *a = FIRST(x, *n, *incx), *b = FIRST(y, *n, *incy);
  R sum = 0;
  for (int i = 0; i < *n; i++) sum += a[i * *incx] * b[i * *incy];
  return sum;
}

R R_(nrm2)(integer *n, R *x, integer *incx) {
  return *n <= 0 ? 0 : norm_of(*n, FIRST(x, *n, *incx), *incx, 1);
}

int R_(rot)(integer *n, R *x, integer *incx, R *y, integer *incy, R *c, R *s) {
  if (*n <= 0) return 0;
  if (*incx == 1 && *incy == 1) return rotate(*n, x, y, *c, *s), 0;
  R *a = FIRST(x, *n, *incx), *b = FIRST(y, *n, *incy);
  for (int i = 0; i < *n; i++) {
    const R here = a[i * *incx], there = b[i * *incy];
    a[i * *incx] = *c * here + *s * there;
    b[i * *incy] = *c * there - *s * here;
  }
  return 0;
}

int R_(scal)(integer *n, R *a, R *x, integer *incx) {
  if (*n <= 0 || *incx <= 0) return 0;
  if (*incx == 1) return scale(*n, *a, x), 0;
  for (int i = 0; i < *n; i++) x[i * *incx] *= *a;
  return 0;
}

int R_(swap)(integer *n, R *x, integer *incx, R *y, integer *incy) {
  if (*n <= 0) return 0;
  if (*incx == 1 && *incy == 1) return exchange(*n, x, y), 0;
  R *a = FIRST(x, *n, *incx), *b = FIRST(y, *n, *incy);
  for (int i = 0; i < *n; i++) {
    const R kept = a[i * *incx];
    a[i * *incx] = b[i * *incy];
    b[i * *incy] = kept;
  }
  return 0;
}

/* The first of the largest magnitude, from 1. */
integer JOIN(i, R_(amax))(integer *n, R *x, integer *incx) {
  if (*n < 1 || *incx <= 0) return 0;
  int at = 0;
  R largest = FABS(x[0]);
  for (int i = 1; i < *n; i++) {
    const R size = FABS(x[i * *incx]);
    if (size > largest) largest = size, at = i;
  }
  return at + 1;
}

int R_(lassq)(integer *n, R *x, integer *incx, R *scale_at, R *sum) {
  add_squares(*n, x, *incx, 1, scale_at, sum);
  return 0;
}

/* A plane rotation: c·f + s·g = r, c·g − s·f = 0 (Anderson 2017); r has f's sign. */
int R_(lartg)(R *f, R *g, R *c, R *s, R *r) {
  const R f1 = FABS(*f), g1 = FABS(*g);
  const R low = PRECISION == 8 ? (R)0x1p-511 : (R)0x1p-63, high = PRECISION == 8 ? (R)0x1p510 : (R)0x1p62;
  if (*g == 0) {
    *c = 1, *s = 0, *r = *f;
  } else if (*f == 0) {
    *c = 0, *s = COPYSIGN(1, *g), *r = g1;
  } else if (f1 > low && f1 < high && g1 > low && g1 < high) {
    const R d = SQRT(*f * *f + *g * *g);
    *c = f1 / d;
    *r = COPYSIGN(d, *f);
    *s = *g / *r;
  } else {
    const R larger = f1 > g1 ? f1 : g1, u = larger > SAFE_MINIMUM ? (larger < 1 / SAFE_MINIMUM ? larger : 1 / SAFE_MINIMUM) : SAFE_MINIMUM;
    const R fs = *f / u, gs = *g / u, d = SQRT(fs * fs + gs * gs);
    *c = FABS(fs) / d;
    *r = COPYSIGN(d, *f);
    *s = gs / *r;
    *r *= u;
  }
  return 0;
}
