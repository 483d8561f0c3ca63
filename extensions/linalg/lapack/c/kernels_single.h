/* The principal square root of upper triangular complex T, column by column (Björck & Hammarling 1983): x_ij = (t_ij − Σ x_ik·x_kj)/(x_ii + x_jj). */
#if COMPLEX
EXPORT(triangularSqrt) {
  const Count b = args[4];
  int n = args[5];
  for (Count i = 0; i < b; i++) {
    const T *t = AT(T, 0) + i * n * n;
    T *x = AT(T, 1) + i * n * n;
    if (!is_triangle_finite(t, n, 1, 0)) {
      fill_nan(x, area(n, n) * WORDS);
      continue;
    }
    fill_zero(x, area(n, n) * WORDS);
    for (Count r = n - 1; r >= 0; r--) {
      T *own = x + r * n;
      JOIN(root_of_, PRECISION)(own + r, (T *)t + r * (n + 1));
      for (Count j = r + 1; j < n; j++) own[j] = t[r * n + j];
      // Row r: what the elements to the left of x_rj give is taken off all that follow.
      for (Count j = r + 1; j < n; j++) {
        const T below = {own[r].r + x[j * (n + 1)].r, own[r].i + x[j * (n + 1)].i};
        if (!is_zero(own[j])) own[j] = quotient(own[j], below);
        subtract_scaled(n - j - 1, own[j], x + j * n + j + 1, own + j + 1);
      }
    }
  }
  return 0;
}
#else

/* |ĝ| ≤ ulps·u of the values relative to the largest, or of their squares. */
static int is_degenerate(int k, const R *s, int ulps, int squares, int zero_ulps) {
  const double tolerance = ulps * (double)EPSILON, zero = zero_ulps * (double)EPSILON;
  double largest = 0, before = 0;
  for (Count j = 0; j < k; j++) if (FABS(s[j]) > largest) largest = FABS(s[j]);
  for (Count j = 0; j < k; j++) {
    const double relative = largest == 0 ? 0 : (double)s[j] / largest, measured = squares ? relative * relative : relative;
    if (j > 0 && __builtin_fabs(measured - before) <= tolerance) return 1;
    before = measured;
    if (j == k - 1 && __builtin_fabs(relative) <= zero) return 1;
  }
  return 0;
}

/* A copy; fails where two neighbours are numerically equal, or the last is zero within `zero_ulps`. */
EXPORT(distinct) {
  const Count b = args[4];
  int k = args[5];
  Count failed = 0;
  for (Count i = 0; i < b; i++) {
    copy_words(AT(R, 0) + i * k, AT(R, 1) + i * k, k);
    if (failed == 0 && is_degenerate(k, AT(R, 0) + i * k, args[6], args[7], args[8])) failed = i + 1;
  }
  return failed;
}
#endif
