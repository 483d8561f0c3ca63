/* Level 1, and the auxiliary routines that LAPACK has in Fortran 90. A vector holds LANES / 2 pairs. */

#define PAIRS (LANES / 2)
#if PRECISION == 8
#define REAL_TWIN(name) JOIN(zd, JOIN(name, _))
#define OF_COMPLEX(name) JOIN(dz, JOIN(name, _))
#define CABS1 dcabs1_
#else
#define REAL_TWIN(name) JOIN(cs, JOIN(name, _))
#define OF_COMPLEX(name) JOIN(sc, JOIN(name, _))
#define CABS1 scabs1_
#endif

INLINE C times(C a, C b) { return (C){a.r * b.r - a.i * b.i, a.r * b.i + a.i * b.r}; }
INLINE C plus(C a, C b) { return (C){a.r + b.r, a.i + b.i}; }
INLINE C conjugate_of(C a) { return (C){a.r, -a.i}; }
INLINE C conjugate_if(int is, C a) { return (C){a.r, is ? -a.i : a.i}; }
INLINE C times_real(R a, C b) { return (C){a * b.r, a * b.i}; }
INLINE C reciprocal(C a) {
  C one = {1, 0}, to;
  JOIN(ratio_of_, PRECISION)(&to, &one, &a);
  return to;
}
INLINE V load_pairs(const C *at) { return load((const R *)at); }
INLINE void store_pairs(C *at, V value) { store((R *)at, value); }

/* −a, a, … as what a pair's swapped parts are multiplied with to give i·a·z. */
INLINE V turned(R a) {
  V wide = SPLAT(a);
  UNROLL for (int i = 0; i < LANES; i += 2) wide[i] = -a;
  return wide;
}

/* y += a·x */
INLINE void add_scaled_pairs(int n, C a, const C *x, C *y) {
  const V re = SPLAT(a.r), im = turned(a.i);
  int i = 0;
  for (; i + 2 * PAIRS <= n; i += 2 * PAIRS) {
    UNROLL for (int v = 0; v < 2 * PAIRS; v += PAIRS) {
      const V here = load_pairs(x + i + v);
      store_pairs(y + i + v, load_pairs(y + i + v) + (re * here + im * SWAPPED(here)));
    }
  }
  for (; i < n; i++) y[i] = plus(y[i], times(a, x[i]));
}

/* Two vectors at once. */
INLINE void add_scaled_pairs2(int n, C a, C b, const C *x, const C *y, C *to) {
  const V ar = SPLAT(a.r), ai = turned(a.i), br = SPLAT(b.r), bi = turned(b.i);
  int i = 0;
  for (; i + PAIRS <= n; i += PAIRS) {
    const V first = load_pairs(x + i), second = load_pairs(y + i);
    store_pairs(to + i, load_pairs(to + i) + ((ar * first + ai * SWAPPED(first)) + (br * second + bi * SWAPPED(second))));
  }
  for (; i < n; i++) to[i] = plus(to[i], plus(times(a, x[i]), times(b, y[i])));
}

/* Sums over pairs: of re·re, im·im beside each other, and of re·im, im·re. */
INLINE C folded(V straight, V crossed, int is_conjugated) {
  C sum = {0, 0};
  UNROLL for (int i = 0; i < LANES; i += 2) {
    sum.r += is_conjugated ? straight[i] + straight[i + 1] : straight[i] - straight[i + 1];
    sum.i += is_conjugated ? crossed[i] - crossed[i + 1] : crossed[i] + crossed[i + 1];
  }
  return sum;
}

/* Σ x·y, or Σ conj(x)·y. */
INLINE C dot_pairs(int n, int is_conjugated, const C *x, const C *y) {
  V straight[2] = {}, crossed[2] = {};
  int i = 0;
  for (; i + 2 * PAIRS <= n; i += 2 * PAIRS) {
    UNROLL for (int v = 0; v < 2; v++) {
      const V a = load_pairs(x + i + v * PAIRS), b = load_pairs(y + i + v * PAIRS);
      straight[v] += a * b;
      crossed[v] += a * SWAPPED(b);
    }
  }
  C sum = folded(straight[0] + straight[1], crossed[0] + crossed[1], is_conjugated);
  for (; i < n; i++) sum = plus(sum, times(conjugate_if(is_conjugated, x[i]), y[i]));
  return sum;
}

R OF_COMPLEX(asum)(integer *n, C *x, integer *incx) {
  R sum = 0;
  for (int i = 0; i < *n; i++) sum += FABS(x[i * *incx].r) + FABS(x[i * *incx].i);
  return sum;
}

R OF_COMPLEX(nrm2)(integer *n, C *x, integer *incx) {
  return *n <= 0 ? 0 : norm_of(*n, (R *)FIRST(x, *n, *incx), 2 * *incx, 2);
}

R CABS1(C *z) { return FABS(z->r) + FABS(z->i); }

int C_(axpy)(integer *n, C *a, C *x, integer *incx, C *y, integer *incy) {
  if (*n <= 0 || (a->r == 0 && a->i == 0)) return 0;
  if (*incx == 1 && *incy == 1) return add_scaled_pairs(*n, *a, x, y), 0;
  const C *from = FIRST(x, *n, *incx);
  C *to = FIRST(y, *n, *incy);
  for (int i = 0; i < *n; i++) to[i * *incy] = plus(to[i * *incy], times(*a, from[i * *incx]));
  return 0;
}

int C_(copy)(integer *n, C *x, integer *incx, C *y, integer *incy) {
  if (*n <= 0) return 0;
  const C *from = FIRST(x, *n, *incx);
  C *to = FIRST(y, *n, *incy);
  for (int i = 0; i < *n; i++) to[i * *incy] = from[i * *incx];
  return 0;
}

static void dot_strided(C *to, int is_conjugated, int n, C *x, int incx, C *y, int incy) {
  to->r = to->i = 0;
  if (n <= 0) return;
  if (incx == 1 && incy == 1) {
    *to = dot_pairs(n, is_conjugated, x, y);
    return;
  }
  const C *a = FIRST(x, n, incx), *b = FIRST(y, n, incy);
  for (int i = 0; i < n; i++) *to = plus(*to, times(conjugate_if(is_conjugated, a[i * incx]), b[i * incy]));
}

void C_(dotc)(C *to, integer *n, C *x, integer *incx, C *y, integer *incy) { dot_strided(to, 1, *n, x, *incx, y, *incy); }
void C_(dotu)(C *to, integer *n, C *x, integer *incx, C *y, integer *incy) { dot_strided(to, 0, *n, x, *incx, y, *incy); }

/* A rotation with real c and s. */
int REAL_TWIN(rot)(integer *n, C *x, integer *incx, C *y, integer *incy, R *c, R *s) {
  if (*n <= 0) return 0;
  if (*incx == 1 && *incy == 1) return rotate(2 * *n, (R *)x, (R *)y, *c, *s), 0;
  C *a = FIRST(x, *n, *incx), *b = FIRST(y, *n, *incy);
  for (int i = 0; i < *n; i++) {
    const C here = a[i * *incx], there = b[i * *incy];
    a[i * *incx] = plus(times_real(*c, here), times_real(*s, there));
    b[i * *incy] = plus(times_real(*c, there), times_real(-*s, here));
  }
  return 0;
}

int C_(scal)(integer *n, C *a, C *x, integer *incx) {
  if (*n <= 0 || *incx <= 0) return 0;
  for (int i = 0; i < *n; i++) x[i * *incx] = times(*a, x[i * *incx]);
  return 0;
}

int REAL_TWIN(scal)(integer *n, R *a, C *x, integer *incx) {
  if (*n <= 0 || *incx <= 0) return 0;
  if (*incx == 1) return scale(2 * *n, *a, (R *)x), 0;
  for (int i = 0; i < *n; i++) x[i * *incx] = times_real(*a, x[i * *incx]);
  return 0;
}

int C_(swap)(integer *n, C *x, integer *incx, C *y, integer *incy) {
  if (*n <= 0) return 0;
  if (*incx == 1 && *incy == 1) return exchange(2 * *n, (R *)x, (R *)y), 0;
  C *a = FIRST(x, *n, *incx), *b = FIRST(y, *n, *incy);
  for (int i = 0; i < *n; i++) {
    const C kept = a[i * *incx];
    a[i * *incx] = b[i * *incy];
    b[i * *incy] = kept;
  }
  return 0;
}

/* The first of the largest |re| + |im|, from 1. */
integer JOIN(i, C_(amax))(integer *n, C *x, integer *incx) {
  if (*n < 1 || *incx <= 0) return 0;
  int at = 0;
  R largest = CABS1(x);
  for (int i = 1; i < *n; i++) {
    const R size = CABS1(x + i * *incx);
    if (size > largest) largest = size, at = i;
  }
  return at + 1;
}

int C_(lassq)(integer *n, C *x, integer *incx, R *scale_at, R *sum) {
  add_squares(*n, (R *)x, 2 * *incx, 2, scale_at, sum);
  return 0;
}

INLINE double size2(double re, double im) { return f2c_hypot(re, im); }

/*
 * c·f + s·g = r, −conj(s)·f + c·g = 0 with real c (Anderson 2017): c = |f|/d, s = (f/|f|)·conj(g)/d, r = (f/|f|)·d for d² = |f|² + |g|².
 */
int C_(lartg)(C *f, C *g, R *c, C *s, C *r) {
  if (g->r == 0 && g->i == 0) {
    *c = 1, s->r = s->i = 0, *r = *f;
    return 0;
  }
  const R fr = FABS(f->r), fi = FABS(f->i), gr = FABS(g->r), gi = FABS(g->i);
  R largest = fr > fi ? fr : fi;
  if (gr > largest) largest = gr;
  if (gi > largest) largest = gi;
  /* By a power of two, so that squares neither overflow nor vanish beside the larger one. */
  const R low = PRECISION == 8 ? (R)0x1p-300 : (R)0x1p-40, high = PRECISION == 8 ? (R)0x1p300 : (R)0x1p40;
  const R up = PRECISION == 8 ? (R)0x1p600 : (R)0x1p80;
  const R factor = largest < low ? up : largest > high ? 1 / up : 1;
  const double f1 = size2(f->r * factor, f->i * factor), g1 = size2(g->r * factor, g->i * factor), d = size2(f1, g1);
  const C phase = f1 == 0 ? (C){1, 0} : (C){(R)(f->r * factor / f1), (R)(f->i * factor / f1)};
  const C ratio = {(R)(g->r * factor / d), (R)(-(g->i * factor) / d)};
  *c = (R)(f1 / d);
  *s = times(phase, ratio);
  *r = times_real((R)(d / factor), phase);
  return 0;
}
